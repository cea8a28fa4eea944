//! The angles by which queries and keys are turned for their positions.

use super::{metadata::Metadata, numbers::Keys, numbers::Numbers, weights::Weights};
use crate::graph::{
    builder::GraphBuilder,
    constant::{Const, Numbers as Elements},
    error::Result,
    value::Value,
};
use relay_dialects::{dim::Dim, element::Element};
use std::f64::consts::PI;

/// The base of angles where nothing says another one.
const BASE: f64 = 10_000.0;

/// How positions become angles.
pub struct Rotation {
    /// How many numbers of a head are turned, in pairs.
    turned: i64,
    /// The base of layers that see all words, and of those that see a window.
    bases: [f64; 2],
    /// Whether layers with a window have angles of their own, without a scale.
    is_plain_in_windows: bool,
    scaling: Scaling,
    /// What cosines and sines are multiplied by.
    magnitude: f64,
    /// The words of the training, before it went on with longer texts.
    original: Option<i64>,
    /// The words that the model was made for.
    context: Option<i64>,
}

/// How angles are scaled for longer texts than those of the training.
enum Scaling {
    /// All by one factor, which is 1 if there is none.
    Linear(f64),
    /// By Peng et al., "YaRN: Efficient Context Window Extension of Large Language Models", 2023: fast angles as they are, slow ones by the
    /// factor, and those between the two bounds in between.
    Yarn { factor: f64, fast: f64, slow: f64 },
}

impl Rotation {
    /// Reads what the metadata say.
    ///
    /// # Errors
    /// If they say something that is not supported.
    pub fn read(metadata: &Metadata, numbers: &Numbers) -> Result<Self> {
        let keys = Keys::new(metadata, numbers.architecture);
        let turned = keys.size("rope.dimension_count")?.unwrap_or(numbers.size);
        if turned % 2 != 0 || !(2..=numbers.size).contains(&turned) {
            return Err(format!(
                "'rope.dimension_count' is {turned}, expected an even number from 2 to {}, the size of a head",
                numbers.size
            ));
        }
        let own = numbers.architecture.window_base;
        let base = base_of(&keys, "rope.freq_base", BASE)?;
        let window_base = base_of(&keys, "rope.freq_base_swa", own.unwrap_or(base))?;
        let factor = match keys.float("rope.scaling.factor")? {
            Some(factor) => factor,
            None => keys.float("rope.scale_linear")?.unwrap_or(1.0),
        };
        // Files write 0 for no factor.
        let factor = if factor == 0.0 { 1.0 } else { factor };
        if factor <= 0.0 {
            return Err(format!("'rope.scaling.factor' is {factor}"));
        }
        let scaling = scaling(&keys, factor)?;
        let magnitude = keys.float("rope.scaling.attn_factor")?.unwrap_or(1.0);
        Ok(Self {
            turned,
            bases: [base, window_base],
            is_plain_in_windows: own.is_some(),
            magnitude: match scaling {
                Scaling::Yarn { factor, .. } => magnitude * magnitude_of(&keys, factor)?,
                _ => magnitude,
            },
            scaling,
            original: keys
                .size("rope.scaling.original_context_length")?
                .or(numbers.context),
            context: numbers.context,
        })
    }

    /// The cosines and sines of positions, f32 of shape [1, 1, words, 1], for layers that see all words or a window. `room` is the number
    /// of words that the caches hold.
    pub fn angles(
        &self,
        b: &mut GraphBuilder,
        weights: &Weights<'_>,
        (positions, room): (&Value, Dim),
        has_window: bool,
    ) -> Result<[Value; 2]> {
        let is_plain = has_window && self.is_plain_in_windows;
        let steps = self.steps(self.bases[usize::from(has_window)], is_plain);
        let steps = match self.factors(b, weights, room)? {
            Some(factors) if !is_plain => {
                let steps = floats(b, &steps);
                b.binary("divide", &steps, &factors)?
            }
            _ => floats(b, &steps),
        };
        let angles = b.binary("multiply", positions, &steps)?;
        let magnitude = if is_plain { 1.0 } else { self.magnitude };
        let mut scaled = |name| {
            let value = b.unary(name, &angles)?;
            match magnitude {
                1.0 => Ok(value),
                other => b.with_scalar("multiply", &value, other),
            }
        };
        Ok([scaled("cos")?, scaled("sin")?])
    }

    /// The angle of each pair from a word to the next.
    fn steps(&self, base: f64, is_plain: bool) -> Vec<f64> {
        let turned = self.turned as f64;
        let step = |pair: i64| base.powf(-2.0 * pair as f64 / turned);
        let pairs = 0..self.turned / 2;
        match self.scaling {
            Scaling::Linear(factor) if !is_plain => pairs.map(|pair| step(pair) / factor).collect(),
            Scaling::Yarn { factor, fast, slow } if !is_plain => {
                let original = self.original.unwrap_or(1).max(1) as f64;
                // The pair that turns so often within the words of the training.
                let pair_of =
                    |turns: f64| turned * (original / (turns * 2.0 * PI)).ln() / (2.0 * base.ln());
                let first = pair_of(fast).floor().max(0.0);
                let last = pair_of(slow).ceil().min(turned - 1.0);
                let mixed = |pair: i64| {
                    let place = (pair as f64 - first) / (last - first).max(0.001);
                    let kept = 1.0 - place.clamp(0.0, 1.0);
                    step(pair) * (kept + (1.0 - kept) / factor)
                };
                pairs.map(mixed).collect()
            }
            _ => pairs.map(step).collect(),
        }
    }

    /// What each angle is divided by, if the file says it: always the same, as for Llama 3, or by the number of words that there may be.
    fn factors(
        &self,
        b: &mut GraphBuilder,
        weights: &Weights<'_>,
        room: Dim,
    ) -> Result<Option<Value>> {
        let count = [self.turned / 2];
        if let Some(factors) = weights.optional_vector(b, "rope_freqs.weight", count)? {
            return Ok(Some(factors));
        }
        let Some(long) = weights.optional_vector(b, "rope_factors_long.weight", count)? else {
            return Ok(None);
        };
        let short = weights.vector(b, "rope_factors_short.weight", count)?;
        // Caches of an open length are for all words that the model was made for.
        let room = room.known().or(self.context);
        let is_long = room
            .zip(self.original)
            .is_some_and(|(room, original)| room > original);
        Ok(Some(if is_long { long } else { short }))
    }
}

/// The base of angles that a key names. Logarithms of it are divided by, so it is above 1.
fn base_of(keys: &Keys<'_>, key: &str, default: f64) -> Result<f64> {
    match keys.float(key)?.unwrap_or(default) {
        base if base > 1.0 => Ok(base),
        base => Err(format!("'{key}' is {base}, expected a number above 1")),
    }
}

fn scaling(keys: &Keys<'_>, factor: f64) -> Result<Scaling> {
    match keys.text("rope.scaling.type")?.unwrap_or("linear") {
        "none" => Ok(Scaling::Linear(1.0)),
        // The factors of long texts are tensors.
        "linear" | "longrope" => Ok(Scaling::Linear(factor)),
        "yarn" => Ok(Scaling::Yarn {
            factor,
            fast: keys.float("rope.scaling.yarn_beta_fast")?.unwrap_or(32.0),
            slow: keys.float("rope.scaling.yarn_beta_slow")?.unwrap_or(1.0),
        }),
        other => Err(format!(
            "'rope.scaling.type' is '{other}'; none, linear, yarn and longrope are supported"
        )),
    }
}

/// What YaRN multiplies cosines and sines by.
fn magnitude_of(keys: &Keys<'_>, factor: f64) -> Result<f64> {
    let of = |multiplier: f64| match factor > 1.0 {
        true => 0.1 * multiplier * factor.ln() + 1.0,
        false => 1.0,
    };
    let multiplier = keys.float("rope.scaling.yarn_log_multiplier")?;
    Ok(match multiplier {
        Some(multiplier) if multiplier != 0.0 => of(1.0) / of(multiplier),
        _ => of(1.0),
    })
}

fn floats(b: &GraphBuilder, numbers: &[f64]) -> Value {
    let shape = vec![numbers.len() as i64];
    b.known(Const::new(
        Element::F32,
        shape,
        &Elements::Floats(numbers.to_vec()),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gguf::metadata::Value as Stored;

    /// What is wrong with the rotation of a model of Gemma 3 that has this number, too.
    fn refused(key: &str, number: f64) -> String {
        let of = |key: &str, value| (format!("gemma3.{key}"), value);
        let metadata = Metadata::new(
            [
                (
                    "general.architecture".to_owned(),
                    Stored::Text("gemma3".into()),
                ),
                of("block_count", Stored::Int(1)),
                of("embedding_length", Stored::Int(8)),
                of("attention.head_count", Stored::Int(1)),
                of("attention.layer_norm_rms_epsilon", Stored::Float(1e-6)),
                of(key, Stored::Float(number)),
            ]
            .into(),
        );
        let numbers = Numbers::read(&metadata).expect("it is a model");
        let read = Rotation::read(&metadata, &numbers);
        read.err().expect("it is refused")
    }

    #[test]
    fn the_base_that_is_wrong_is_named() {
        for key in ["rope.freq_base", "rope.freq_base_swa"] {
            let expected = format!("'{key}' is 0.5, expected a number above 1");
            assert_eq!(refused(key, 0.5), expected);
        }
    }
}
