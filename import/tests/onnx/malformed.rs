//! Damaged models: each gives one clear error. The snapshots hold the messages.

use crate::support::*;
use insta::assert_snapshot;
use prost::Message;
use relay_import::{model::Model, onnx::proto};

/// `relu_graph` with a node in place of its own.
fn with_node(node: proto::Node) -> proto::Graph {
    proto::Graph {
        node: vec![node],
        ..relu_graph()
    }
}

#[test]
fn files_are_checked() {
    let bytes = model(13, relu_graph()).encode_to_vec();
    let cases = [
        ("truncated", bytes[..bytes.len() / 2].to_vec()),
        ("not_protobuf", b"\x89PNG\r\n\x1a\n".to_vec()),
        ("empty_file", Vec::new()),
    ];
    let messages = cases.map(|(case, bytes)| message((case, open(bytes, None).err())));
    assert_snapshot!(messages.join("\n"));
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
fn versions_and_names_are_checked() {
    assert_snapshot!(messages![
        no_opset,
        opset_too_old,
        opset_from_the_future,
        no_outputs,
        output_that_nothing_defines,
        missing_initializer,
        cycle,
        cycle_of_one_node,
        value_defined_twice,
        initializer_defined_twice,
    ]);
}

fn no_opset() -> proto::Model {
    let mut wrong = model(13, relu_graph());
    wrong.opset_import.clear();
    wrong
}

fn opset_too_old() -> proto::Model {
    model(0, relu_graph())
}

fn opset_from_the_future() -> proto::Model {
    model(i64::MAX, relu_graph())
}

fn no_outputs() -> proto::Model {
    let mut graph = relu_graph();
    graph.output.clear();
    model(13, graph)
}

fn output_that_nothing_defines() -> proto::Model {
    let mut graph = relu_graph();
    graph.output[0].name = "z".into();
    model(13, graph)
}

fn missing_initializer() -> proto::Model {
    model(13, with_node(node("Add", &["x", "w"], &["y"])))
}

fn cycle() -> proto::Model {
    let mut graph = relu_graph();
    graph.node = vec![
        node("Add", &["x", "b"], &["a"]),
        node("Relu", &["a"], &["b"]),
        node("Abs", &["b"], &["y"]),
    ];
    model(13, graph)
}

fn cycle_of_one_node() -> proto::Model {
    model(13, with_node(node("Add", &["x", "y"], &["y"])))
}

fn value_defined_twice() -> proto::Model {
    let mut graph = relu_graph();
    graph.node.push(node("Abs", &["x"], &["y"]));
    model(13, graph)
}

fn initializer_defined_twice() -> proto::Model {
    let mut graph = relu_graph();
    graph.initializer = vec![floats("w", &[1], &[1.0]), floats("w", &[1], &[1.0])];
    model(13, graph)
}

#[test]
fn types_and_data_are_checked() {
    assert_snapshot!(messages![
        shapes_that_do_not_broadcast,
        declared_elements_are_wrong,
        initializer_is_too_short,
        raw_data_is_too_short,
        negative_dimension_of_an_initializer,
        unknown_element_type,
        unsupported_element_type,
        input_without_a_type,
    ]);
}

fn shapes_that_do_not_broadcast() -> proto::Model {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[3], &[1.0, 2.0, 3.0])];
    model(13, graph)
}

fn declared_elements_are_wrong() -> proto::Model {
    let mut graph = relu_graph();
    graph.output = vec![value("y", INT64, &[1, 4])];
    model(13, graph)
}

fn initializer_is_too_short() -> proto::Model {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[4], &[1.0])];
    model(13, graph)
}

fn raw_data_is_too_short() -> proto::Model {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    let mut tensor = floats("w", &[4], &[]);
    tensor.raw_data = vec![0; 15].into();
    graph.initializer = vec![tensor];
    model(13, graph)
}

fn negative_dimension_of_an_initializer() -> proto::Model {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[-4], &[])];
    model(13, graph)
}

fn unknown_element_type() -> proto::Model {
    let mut graph = relu_graph();
    graph.input = vec![value("x", 99, &[1, 4])];
    model(13, graph)
}

fn unsupported_element_type() -> proto::Model {
    let mut graph = relu_graph();
    graph.input = vec![value("x", 8, &[1, 4])];
    model(13, graph)
}

fn input_without_a_type() -> proto::Model {
    let mut graph = relu_graph();
    graph.input[0].ty = None;
    model(13, graph)
}

#[test]
fn absurd_sizes_are_refused() {
    assert_snapshot!(messages![
        absurd_initializer,
        absurd_input,
        absurd_constant_of_shape,
        shape_that_is_a_huge_constant,
        starts_that_are_a_huge_list,
    ]);
}

fn absurd_initializer() -> proto::Model {
    let mut graph = with_node(node("Add", &["x", "w"], &["y"]));
    graph.initializer = vec![floats("w", &[i64::MAX, i64::MAX], &[])];
    model(13, graph)
}

fn absurd_input() -> proto::Model {
    let mut graph = relu_graph();
    graph.input = vec![value("x", FLOAT, &[1 << 40, 1 << 40])];
    model(13, graph)
}

fn absurd_constant_of_shape() -> proto::Model {
    let mut graph = with_node(node("ConstantOfShape", &["s"], &["y"]));
    graph.initializer = vec![vector("s", &[1 << 62, 4, 0, 1 << 62])];
    model(13, graph)
}

fn shape_that_is_a_huge_constant() -> proto::Model {
    let mut graph = relu_graph();
    graph.node = vec![
        node("ConstantOfShape", &["s"], &["big"]),
        node("Cast", &["big"], &["huge"]),
        node("Reshape", &["x", "huge"], &["y"]),
    ];
    graph.node[1].attribute = vec![int("to", i64::from(INT64))];
    graph.initializer = vec![vector("s", &[1 << 40])];
    model(13, graph)
}

fn starts_that_are_a_huge_list() -> proto::Model {
    let mut graph = with_node(node("Slice", &["x", "s", "e"], &["y"]));
    graph.input.push(value("s", INT64, &[1 << 38]));
    graph.input.push(value("e", INT64, &[1 << 38]));
    model(13, graph)
}

#[test]
fn nodes_are_checked() {
    assert_snapshot!(messages![
        unknown_attribute,
        attribute_of_the_wrong_kind,
        attribute_given_twice,
        axis_out_of_range,
        required_input_is_absent,
        too_many_inputs,
        convolution_strides_of_zero,
        kernel_larger_than_the_input,
        unsupported_operators,
    ]);
}

fn unknown_attribute() -> proto::Model {
    let mut relu = node("Relu", &["x"], &["y"]);
    relu.attribute = vec![int("speed", 11)];
    model(13, with_node(relu))
}

fn attribute_of_the_wrong_kind() -> proto::Model {
    let mut concat = node("Concat", &["x", "x"], &["y"]);
    concat.attribute = vec![ints("axis", &[1])];
    model(13, with_node(concat))
}

fn attribute_given_twice() -> proto::Model {
    let mut concat = node("Concat", &["x", "x"], &["y"]);
    concat.attribute = vec![int("axis", 1), int("axis", 0)];
    model(13, with_node(concat))
}

fn axis_out_of_range() -> proto::Model {
    let mut concat = node("Concat", &["x", "x"], &["y"]);
    concat.attribute = vec![int("axis", 2)];
    model(13, with_node(concat))
}

fn required_input_is_absent() -> proto::Model {
    model(13, with_node(node("Add", &["x", ""], &["y"])))
}

fn too_many_inputs() -> proto::Model {
    model(13, with_node(node("Relu", &["x", "x"], &["y"])))
}

fn convolution_strides_of_zero() -> proto::Model {
    let mut graph = with_node(node("Conv", &["x", "w"], &["y"]));
    graph.input = vec![value("x", FLOAT, &[1, 1, 4, 4])];
    graph.initializer = vec![floats("w", &[1, 1, 1, 1], &[1.0])];
    graph.node[0].attribute = vec![ints("strides", &[0, 1])];
    model(13, graph)
}

fn kernel_larger_than_the_input() -> proto::Model {
    let mut graph = with_node(node("MaxPool", &["x"], &["y"]));
    graph.input = vec![value("x", FLOAT, &[1, 1, 4, 4])];
    graph.node[0].attribute = vec![ints("kernel_shape", &[9, 9])];
    model(13, graph)
}

/// All of them are named at once.
fn unsupported_operators() -> proto::Model {
    let mut graph = relu_graph();
    let mut unknown = node("Frobnicate", &["x"], &["a"]);
    unknown.attribute = vec![int("speed", 11)];
    let mut foreign = node("DictVectorizer", &["a"], &["b"]);
    foreign.domain = "ai.onnx.ml".into();
    graph.node = vec![
        unknown,
        foreign,
        node("Gelu", &["b"], &["c"]),
        node("Relu", &["c"], &["y"]),
    ];
    model(13, graph)
}

/// What no signal, image or window has: each is an error before it is computed with.
#[test]
fn sizes_are_checked() {
    assert_snapshot!(messages![
        transform_of_the_greatest_length,
        no_bands_of_the_greatest_length,
        regions_of_the_greatest_extents,
        image_of_a_negative_extent,
        windows_of_the_greatest_extent,
        offsets_of_the_greatest_group,
    ]);
}

/// A node of an input `x` of some shape, and of constants.
fn with_constants(
    opset: i64,
    op_type: &str,
    dims: &[i64],
    constants: Vec<proto::Tensor>,
    attribute: Vec<proto::Attribute>,
) -> proto::Model {
    let names = constants.iter().map(|constant| constant.name.as_str());
    let inputs: Vec<&str> = ["x"].into_iter().chain(names).collect();
    let mut graph = with_node(node(op_type, &inputs, &["y"]));
    graph.input = vec![value("x", FLOAT, dims)];
    graph.node[0].attribute = attribute;
    graph.initializer = constants;
    model(opset, graph)
}

fn transform_of_the_greatest_length() -> proto::Model {
    let length = vec![vector("length", &[i64::MAX])];
    with_constants(17, "DFT", &[1, 8, 1], length, vec![])
}

fn no_bands_of_the_greatest_length() -> proto::Model {
    let mut model = model(
        17,
        with_node(node("MelWeightMatrix", &["n", "l", "r", "e", "e"], &["y"])),
    );
    let graph = model.graph.as_mut().expect("the model has a graph");
    graph.initializer = vec![
        vector("n", &[0]),
        vector("l", &[i64::MAX]),
        vector("r", &[8000]),
        floats("e", &[1], &[0.0]),
    ];
    model
}

fn regions_of_the_greatest_extents() -> proto::Model {
    let regions = floats("regions", &[1, 4], &[0.0; 4]);
    let sizes = ["output_height", "sampling_ratio"].map(|name| int(name, i64::MAX));
    let constants = vec![regions, vector("images", &[0])];
    with_constants(16, "RoiAlign", &[1, 1, 4, 4], constants, sizes.to_vec())
}

fn image_of_a_negative_extent() -> proto::Model {
    let constants = vec![vector("image", &[-4]), vector("window", &[2])];
    with_constants(
        18,
        "Col2Im",
        &[1, 2, 4],
        constants,
        vec![ints("pads", &[5, 4])],
    )
}

fn windows_of_the_greatest_extent() -> proto::Model {
    let places = vec![proto::Tensor {
        dims: vec![1, 1, 1],
        ..vector("places", &[0])
    }];
    with_constants(
        11,
        "MaxUnpool",
        &[1, 1, 1],
        places,
        vec![ints("kernel_shape", &[i64::MAX])],
    )
}

fn offsets_of_the_greatest_group() -> proto::Model {
    let constants = vec![
        floats("w", &[1, 0, 3], &[]),
        floats("offsets", &[1, 0, 3], &[]),
    ];
    with_constants(
        19,
        "DeformConv",
        &[1, 0, 5],
        constants,
        vec![int("offset_group", i64::MAX)],
    )
}
