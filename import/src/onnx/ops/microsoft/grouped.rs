//! Attention of language models, whose queries share keys and values in groups, and which keep those of words that were read before.

use super::{
    super::{
        attention::{attended, given_scale, heads_apart, heads_together, rotated},
        row::{Row, row},
        scatter::written,
        select::{cut, sliced, strided_slice},
        subscript::subscripts,
    },
    attention::angles,
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
    dim::{self, Dim},
    element::Element,
};

/// The family's rows.
pub const ROWS: &[Row] = &[row(
    "com.microsoft.GroupQueryAttention",
    1,
    group_query_attention,
)];

/// Words and where they stand.
struct Words {
    samples: Dim,
    /// How many there are of a sample now.
    now: Dim,
    /// How many there are of the longest sample, with those before.
    total: Dim,
    /// Where those of now begin in each sample: [samples].
    first: Value,
}

/// Queries see the keys of their word and of all before, or of as many as a window has. Returns all keys and values, too: those of now are
/// written behind those of the past, and so may overwrite what the past has there.
fn group_query_attention(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Vec<Value>> {
    check(n)?;
    let (heads, shared) = (
        n.required_i64("num_heads")?,
        n.required_i64("kv_num_heads")?,
    );
    let [mut queries, mut keys, values] = operands(n, b, [heads, shared])?;
    let &[samples, _, now, _] = queries.dims() else {
        return Err(format!("the queries have shape {:?}", queries.dims()));
    };
    let words = Words::read(n, b, [samples, now])?;
    if n.attr_bool_or("do_rotary", false)? {
        let positions = turned_by(n, b, &words)?;
        let angles = angles(n, b, [7, 8], &positions)?;
        let is_interleaved = n.attr_bool_or("rotary_interleaved", false)?;
        queries = rotated(b, &queries, &angles, is_interleaved)?;
        keys = rotated(b, &keys, &angles, is_interleaved)?;
    }
    n.ignore_attr("rotary_interleaved");
    let bias = bias(n, b, &words)?;
    let keys = with_past(b, n.optional(3), keys, &words)?;
    let values = with_past(b, n.optional(4), values, &words)?;
    let read = [&keys, &values].map(|all| sliced(b, all, &[(2, Dim::Known(0), words.total, 1)]));
    let [keys_read, values_read] = read;
    let weighing = (given_scale(n)?, n.attr_f32_or("softcap", 0.0)?);
    let result = attended(
        b,
        &[queries, keys_read?, values_read?],
        weighing,
        Some(bias),
    )?;
    Ok(vec![heads_together(b, &result)?, keys, values])
}

/// Fails if something is asked for that is not supported.
fn check(n: &Node<'_>) -> Result<()> {
    n.check_inputs(16)?;
    if let Some(index) = (11..16).find(|&index| n.optional(index).is_some()) {
        return Err(format!("input {index} is there, which is not supported"));
    }
    for name in ["smooth_softmax", "sliding_window_cache", "qk_output"] {
        if n.attr_i64_or(name, 0)? > 0 {
            return Err(format!(
                "attribute '{name}' is not 0, which is not supported"
            ));
        }
    }
    if !n.attr_bool_or("causal", true)? {
        return Err("attribute 'causal' is 0, which is not supported".into());
    }
    for name in ["k_quant_type", "v_quant_type"] {
        let kind = n.attr_str_or(name, "NONE")?;
        if kind != "NONE" {
            return Err(format!(
                "attribute '{name}' is '{kind}', which is not supported"
            ));
        }
    }
    // These are about what was refused.
    n.ignore_attr("kv_cache_bit_width");
    n.ignore_attr("qk_norm_epsilon");
    Ok(())
}

/// Queries, keys and values as [samples, heads, words, size]. They may all be in the first input.
fn operands(n: &Node<'_>, b: &mut GraphBuilder, [heads, shared]: [i64; 2]) -> Result<[Value; 3]> {
    let first = n.input(0)?;
    let parts = match n.optional(1) {
        Some(keys) => vec![first, keys, n.input(2)?],
        None => {
            let last = first.axis(-1)?;
            let all = shared
                .checked_mul(2)
                .and_then(|both| both.checked_add(heads));
            let row = first.extent(last)?;
            let size = all.and_then(|all| row.checked_div(all));
            let size = size.filter(|_| heads > 0 && shared > 0);
            let size =
                size.ok_or("attributes 'num_heads' and 'kv_num_heads' are no numbers of heads")?;
            cut(
                b,
                &first,
                last,
                &[heads * size, shared * size, shared * size],
            )?
        }
    };
    let [queries, keys, values] = &parts[..] else {
        return Err("queries, keys and values are not three tensors".into());
    };
    let mut apart = |x: &Value, heads| heads_apart(b, x, Some(heads));
    let all = [
        apart(queries, heads)?,
        apart(keys, shared)?,
        apart(values, shared)?,
    ];
    b.equate(all[0].dims()[2], all[1].dims()[2])
        .map_err(|_| "there are not as many keys as queries")?;
    Ok(all)
}

impl Words {
    fn read(n: &Node<'_>, b: &mut GraphBuilder, [samples, now]: [Dim; 2]) -> Result<Self> {
        let total = total(n, b, now)?;
        let lengths = n.input(5)?;
        let is_one_each = dim::unify(dim::product(lengths.dims())?, samples).is_some();
        if dim::at_most(now, total).is_none() || !is_one_each {
            return Err(format!(
                "there are {now} words now and {total} in all, and lengths of shape {:?} for {samples} samples",
                lengths.dims()
            ));
        }
        b.equate(now.min(total)?, now)?;
        // Where there were no words before, a shorter sample ends with words that nobody reads.
        let none = b.full(Element::I64, &[samples], 0.0)?;
        let mut words = Self {
            samples,
            now,
            total,
            first: none.clone(),
        };
        if now != total {
            let lengths = b.cast(&lengths, Element::I64)?;
            let lengths = b.reshape(&lengths, &[samples])?;
            // The input says one less than the length.
            let behind = b.with_scalar("add", &lengths, 1.0)?;
            let behind = b.with_size("subtract", &behind, now)?;
            words.first = words.where_first(b, none, behind)?;
        }
        Ok(words)
    }

    /// One tensor where nothing was before, and another one where something was.
    fn where_first(&self, b: &mut GraphBuilder, first: Value, later: Value) -> Result<Value> {
        if self.now == self.total {
            return Ok(first);
        }
        if self.now.is_known() && self.total.is_known() {
            return Ok(later);
        }
        let now = b.size(Element::I64, self.now)?;
        let is_first = b.with_size("equal", &now, self.total)?;
        b.op("where", &[is_first, first, later], &[])
    }

    /// The positions of the words of now, in a shape that broadcasts with others of so many axes.
    fn positions(&self, b: &mut GraphBuilder, rank: usize, axis: usize) -> Result<Value> {
        let mut shape = vec![Dim::Known(1); rank];
        shape[0] = self.samples;
        let first = b.reshape(&self.first, &shape)?;
        let words = subscripts(b, rank, axis, self.now)?;
        b.binary("add", &words, &first)
    }
}

/// The number of all words. One that a run computes is at most what a buffer has room for; or it is that of the words of the past and of
/// now together, which the run checks: then the sizes of results do not depend on data.
fn total(n: &Node<'_>, b: &mut GraphBuilder, now: Dim) -> Result<Dim> {
    let what = "the number of all words";
    let given = n.input(6)?;
    if given.is_known() {
        let &[total] = &n.dims(6, what)?[..] else {
            return Err(format!("{what} (input 6) is not one number"));
        };
        return Ok(total);
    }
    let number = b.cast(&given, Element::I64)?;
    let number = b.reshape_to_scalar(&number)?;
    let past = n.optional(3);
    let room = past.and_then(|past| past.dims().get(2).copied());
    let room = room.unwrap_or(Dim::Known(0));
    if room.known().is_some_and(|room| room > 0) {
        return b.define(&number, "total_words", Some(room));
    }
    let total = room.plus(now)?;
    b.check_equal(&number, total, "total_words")?;
    Ok(total)
}

/// The positions that the words of now are turned by: [samples, words]. Where nothing was before, of those that are given the first one
/// counts.
fn turned_by(n: &Node<'_>, b: &mut GraphBuilder, words: &Words) -> Result<Value> {
    let mut positions = words.positions(b, 2, 1)?;
    if let Some(given) = n.optional(9) {
        let given = b.cast(&given, Element::I64)?;
        let first = strided_slice(b, &given, &[(0, 0, 1, 1), (1, 0, 1, 1)])?;
        let from_first = b.binary("add", &positions, &first)?;
        positions = words.where_first(b, from_first, given)?;
    }
    b.broadcast(&positions, &[words.samples, words.now])
}

/// What is new behind what was before, in each sample: as many words as there are in all, or as the past has room for. Where the past is a
/// buffer for all words, the library checks that it is long enough.
fn with_past(
    b: &mut GraphBuilder,
    past: Option<Value>,
    new: Value,
    words: &Words,
) -> Result<Value> {
    let &[samples, heads, now, size] = new.dims() else {
        return Err(format!("keys or values have shape {:?}", new.dims()));
    };
    let room = match &past {
        None => Dim::Known(0),
        Some(past) => match *past.dims() {
            [a, h, room, s] if are_equal(&[a, h, s], &[samples, heads, size]) => room,
            ref shape => {
                return Err(format!(
                    "keys or values of the past have shape {shape:?}, expected [{samples}, {heads}, words, {size}]"
                ));
            }
        },
    };
    let whole = match is_buffer(room, words)? {
        true => {
            b.equate(room.max(words.total)?, room)?;
            room
        }
        false => room.max(words.total)?,
    };
    if whole == now {
        return Ok(new);
    }
    let Some(past) = past else {
        return Err(format!("there are {now} of {whole} words, and no past"));
    };
    // The one sample is the longest one.
    if samples == 1 && room.plus(now)? == words.total {
        return b.concatenate(&[past, new], 2);
    }
    let mut cache = past;
    if whole != room {
        let zero = b.scalar(cache.element(), 0.0);
        let mut widths = [Dim::Known(0); 8];
        widths[5] = whole.minus(room)?;
        cache = b.pad(&cache, &zero, &widths, "constant")?;
    }
    written(b, [cache, new], 2, Some(words.first.clone()))
}

/// Whether a past of so many words is a buffer that has room for all words, and stays as long as it is: its length is known, and does not
/// grow with the number of words.
fn is_buffer(room: Dim, words: &Words) -> Result<bool> {
    let grows = room.plus(words.now)? == words.total;
    Ok(room.known().is_some_and(|room| room > 0) && !words.total.is_known() && !grows)
}

/// -inf for keys that a query does not see, [samples, 1 or heads, words, keys].
fn bias(n: &Node<'_>, b: &mut GraphBuilder, words: &Words) -> Result<Value> {
    let keys = subscripts(b, 4, 3, words.total)?;
    let queries = words.positions(b, 4, 2)?;
    let mut seen = b.binary("less_equal", &keys, &queries)?;
    match n.attr_i64_or("local_window_size", -1)? {
        ..=0 => {}
        window => {
            let before = b.with_scalar("subtract", &queries, window as f64)?;
            let near = b.binary("greater", &keys, &before)?;
            seen = b.binary("logical_and", &seen, &near)?;
        }
    }
    let given = match n.optional(10) {
        Some(bias) => b.cast(&bias, Element::F32)?,
        None => b.scalar(Element::F32, 0.0),
    };
    let unseen = b.scalar(Element::F32, f64::NEG_INFINITY);
    b.op("where", &[seen, given, unseen], &[])
}
