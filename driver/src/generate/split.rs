//! How texts are split before pairs of letters are merged: a row for each name that files of GGUF give.
//!
//! The patterns are those of the models' own tokenizers; llama.cpp has the list of names (`llama-vocab.cpp`).

/// A way to split texts.
pub struct Split {
    /// Its names in `tokenizer.ggml.pre`.
    pub names: &'static [&'static str],
    /// Patterns: each splits the parts that those before it made.
    pub patterns: &'static [&'static str],
    /// Whether a part that is a token is one, whatever merges make of it.
    pub takes_whole_tokens: bool,
    /// Whether the first token of a text is one that says so, if the file does not tell.
    pub adds_first: bool,
}

/// Words with a space before, numbers, signs and spaces.
const WORDS: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";
/// The same, where words may begin with a sign, and up to three digits are together.
const THREE_DIGITS: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// The same with one digit.
const ONE_DIGIT: &str = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";
/// Words are split before capitals.
const CAPITALS: &str = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+";

const fn split(names: &'static [&'static str], patterns: &'static [&'static str]) -> Split {
    Split {
        names,
        patterns,
        takes_whole_tokens: false,
        adds_first: false,
    }
}

/// The ways to split.
const SPLITS: &[Split] = &[
    Split {
        takes_whole_tokens: true,
        adds_first: true,
        ..split(
            &[
                "llama3",
                "llama-v3",
                "llama-bpe",
                "falcon3",
                "pixtral",
                "lfm2",
            ],
            &[THREE_DIGITS],
        )
    },
    split(&["dbrx", "smaug-bpe", "chatglm-bpe"], &[THREE_DIGITS]),
    Split {
        takes_whole_tokens: true,
        ..split(&["glm4"], &[THREE_DIGITS])
    },
    split(
        &[
            "qwen2",
            "deepseek-r1-qwen",
            "stablelm2",
            "megrez",
            "hunyuan",
        ],
        &[ONE_DIGIT],
    ),
    split(
        &["gpt-2", "phi-2", "mpt", "olmo", "jais", "exaone4"],
        &[WORDS],
    ),
    split(
        &[
            "smollm",
            "starcoder",
            "refact",
            "command-r",
            "codeshell",
            "exaone",
            "minerva-7b",
        ],
        &[r"\p{N}", WORDS],
    ),
    Split {
        takes_whole_tokens: true,
        adds_first: true,
        ..split(&["tekken"], &[CAPITALS])
    },
    split(
        &["default"],
        &[r"[\p{P}\$\+<=>\^~\|]+", WORDS, r"\p{N}+", "[0-9][0-9][0-9]"],
    ),
];

/// The way to split of a name.
///
/// # Errors
/// If it is not known; the message says which ones are.
pub fn find(name: &str) -> Result<&'static Split, String> {
    let found = SPLITS.iter().find(|split| split.names.contains(&name));
    found.ok_or_else(|| {
        let known: Vec<&str> = SPLITS.iter().flat_map(|split| split.names).copied().collect();
        format!(
            "texts are split by '{name}' ('tokenizer.ggml.pre'), which is not supported; these are: {}. Split the text yourself, and run the \
             compiled model from Python",
            known.join(", ")
        )
    })
}
