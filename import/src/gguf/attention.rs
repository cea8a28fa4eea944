//! Attention of a layer: of words now to all words so far, whose keys and values the caches hold.

use super::{
    architecture::Pairs,
    numbers::{Layer, Numbers},
    weights::Weights,
};
use crate::{
    compose::{
        attention::{attended, heads_apart, heads_together},
        norm::by_root_of_squares,
        rotary::rotated,
        scatter::written,
        slice::sliced,
        subscript::subscripts,
    },
    graph::{builder::GraphBuilder, error::Result, value::Value},
};
use relay_dialects::{dim::Dim, element::Element};

/// The words of a run.
pub struct Words {
    /// How many there are.
    pub now: Dim,
    /// How many there are with those before.
    pub total: Dim,
    /// Where the first of them stands: an i64 of rank 0.
    pub position: Value,
}

/// What layers share that see the same words.
#[derive(Clone)]
pub struct View {
    /// Cosines and sines of the words' positions.
    pub angles: [Value; 2],
    /// -inf for keys that a query does not see, and 0 for others: [1, 1, words, keys].
    pub bias: Value,
}

impl Words {
    /// The positions of the words, f32 of shape [1, 1, words, 1].
    pub fn positions(&self, b: &mut GraphBuilder) -> Result<Value> {
        let places = subscripts(b, 4, 2, self.now)?;
        let positions = b.binary("add", &places, &self.position)?;
        b.cast(&positions, Element::F32)
    }

    /// The bias of layers that see all words, or so many.
    pub fn bias(&self, b: &mut GraphBuilder, window: Option<i64>) -> Result<Value> {
        let keys = subscripts(b, 4, 3, self.total)?;
        let places = subscripts(b, 4, 2, self.now)?;
        let queries = b.binary("add", &places, &self.position)?;
        let mut seen = b.binary("less_equal", &keys, &queries)?;
        if let Some(window) = window {
            let before = b.with_scalar("subtract", &queries, window as f64)?;
            let is_near = b.binary("greater", &keys, &before)?;
            seen = b.binary("logical_and", &seen, &is_near)?;
        }
        let [zero, unseen] = [0.0, f64::NEG_INFINITY].map(|number| b.scalar(Element::F32, number));
        b.op("where", &[seen, zero, unseen], &[])
    }
}

/// A layer's attention.
pub struct Attention<'d> {
    /// The numbers of the model.
    pub numbers: &'d Numbers,
    /// The tensors.
    pub weights: &'d Weights<'d>,
    /// The layer, and what the names of its tensors begin with.
    pub layer: (Layer, &'d str),
}

impl Attention<'_> {
    /// The attention of normalised words, [words, width], and the caches with their keys and values.
    ///
    /// # Errors
    /// If a tensor is missing, or not as expected.
    pub fn write(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        (words, view): (&Words, &View),
        [keys, values]: [Value; 2],
    ) -> Result<[Value; 3]> {
        let [mut q, mut k, v] = self.projections(b, x)?;
        if self.numbers.architecture.normalizes_heads {
            q = self.normalized(b, &q, "attn_q_norm")?;
            k = self.normalized(b, &k, "attn_k_norm")?;
        }
        let is_interleaved = self.numbers.architecture.pairs == Pairs::Neighbours;
        let q = rotated(b, &q, &view.angles, is_interleaved)?;
        let k = rotated(b, &k, &view.angles, is_interleaved)?;
        let keys = written(b, [keys, k], 2, Some(words.position.clone()))?;
        let values = written(b, [values, v], 2, Some(words.position.clone()))?;
        let mut so_far = |all: &Value| sliced(b, all, &[(2, Dim::Known(0), words.total, 1)]);
        let operands = [q, so_far(&keys)?, so_far(&values)?];
        let weighing = (Some(self.numbers.scale), self.numbers.score_cap);
        let result = attended(b, &operands, weighing, Some(view.bias.clone()))?;
        let result = heads_together(b, &result)?;
        let result = b.reshape(&result, &result.dims()[1..])?;
        let name = format!("{}.attn_output", self.layer.1);
        let result = self
            .weights
            .product(b, &result, (&name, self.numbers.width))?;
        Ok([result, keys, values])
    }

    /// Queries, keys and values as [1, heads, words, size]: by a matrix for each, or by one for all.
    fn projections(&self, b: &mut GraphBuilder, x: &Value) -> Result<[Value; 3]> {
        let (Layer { heads, shared, .. }, prefix) = self.layer;
        let (size, value_size) = (self.numbers.size, self.numbers.value_size);
        let rows = [heads * size, shared * size, shared * value_size];
        let joined = format!("{prefix}.attn_qkv");
        let parts = match self.weights.has(&format!("{joined}.weight")) {
            true => {
                let all = self.weights.product(b, x, (&joined, rows.iter().sum()))?;
                let mut first = 0;
                let mut next = |count: i64| {
                    let [begin, end] = [first, first + count].map(Dim::Known);
                    first += count;
                    sliced(b, &all, &[(1, begin, end, 1)])
                };
                [next(rows[0])?, next(rows[1])?, next(rows[2])?]
            }
            false => {
                let mut product = |part: &str, rows| {
                    let name = format!("{prefix}.attn_{part}");
                    self.weights.product(b, x, (&name, rows))
                };
                [
                    product("q", rows[0])?,
                    product("k", rows[1])?,
                    product("v", rows[2])?,
                ]
            }
        };
        let mut apart = |x: &Value, heads| {
            let whole = [&[Dim::Known(1)], x.dims()].concat();
            let whole = b.reshape(x, &whole)?;
            heads_apart(b, &whole, Some(heads))
        };
        let [q, k, v] = &parts;
        Ok([apart(q, heads)?, apart(k, shared)?, apart(v, shared)?])
    }

    /// The numbers of each head divided by the root of the mean of their squares.
    fn normalized(&self, b: &mut GraphBuilder, x: &Value, part: &str) -> Result<Value> {
        let name = format!("{}.{part}.weight", self.layer.1);
        let scale = self.weights.vector(b, &name, [self.numbers.size])?;
        let [result, _] = by_root_of_squares(b, (x, &scale), (3, self.numbers.epsilon))?;
        Ok(result)
    }
}
