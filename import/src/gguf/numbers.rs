//! The numbers of a model, as its metadata say them.

use super::{
    architecture::{self, Architecture, Windows},
    metadata::Metadata,
};
use crate::graph::error::Result;

/// The most layers of a model: more than any has, and few enough to be held.
const MOST_LAYERS: i64 = 4096;
/// The greatest width of embeddings, number of heads and size of one: products of three of them fit 64 bits.
const MOST_WIDTH: i64 = 1 << 20;

/// The numbers of a model.
pub struct Numbers {
    /// What differs from other architectures.
    pub architecture: &'static Architecture,
    /// The layers.
    pub layers: Vec<Layer>,
    /// The width of embeddings.
    pub width: i64,
    /// The size of a head's queries and keys.
    pub size: i64,
    /// The size of a head's values.
    pub value_size: i64,
    /// What is added to the mean of squares.
    pub epsilon: f64,
    /// What scores are multiplied by.
    pub scale: f64,
    /// The cap of scores; 0 for none.
    pub score_cap: f64,
    /// The cap of logits; 0 for none.
    pub logit_cap: f64,
    /// The number of words that the model was trained with, if it is said.
    pub context: Option<i64>,
}

/// The numbers of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    /// The heads of queries.
    pub heads: i64,
    /// The heads of keys and values.
    pub shared: i64,
    /// The number of words that a word sees, itself among them; none if it sees all words before it.
    pub window: Option<i64>,
}

/// The metadata of an architecture.
pub struct Keys<'m> {
    metadata: &'m Metadata,
    name: &'static str,
}

impl<'m> Keys<'m> {
    /// The metadata that begin with the architecture's name.
    pub fn new(metadata: &'m Metadata, architecture: &Architecture) -> Self {
        Self {
            metadata,
            name: architecture.name,
        }
    }

    fn key(&self, key: &str) -> String {
        format!("{}.{key}", self.name)
    }

    /// A size, if it is there.
    pub fn size(&self, key: &str) -> Result<Option<i64>> {
        self.metadata.size(&self.key(key))
    }

    /// A size that is at least 1 and at most `most`.
    fn known(&self, key: &str, most: i64) -> Result<i64> {
        let key = self.key(key);
        let size = self.metadata.size(&key)?;
        let size = size.ok_or_else(|| format!("'{key}' is not there"))?;
        check(&key, size, most)
    }

    /// A float, if it is there.
    pub fn float(&self, key: &str) -> Result<Option<f64>> {
        self.metadata.float(&self.key(key))
    }

    /// A text, if it is there.
    pub fn text(&self, key: &str) -> Result<Option<&'m str>> {
        self.metadata.text(&self.key(key))
    }

    /// A number for each layer: one for all, or a list.
    fn of_layers(&self, key: &str, layers: i64, default: Option<&[i64]>) -> Result<Vec<i64>> {
        let key = self.key(key);
        let all = match (self.metadata.is_list(&key), default) {
            (true, _) => self.metadata.ints(&key)?.unwrap_or_default(),
            (false, Some(default)) if !self.metadata.has(&key) => default.to_vec(),
            (false, _) => {
                let one = self.metadata.size(&key)?;
                let one = one.ok_or_else(|| format!("'{key}' is not there"))?;
                vec![one; layers as usize]
            }
        };
        if all.len() as i64 != layers {
            return Err(format!(
                "'{key}' has {} numbers for {layers} layers",
                all.len()
            ));
        }
        all.into_iter()
            .map(|one| check(&key, one, MOST_WIDTH))
            .collect()
    }
}

fn check(key: &str, size: i64, most: i64) -> Result<i64> {
    match (1..=most).contains(&size) {
        true => Ok(size),
        false => Err(format!(
            "'{key}' is {size}, expected a number from 1 to {most}"
        )),
    }
}

impl Numbers {
    /// Reads the numbers.
    ///
    /// # Errors
    /// If one is missing or is none, or the model is of a kind that is not imported.
    pub fn read(metadata: &Metadata) -> Result<Self> {
        let architecture = architecture::of(metadata)?;
        let keys = Keys::new(metadata, architecture);
        if keys.size("expert_count")?.unwrap_or(0) > 0 {
            return Err(format!(
                "it is a mixture of experts ('{}.expert_count'), which is not supported; take a dense model",
                architecture.name
            ));
        }
        let layers = keys.known("block_count", MOST_LAYERS)?;
        let width = keys.known("embedding_length", MOST_WIDTH)?;
        let heads = keys.of_layers("attention.head_count", layers, None)?;
        let shared = keys.of_layers("attention.head_count_kv", layers, Some(&heads))?;
        let usual = (width / heads[0]).max(1);
        let size_of = |key: &str| match keys.size(key)? {
            Some(size) => check(key, size, MOST_WIDTH),
            None => Ok(usual),
        };
        let (size, value_size) = (
            size_of("attention.key_length")?,
            size_of("attention.value_length")?,
        );
        let windows = windows(&keys, architecture.windows, layers)?;
        let layered = heads.iter().zip(shared).zip(windows);
        let divisor = match architecture.scaled_by_width == Some(layers) {
            true => usual,
            false => size,
        };
        let [score_cap, logit_cap] = architecture.caps;
        let epsilon = keys.float("attention.layer_norm_rms_epsilon")?;
        Ok(Self {
            architecture,
            layers: layered
                .map(|((&heads, shared), window)| Layer {
                    heads,
                    shared,
                    window,
                })
                .collect(),
            width,
            size,
            value_size,
            epsilon: epsilon.ok_or("'attention.layer_norm_rms_epsilon' is not there")?,
            scale: match keys.float("attention.scale")? {
                Some(scale) if scale != 0.0 => scale,
                _ => 1.0 / (divisor as f64).sqrt(),
            },
            score_cap: keys.float("attn_logit_softcapping")?.unwrap_or(score_cap),
            logit_cap: keys.float("final_logit_softcapping")?.unwrap_or(logit_cap),
            context: keys.size("context_length")?.filter(|context| *context > 0),
        })
    }
}

/// The window of each layer.
fn windows(keys: &Keys<'_>, windows: Windows, layers: i64) -> Result<Vec<Option<i64>>> {
    let given = keys.size("attention.sliding_window")?;
    let (period, window) = match windows {
        Windows::None => (1, None),
        Windows::All => (0, given),
        Windows::AllBut(period, default) => (period, given.or(default)),
    };
    let window = window.filter(|window| *window > 0);
    let pattern = keys.key("attention.sliding_window_pattern");
    let is_windowed: Vec<bool> = match keys.metadata.is_list(&pattern) {
        true => keys.metadata.flags(&pattern)?.unwrap_or_default(),
        false => {
            let period = match keys.metadata.size(&pattern)? {
                Some(given) if window.is_some() => given,
                _ => period,
            };
            // Of each period, the last layer sees all.
            (0..layers)
                .map(|layer| period == 0 || layer % period < period - 1)
                .collect()
        }
    };
    if is_windowed.len() as i64 != layers {
        return Err(format!(
            "'{pattern}' has {} values for {layers} layers",
            is_windowed.len()
        ));
    }
    let windows = is_windowed.into_iter();
    Ok(windows.map(|is| window.filter(|_| is)).collect())
}
