//! Attention whose scores and probabilities graphs of the node change.

use super::{
    linear::batched,
    row::{Row, row},
};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    onnx::{element::of_onnx, item::Item, node::Node},
};
use relay_dialects::{dim::Dim, element::Element};

/// The domain, with which the names of its operators begin.
pub const DOMAIN: &str = "ai.onnx.preview";

/// The family's rows.
pub const ROWS: &[Row] = &[row("ai.onnx.preview.FlexAttention", 1, flex_attention)];

/// The dimensions of queries, keys and values.
struct Heads {
    batch: Dim,
    /// The heads of keys, and how many heads of queries each of them serves.
    heads: Dim,
    group: Dim,
    queries: Dim,
    keys: Dim,
}

impl Heads {
    fn of(query: &Value, key: &Value, value: &Value) -> Result<Self> {
        let wrong = || {
            format!(
                "queries {:?}, keys {:?} and values {:?} do not fit: each is of a batch, heads, positions and features",
                query.dims(),
                key.dims(),
                value.dims()
            )
        };
        let (
            &[batch, heads, queries, width],
            &[_, own, keys, features],
            &[_, others, positions, _],
        ) = (query.dims(), key.dims(), value.dims())
        else {
            return Err(wrong());
        };
        let (Some(all), Some(of_keys)) = (heads.known(), own.known()) else {
            return Err("the number of heads is open; it has to be known".into());
        };
        let fits = width == features && own == others && keys == positions;
        if !fits || of_keys < 1 || all % of_keys != 0 {
            return Err(wrong());
        }
        Ok(Self {
            batch,
            heads: own,
            group: Dim::Known(all / of_keys),
            queries,
            keys,
        })
    }

    /// The number of matrices, and the rows of each: the queries of a group of heads.
    fn matrices(&self) -> Result<(Dim, Dim)> {
        let count = self.batch.times(self.heads)?;
        Ok((count, self.group.times(self.queries)?))
    }

    /// A tensor of numbers for each query, by heads of queries.
    fn by_head(&self, b: &mut GraphBuilder, x: &Value, width: Dim) -> Result<Value> {
        let heads = self.heads.times(self.group)?;
        b.reshape(x, &[self.batch, heads, self.queries, width])
    }

    /// The same by matrices.
    fn by_matrix(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        let (count, rows) = self.matrices()?;
        b.reshape(x, &[count, rows, x.dims()[3]])
    }
}

fn flex_attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    n.check_inputs(3)?;
    let [query, key, value] = [n.input(0)?, n.input(1)?, n.input(2)?];
    let heads = Heads::of(&query, &key, &value)?;
    let precise = match n.attr_i64("softmax_precision")? {
        Some(said) => of_onnx(said)?,
        None if query.element() == Element::F64 => Element::F64,
        None => Element::F32,
    };
    let scores = scores(n, b, &query, &key, &heads)?;
    let scores = b.cast(&scores, precise)?;
    let scores = changed(n, b, "score_mod", scores)?;
    let attrs = [("axis", Param::Int(3))];
    let chances = b.op("nn.softmax", &[scores], &attrs)?;
    let chances = changed(n, b, "prob_mod", chances)?;
    let chances = heads.by_matrix(b, &chances)?;
    let (count, _) = heads.matrices()?;
    let width = value.dims()[3];
    let values = b.cast(&value, precise)?;
    let values = b.reshape(&values, &[count, heads.keys, width])?;
    let result = batched(b, &chances, &values)?;
    let result = b.cast(&result, value.element())?;
    Ok(vec![heads.by_head(b, &result, width)?])
}

/// The scaled products of queries and keys.
fn scores(
    n: &Node<'_>,
    b: &mut GraphBuilder,
    query: &Value,
    key: &Value,
    heads: &Heads,
) -> Result<Value> {
    let width = query.dims()[3];
    let scale = match (n.attr_f32("scale")?, width.known()) {
        (Some(scale), _) => f64::from(scale),
        (None, Some(width)) => 1.0 / (width as f64).sqrt(),
        (None, None) => return Err("the number of features is open; it has to be known".into()),
    };
    let (count, _) = heads.matrices()?;
    let keys = b.reshape(key, &[count, heads.keys, width])?;
    let keys = b.transpose(&keys, &[0, 2, 1])?;
    let queries = heads.by_matrix(b, query)?;
    let queries = b.with_scalar("multiply", &queries, scale)?;
    let products = batched(b, &queries, &keys)?;
    heads.by_head(b, &products, heads.keys)
}

/// What a graph of the node makes of a tensor, if the node has it: a tensor of the same type.
fn changed(n: &Node<'_>, b: &mut GraphBuilder, graph: &str, x: Value) -> Result<Value> {
    let Some(subgraph) = n.optional_graph(graph)? else {
        return Ok(x);
    };
    let results = subgraph.write(b, graph, &[Item::from(x.clone())])?;
    let [Item::Tensor(result)] = &results[..] else {
        return Err(format!("'{graph}' does not return one tensor"));
    };
    if result.element() != x.element() || result.dims() != x.dims() {
        return Err(format!(
            "'{graph}' makes {:?} of {} of {:?} of {}",
            result.dims(),
            result.element(),
            x.dims(),
            x.element()
        ));
    }
    Ok(result.clone())
}
