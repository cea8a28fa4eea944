//! Attention, and the rotations that tell it positions.

use super::{
    linear::batched,
    row::{Row, row},
    subscript::subscripts,
};
use crate::compose::attention::{
    Extents, capped, grouped_bias, masked_rows, matrices, scores, zero_where,
};
pub(super) use crate::compose::{
    attention::{attended, heads_apart, heads_together},
    rotary::rotated,
};
use crate::{
    graph::{
        attr::Param,
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal},
    },
    onnx::{element::of_onnx, node::Node},
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("Attention", 23, attention),
    row("RotaryEmbedding", 23, rotary_embedding),
];

/// softmax(queries * keys + bias) * values, for each head. Heads that share keys are rows of one product, so that no key is
/// copied. Numbers of f16 are computed in f32 and rounded once, at the end.
fn attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(if n.opset < 24 { 6 } else { 7 })?;
    let is_flat = n.input(0)?.rank() == 3;
    let queries = heads_apart(b, &n.input(0)?, n.attr_i64("q_num_heads")?)?;
    let kv_heads = n.attr_i64("kv_num_heads")?;
    let keys = heads_apart(b, &n.input(1)?, kv_heads)?;
    let values = heads_apart(b, &n.input(2)?, kv_heads)?;
    let cached = n.optional(4).and_then(|past| past.dims().get(2).copied());
    let keys = behind(b, n.optional(4), keys)?;
    let values = behind(b, n.optional(5), values)?;
    let extents = Extents::of(&queries, &keys, &values)?;
    let element = queries.element();
    let computed = match element {
        Element::F16 => Element::F32,
        other => other,
    };
    let bias = bias(n, b, (extents, computed), cached.unwrap_or(0.into()))?;
    let wide_queries = b.cast(&queries, computed)?;
    let wide_keys = b.cast(&keys, computed)?;
    let scale = match n.attr_f32("scale")? {
        Some(scale) => f64::from(scale),
        None => extents.usual_scale(),
    };
    let scores = scores(b, (&wide_queries, &wide_keys), (extents, scale))?;
    let capped = capped(b, &scores, n.attr_f32_or("softcap", 0.0)?)?;
    let biased = match &bias {
        Some(bias) => b.binary("add", &capped, &bias.value)?,
        None => capped.clone(),
    };
    let weights = weights(n, b, &biased)?;
    let of_values = b.reshape(&values, &matrices(&values)?)?;
    let of_values = b.cast(&of_values, computed)?;
    let result = batched(b, &weights, &of_values)?;
    // A row of nothing but -inf has no softmax; what it weighs is 0.
    let empty = match &bias {
        Some(bias) if bias.may_mask_rows => Some(masked_rows(b, &bias.value)?),
        _ => None,
    };
    let result = zero_where(b, empty.as_ref(), result)?;
    let result = b.reshape(&result, &extents.apart(extents.value_size))?;
    let mut result = b.cast(&result, values.element())?;
    if is_flat {
        result = heads_together(b, &result)?;
    }
    let shown = match n.attr_i64_or("qk_matmul_output_mode", 0)? {
        0 => scores,
        1 => capped,
        2 => biased,
        3 => zero_where(b, empty.as_ref(), weights)?,
        other => return Err(format!("attribute 'qk_matmul_output_mode' is {other}")),
    };
    let mut results = vec![result, keys, values];
    if n.has_output(3) {
        let shown = b.cast(&shown, element)?;
        results.push(b.reshape(&shown, &extents.apart(extents.keys))?);
    }
    Ok(results)
}

/// The scale of scores that a node gives. 0 stands for the usual one.
pub(super) fn given_scale(n: &Node<'_>) -> Result<Option<f64>> {
    let scale = n.attr_f32("scale")?.map(f64::from);
    Ok(scale.filter(|scale| *scale != 0.0))
}

/// What is new behind what there was before.
fn behind(b: &mut GraphBuilder, past: Option<Value>, new: Value) -> Result<Value> {
    match past {
        Some(past) if past.rank() == 4 => b.concatenate(&[past, new], 2),
        Some(past) => Err(format!(
            "a past state has shape {:?}, expected rank 4",
            past.dims()
        )),
        None => Ok(new),
    }
}

/// The softmax of each row, computed in the type that the node names.
fn weights(n: &Node<'_>, b: &mut GraphBuilder, scores: &Value) -> Result<Value> {
    let element = match n.attr_i64("softmax_precision")? {
        Some(element) => of_onnx(element)?,
        None => scores.element(),
    };
    if !element.is_float() {
        return Err("attribute 'softmax_precision' is not a type of floats".into());
    }
    let wide = b.cast(scores, element)?;
    let attrs = [("axis", Param::Int(2))];
    let softmax = b.op("nn.softmax", &[wide], &attrs)?;
    b.cast(&softmax, scores.element())
}

/// What is added to scores.
struct Bias {
    /// It broadcasts to the scores' shape.
    value: Value,
    /// Whether all of a row may be -inf.
    may_mask_rows: bool,
}

/// A distance that reaches every key.
const FAR: i64 = 1 << 40;

/// What masks scores, if anything does: the mask, the future, what is outside of a window, and padded keys.
fn bias(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (extents, element): (Extents, Element),
    cached: Dim,
) -> Result<Option<Bias>> {
    let mask = match n.optional(3) {
        Some(mask) => Some(whole_mask(n, b, mask, extents.keys)?),
        None => None,
    };
    let lengths = lengths(n, b, extents.samples)?;
    // The position of the first query.
    let first = match &lengths {
        Some(lengths) if n.optional(4).is_none() => {
            let queries = b.sizes(&[extents.queries]);
            b.binary("subtract", lengths, &queries)?
        }
        _ => {
            let cached = b.sizes(&[cached]);
            b.reshape(&cached, &[1, 1, 1, 1])?
        }
    };
    let mut seen = Seen {
        extents,
        first,
        all: None,
    };
    // The first key is before each query, so that a causal mask alone leaves something of each row.
    let mut may_mask_rows = mask.is_some() || lengths.is_some();
    if n.attr_bool_or("is_causal", false)? {
        seen.keys_beside_queries(b, "less_equal", 0)?;
    }
    if let Some(left) = window(n, "left_window_size")? {
        seen.keys_beside_queries(b, "greater_equal", -left)?;
        may_mask_rows = true;
    }
    if let Some(right) = window(n, "right_window_size")? {
        seen.keys_beside_queries(b, "less_equal", right)?;
    }
    if let Some(lengths) = &lengths {
        seen.keys(b, "less", lengths)?;
    }
    let Some(value) = seen.with_mask(b, mask, element)? else {
        return Ok(None);
    };
    let value = grouped_bias(b, &value, extents)?;
    Ok(Some(Bias {
        value,
        may_mask_rows,
    }))
}

/// How many keys of each sample there are, of rank 4, if the node says it.
fn lengths(n: &Node<'_>, b: &mut GraphBuilder, samples: Dim) -> Result<Option<Value>> {
    let Some(lengths) = n.optional(6) else {
        return Ok(None);
    };
    if !are_equal(lengths.dims(), &[samples]) {
        return Err(format!(
            "the numbers of keys (input 6) have shape {:?}, expected one for each of {samples} samples",
            lengths.dims()
        ));
    }
    let lengths = b.cast(&lengths, Element::I64)?;
    let one = Dim::Known(1);
    Ok(Some(b.reshape(&lengths, &[samples, one, one, one])?))
}

/// How many keys on one side of a query it sees; none for all.
fn window(n: &Node<'_>, name: &str) -> Result<Option<i64>> {
    if n.opset < 25 {
        return Ok(None);
    }
    let size = n.attr_i64(name)?.filter(|size| *size >= 0);
    Ok(size.map(|size| size.min(FAR)))
}

/// Makes a mask one of rank 4 for all keys. Keys that it does not reach are masked.
fn whole_mask(n: &Node<'_>, b: &mut GraphBuilder, mask: Value, keys: Dim) -> Result<Value> {
    if mask.rank() > 4 {
        return Err(format!("the mask has rank {}", mask.rank()));
    }
    let mut shape = vec![Dim::Known(1); 4 - mask.rank()];
    shape.extend(mask.dims());
    let mask = b.reshape(&mask, &shape)?;
    if n.opset < 24 {
        return Ok(mask);
    }
    let missing = keys.minus(shape[3])?;
    if missing.known().is_some_and(|missing| missing <= 0) {
        return Ok(mask);
    }
    shape[3] = missing.max(0)?;
    let fill = match mask.element() {
        Element::Bool => 0.0,
        _ => f64::NEG_INFINITY,
    };
    let rest = b.full(mask.element(), &shape, fill)?;
    b.concatenate(&[mask, rest], 3)
}

/// Which keys queries see.
struct Seen {
    extents: Extents,
    /// The position of the first query, of rank 4.
    first: Value,
    /// Booleans of rank 4, if not all keys are seen.
    all: Option<Value>,
}

impl Seen {
    /// Only keys whose positions compare so with that of the query, which is moved by `shift`.
    fn keys_beside_queries(&mut self, b: &mut GraphBuilder, op: &str, shift: i64) -> Result<()> {
        let shift = b.scalar(Element::I64, shift as f64);
        let first = b.binary("add", &self.first, &shift)?;
        let queries = subscripts(b, 4, 2, self.extents.queries)?;
        let limits = b.binary("add", &queries, &first)?;
        self.keys(b, op, &limits)
    }

    /// Only keys whose positions compare so with limits, of rank 4.
    fn keys(&mut self, b: &mut GraphBuilder, op: &str, limits: &Value) -> Result<()> {
        let keys = subscripts(b, 4, 3, self.extents.keys)?;
        let these = b.binary(op, &keys, limits)?;
        self.and(b, these)
    }

    fn and(&mut self, b: &mut GraphBuilder, these: Value) -> Result<()> {
        self.all = Some(match self.all.take() {
            Some(all) => b.binary("logical_and", &all, &these)?,
            None => these,
        });
        Ok(())
    }

    /// What is added to scores: -inf for keys that are not seen, and a mask of floats.
    fn with_mask(
        mut self,
        b: &mut GraphBuilder,
        mask: Option<Value>,
        element: Element,
    ) -> Result<Option<Value>> {
        let floats = match mask {
            Some(mask) if mask.element() == Element::Bool => {
                self.and(b, mask)?;
                None
            }
            Some(mask) => Some(b.cast(&mask, element)?),
            None => None,
        };
        let Some(all) = self.all else {
            return Ok(floats);
        };
        let seen = floats.unwrap_or_else(|| b.scalar(element, 0.0));
        let unseen = b.scalar(element, f64::NEG_INFINITY);
        Ok(Some(b.op("where", &[all, seen, unseen], &[])?))
    }
}

/// Turns each pair of numbers of a head by the angle of its position. Pairs are neighbours, or a number of the first half
/// and one of the second.
fn rotary_embedding(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    let x = n.input(0)?;
    let is_flat = x.rank() == 3;
    let x = heads_apart(b, &x, n.attr_i64("num_heads")?)?;
    let size = x.extent(3)?;
    let turned = match n.attr_i64_or("rotary_embedding_dim", 0)? {
        0 => size,
        some => some,
    };
    if !(0..=size).contains(&turned) || turned % 2 != 0 {
        return Err(format!(
            "{turned} of {size} numbers of a head cannot be turned in pairs"
        ));
    }
    let half = turned / 2;
    let angles = [
        of_positions(n, b, 1, (&x, half))?,
        of_positions(n, b, 2, (&x, half))?,
    ];
    let result = rotated(b, &x, &angles, n.attr_bool_or("interleaved", false)?)?;
    Ok(vec![match is_flat {
        true => heads_together(b, &result)?,
        false => result,
    }])
}

/// The cosines or sines of positions, [samples, 1, positions, half]: an input, or the rows of it that positions name.
fn of_positions(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    index: usize,
    (x, half): (&Value, i64),
) -> Result<Value> {
    let mut cache = n.input(index)?;
    if let Some(positions) = n.optional(3) {
        cache = b.taken(&cache, &positions, 0)?;
    }
    let wanted = [x.dims()[0], x.dims()[2], Dim::Known(half)];
    if !are_equal(cache.dims(), &wanted) {
        return Err(format!(
            "the angles (input {index}) have shape {:?} for the positions, expected {wanted:?}",
            cache.dims()
        ));
    }
    let [samples, positions, half] = wanted;
    b.reshape(&cache, &[samples, Dim::Known(1), positions, half])
}
