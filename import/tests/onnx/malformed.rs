//! Damaged models: each gives one clear error.

use crate::support::*;
use prost::Message;
use relay_import::onnx::proto;

/// Imports, and checks that the error's message contains `expected`.
#[track_caller]
fn rejects(model: &proto::Model, expected: &str) {
    let message = import(model).expect_err("the model is wrong").to_string();
    assert!(message.starts_with("m.onnx: "), "no file name: {message}");
    assert!(message.contains(expected), "unexpected message: {message}");
}

#[track_caller]
fn rejects_graph(graph: proto::Graph, expected: &str) {
    rejects(&model(13, graph), expected);
}

/// `relu_graph` with a node in place of its own.
fn with_node(node: proto::Node) -> proto::Graph {
    proto::Graph {
        node: vec![node],
        ..relu_graph()
    }
}

#[test]
fn truncated() {
    let mut bytes = model(13, relu_graph()).encode_to_vec();
    bytes.truncate(bytes.len() / 2);
    let message = open(bytes, None).err().unwrap().to_string();
    assert!(
        message.contains("not an ONNX model, or a damaged one"),
        "{message}"
    );
}

#[test]
fn every_truncation_is_an_error_or_a_model() {
    let bytes = model(13, relu_graph()).encode_to_vec();
    let context = relay_dialects::context();
    for end in 0..bytes.len() {
        if let Ok(onnx) = open(bytes[..end].to_vec(), None) {
            let _ = onnx.import(&context, &Default::default());
        }
    }
}

#[test]
fn not_protobuf() {
    let message = open(b"\x89PNG\r\n\x1a\n".to_vec(), None)
        .err()
        .unwrap()
        .to_string();
    assert!(message.contains("not an ONNX model"), "{message}");
}

#[test]
fn empty_file() {
    let message = open(Vec::new(), None).err().unwrap().to_string();
    assert!(message.contains("it holds no graph"), "{message}");
}

#[test]
fn no_opset() {
    let mut wrong = model(13, relu_graph());
    wrong.opset_import.clear();
    rejects(&wrong, "does not state the version");
}

#[test]
fn opset_too_old() {
    rejects(&model(6, relu_graph()), "operator set 6 is not supported");
}

#[test]
fn opset_from_the_future() {
    rejects(&model(i64::MAX, relu_graph()), "is not supported");
}

#[test]
fn no_outputs() {
    let mut graph = relu_graph();
    graph.output.clear();
    rejects_graph(graph, "the graph has no outputs");
}

#[test]
fn output_that_nothing_defines() {
    let mut graph = relu_graph();
    graph.output[0].name = "z".into();
    rejects_graph(graph, "nothing defines the graph's output 'z'");
}

#[test]
fn missing_initializer() {
    rejects_graph(
        with_node(node("Add", &["x", "w"], &["y"])),
        "node 'my_add' (Add) reads 'w', which no input, initializer or node defines",
    );
}

#[test]
fn cycle() {
    let mut graph = relu_graph();
    graph.node = vec![
        node("Add", &["x", "b"], &["a"]),
        node("Relu", &["a"], &["b"]),
        node("Abs", &["b"], &["y"]),
    ];
    rejects_graph(graph, "the graph has a cycle through 'my_add', 'my_relu'");
}

#[test]
fn cycle_of_one_node() {
    rejects_graph(
        with_node(node("Add", &["x", "y"], &["y"])),
        "the graph has a cycle through 'my_add'",
    );
}

#[test]
fn value_defined_twice() {
    let mut graph = relu_graph();
    graph.node.push(node("Abs", &["x"], &["y"]));
    rejects_graph(graph, "defines 'y', which is defined already");
}

#[test]
fn initializer_defined_twice() {
    let mut graph = relu_graph();
    graph.initializer = vec![floats("w", &[1], &[1.0]), floats("w", &[1], &[1.0])];
    rejects_graph(graph, "initializer 'w' is defined twice");
}

#[test]
fn shapes_that_do_not_broadcast() {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[3], &[1.0, 2.0, 3.0])];
    rejects_graph(graph, "node 'my_add' (Add)");
}

#[test]
fn declared_shape_is_wrong() {
    let mut graph = relu_graph();
    graph.output = vec![value("y", FLOAT, &[1, 5])];
    rejects_graph(graph, "declared as float[1, 5], but its shape is [1, 4]");
}

#[test]
fn initializer_is_too_short() {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[4], &[1.0])];
    rejects_graph(graph, "asks for 4 elements, the tensor holds 1");
}

#[test]
fn raw_data_is_too_short() {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    let mut tensor = floats("w", &[4], &[]);
    tensor.raw_data = vec![0; 15].into();
    graph.initializer = vec![tensor];
    rejects_graph(
        graph,
        "initializer 'w': shape [4] asks for 16 bytes, the tensor holds 15",
    );
}

#[test]
fn negative_dimension_of_an_initializer() {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[-4], &[])];
    rejects_graph(graph, "dimension -4");
}

#[test]
fn absurd_initializer() {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[i64::MAX, i64::MAX], &[])];
    rejects_graph(graph, "more than 2^40 elements");
}

#[test]
fn absurd_input() {
    let mut graph = relu_graph();
    graph.input = vec![value("x", FLOAT, &[1 << 40, 1 << 40])];
    rejects_graph(graph, "input 'x': shape");
}

#[test]
fn absurd_constant_of_shape() {
    let mut graph = with_node(node("ConstantOfShape", &["s"], &["y"]));
    graph.initializer = vec![vector("s", &[1 << 62, 4, 0, 1 << 62])];
    rejects_graph(graph, "more than 2^40 elements");
}

#[test]
fn shape_that_is_a_huge_constant() {
    let mut graph = relu_graph();
    graph.node = vec![
        node("ConstantOfShape", &["s"], &["big"]),
        node("Cast", &["big"], &["huge"]),
        node("Reshape", &["x", "huge"], &["y"]),
    ];
    graph.node[1].attribute = vec![int("to", i64::from(INT64))];
    graph.initializer = vec![vector("s", &[1 << 40])];
    assert!(import(&model(13, graph)).is_err());
}

#[test]
fn unknown_element_type() {
    let mut graph = relu_graph();
    graph.input = vec![value("x", 99, &[1, 4])];
    rejects_graph(graph, "element type number 99 is unknown");
}

#[test]
fn unsupported_element_type() {
    let mut graph = relu_graph();
    graph.input = vec![value("x", 8, &[1, 4])];
    rejects_graph(graph, "element type string is not supported");
}

#[test]
fn input_without_a_type() {
    let mut graph = relu_graph();
    graph.input[0].ty = None;
    rejects_graph(graph, "input 'x': it is not a tensor");
}

#[test]
fn unknown_attribute() {
    let mut relu = node("Relu", &["x"], &["y"]);
    relu.attribute = vec![int("speed", 11)];
    rejects_graph(with_node(relu), "unknown at opset 13: speed=11");
}

#[test]
fn attribute_of_the_wrong_kind() {
    let mut concat = node("Concat", &["x", "x"], &["y"]);
    concat.attribute = vec![ints("axis", &[1])];
    rejects_graph(with_node(concat), "attribute 'axis' is not an integer");
}

#[test]
fn attribute_given_twice() {
    let mut concat = node("Concat", &["x", "x"], &["y"]);
    concat.attribute = vec![int("axis", 1), int("axis", 0)];
    rejects_graph(with_node(concat), "attribute 'axis' is given twice");
}

#[test]
fn axis_out_of_range() {
    let mut concat = node("Concat", &["x", "x"], &["y"]);
    concat.attribute = vec![int("axis", 2)];
    rejects_graph(with_node(concat), "axis 2 is out of range for rank 2");
}

#[test]
fn required_input_is_absent() {
    rejects_graph(
        with_node(node("Add", &["x", ""], &["y"])),
        "input 1 is missing",
    );
}

#[test]
fn too_many_inputs() {
    rejects_graph(
        with_node(node("Relu", &["x", "x"], &["y"])),
        "it has 2 inputs, the operator takes at most 1",
    );
}

#[test]
fn convolution_strides_of_zero() {
    let mut graph = with_node(node("Conv", &["x", "w"], &["y"]));
    graph.input = vec![value("x", FLOAT, &[1, 1, 4, 4])];
    graph.initializer = vec![floats("w", &[1, 1, 1, 1], &[1.0])];
    graph.node[0].attribute = vec![ints("strides", &[0, 1])];
    rejects_graph(graph, "attribute 'strides' holds 0, which is out of range");
}

#[test]
fn kernel_larger_than_the_input() {
    let mut graph = with_node(node("MaxPool", &["x"], &["y"]));
    graph.input = vec![value("x", FLOAT, &[1, 1, 4, 4])];
    graph.node[0].attribute = vec![ints("kernel_shape", &[9, 9])];
    rejects_graph(graph, "more than the padded input's 4");
}

#[test]
fn shape_computed_at_run_time() {
    let mut graph = with_node(node("Reshape", &["x", "s"], &["y"]));
    graph.input.push(value("s", INT64, &[2]));
    rejects_graph(graph, "the shape (input 1) is computed at run time");
}

#[test]
fn all_unsupported_operators_at_once() {
    let mut graph = relu_graph();
    let mut svm = node("Frobnicate", &["x"], &["a"]);
    svm.attribute = vec![int("speed", 11)];
    let mut foreign = node("Scaler", &["a"], &["b"]);
    foreign.domain = "ai.onnx.ml".into();
    graph.node = vec![
        svm,
        foreign,
        node("Gelu", &["b"], &["c"]),
        node("Relu", &["c"], &["y"]),
    ];
    let message = import(&model(13, graph)).unwrap_err().to_string();
    assert_eq!(
        message,
        "m.onnx: 3 nodes are not supported:\n  \
         Frobnicate 'my_frobnicate' {speed=11}: the operator is not supported\n  \
         ai.onnx.ml.Scaler 'my_scaler': operators of domain 'ai.onnx.ml' are not supported\n  \
         Gelu 'my_gelu': the model uses opset 13; the operator is supported from opset 20 on"
    );
}
