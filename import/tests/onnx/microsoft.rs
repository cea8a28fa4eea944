//! Operators of ONNX Runtime that cannot be imported. The snapshot holds the messages.

use crate::support::*;
use insta::assert_snapshot;
use relay_import::onnx::proto;

/// A model of one node of ONNX Runtime's domain from `x` to `y`, with constants.
fn of_node(mut node: proto::Node, attributes: &[(&str, i64)]) -> proto::Model {
    let mut graph = relu_graph();
    node.domain = "com.microsoft".into();
    node.attribute = attributes.iter().map(|(name, i)| int(name, *i)).collect();
    graph.initializer = vec![
        bytes("bytes", &[2, 1, 4]),
        floats("scales", &[2], &[1.0, 2.0]),
        floats("square", &[4, 4], &[0.5; 16]),
    ];
    graph.node = vec![node];
    model(17, graph)
}

/// A tensor of bytes.
fn bytes(name: &str, dims: &[i64]) -> proto::Tensor {
    proto::Tensor {
        name: name.into(),
        dims: dims.to_vec(),
        data_type: UINT8,
        raw_data: vec![0; dims.iter().product::<i64>() as usize].into(),
        ..Default::default()
    }
}

fn unknown_operator() -> proto::Model {
    of_node(node("Whirl", &["x"], &["y"]), &[])
}

fn weight_of_too_few_bytes() -> proto::Model {
    let node = node("MatMulNBits", &["x", "bytes", "scales"], &["y"]);
    of_node(node, &[("N", 2), ("K", 4), ("block_size", 16)])
}

fn weight_of_odd_bits() -> proto::Model {
    let node = node("MatMulNBits", &["x", "bytes", "scales"], &["y"]);
    of_node(node, &[("N", 2), ("K", 4), ("block_size", 16), ("bits", 3)])
}

fn weight_that_is_computed() -> proto::Model {
    let node = node("MatMulNBits", &["x", "x", "scales"], &["y"]);
    of_node(node, &[("N", 2), ("K", 4), ("block_size", 16)])
}

fn attention_that_turns() -> proto::Model {
    let node = node("Attention", &["x", "square"], &["y"]);
    of_node(node, &[("num_heads", 2), ("do_rotary", 1)])
}

fn attention_of_odd_parts() -> proto::Model {
    of_node(
        node("Attention", &["x", "square"], &["y"]),
        &[("num_heads", 2)],
    )
}

fn mean_that_is_not_computed() -> proto::Model {
    let node = node(
        "SkipSimplifiedLayerNormalization",
        &["x", "x", "x"],
        &["z", "y"],
    );
    of_node(node, &[])
}

#[test]
fn what_is_not_supported_is_refused() {
    assert_snapshot!(messages![
        unknown_operator,
        weight_of_too_few_bytes,
        weight_of_odd_bits,
        weight_that_is_computed,
        attention_that_turns,
        attention_of_odd_parts,
        mean_that_is_not_computed,
    ]);
}
