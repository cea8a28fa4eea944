//! The decoder that a model is: words, their layers, and the logits of the words that may follow.

use super::{
    architecture::Gate,
    attention::{Attention, View, Words},
    numbers::Numbers,
    rotation::Rotation,
    weights::Weights,
};
use crate::{
    compose::{
        activation::{gelu_by_tanh, self_gated},
        attention::capped,
        norm::by_root_of_squares,
        slice::strided_slice,
    },
    graph::{
        builder::GraphBuilder,
        error::Result,
        port::{Dimension, Port},
        value::Value,
    },
};
use relay_dialects::{dim::Dim, element::Element};

/// The input of words: their numbers in the vocabulary, [1, words].
pub const TOKENS: &str = "input_ids";
/// The input that says where the first of the words stands: of rank 0.
pub const POSITION: &str = "position";
/// The input of places among the words to compute logits for: [logits]. A negative place counts from the end.
pub const WANTED: &str = "logits_at";
/// The output of logits, [logits, vocabulary].
pub const LOGITS: &str = "logits";

/// The tensor of embeddings, without the last part of its name.
const EMBEDDING: &str = "token_embd";
/// The tensor that makes logits; without it, that of embeddings does.
const OUTPUT: &str = "output";

/// A decoder to write.
pub struct Decoder<'d> {
    /// The numbers of the model.
    pub numbers: &'d Numbers,
    /// How positions become angles.
    pub rotation: &'d Rotation,
    /// The tensors.
    pub weights: &'d Weights<'d>,
}

/// A part of the decoder, with what it computes.
pub type Part = (String, Value);

/// What a decoder computes.
pub struct Written {
    /// The outputs: logits and caches.
    pub outputs: Vec<Part>,
    /// What the parts compute, in order.
    pub parts: Vec<Part>,
}

/// The inputs: words, and the caches of each layer, which are of the same length.
pub fn ports(numbers: &Numbers) -> Vec<Port> {
    let port = |name: &str, element: Element, dims: &[Dimension]| {
        let text = dims.iter().map(|dim| match dim {
            Dimension::Known(size) => size.to_string(),
            Dimension::Named(name) => name.clone(),
            Dimension::Open => "?".into(),
        });
        let text: Vec<String> = text.collect();
        Port {
            name: name.into(),
            text: format!("{element}[{}]", text.join(", ")),
            element: Ok(element),
            dims: Some(dims.to_vec()),
        }
    };
    let named = |name: &str| Dimension::Named(name.into());
    let mut ports = vec![
        port(TOKENS, Element::I64, &[Dimension::Known(1), named("words")]),
        port(POSITION, Element::I64, &[]),
        port(WANTED, Element::I64, &[named("logits")]),
    ];
    for (at, layer) in numbers.layers.iter().enumerate() {
        for (name, size) in [("key", numbers.size), ("value", numbers.value_size)] {
            let dims = [
                Dimension::Known(1),
                Dimension::Known(layer.shared),
                named("context"),
                Dimension::Known(size),
            ];
            ports.push(port(&past(at, name), Element::F32, &dims));
        }
    }
    ports
}

/// The name of a cache as an input.
fn past(layer: usize, name: &str) -> String {
    format!("past_key_values.{layer}.{name}")
}

/// The name of a cache as an output.
pub fn present(layer: usize, name: &str) -> String {
    format!("present.{layer}.{name}")
}

/// The names of the parts of a decoder, with what they are.
pub fn parts(numbers: &Numbers) -> Vec<(String, &'static str)> {
    let layers = (0..numbers.layers.len()).flat_map(|at| {
        [
            (format!("blk.{at}.attn"), "attention"),
            (format!("blk.{at}.ffn"), "hidden layer"),
        ]
    });
    let first = (EMBEDDING.to_owned(), "embedding");
    let last = (OUTPUT.to_owned(), "logits");
    [first].into_iter().chain(layers).chain([last]).collect()
}

impl Decoder<'_> {
    /// Writes the decoder. The inputs are those of [`ports`], in their order.
    ///
    /// # Errors
    /// If a tensor is missing, or not as expected.
    pub fn write(&self, b: &mut GraphBuilder, inputs: &[Value]) -> Result<Written> {
        let [tokens, position, wanted, caches @ ..] = inputs else {
            return Err(
                "an input of words, their position or the logits' words is a constant".into(),
            );
        };
        let mut written = Written {
            outputs: Vec::new(),
            parts: Vec::new(),
        };
        b.enter(EMBEDDING);
        let room = caches.first().map(|cache| cache.dims()[2]);
        let room = room.ok_or("it has no layers")?;
        let words = words(b, (tokens, position), room)?;
        let mut x = self.embedded(b, tokens)?;
        written.parts.push((EMBEDDING.into(), x.clone()));
        let mut views: Vec<(Option<i64>, View)> = Vec::new();
        for (at, (layer, caches)) in self.numbers.layers.iter().zip(caches.chunks(2)).enumerate() {
            let [keys, values] = caches else {
                return Err(format!("layer {at} has no caches"));
            };
            let view = self.view(b, &mut views, (&words, room, layer.window))?;
            let prefix = format!("blk.{at}");
            b.enter(&format!("{prefix}.attn"));
            let normal = self.normalized(b, &x, &format!("{prefix}.attn_norm"))?;
            let attention = Attention {
                numbers: self.numbers,
                weights: self.weights,
                layer: (*layer, &prefix),
            };
            let caches = [keys.clone(), values.clone()];
            let [result, keys, values] = attention.write(b, &normal, (&words, &view), caches)?;
            x = self.added(b, x, result, &format!("{prefix}.post_attention_norm"))?;
            written.parts.push((format!("{prefix}.attn"), x.clone()));
            written.outputs.push((present(at, "key"), keys));
            written.outputs.push((present(at, "value"), values));
            b.enter(&format!("{prefix}.ffn"));
            let normal = self.normalized(b, &x, &format!("{prefix}.ffn_norm"))?;
            let result = self.hidden(b, &normal, &prefix)?;
            x = self.added(b, x, result, &format!("{prefix}.post_ffw_norm"))?;
            written.parts.push((format!("{prefix}.ffn"), x.clone()));
        }
        b.enter(OUTPUT);
        let logits = self.logits(b, &x, wanted)?;
        written.outputs.insert(0, (LOGITS.into(), logits.clone()));
        written.parts.push((OUTPUT.into(), logits));
        Ok(written)
    }

    /// The embeddings of words, [words, width].
    fn embedded(&self, b: &mut GraphBuilder, tokens: &Value) -> Result<Value> {
        let name = format!("{EMBEDDING}.weight");
        let shape = [self.weights.rows(&name)?, self.numbers.width];
        let places = b.reshape(tokens, &[tokens.dims()[1]])?;
        let rows = self.weights.taken(b, (&name, shape), &places)?;
        match self.numbers.architecture.scales_embeddings {
            true => b.with_scalar("multiply", &rows, (self.numbers.width as f64).sqrt()),
            false => Ok(rows),
        }
    }

    /// What layers with a window share, or those that see all words. It is made once.
    fn view(
        &self,
        b: &mut GraphBuilder,
        views: &mut Vec<(Option<i64>, View)>,
        (words, room, window): (&Words, Dim, Option<i64>),
    ) -> Result<View> {
        if let Some((_, view)) = views.iter().find(|(of, _)| *of == window) {
            return Ok(view.clone());
        }
        let positions = words.positions(b)?;
        let positions = (&positions, room);
        let view = View {
            angles: self
                .rotation
                .angles(b, self.weights, positions, window.is_some())?,
            bias: words.bias(b, window)?,
        };
        views.push((window, view.clone()));
        Ok(view)
    }

    /// The hidden layer: a gate times another product, and a product of that.
    fn hidden(&self, b: &mut GraphBuilder, x: &Value, prefix: &str) -> Result<Value> {
        let name = format!("{prefix}.ffn_up");
        let rows = self.weights.rows(&format!("{name}.weight"))?;
        let up = self.weights.product(b, x, (&name, rows))?;
        let [gate, up] = match self.numbers.architecture.has_joined_gate {
            true => {
                let half = rows / 2;
                [
                    strided_slice(b, &up, &[(1, 0, half, 1)])?,
                    strided_slice(b, &up, &[(1, half, 2 * half, 1)])?,
                ]
            }
            false => {
                let name = format!("{prefix}.ffn_gate");
                [self.weights.product(b, x, (&name, rows))?, up]
            }
        };
        let gate = match self.numbers.architecture.gate {
            Gate::Silu => self_gated(b, &gate, 1.0)?,
            Gate::Gelu => gelu_by_tanh(b, &gate)?,
        };
        let product = b.binary("multiply", &gate, &up)?;
        let name = format!("{prefix}.ffn_down");
        self.weights
            .product(b, &product, (&name, self.numbers.width))
    }

    /// What a part computes is added to what it was computed of. Some architectures normalise it before.
    fn added(&self, b: &mut GraphBuilder, x: Value, result: Value, norm: &str) -> Result<Value> {
        let result = match self.numbers.architecture.normalizes_behind {
            true => self.normalized(b, &result, norm)?,
            false => result,
        };
        b.binary("add", &x, &result)
    }

    /// The numbers of each word divided by the root of the mean of their squares.
    fn normalized(&self, b: &mut GraphBuilder, x: &Value, name: &str) -> Result<Value> {
        let scale = format!("{name}.weight");
        let scale = self.weights.vector(b, &scale, [self.numbers.width])?;
        let [result, _] = by_root_of_squares(b, (x, &scale), (1, self.numbers.epsilon))?;
        Ok(result)
    }

    /// The logits of the words that are wanted.
    fn logits(&self, b: &mut GraphBuilder, x: &Value, wanted: &Value) -> Result<Value> {
        let rows = b.taken(x, wanted, 0)?;
        let normal = self.normalized(b, &rows, "output_norm")?;
        let name = match self.weights.has(&format!("{OUTPUT}.weight")) {
            true => OUTPUT,
            false => EMBEDDING,
        };
        let rows = self.weights.rows(&format!("{name}.weight"))?;
        let logits = self.weights.product(b, &normal, (name, rows))?;
        capped(b, &logits, self.numbers.logit_cap)
    }
}

/// The words of a run. The model checks that the caches have room for them.
fn words(b: &mut GraphBuilder, (tokens, position): (&Value, &Value), room: Dim) -> Result<Words> {
    let now = tokens.dims()[1];
    let total = b.with_size("add", position, now)?;
    Ok(Words {
        now,
        total: b.define(&total, "words_so_far", Some(room))?,
        position: position.clone(),
    })
}
