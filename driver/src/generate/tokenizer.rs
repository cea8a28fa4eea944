//! Texts as tokens, and tokens as bytes of text.

use super::split;
use relay_import::gguf::{Vocabulary, VocabularyKind};
use std::{cmp::Ordering, collections::HashMap};
use tokenizers::{
    AddedToken, Tokenizer as Encoder,
    models::bpe::{BPE, Vocab},
    normalizers::{NormalizerWrapper, Prepend, Replace, Sequence as Normalizers},
    pre_tokenizers::{
        PreTokenizerWrapper,
        byte_level::ByteLevel,
        sequence::Sequence as PreTokenizers,
        split::{Split, SplitPattern},
    },
    tokenizer::SplitDelimiterBehavior,
};

/// The letter that stands for a space in vocabularies of SentencePiece.
const SPACE: char = '\u{2581}';

/// The most bytes of a token that is made of others. Longer ones are no pieces of SentencePiece, and cutting them takes time by the square.
const LONGEST: usize = 512;

/// A vocabulary, with what cuts a text into its tokens.
pub struct Tokenizer<'v> {
    vocabulary: &'v Vocabulary,
    encoder: Encoder,
    first: Option<i64>,
    /// The bytes that letters stand for, if they stand for bytes.
    bytes: Option<HashMap<char, u8>>,
}

impl<'v> Tokenizer<'v> {
    /// What cuts texts into the tokens of a vocabulary.
    ///
    /// # Errors
    /// If the vocabulary is of a kind that is not supported, or contradicts itself.
    pub fn of(vocabulary: &'v Vocabulary) -> Result<Self, String> {
        let (mut encoder, adds_first) = match &vocabulary.kind {
            VocabularyKind::Merges { merges, split } => {
                let split = split::find(split)?;
                (merging(vocabulary, merges, split)?, split.adds_first)
            }
            VocabularyKind::Scores {
                scores,
                begins_with_space,
            } => (scoring(vocabulary, scores, *begins_with_space)?, true),
        };
        let uncut = vocabulary.tokens.iter().zip(0..);
        let uncut = uncut.filter(|(text, token)| vocabulary.is_uncut(*token) && !text.is_empty());
        let uncut = uncut.map(|(text, _)| AddedToken::from(text.clone(), true).normalized(false));
        encoder.add_special_tokens(uncut).map_err(wrong)?;
        Ok(Self {
            first: vocabulary.first(adds_first),
            bytes: matches!(vocabulary.kind, VocabularyKind::Merges { .. }).then(bytes_of_letters),
            vocabulary,
            encoder,
        })
    }

    /// The tokens of a text, with those that the model expects before and behind it.
    ///
    /// # Errors
    /// If the text cannot be cut.
    pub fn encode(&self, text: &str) -> Result<Vec<i64>, String> {
        let encoding = self.encoder.encode_fast(text, false).map_err(wrong)?;
        let tokens = encoding.get_ids().iter().map(|token| i64::from(*token));
        let first = self.first.into_iter();
        Ok(first.chain(tokens).chain(self.vocabulary.last).collect())
    }

    /// The bytes of text that a token stands for.
    pub fn bytes(&self, token: i64) -> Vec<u8> {
        let text = usize::try_from(token).ok();
        let text = text.and_then(|token| self.vocabulary.tokens.get(token));
        let Some(text) = text.filter(|_| !self.vocabulary.is_control(token)) else {
            return Vec::new();
        };
        if self.vocabulary.is_byte(token)
            && let Some(byte) = byte_of(text)
        {
            return vec![byte];
        }
        match &self.bytes {
            Some(_) if self.vocabulary.is_user_defined(token) => text.clone().into_bytes(),
            Some(bytes) => {
                let bytes = text.chars().map(|letter| bytes.get(&letter).copied());
                let bytes: Option<Vec<u8>> = bytes.collect();
                bytes.unwrap_or_else(|| text.clone().into_bytes())
            }
            None => text.replace(SPACE, " ").into_bytes(),
        }
    }

    /// Whether a token ends what a model writes.
    pub fn is_end(&self, token: i64) -> bool {
        self.vocabulary.ends.contains(&token)
    }

    /// The number of tokens.
    pub fn count(&self) -> usize {
        self.vocabulary.tokens.len()
    }
}

fn wrong(error: impl std::fmt::Display) -> String {
    format!("the vocabulary cannot be used: {error}")
}

/// The numbers of tokens by their texts; of equal texts, the first.
fn numbers(vocabulary: &Vocabulary) -> Result<HashMap<String, u32>, String> {
    let mut numbers = HashMap::new();
    for (at, text) in vocabulary.tokens.iter().enumerate() {
        let number = u32::try_from(at).map_err(wrong)?;
        numbers.entry(text.clone()).or_insert(number);
    }
    Ok(numbers)
}

/// Merges pairs of bytes in the order of a list.
fn merging(
    vocabulary: &Vocabulary,
    merges: &[String],
    split: &split::Split,
) -> Result<Encoder, String> {
    let numbers = numbers(vocabulary)?;
    let pairs = merges.iter().filter_map(|merge| {
        // A space in the first place is a letter.
        let at = merge
            .char_indices()
            .skip(1)
            .find(|(_, letter)| *letter == ' ')?
            .0;
        let (left, right) = (&merge[..at], &merge[at + 1..]);
        let joined = format!("{left}{right}");
        let is_known = [left, right, &joined]
            .iter()
            .all(|part| numbers.contains_key(*part));
        is_known.then(|| (left.to_owned(), right.to_owned()))
    });
    let pairs: Vec<(String, String)> = pairs.collect();
    let model = BPE::builder()
        .vocab_and_merges(numbers.into_iter().collect::<Vocab>(), pairs)
        .ignore_merges(split.takes_whole_tokens)
        .build()
        .map_err(wrong)?;
    let mut encoder = Encoder::new(model);
    let patterns = split.patterns.iter().map(|pattern| {
        let pattern = SplitPattern::Regex((*pattern).into());
        let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false);
        split.map(PreTokenizerWrapper::Split).map_err(wrong)
    });
    let mut steps: Vec<PreTokenizerWrapper> = patterns.collect::<Result<_, _>>()?;
    steps.push(ByteLevel::new(false, false, false).into());
    encoder.with_pre_tokenizer(Some(PreTokenizers::new(steps)));
    Ok(encoder)
}

/// Merges the pair whose join has the greatest score. That is the same as to merge pairs in the order of these scores.
fn scoring(
    vocabulary: &Vocabulary,
    scores: &[f64],
    begins_with_space: bool,
) -> Result<Encoder, String> {
    let numbers = numbers(vocabulary)?;
    let mut pairs: Vec<(f64, [u32; 2])> = Vec::new();
    for (at, (text, score)) in vocabulary.tokens.iter().zip(scores).enumerate() {
        let token = at as i64;
        if vocabulary.is_uncut(token) || vocabulary.is_byte(token) || text.len() > LONGEST {
            continue;
        }
        let cuts = text.char_indices().skip(1).map(|(at, _)| text.split_at(at));
        let known =
            cuts.filter_map(|(left, right)| Some([*numbers.get(left)?, *numbers.get(right)?]));
        pairs.extend(known.map(|parts| (*score, parts)));
    }
    pairs.sort_by(|(score, parts), (other, others)| {
        let by_score = other.partial_cmp(score).unwrap_or(Ordering::Equal);
        by_score.then(parts.cmp(others))
    });
    let text = |number: u32| vocabulary.tokens[number as usize].clone();
    let pairs: Vec<_> = pairs
        .into_iter()
        .map(|(_, [left, right])| (text(left), text(right)))
        .collect();
    let unknown = vocabulary
        .unknown
        .and_then(|token| vocabulary.tokens.get(token as usize));
    let mut model = BPE::builder()
        .vocab_and_merges(numbers.into_iter().collect::<Vocab>(), pairs)
        .byte_fallback(true)
        .fuse_unk(true);
    if let Some(unknown) = unknown {
        model = model.unk_token(unknown.clone());
    }
    let mut encoder = Encoder::new(model.build().map_err(wrong)?);
    let mut steps: Vec<NormalizerWrapper> = Vec::new();
    if begins_with_space {
        steps.push(Prepend::new(SPACE.into()).into());
    }
    steps.push(Replace::new(" ", SPACE).map_err(wrong)?.into());
    let normalizers = Normalizers::new(steps);
    encoder.with_normalizer(Some(normalizers)).map_err(wrong)?;
    Ok(encoder)
}

/// The byte of a token such as `<0x0A>`.
fn byte_of(text: &str) -> Option<u8> {
    let digits = text.strip_prefix("<0x")?.strip_suffix('>')?;
    u8::from_str_radix(digits, 16).ok()
}

/// The letters that stand for bytes in vocabularies of GPT-2: a printable one for itself, and the others in order from 256 on.
fn bytes_of_letters() -> HashMap<char, u8> {
    let is_printable = |byte: u8| matches!(byte, 33..=126 | 161..=172 | 174..=255);
    let mut next = 256u32;
    let letters = (0..=u8::MAX).filter_map(|byte| {
        let letter = match is_printable(byte) {
            true => u32::from(byte),
            false => {
                next += 1;
                next - 1
            }
        };
        char::from_u32(letter).map(|letter| (letter, byte))
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_import::source::Source;
    use serde::Deserialize;
    use std::{fs, path::Path};

    /// A text, and the tokens that llama.cpp makes of it (`test/gguf/export.py`).
    #[derive(Deserialize)]
    struct Case {
        text: String,
        tokens: Vec<i64>,
    }

    #[test]
    fn texts_are_cut_as_llama_cpp_cuts_them() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../test/gguf/vocabularies");
        let files = fs::read_dir(folder).expect("the vocabularies are there");
        let files = files.map(|entry| entry.expect("it can be listed").path());
        let mut cut = 0;
        let mut differ = Vec::new();
        for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "gguf")) {
            let source = Source::open(&path, None).expect("it can be read");
            let vocabulary = Vocabulary::read(&source).expect("it has a vocabulary");
            let tokenizer = Tokenizer::of(&vocabulary).expect("it is supported");
            let cases = fs::read(path.with_extension("json")).expect("there are texts");
            let cases: Vec<Case> = serde_json::from_slice(&cases).expect("they are cases");
            for Case { text, tokens } in cases {
                let found = tokenizer.encode(&text).expect("it can be cut");
                cut += 1;
                if found != tokens {
                    differ.push(format!("{}: {text:?} {found:?} {tokens:?}", path.display()));
                }
                let bytes = found.iter().flat_map(|token| tokenizer.bytes(*token));
                let shown = String::from_utf8_lossy(&bytes.collect::<Vec<u8>>()).into_owned();
                // What is no text is not shown, and the first space may be the vocabulary's.
                let is_text = !text.contains(['<', SPACE]);
                if is_text && shown != text && shown.strip_prefix(' ') != Some(&text) {
                    differ.push(format!(
                        "{}: {text:?} is shown as {shown:?}",
                        path.display()
                    ));
                }
            }
        }
        assert!(cut > 200, "{cut}");
        assert!(differ.is_empty(), "{}", differ.join("\n"));
    }

    #[test]
    fn tokens_become_the_bytes_of_text() {
        assert_eq!(byte_of("<0x0A>"), Some(10));
        assert_eq!(byte_of("<0xZZ>"), None);
        let bytes = bytes_of_letters();
        assert_eq!(bytes.len(), 256);
        assert_eq!((bytes[&'a'], bytes[&'Ġ'], bytes[&'Ċ']), (b'a', b' ', b'\n'));
    }
}
