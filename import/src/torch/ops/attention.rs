//! Attention.

use super::row::{Row, row, rows};
use crate::{
    compose::{attention::attended, reduce::along, subscript::compare},
    graph::{
        builder::GraphBuilder,
        error::Result,
        value::{Value, broadcast_shapes},
    },
    torch::node::Node,
};
use relay_dialects::{dim::Dim, element::Element};

/// The family's rows.
pub const ROWS: &[Row] = &[
    row("scaled_dot_product_attention", attention),
    rows("_scaled_dot_product_flash_attention_for_cpu", |n, b| {
        only(n, b, "attn_mask")
    }),
    rows("_scaled_dot_product_flash_attention", |n, b| {
        only(n, b, "attn_mask")
    }),
    rows("_scaled_dot_product_efficient_attention", |n, b| {
        only(n, b, "attn_bias")
    }),
    rows("_scaled_dot_product_attention_math", |n, b| {
        only(n, b, "attn_mask")
    }),
    rows(
        "_scaled_dot_product_fused_attention_overrideable",
        |n, b| only(n, b, "attn_bias"),
    ),
];

fn attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    attention_with(n, b, "attn_mask")
}

/// Of operators that return what training needs, too.
fn only(n: &Node<'_>, b: &mut GraphBuilder, mask: &str) -> Result<Vec<Value>> {
    n.ignore(&["compute_log_sumexp", "return_debug_mask", "dropout_mask"]);
    if n.uses(1) {
        return Err("what is saved for training (result 1) is not supported".into());
    }
    Ok(vec![attention_with(n, b, mask)?])
}

/// softmax(query * keyᵀ * scale + mask) * value.
fn attention_with(n: &Node<'_>, b: &mut GraphBuilder, mask: &str) -> Result<Value> {
    let [query, key, value] = [n.tensor("query")?, n.tensor("key")?, n.tensor("value")?];
    if n.float_or("dropout_p", 0.0)? != 0.0 {
        return Err("argument 'dropout_p' is not 0: what is dropped is random; call eval() before the export".into());
    }
    n.ignore(&["enable_gqa"]);
    let scale = n.float("scale")?;
    let mask = n.optional_tensor(mask)?;
    let (is_causal, has_mask) = (n.bool_or("is_causal", false)?, mask.is_some());
    if key.rank() < 2 || value.rank() < 2 {
        return Err(format!(
            "key and value have shapes {:?} and {:?}",
            key.dims(),
            value.dims()
        ));
    }
    let [front @ .., queries, _] = query.dims() else {
        return Err(format!("the query has shape {:?}", query.dims()));
    };
    let (mut front, queries, keys) = (front.to_vec(), *queries, key.dims()[key.rank() - 2]);
    let size = value.dims()[value.rank() - 1];
    // Samples that only the others have are samples of the query, too.
    for other in [&key, &value] {
        let of_other = &other.dims()[..other.rank() - 2];
        if other.rank() == query.rank() && !front.is_empty() {
            let samples =
                broadcast_shapes(&front[..front.len() - 1], &of_other[..of_other.len() - 1])?;
            front.splice(..front.len() - 1, samples);
        }
    }
    let operands = [&query, &key, &value].map(|part| of_rank_4(b, part, &front));
    let [query, key, value] = operands;
    let operands = [query?, key?, value?];
    let element = operands[0].element();
    let bias = bias(b, (mask, is_causal), (queries, keys), element)?;
    let bias = bias.map(|bias| wide_bias(b, &bias, &front, (queries, keys)));
    let bias = bias.transpose()?;
    // The future alone leaves each query a key.
    let may_be_empty = has_mask || !is_causal;
    let mut result = attended(b, &operands, (scale, 0.0), bias.clone())?;
    if let (Some(bias), true) = (bias, may_be_empty) {
        let greatest = along(b, "max", &bias, (&[3], true))?;
        let is_empty = b.with_scalar("equal", &greatest, f64::NEG_INFINITY)?;
        let zero = b.scalar(result.element(), 0.0);
        result = b.op("where", &[is_empty, zero, result], &[])?;
    }
    b.reshape(&result, &[&front[..], &[queries, size]].concat())
}

/// A bias with four axes, the last two of which are those of queries and keys.
fn wide_bias(
    b: &mut GraphBuilder,
    bias: &Value,
    front: &[Dim],
    (queries, keys): (Dim, Dim),
) -> Result<Value> {
    let wide = match bias.rank() > 4 {
        true => of_rank_4(b, bias, front)?,
        false => {
            let mut shape = vec![Dim::Known(1); 4 - bias.rank()];
            shape.extend(bias.dims());
            b.reshape(bias, &shape)?
        }
    };
    let [samples, heads, rows, columns] = *wide.dims() else {
        return Err("a mask has no rows".into());
    };
    let shape = [
        samples,
        heads,
        broadcast(rows, queries),
        broadcast(columns, keys),
    ];
    b.broadcast(&wide, &shape)
}

/// An extent that broadcasts to another one.
fn broadcast(extent: Dim, to: Dim) -> Dim {
    if extent == 1 { to } else { extent }
}

/// [samples, heads, positions, size]: axes before the heads become one, and are added where there are none.
fn of_rank_4(b: &mut GraphBuilder, x: &Value, front: &[Dim]) -> Result<Value> {
    let (own, last) = x.dims().split_at(x.rank() - 2);
    let heads = own.last().copied().unwrap_or(Dim::Known(1));
    let samples = front.split_last().map_or(&[][..], |(_, samples)| samples);
    let whole = [samples, &own[own.len().saturating_sub(1)..], last].concat();
    let x = b.broadcast(x, &whole)?;
    let samples = relay_dialects::dim::product(samples)?;
    b.reshape(&x, &[samples, heads, last[0], last[1]])
}

/// What is added to the products: the mask, and -inf for the future. A mask of booleans says what is seen.
fn bias(
    b: &mut GraphBuilder,
    (mask, is_causal): (Option<Value>, bool),
    (queries, keys): (Dim, Dim),
    element: Element,
) -> Result<Option<Value>> {
    let zero = b.scalar(element, 0.0);
    let unseen = b.scalar(element, f64::NEG_INFINITY);
    let mut bias = match mask {
        Some(mask) if mask.element() == Element::Bool => {
            Some(b.op("where", &[mask, zero.clone(), unseen.clone()], &[])?)
        }
        Some(mask) => Some(b.cast(&mask, element)?),
        None => None,
    };
    if is_causal {
        let seen = compare(b, "less_equal", (queries, keys), 0)?;
        let before = bias.unwrap_or(zero);
        bias = Some(b.op("where", &[seen, before, unseen], &[])?);
    }
    Ok(bias)
}
