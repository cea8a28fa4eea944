//! What differs between architectures: a row for each.

use super::metadata::Metadata;
use crate::graph::error::Result;

/// An architecture: its name in `general.architecture`, and how its layers differ from those of Llama.
#[derive(Debug)]
pub struct Architecture {
    /// Its name, which keys of metadata begin with.
    pub name: &'static str,
    /// Which numbers of a head are turned together.
    pub pairs: Pairs,
    /// Whether embeddings are multiplied by the root of their width.
    pub scales_embeddings: bool,
    /// What the gate of a layer goes through.
    pub gate: Gate,
    /// Whether gate and input of a layer's hidden numbers are rows of one matrix, `ffn_up`.
    pub has_joined_gate: bool,
    /// Whether each head's queries and keys are normalised.
    pub normalizes_heads: bool,
    /// Whether attention and hidden layers are normalised behind, too.
    pub normalizes_behind: bool,
    /// Which layers see a window of words.
    pub windows: Windows,
    /// The base of angles in layers with a window; the same as elsewhere, if none.
    pub window_base: Option<f64>,
    /// The caps of scores and logits where the metadata say nothing; 0 for none.
    pub caps: [f64; 2],
    /// A model with this number of layers scales its scores by width / heads, and any other one by the size of a head.
    pub scaled_by_width: Option<i64>,
}

/// Which numbers of a head are turned together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Neighbours.
    Neighbours,
    /// One of the first half and one of the second.
    Halves,
}

/// What the gate of a layer goes through.
#[derive(Clone, Copy, Debug)]
pub enum Gate {
    /// x * sigmoid(x).
    Silu,
    /// GELU, by a hyperbolic tangent.
    Gelu,
}

/// Which layers see a window of words, if the metadata say how large it is.
#[derive(Clone, Copy, Debug)]
pub enum Windows {
    /// None.
    None,
    /// All.
    All,
    /// All but the last layer in each group of layers. The first number is the size of a group. The second number is the size of the window if the metadata do not say it.
    AllBut(i64, Option<i64>),
}

/// What Llama has, and the other rows change.
const LLAMA: Architecture = Architecture {
    name: "llama",
    pairs: Pairs::Neighbours,
    scales_embeddings: false,
    gate: Gate::Silu,
    has_joined_gate: false,
    normalizes_heads: false,
    normalizes_behind: false,
    windows: Windows::None,
    window_base: None,
    caps: [0.0, 0.0],
    scaled_by_width: None,
};

const QWEN2: Architecture = Architecture {
    name: "qwen2",
    pairs: Pairs::Halves,
    ..LLAMA
};

const GEMMA: Architecture = Architecture {
    name: "gemma",
    pairs: Pairs::Halves,
    scales_embeddings: true,
    gate: Gate::Gelu,
    ..LLAMA
};

/// The architectures. Each is compared with another implementation by `test/gguf`.
const ARCHITECTURES: &[Architecture] = &[
    LLAMA,
    QWEN2,
    Architecture {
        name: "qwen3",
        normalizes_heads: true,
        ..QWEN2
    },
    GEMMA,
    Architecture {
        name: "gemma2",
        normalizes_behind: true,
        windows: Windows::AllBut(2, Some(4096)),
        caps: [50.0, 30.0],
        scaled_by_width: Some(46),
        ..GEMMA
    },
    Architecture {
        name: "gemma3",
        normalizes_heads: true,
        normalizes_behind: true,
        windows: Windows::AllBut(6, None),
        window_base: Some(10_000.0),
        scaled_by_width: Some(62),
        ..GEMMA
    },
    Architecture {
        name: "phi3",
        pairs: Pairs::Halves,
        has_joined_gate: true,
        windows: Windows::All,
        ..LLAMA
    },
];

/// The names of the architectures.
pub fn names() -> Vec<&'static str> {
    ARCHITECTURES.iter().map(|row| row.name).collect()
}

/// The architecture of a model.
///
/// # Errors
/// If the metadata do not say it, or it is not imported.
pub fn of(metadata: &Metadata) -> Result<&'static Architecture> {
    let name = metadata.text("general.architecture")?;
    let name = name.ok_or("'general.architecture' is not there: the file holds no model")?;
    let found = ARCHITECTURES.iter().find(|row| row.name == name);
    found.ok_or_else(|| {
        format!(
            "the architecture '{name}' is not supported; these are: {}. Export the model with PyTorch or to ONNX instead",
            names().join(", ")
        )
    })
}
