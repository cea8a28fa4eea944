//! What a file says of text: its vocabulary, and how text is cut into words of it.

use super::{file::File, metadata::Metadata};
use crate::{error::ImportError, graph::error::Result, source::Source};

/// How a text is cut into tokens.
#[derive(Clone, Debug, PartialEq)]
pub enum VocabularyKind {
    /// Pairs are merged in the order of a list; letters are bytes. The text is split before, as the name says: `llama-bpe`.
    Merges {
        /// The pairs, each with a space between.
        merges: Vec<String>,
        /// The name of the split.
        split: String,
    },
    /// The neighbours whose join has the greatest score are merged, as SentencePiece does. Spaces are U+2581.
    Scores {
        /// The score of each token.
        scores: Vec<f64>,
        /// Whether a space is put before the text.
        begins_with_space: bool,
    },
}

/// The kinds of tokens, by the numbers of `tokenizer.ggml.token_type`.
const UNKNOWN: i64 = 2;
const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;
const BYTE: i64 = 6;

/// The vocabulary of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Vocabulary {
    /// How a text is cut into tokens.
    pub kind: VocabularyKind,
    /// The tokens; a token's number is its place.
    pub tokens: Vec<String>,
    /// The kinds of tokens, as the file has them; all are 1 if it says nothing.
    types: Vec<i64>,
    /// The token that a text may begin with.
    begin: Option<i64>,
    /// Whether a text begins with it, if the file says so.
    adds_begin: Option<bool>,
    /// The token behind a text, if there is one.
    pub last: Option<i64>,
    /// The token of what the vocabulary does not have.
    pub unknown: Option<i64>,
    /// The tokens that end what a model writes.
    pub ends: Vec<i64>,
}

/// Texts of tokens that end a turn of a conversation, whatever the metadata say.
const ENDS: [&str; 6] = [
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|end_of_text|>",
];

impl Vocabulary {
    /// Reads the vocabulary of a model's file.
    ///
    /// # Errors
    /// If the file is damaged, or its vocabulary is of a kind that is not supported.
    pub fn read(source: &Source) -> Result<Self, ImportError> {
        let file = File::open(source)?;
        Self::of(&file.metadata).map_err(|reason| ImportError::Model {
            path: source.path.clone(),
            reason,
        })
    }

    fn of(metadata: &Metadata) -> Result<Self> {
        let tokens = metadata.texts("tokenizer.ggml.tokens")?;
        let tokens = tokens.ok_or("the file has no vocabulary ('tokenizer.ggml.tokens')")?;
        let count = tokens.len();
        let types = metadata.ints("tokenizer.ggml.token_type")?;
        let types = types.unwrap_or_else(|| vec![1; count]);
        if types.len() != count {
            return Err(format!(
                "there are {count} tokens and {} types of them",
                types.len()
            ));
        }
        let kind = kind(metadata, count)?;
        let token = |key: &str| {
            let key = format!("tokenizer.ggml.{key}_token_id");
            match metadata.size(&key)? {
                // Files say that there is none by a number that no token has.
                Some(token) if token < count as i64 => Ok(Some(token)),
                _ => Ok::<_, String>(None),
            }
        };
        let adds_end = metadata
            .flag("tokenizer.ggml.add_eos_token")?
            .unwrap_or(false);
        let (begin, end) = (token("bos")?, token("eos")?);
        let mut ends: Vec<i64> = [end, token("eot")?, token("eom")?]
            .into_iter()
            .flatten()
            .collect();
        let known = tokens.iter().zip(&types).enumerate();
        let known =
            known.filter(|(_, (text, kind))| **kind == CONTROL && ENDS.contains(&text.as_str()));
        ends.extend(known.map(|(at, _)| at as i64));
        Ok(Self {
            kind,
            types,
            begin,
            adds_begin: metadata.flag("tokenizer.ggml.add_bos_token")?,
            last: end.filter(|_| adds_end),
            unknown: token("unknown")?,
            ends,
            tokens,
        })
    }

    /// The token before a text, if there is one; `by_default` is whether there is where the file does not say so.
    pub fn first(&self, by_default: bool) -> Option<i64> {
        self.begin.filter(|_| self.adds_begin.unwrap_or(by_default))
    }

    /// Whether a text that is the token's is never cut.
    pub fn is_uncut(&self, token: i64) -> bool {
        [UNKNOWN, CONTROL, USER_DEFINED]
            .into_iter()
            .any(|kind| self.is(token, kind))
    }

    /// Whether a token is none of text, but of the model's language: it is never cut, and is not printed.
    pub fn is_control(&self, token: i64) -> bool {
        self.is(token, CONTROL)
    }

    /// Whether a token is never cut, but text.
    pub fn is_user_defined(&self, token: i64) -> bool {
        self.is(token, USER_DEFINED)
    }

    /// Whether a token stands for a byte: `<0x0A>`.
    pub fn is_byte(&self, token: i64) -> bool {
        self.is(token, BYTE)
    }

    fn is(&self, token: i64, kind: i64) -> bool {
        let at = usize::try_from(token).ok();
        at.and_then(|at| self.types.get(at)) == Some(&kind)
    }
}

fn kind(metadata: &Metadata, count: usize) -> Result<VocabularyKind> {
    let model = metadata.text("tokenizer.ggml.model")?;
    match model.ok_or("the file does not say how text is cut ('tokenizer.ggml.model')")? {
        "gpt2" => {
            let merges = metadata.texts("tokenizer.ggml.merges")?;
            let split = metadata.text("tokenizer.ggml.pre")?;
            Ok(VocabularyKind::Merges {
                merges: merges.ok_or("the file has no merges ('tokenizer.ggml.merges')")?,
                split: split.unwrap_or("default").into(),
            })
        }
        "llama" => {
            let scores = metadata.floats("tokenizer.ggml.scores")?;
            let scores = scores.ok_or("the file has no scores ('tokenizer.ggml.scores')")?;
            if scores.len() != count {
                return Err(format!(
                    "there are {count} tokens and {} scores",
                    scores.len()
                ));
            }
            let prefix = metadata.flag("tokenizer.ggml.add_space_prefix")?;
            Ok(VocabularyKind::Scores {
                scores,
                begins_with_space: prefix.unwrap_or(true),
            })
        }
        other => Err(format!(
            "text is cut by '{other}' ('tokenizer.ggml.model'); gpt2 and llama are supported. Cut the text yourself, and compile the model \
             with relayc compile"
        )),
    }
}
