//! Attention.

use super::{
    activation::large_negative,
    row::{Row, item},
};
use crate::{
    compose::{
        einsum::einsum, linear::batched, reduce::along, resample::repeated, subscript::compare,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{
        item::{Item, Tree},
        node::{Node, weight},
    },
};
use relay_dialects::{dim::Dim, element::Element};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    item(&["AdditiveAttention"], |n, b| scored(n, b, additive)),
    item(&["Attention"], |n, b| scored(n, b, dot_or_concat)),
    item(
        &["GroupedQueryAttention", "GroupQueryAttention"],
        grouped_query,
    ),
    item(&["MultiHeadAttention"], multi_head),
];

/// A projection by its parts' names, as [samples, positions, heads, size].
struct Projections<'n, 'm> {
    n: &'n Node<'m>,
    uses_bias: bool,
}

impl Projections<'_, '_> {
    fn project(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        (attributes, name, equation): (&[&str], &str, &str),
    ) -> Result<Value> {
        let scope = self.n.scope.part(attributes, name);
        let compute = self.n.policy.compute;
        let kernel = weight(b, &scope, "kernel", compute)?;
        let mut made = einsum(b, vec![x.clone(), kernel], equation)?;
        if self.uses_bias {
            let bias = weight(b, &scope, "bias", compute)?;
            made = b.binary("add", &made, &bias)?;
        }
        Ok(made)
    }

    /// [samples, positions, size] to [samples, positions, heads, size of a head].
    fn to_heads(
        &self,
        b: &mut GraphBuilder,
        x: &Value,
        (attributes, name): (&[&str], &str),
    ) -> Result<Value> {
        self.project(b, x, (attributes, name, "abc,cde->abde"))
    }
}

/// Query, value, and key, which is the value if none is given.
fn operands(n: &Node<'_>) -> Result<[Value; 3]> {
    let part = |place: usize, name: &str| match n.arg(place, &[name]) {
        Some(item) => item.tensor().map(|tensor| tensor.value.clone()),
        None => Err(format!("argument '{name}' is missing")),
    };
    let (query, value) = (part(0, "query")?, part(1, "value")?);
    let key = match n.arg(2, &["key"]) {
        Some(item) => item.tensor()?.value.clone(),
        None => value.clone(),
    };
    for operand in [&query, &value, &key] {
        if operand.rank() != 3 {
            return Err(format!(
                "queries, values and keys have to be of rank 3; there is one of shape {:?}",
                operand.dims()
            ));
        }
    }
    Ok([query, value, key])
}

/// A mask that is an argument, or that of another argument.
fn mask_of(n: &Node<'_>, name: &str, place: usize, of: &str) -> Option<Value> {
    match n.kwarg(name) {
        Some(item) => item.tensor().ok().map(|tensor| tensor.value.clone()),
        None => n.arg(place, &[of])?.tensor().ok()?.mask.clone(),
    }
}

fn flag(n: &Node<'_>, place: usize, name: &str) -> bool {
    matches!(n.arg(place, &[name]), Some(Tree::Bool(true)))
}

/// Two masks, of which either may be absent.
fn both(b: &mut GraphBuilder, lhs: Option<Value>, rhs: Option<Value>) -> Result<Option<Value>> {
    match (lhs, rhs) {
        (Some(lhs), Some(rhs)) => b.binary("logical_and", &lhs, &rhs).map(Some),
        (one, other) => Ok(one.or(other)),
    }
}

/// A mask [samples, positions] as [samples, positions, 1] or [samples, 1, positions].
fn as_matrix(b: &mut GraphBuilder, mask: &Value, is_column: bool) -> Result<Value> {
    let [samples, positions] = *mask.dims() else {
        return Err(format!("a mask of shape {:?}", mask.dims()));
    };
    let one = Dim::Known(1);
    let dims = match is_column {
        true => [samples, positions, one],
        false => [samples, one, positions],
    };
    b.reshape(mask, &dims)
}

/// Which keys each query sees: [samples, queries, keys].
fn seen(n: &Node<'_>, b: &mut GraphBuilder, (queries, keys): (Dim, Dim)) -> Result<Option<Value>> {
    let mut mask = None;
    let parts = [
        ("query_mask", 0, "query", true),
        ("value_mask", 1, "value", false),
        ("key_mask", 2, "key", false),
    ];
    for (name, place, of, is_column) in parts {
        if let Some(own) = mask_of(n, name, place, of) {
            let own = as_matrix(b, &own, is_column)?;
            mask = both(b, mask, Some(own))?;
        }
    }
    if flag(n, usize::MAX, "use_causal_mask") {
        let causal = compare(b, "less_equal", (queries, keys), 0)?;
        mask = both(b, mask, Some(causal))?;
    }
    let given = n.kwarg("attention_mask").map(Item::tensor).transpose()?;
    if let Some(given) = given {
        let given = b.cast(&given.value, Element::Bool)?;
        mask = both(b, mask, Some(given))?;
    }
    Ok(mask)
}

/// softmax(query * keyᵀ * scale) * value, of [samples, positions, heads, size], and the weights. Keras has two ways to compute it: where
/// weights are returned, those of a query that sees nothing are `zeros`; else they are equal.
fn attended(
    b: &mut GraphBuilder,
    [query, value, key]: [&Value; 3],
    (scale, mask, zeros): (f64, Option<Value>, bool),
) -> Result<[Value; 2]> {
    let query = b.with_scalar("multiply", query, scale)?;
    let query = b.transpose(&query, &[0, 2, 1, 3])?;
    let key = b.transpose(key, &[0, 2, 3, 1])?;
    let value = b.transpose(value, &[0, 2, 1, 3])?;
    let (samples, heads) = (query.dims()[0], query.dims()[1]);
    let all = samples.times(heads)?;
    let flat = |b: &mut GraphBuilder, x: &Value| {
        let dims = [all, x.dims()[2], x.dims()[3]];
        b.reshape(x, &dims)
    };
    let (rows, columns) = (query.dims()[2], key.dims()[3]);
    let (query, key, value) = (flat(b, &query)?, flat(b, &key)?, flat(b, &value)?);
    let scores = batched(b, &query, &key)?;
    let mut scores = b.reshape(&scores, &[samples, heads, rows, columns])?;
    if let Some(mask) = &mask {
        let low = b.scalar(scores.element(), large_negative(&scores));
        scores = b.op("where", &[mask.clone(), scores, low], &[])?;
    }
    let mut weights = b.op("nn.softmax", &[scores], &[("axis", Param::Int(3))])?;
    if let Some(mask) = mask.filter(|_| zeros) {
        let zero = b.scalar(weights.element(), 0.0);
        weights = b.op("where", &[mask, weights, zero], &[])?;
    }
    let flat_weights = b.reshape(&weights, &[all, rows, columns])?;
    let made = batched(b, &flat_weights, &value)?;
    let size = made.dims()[2];
    let made = b.reshape(&made, &[samples, heads, rows, size])?;
    Ok([b.transpose(&made, &[0, 2, 1, 3])?, weights])
}

/// A mask with an axis for heads.
fn of_heads(b: &mut GraphBuilder, mask: Option<Value>) -> Result<Option<Value>> {
    let Some(mask) = mask else {
        return Ok(None);
    };
    let dims = match *mask.dims() {
        [rows, columns] => vec![Dim::Known(1), Dim::Known(1), rows, columns],
        [samples, rows, columns] => vec![samples, Dim::Known(1), rows, columns],
        [_, _, _, _] => return Ok(Some(mask)),
        _ => return Err(format!("a mask of shape {:?}", mask.dims())),
    };
    b.reshape(&mask, &dims).map(Some)
}

/// Refuses what is not supported of layers with heads.
fn check_heads(n: &Node<'_>) -> Result<()> {
    n.config.ignore(&["dropout", "flash_attention"]);
    if n.config.flag("use_gate", false)? {
        return Err("attribute 'use_gate' is not supported".into());
    }
    if n.config.int("sliding_window")?.is_some() {
        return Err("attribute 'sliding_window' is not supported".into());
    }
    Ok(())
}

fn multi_head(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    check_heads(n)?;
    n.config.ignore(&[
        "num_heads",
        "softmax_robust_masking",
        "output_shape",
        "value_dim",
        "key_shape",
        "query_shape",
        "value_shape",
    ]);
    let size = n.config.required_int("key_dim")?;
    if n.config
        .ints("attention_axes")?
        .is_some_and(|axes| axes != [1])
    {
        return Err("attribute 'attention_axes' is not supported".into());
    }
    let [query, value, key] = operands(n)?;
    let query_mask = mask_of(n, "query_mask", 0, "query");
    let mask = seen(n, b, (query.dims()[1], value.dims()[1]))?;
    let mask = of_heads(b, mask)?;
    let parts = Projections {
        n,
        uses_bias: n.config.flag("use_bias", true)?,
    };
    let query = parts.to_heads(b, &query, (&["query_dense", "_query_dense"], "query"))?;
    let key = parts.to_heads(b, &key, (&["key_dense", "_key_dense"], "key"))?;
    let value = parts.to_heads(b, &value, (&["value_dense", "_value_dense"], "value"))?;
    let scale = 1.0 / (size.max(1) as f64).sqrt();
    finish(
        n,
        b,
        &parts,
        ([&query, &value, &key], scale, mask),
        query_mask,
    )
}

/// Projects what heads see, and returns the weights, too, if they are asked for.
fn finish(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    parts: &Projections<'_, '_>,
    (operands, scale, mask): ([&Value; 3], f64, Option<Value>),
    query_mask: Option<Value>,
) -> Result<Item> {
    let returns_weights = flag(n, usize::MAX, "return_attention_scores");
    let zeros = returns_weights && !n.config.is_keras_2;
    let [made, weights] = attended(b, operands, (scale, mask, zeros))?;
    let made = parts.project(
        b,
        &made,
        (
            &["output_dense", "_output_dense"],
            "attention_output",
            "abcd,cde->abe",
        ),
    )?;
    let made = Item::masked(made, query_mask);
    match returns_weights {
        true => Ok(Tree::List(vec![made, Item::of(weights)])),
        false => Ok(made),
    }
}

/// Several heads of queries share one of keys and values.
fn grouped_query(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Item> {
    check_heads(n)?;
    let size = n.config.required_int("head_dim")?;
    let heads = n.config.required_int("num_query_heads")?;
    let shared = n.config.required_int("num_key_value_heads")?;
    if shared < 1 || heads % shared != 0 {
        return Err(format!("{heads} heads of queries share {shared} of keys"));
    }
    let [query, value, key] = operands(n)?;
    let query_mask = mask_of(n, "query_mask", 0, "query");
    let mask = seen(n, b, (query.dims()[1], value.dims()[1]))?;
    let mask = of_heads(b, mask)?;
    let parts = Projections {
        n,
        uses_bias: n.config.flag("use_bias", true)?,
    };
    let query = parts.to_heads(b, &query, (&["query_dense", "_query_dense"], "query"))?;
    let key = parts.to_heads(b, &key, (&["key_dense", "_key_dense"], "key"))?;
    let value = parts.to_heads(b, &value, (&["value_dense", "_value_dense"], "value"))?;
    let group = [(2, heads / shared)];
    let (key, value) = (repeated(b, &key, &group)?, repeated(b, &value, &group)?);
    let scale = 1.0 / (size.max(1) as f64).sqrt();
    finish(
        n,
        b,
        &parts,
        ([&query, &value, &key], scale, mask),
        query_mask,
    )
}

/// Makes the scores of queries and keys.
type Scores = fn(&Node<'_>, &mut GraphBuilder, &Value, &Value) -> Result<Value>;

/// The product of queries and keys, or the sum of tanh of their sums.
fn dot_or_concat(n: &Node<'_>, b: &mut GraphBuilder, query: &Value, key: &Value) -> Result<Value> {
    let scale = match n.config.flag("use_scale", false)? {
        true => Some(n.weight(b, "scale")?),
        false => None,
    };
    match n.config.text_or("score_mode", "dot")? {
        "dot" => {
            let key = b.transpose(key, &[0, 2, 1])?;
            let scores = batched(b, query, &key)?;
            match scale {
                Some(scale) => b.binary("multiply", &scores, &scale),
                None => Ok(scores),
            }
        }
        "concat" => {
            let weight = n.weight(b, "concat_score_weight")?;
            let mut sums = sums(b, query, key)?;
            if let Some(scale) = scale {
                sums = b.binary("multiply", &sums, &scale)?;
            }
            let inner = b.unary("tanh", &sums)?;
            let scores = along(b, "sum", &inner, (&[3], false))?;
            b.binary("multiply", &scores, &weight)
        }
        other => Err(format!("attribute 'score_mode' is '{other}'")),
    }
}

fn additive(n: &Node<'_>, b: &mut GraphBuilder, query: &Value, key: &Value) -> Result<Value> {
    let sums = sums(b, query, key)?;
    let mut inner = b.unary("tanh", &sums)?;
    if n.config.flag("use_scale", true)? {
        let scale = n.weight(b, "scale")?;
        inner = b.binary("multiply", &inner, &scale)?;
    }
    along(b, "sum", &inner, (&[3], false))
}

/// The sum of each query and each key: [samples, queries, keys, size].
fn sums(b: &mut GraphBuilder, query: &Value, key: &Value) -> Result<Value> {
    let one = Dim::Known(1);
    let [samples, queries, size] = *query.dims() else {
        return Err(format!("queries of shape {:?}", query.dims()));
    };
    let query = b.reshape(query, &[samples, queries, one, size])?;
    let [samples, keys, size] = *key.dims() else {
        return Err(format!("keys of shape {:?}", key.dims()));
    };
    let key = b.reshape(key, &[samples, one, keys, size])?;
    b.binary("add", &query, &key)
}

/// Attention without heads: `[query, value]` or `[query, value, key]`.
fn scored(n: &Node<'_>, b: &mut GraphBuilder, scores: Scores) -> Result<Item> {
    n.config.ignore(&["dropout"]);
    let tensors = n.tensors()?;
    let (query, value) = match &tensors[..] {
        [query, value] | [query, value, _] => (*query, *value),
        _ => {
            return Err(format!(
                "it takes 2 or 3 tensors, and {} are given",
                tensors.len()
            ));
        }
    };
    let key = tensors.get(2).map_or(&value.value, |key| &key.value);
    let given = match n.kwarg("mask") {
        Some(Tree::List(all)) => all.clone(),
        _ => Vec::new(),
    };
    let mask_at = |place: usize, own: Option<&Value>| match given.get(place) {
        Some(Tree::Leaf(tensor)) => Some(tensor.value.clone()),
        _ => own.cloned(),
    };
    let query_mask = mask_at(0, query.mask.as_ref());
    let value_mask = mask_at(1, value.mask.as_ref());
    let mut scores = scores(n, b, &query.value, key)?;
    let mut mask = value_mask
        .map(|mask| as_matrix(b, &mask, false))
        .transpose()?;
    let is_causal = flag(n, usize::MAX, "use_causal_mask") || n.config.flag("causal", false)?;
    if is_causal {
        let extents = (scores.dims()[1], scores.dims()[2]);
        let causal = compare(b, "less_equal", extents, 0)?;
        mask = both(b, mask, Some(causal))?;
    }
    if let Some(mask) = mask {
        let far = match scores.element() {
            Element::F16 => 65504.0,
            _ => 1e9,
        };
        let low = b.with_scalar("subtract", &scores, far)?;
        scores = b.op("where", &[mask, scores, low], &[])?;
    }
    let weights = b.op("nn.softmax", &[scores], &[("axis", Param::Int(2))])?;
    let mut made = batched(b, &weights, &value.value)?;
    if let Some(mask) = &query_mask {
        let mask = as_matrix(b, mask, true)?;
        let zero = b.scalar(made.element(), 0.0);
        made = b.op("where", &[mask, made, zero], &[])?;
    }
    let made = Item::masked(made, query_mask);
    match flag(n, usize::MAX, "return_attention_scores") {
        true => Ok(Tree::List(vec![made, Item::of(weights)])),
        false => Ok(made),
    }
}
