//! Attention with its projections, masks and rotations.

use super::super::{
    attention::{attended, given_scale, heads_apart, heads_together, rotated},
    linear::product,
    quantize::integer_product,
    row::{Row, row},
    select::{cut, strided_slice},
    subscript::subscripts,
};
use crate::{
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, are_equal},
    },
    onnx::node::Node,
};
use relay_dialects::{
    dim::{Dim, unify},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("com.microsoft.Attention", 1, attention),
    row("com.microsoft.MultiHeadAttention", 1, multi_head_attention),
    row("com.microsoft.QAttention", 1, quantized_attention),
    row("com.microsoft.RotaryEmbedding", 1, rotary_embedding),
];

/// One product makes queries, keys and values of the input. The past is [2, samples, heads, positions, size]: keys and values.
fn attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(6)?;
    let mut all = product(b, &n.input(0)?, &n.input(1)?)?;
    if let Some(bias) = n.optional(2) {
        all = b.binary("add", &all, &bias)?;
    }
    let masks = Masks {
        padding: n.optional(3),
        bias: n.optional(5),
    };
    of_projections(n, b, (&all, n.optional(4)), masks)
}

/// The product is of integers, and is scaled.
fn quantized_attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(9)?;
    let (left, right) = (n.input(3)?, n.input(4)?);
    let factor = b.binary("multiply", &left, &right)?;
    let sides = [(&n.input(0)?, n.optional(6)), (&n.input(1)?, n.optional(7))];
    let all = integer_product(b, sides, &factor, n.optional(2))?;
    let masks = Masks {
        padding: n.optional(5),
        bias: None,
    };
    of_projections(n, b, (&all, n.optional(8)), masks)
}

/// The attention of queries, keys and values that lie behind each other in the last axis. Returns keys and values, too, behind those of
/// the past.
fn of_projections(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    (all, past): (&Value, Option<Value>),
    masks: Masks,
) -> Result<Vec<Value>> {
    for name in ["do_rotary", "past_present_share_buffer"] {
        if n.attr_bool_or(name, false)? {
            return Err(format!("attribute '{name}' is 1, which is not supported"));
        }
    }
    n.ignore_attr("rotary_embedding_dim");
    let last = all.axis(-1)?;
    let sizes = match n.attr_ints("qkv_hidden_sizes")? {
        Some(sizes) if sizes.len() == 3 => sizes,
        Some(sizes) => return Err(format!("attribute 'qkv_hidden_sizes' is {sizes:?}")),
        None if all.extent(last)? % 3 == 0 => vec![all.extent(last)? / 3; 3],
        None => {
            return Err(format!(
                "{} numbers are not as many for queries, keys and values",
                all.dims()[last]
            ));
        }
    };
    let parts = cut(b, all, last, &sizes)?;
    let past = past.map(|past| apart(b, &past)).transpose()?;
    let [result, keys, values] = attend(n, b, parts, past, masks)?;
    let mut shape = keys.dims().to_vec();
    shape.insert(0, Dim::Known(1));
    let present = match keys.dims() == values.dims() {
        true => {
            let (keys, values) = (b.reshape(&keys, &shape)?, b.reshape(&values, &shape)?);
            b.concatenate(&[keys, values], 0)?
        }
        false if n.has_output(1) => {
            return Err("keys and values have other sizes, so that no state holds both".into());
        }
        false => return Ok(vec![result]),
    };
    Ok(vec![result, present])
}

/// The keys and values of a past.
fn apart(b: &mut GraphBuilder, past: &Value) -> Result<[Value; 2]> {
    let &[Dim::Known(2), samples, heads, positions, size] = past.dims() else {
        return Err(format!(
            "the past has shape {:?}, expected [2, samples, heads, positions, size]",
            past.dims()
        ));
    };
    let shape = [samples, heads, positions, size];
    let keys = strided_slice(b, past, &[(0, 0, 1, 1)])?;
    let values = strided_slice(b, past, &[(0, 1, 2, 1)])?;
    Ok([b.reshape(&keys, &shape)?, b.reshape(&values, &shape)?])
}

/// Queries, keys and values are inputs; all three may be in the first one, or keys and values in the second.
fn multi_head_attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(8)?;
    if n.has_output(3) {
        return Err("its output 3 (the products), which is not returned, is used".into());
    }
    let mut parts = match (n.optional(1), n.optional(2)) {
        (None, None) => packed(b, &n.input(0)?, 3)?,
        (Some(both), None) => {
            let mut parts = vec![n.input(0)?];
            parts.extend(packed(b, &both, 2)?);
            parts
        }
        (Some(keys), Some(values)) => vec![n.input(0)?, keys, values],
        (None, Some(_)) => return Err("input 1 (the keys) is missing".into()),
    };
    if let Some(bias) = n.optional(3) {
        let size = |part: &Value| match part.rank() {
            4 => Ok(part.extent(1)? * part.extent(3)?),
            _ => part.extent(part.axis(-1)?),
        };
        let sizes: Vec<i64> = parts.iter().map(size).collect::<Result<_>>()?;
        let biases = cut(b, &bias, 0, &sizes)?;
        for (part, bias) in parts.iter_mut().zip(&biases) {
            // What has its heads apart already is what another layer made, with its bias.
            if part.rank() == 3 {
                *part = b.binary("add", part, bias)?;
            }
        }
    }
    let past = match (n.optional(6), n.optional(7)) {
        (Some(keys), Some(values)) => Some([keys, values]),
        (None, None) => None,
        _ => return Err("of a past's keys and values only one is there".into()),
    };
    let masks = Masks {
        padding: n.optional(4),
        bias: n.optional(5),
    };
    attend(n, b, parts, past, masks).map(Vec::from)
}

/// So many tensors [samples, positions, heads * size] out of one [samples, positions, heads, count, size].
fn packed(b: &mut GraphBuilder, all: &Value, count: i64) -> Result<Vec<Value>> {
    let &[samples, positions, heads, packed, size] = all.dims() else {
        return Err(format!(
            "an input of {count} packed tensors has shape {:?}, expected rank 5",
            all.dims()
        ));
    };
    if packed != count {
        return Err(format!(
            "an input has {packed} packed tensors, expected {count}"
        ));
    }
    let part = |at| {
        let part = strided_slice(b, all, &[(3, at, at + 1, 1)])?;
        b.reshape(&part, &[samples, positions, heads.times(size)?])
    };
    (0..count).map(part).collect()
}

/// What is added to the products of queries and keys.
struct Masks {
    /// Which keys are no padding: the first of each sample, so many as a vector says; or those with another number than 0, for all queries
    /// of a sample or for each.
    padding: Option<Value>,
    /// [samples or 1, heads or 1, queries, keys].
    bias: Option<Value>,
}

/// Attention as the node's attributes say. Returns the result, and keys and values behind those of the past.
fn attend(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    parts: Vec<Value>,
    past: Option<[Value; 2]>,
    masks: Masks,
) -> Result<[Value; 3]> {
    let heads = Some(n.required_i64("num_heads")?);
    let parts: Vec<Value> = parts
        .iter()
        .map(|part| heads_apart(b, part, heads))
        .collect::<Result<_>>()?;
    let Ok([queries, mut keys, mut values]) = <[Value; 3]>::try_from(parts) else {
        return Err("queries, keys and values are not three tensors".into());
    };
    let mut before = Dim::Known(0);
    if let Some([old_keys, old_values]) = past {
        before = old_keys.dims().get(2).copied().unwrap_or(before);
        keys = b.concatenate(&[old_keys, keys], 2)?;
        values = b.concatenate(&[old_values, values], 2)?;
    }
    let (rows, columns) = (queries.dims()[2], keys.dims()[2]);
    let bias = bias(n, b, masks, [before, rows, columns])?;
    let operands = [queries, keys, values];
    let result = attended(b, &operands, (given_scale(n)?, 0.0), bias)?;
    let [_, keys, values] = operands;
    Ok([heads_together(b, &result)?, keys, values])
}

/// What is added to the products of queries and keys, of rank 4: little for keys that are padding, least for those behind a query if the
/// node sees none of them.
fn bias(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    masks: Masks,
    [before, rows, columns]: [Dim; 3],
) -> Result<Option<Value>> {
    let little = n.attr_f32_or("mask_filter_value", -10000.0)?;
    let zero = b.scalar(Element::F32, 0.0);
    let mut bias = match &masks.padding {
        Some(padding) => {
            let kept = kept(b, padding, columns)?;
            let little = b.scalar(Element::F32, little);
            Some(b.op("where", &[kept, zero.clone(), little], &[])?)
        }
        None => None,
    };
    if n.attr_bool_or("unidirectional", false)? {
        let queries = subscripts(b, 4, 2, rows)?;
        let before = b.sizes(&[before]);
        let queries = b.binary("add", &queries, &before)?;
        let keys = subscripts(b, 4, 3, columns)?;
        let seen = b.binary("less_equal", &keys, &queries)?;
        let least = b.scalar(Element::F32, f64::from(f32::MIN));
        bias = Some(b.op("where", &[seen, bias.unwrap_or(zero), least], &[])?);
    }
    Ok(match (bias, masks.bias) {
        (Some(bias), Some(other)) => {
            let other = b.cast(&other, Element::F32)?;
            Some(b.binary("add", &bias, &other)?)
        }
        (bias, other) => bias.or(other),
    })
}

/// Which keys are no padding, of rank 4.
fn kept(b: &mut GraphBuilder, padding: &Value, columns: Dim) -> Result<Value> {
    let one = Dim::Known(1);
    let shape = match *padding.dims() {
        [samples] => {
            let lengths = b.cast(padding, Element::I64)?;
            let lengths = b.reshape(&lengths, &[samples, one, one, one])?;
            let keys = subscripts(b, 4, 3, columns)?;
            return b.binary("less", &keys, &lengths);
        }
        [samples, keys] => [samples, one, one, keys],
        [samples, queries, keys] => [samples, one, queries, keys],
        ref shape => {
            return Err(format!(
                "the mask has shape {shape:?}, expected one of 1 to 3 axes"
            ));
        }
    };
    if unify(shape[3], columns).is_none() {
        return Err(format!(
            "the mask has shape {:?}, which does not fit {columns} keys",
            padding.dims()
        ));
    }
    let padding = b.reshape(padding, &shape)?;
    b.with_scalar("not_equal", &padding, 0.0)
}

/// ONNX's operator with other inputs. Positions are those of each sample, or the first one of all.
fn rotary_embedding(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(4)?;
    if n.attr_bool_or("is_packed_batching", false)? || n.attr_f32_or("scale", 1.0)? != 1.0 {
        return Err("packed batches, and scales other than 1, are not supported".into());
    }
    let (x, cache) = (n.input(0)?, n.input(2)?);
    let &[_, Dim::Known(half)] = cache.dims() else {
        return Err(format!(
            "the cosines have shape {:?}, expected rank 2",
            cache.dims()
        ));
    };
    let heads = match (n.attr_i64_or("num_heads", 0)?, x.dims()) {
        // A head is as large as what is turned.
        (0, &[.., Dim::Known(row)]) if half > 0 => row / (2 * half),
        (heads, _) => heads,
    };
    // What is turned of a head is what there are angles for.
    n.ignore_attr("rotary_embedding_dim");
    let apart = heads_apart(b, &x, Some(heads))?;
    let &[samples, _, positions, Dim::Known(size)] = apart.dims() else {
        return Err(format!("the input has shape {:?}", x.dims()));
    };
    if 2 * half > size {
        return Err(format!(
            "{} of {size} numbers of a head cannot be turned",
            2 * half
        ));
    }
    let places = places(n, b, [samples, positions])?;
    let angles = angles(n, b, [2, 3], &places)?;
    let result = rotated(b, &apart, &angles, n.attr_bool_or("interleaved", false)?)?;
    Ok(vec![match x.rank() {
        3 => heads_together(b, &result)?,
        _ => result,
    }])
}

/// The cosines and sines, which are two inputs, of positions: [samples, 1, positions, half].
pub(super) fn angles(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    [cos, sin]: [usize; 2],
    positions: &Value,
) -> Result<[Value; 2]> {
    let mut of = |index: usize| {
        let angles = b.taken(&n.input(index)?, positions, 0)?;
        let mut shape = angles.dims().to_vec();
        shape.insert(1, Dim::Known(1));
        b.reshape(&angles, &shape)
    };
    let (cos, sin) = (of(cos)?, of(sin)?);
    match cos.dims() == sin.dims() {
        true => Ok([cos, sin]),
        false => Err("cosines and sines have two shapes".into()),
    }
}

/// The positions of [samples, positions].
fn places(n: &Node<'_>, b: &mut GraphBuilder, [samples, positions]: [Dim; 2]) -> Result<Value> {
    let given = n.input(1)?;
    if given.rank() == 2 && are_equal(given.dims(), &[samples, positions]) {
        return Ok(given);
    }
    if given.dims() != [1] {
        return Err(format!(
            "the positions have shape {:?}, expected [1] or [{samples}, {positions}]",
            given.dims()
        ));
    }
    let first = b.cast(&given, Element::I64)?;
    let places = subscripts(b, 2, 1, positions)?;
    let places = b.binary("add", &places, &first)?;
    b.broadcast(&places, &[samples, positions])
}
