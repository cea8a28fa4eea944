//! Products, normalisation and the rest of `nn`.

use crate::relay::{
    Call, Layout,
    Pattern::{Broadcast, Injective, Opaque, OutElemwiseFusable},
    Row, TensorType,
    relation::{identity, normalize_axis, show},
};

/// The family's rows.
pub const ROWS: &[Row] = &[
    Row::new("nn.dense", OutElemwiseFusable, dense),
    Row::new("nn.contrib_dense_pack", OutElemwiseFusable, dense_pack),
    Row::new("nn.matmul", OutElemwiseFusable, matmul),
    Row::new("nn.batch_matmul", OutElemwiseFusable, matmul),
    Row::new("nn.bias_add", Broadcast, along_axis),
    Row::new("nn.prelu", Broadcast, along_axis),
    Row::new("nn.batch_norm", OutElemwiseFusable, along_axis),
    Row::new("nn.instance_norm", Opaque, along_axis),
    Row::new("nn.layer_norm", Opaque, along_axis),
    Row::new("nn.batch_flatten", Injective, batch_flatten),
    Row::new("nn.lrn", Opaque, normalized),
    Row::new("nn.softmax", OutElemwiseFusable, normalized),
    Row::new("nn.log_softmax", OutElemwiseFusable, normalized),
    Row::new("nn.pad", Injective, pad),
    Row::new("nn.depth_to_space", Injective, depth_to_space),
];

fn rank(call: &Call, operand: usize, rank: usize) -> Result<&[i64], String> {
    let shape = &call.inputs[operand].shape;
    if shape.len() != rank {
        return Err(format!(
            "expected rank {rank} for operand {operand}, got {} (C1)",
            shape.len()
        ));
    }
    Ok(shape)
}

fn result(shape: Vec<i64>, call: &Call) -> Result<Vec<TensorType>, String> {
    let element = call.inputs[0].element;
    if let Some(other) = call.inputs.iter().find(|input| input.element != element) {
        return Err(format!(
            "element types {element} and {} differ",
            other.element
        ));
    }
    Ok(vec![TensorType::new(shape, element)])
}

fn dense(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, weight) = (rank(call, 0, 2)?, rank(call, 1, 2)?);
    if data[1] != weight[1] {
        return Err(format!(
            "data {} and weight {} do not multiply (C2)",
            show(data),
            show(weight)
        ));
    }
    result(vec![data[0], weight[0]], call)
}

fn dense_pack(call: &Call) -> Result<Vec<TensorType>, String> {
    let (data, weight) = (rank(call, 0, 2)?, rank(call, 1, 3)?);
    let layout = Layout::parse(&call.attrs.str("weight_layout")?)?;
    let units = layout.extent('N', weight).ok_or("weight_layout has no N")?;
    if layout.extent('C', weight) != Some(data[1]) {
        return Err(format!(
            "data {} and packed weight {} do not multiply (C2)",
            show(data),
            show(weight)
        ));
    }
    result(vec![data[0], units], call)
}

fn matmul(call: &Call) -> Result<Vec<TensorType>, String> {
    let dims = call.inputs[0].rank();
    if dims != 2 && dims != 3 {
        return Err(format!(
            "takes matrices or batches of them, not rank {dims} (C1)"
        ));
    }
    let (a, b) = (rank(call, 0, dims)?, rank(call, 1, dims)?);
    let batch = match (&a[..dims - 2], &b[..dims - 2]) {
        ([x], [y]) if x != y && *x != 1 && *y != 1 => {
            return Err(format!("batches {x} and {y} differ (C3)"));
        }
        ([x], [y]) => vec![*x.max(y)],
        _ => Vec::new(),
    };
    let matrix = |shape: &[i64], transposed: bool| {
        let (rows, columns) = (shape[dims - 2], shape[dims - 1]);
        if transposed {
            (columns, rows)
        } else {
            (rows, columns)
        }
    };
    let (m, k) = matrix(a, call.attrs.bool("transpose_a")?);
    let (other, n) = matrix(b, call.attrs.bool("transpose_b")?);
    if k != other {
        return Err(format!("{} and {} do not multiply (C2)", show(a), show(b)));
    }
    result([batch, vec![m, n]].concat(), call)
}

/// Data with vectors along `axis`.
fn along_axis(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let axis = normalize_axis(call.attrs.int("axis")?, data.rank())?;
    for (operand, vector) in call.inputs.iter().enumerate().skip(1) {
        if vector.shape != [data.shape[axis]] {
            return Err(format!(
                "operand {operand} has shape {}, expected [{}] (C2)",
                show(&vector.shape),
                data.shape[axis]
            ));
        }
    }
    result(data.shape.clone(), call)
}

fn normalized(call: &Call) -> Result<Vec<TensorType>, String> {
    normalize_axis(call.attrs.int("axis")?, call.inputs[0].rank())?;
    identity(call)
}

fn batch_flatten(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = &call.inputs[0].shape;
    let [batch, rest @ ..] = &shape[..] else {
        return Err("takes data of rank 1 or more (C1)".into());
    };
    result(vec![*batch, rest.iter().product()], call)
}

fn pad(call: &Call) -> Result<Vec<TensorType>, String> {
    let data = &call.inputs[0];
    let width = call.attrs.ints("pad_width")?;
    if width.len() != 2 * data.rank() || width.iter().any(|&width| width < 0) {
        return Err(format!(
            "pad_width {} is not two numbers per dimension (C2)",
            show(&width)
        ));
    }
    rank(call, 1, 0)?;
    let mode = call.attrs.str("pad_mode")?;
    for (dim, pair) in width.chunks_exact(2).enumerate() {
        if mode == "reflect" && pair.iter().any(|&width| width >= data.shape[dim]) {
            return Err(format!(
                "reflects {pair:?} elements of dimension {dim}, which has {} (C3)",
                data.shape[dim]
            ));
        }
    }
    if !["constant", "edge", "reflect"].contains(&mode.as_str()) {
        return Err(format!(
            "pad_mode '{mode}' is none of constant, edge, reflect (C4)"
        ));
    }
    let shape = data
        .shape
        .iter()
        .zip(width.chunks_exact(2))
        .map(|(dim, pair)| dim + pair[0] + pair[1]);
    result(shape.collect(), call)
}

fn depth_to_space(call: &Call) -> Result<Vec<TensorType>, String> {
    let shape = rank(call, 0, 4)?;
    let block = call.attrs.int("block_size")?;
    if block < 1 || shape[1] % (block * block) != 0 {
        return Err(format!(
            "{} channels do not make blocks of {block} by {block} (C2)",
            shape[1]
        ));
    }
    result(
        vec![
            shape[0],
            shape[1] / (block * block),
            shape[2] * block,
            shape[3] * block,
        ],
        call,
    )
}
