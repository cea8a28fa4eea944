//! Attention.

use super::{linear::batched, reduce::along};
use crate::graph::{
    attr::Param,
    builder::GraphBuilder,
    error::Result,
    value::{Value, are_equal, broadcasts},
};
use relay_dialects::{dim::Dim, element::Element};

/// The extents of an attention.
#[derive(Clone, Copy)]
pub struct Extents {
    /// The samples.
    pub samples: Dim,
    /// The heads of the keys and values.
    pub heads: i64,
    /// How many heads of the queries share one of the keys.
    pub group: i64,
    /// The queries of a sample.
    pub queries: Dim,
    /// The keys of a sample.
    pub keys: Dim,
    /// The size of a head's queries and keys.
    pub size: i64,
    /// The size of a head's values.
    pub value_size: i64,
}

impl Extents {
    /// The extents of three tensors of rank 4. Fails if they do not fit each other.
    pub fn of(queries: &Value, keys: &Value, values: &Value) -> Result<Self> {
        let all = [queries.dims(), keys.dims(), values.dims()];
        let [&[samples, _, rows, _], &[_, _, columns, _], &[_, _, _, _]] = all else {
            return Err(format!("the inputs have shapes {all:?}, expected rank 4"));
        };
        let (q_heads, heads) = (queries.extent(1)?, keys.extent(1)?);
        let (size, value_size) = (queries.extent(3)?, values.extent(3)?);
        let [of_keys, of_values] =
            [size, value_size].map(|size| [samples, Dim::Known(heads), columns, Dim::Known(size)]);
        let fits = are_equal(keys.dims(), &of_keys)
            && are_equal(values.dims(), &of_values)
            && q_heads.checked_rem(heads).unwrap_or(q_heads) == 0;
        if !fits {
            return Err(format!(
                "queries, keys and values have shapes {all:?}, which do not fit each other"
            ));
        }
        Ok(Self {
            samples,
            heads,
            group: q_heads.checked_div(heads).unwrap_or(1),
            queries: rows,
            keys: columns,
            size,
            value_size,
        })
    }

    /// The scale of scores where nothing says another one.
    pub fn usual_scale(&self) -> f64 {
        1.0 / (self.size as f64).sqrt()
    }

    /// The shape of matrices with a row for each query, of all heads that share keys.
    pub fn grouped(&self, columns: impl Into<Dim>) -> Result<[Dim; 3]> {
        let batch = self.samples.times(self.heads)?;
        Ok([batch, self.queries.times(self.group)?, columns.into()])
    }

    /// The same apart: [samples, heads of the queries, queries, columns].
    pub fn apart(&self, columns: impl Into<Dim>) -> [Dim; 4] {
        let heads = Dim::Known(self.heads * self.group);
        [self.samples, heads, self.queries, columns.into()]
    }
}

/// softmax(capped(queries * keys * scale) + bias) * values, of rank 4 as they are, and in f32 where they are of f16. The bias is of rank 4;
/// without a scale, the usual one is taken.
pub fn attended(
    b: &mut GraphBuilder,
    [queries, keys, values]: &[Value; 3],
    (scale, cap): (Option<f64>, f64),
    bias: Option<Value>,
) -> Result<Value> {
    let extents = Extents::of(queries, keys, values)?;
    let computed = match queries.element() {
        Element::F16 => Element::F32,
        other => other,
    };
    let (wide_queries, wide_keys) = (b.cast(queries, computed)?, b.cast(keys, computed)?);
    let scale = scale.unwrap_or_else(|| extents.usual_scale());
    let scores = scores(b, (&wide_queries, &wide_keys), (extents, scale))?;
    let mut scores = capped(b, &scores, cap)?;
    if let Some(bias) = bias {
        let bias = b.cast(&bias, computed)?;
        let bias = grouped_bias(b, &bias, extents)?;
        scores = b.binary("add", &scores, &bias)?;
    }
    let attrs = [("axis", Param::Int(2))];
    let weights = b.op("nn.softmax", &[scores], &attrs)?;
    let of_values = b.reshape(values, &matrices(values)?)?;
    let of_values = b.cast(&of_values, computed)?;
    let result = batched(b, &weights, &of_values)?;
    let result = b.reshape(&result, &extents.apart(extents.value_size))?;
    b.cast(&result, queries.element())
}

/// The shape of a tensor of rank 4 as one of matrices.
pub fn matrices(x: &Value) -> Result<[Dim; 3]> {
    let dims = x.dims();
    Ok([dims[0].times(dims[1])?, dims[2], dims[3]])
}

/// The products of queries and keys, as [`Extents::grouped`]. Queries are scaled before: there are fewer of them than of
/// products, and narrow floats do not overflow then.
pub fn scores(
    b: &mut GraphBuilder,
    (queries, keys): (&Value, &Value),
    (extents, scale): (Extents, f64),
) -> Result<Value> {
    let queries = b.with_scalar("multiply", queries, scale)?;
    let queries = b.reshape(&queries, &extents.grouped(extents.size)?)?;
    let keys = b.reshape(keys, &matrices(keys)?)?;
    let keys = b.transpose(&keys, &[0, 2, 1])?;
    batched(b, &queries, &keys)
}

/// cap * tanh(x / cap), if there is a cap.
pub fn capped(b: &mut GraphBuilder, x: &Value, cap: f64) -> Result<Value> {
    if cap <= 0.0 {
        return Ok(x.clone());
    }
    let scaled = b.with_scalar("divide", x, cap)?;
    let tanh = b.unary("tanh", &scaled)?;
    b.with_scalar("multiply", &tanh, cap)
}

/// A bias in the shape of scores, as [`Extents::grouped`]; with one matrix where it is the same for all.
pub fn grouped_bias(b: &mut GraphBuilder, bias: &Value, extents: Extents) -> Result<Value> {
    let whole = extents.apart(extents.keys);
    if !broadcasts(bias.dims(), &whole) {
        return Err(format!(
            "the mask (input 3) has shape {:?}, which does not broadcast to {whole:?}",
            bias.dims()
        ));
    }
    let [_, _, queries, keys] = whole;
    if bias.dims()[..2] == [1, 1] {
        let [one, group] = [1, extents.group].map(Dim::Known);
        let bias = b.broadcast(bias, &[one, group, queries, keys])?;
        return b.reshape(&bias, &[one, group.times(queries)?, keys]);
    }
    let bias = b.broadcast(bias, &whole)?;
    b.reshape(&bias, &extents.grouped(keys)?)
}

/// Which rows of a bias are -inf in all columns.
pub fn masked_rows(b: &mut GraphBuilder, bias: &Value) -> Result<Value> {
    let greatest = along(b, "max", bias, (&[2], true))?;
    b.with_scalar("equal", &greatest, f64::NEG_INFINITY)
}

/// 0 where a flag says so.
pub fn zero_where(b: &mut GraphBuilder, flags: Option<&Value>, x: Value) -> Result<Value> {
    let Some(flags) = flags else {
        return Ok(x);
    };
    let zero = b.scalar(x.element(), 0.0);
    b.op("where", &[flags.clone(), zero, x], &[])
}

/// A tensor as [samples, heads, positions, size]. One of three axes has the heads side by side in the last one.
pub fn heads_apart(b: &mut GraphBuilder, x: &Value, heads: Option<i64>) -> Result<Value> {
    match (x.dims(), heads) {
        ([_, _, _, _], _) => Ok(x.clone()),
        (&[samples, positions, Dim::Known(size)], Some(heads))
            if heads > 0 && size % heads == 0 =>
        {
            let [heads, size] = [heads, size / heads].map(Dim::Known);
            let apart = b.reshape(x, &[samples, positions, heads, size])?;
            b.transpose(&apart, &[0, 2, 1, 3])
        }
        (shape, Some(heads)) => Err(format!(
            "an input has shape {shape:?}, expected rank 4, or rank 3 and a multiple of {heads} heads"
        )),
        (shape, None) => Err(format!(
            "an input has shape {shape:?}, and no attribute says how many heads it has"
        )),
    }
}

/// [samples, positions, heads * size] from [samples, heads, positions, size].
pub fn heads_together(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let moved = b.transpose(x, &[0, 2, 1, 3])?;
    let &[samples, positions, heads, size] = moved.dims() else {
        return Err(format!("{:?} is not of rank 4", moved.dims()));
    };
    b.reshape(&moved, &[samples, positions, heads.times(size)?])
}
