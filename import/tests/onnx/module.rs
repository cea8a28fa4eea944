//! What a module looks like, how shapes are found, what `inspect` tells.

use crate::support::*;
use prost::Message;
use relay_import::{
    graph::constant::Const,
    graph::options::{Extent, Options, Unsaid},
    model::Model,
    onnx::{coverage, proto},
};

#[test]
fn names_and_locations_are_kept() {
    let text = import(&model(13, relu_graph())).unwrap();
    for expected in [
        "func.func @main(%arg0: tensor<1x4xf32> {relay.name = \"x\"}",
        "-> (tensor<1x4xf32> {relay.name = \"y\"})",
        "relay.nn.relu",
        "\"my_relu\"",
    ] {
        assert!(text.contains(expected), "no {expected} in {text}");
    }
}

#[test]
fn nodes_stand_before_their_readers_and_as_in_the_file_else() {
    let mut graph = relu_graph();
    graph.node = vec![
        node("Neg", &["x"], &["c"]),
        node("Relu", &["a"], &["b"]),
        node("Exp", &["c"], &["d"]),
        node("Abs", &["x"], &["a"]),
        node("Add", &["b", "d"], &["y"]),
    ];
    let text = import(&model(13, graph)).unwrap();
    let operators = ["negative", "abs", "nn.relu", "exp", "add"];
    let places = operators.map(|name| text.find(&format!("relay.{name} ")).unwrap());
    assert!(places.is_sorted(), "{text}");
}

#[test]
fn a_long_chain_may_be_listed_from_its_end() {
    let count = 100_000;
    let link = |at: usize| {
        let read = if at == 0 {
            "x".into()
        } else {
            format!("v{at}")
        };
        let made = if at + 1 == count {
            "y".into()
        } else {
            format!("v{}", at + 1)
        };
        node("Relu", &[&read], &[&made])
    };
    let graph = proto::Graph {
        node: (0..count).rev().map(link).collect(),
        ..relu_graph()
    };
    assert!(open(model(13, graph).encode_to_vec(), None).is_ok());
}

#[test]
fn initializers_listed_as_inputs_are_constants() {
    let mut graph = relu_graph();
    graph.node = vec![node("Add", &["x", "w"], &["y"])];
    graph.input.push(value("w", FLOAT, &[4]));
    graph.initializer = vec![floats("w", &[4], &[1.0, 2.0, 3.0, 4.0])];
    let text = import(&model(8, graph)).unwrap();
    assert!(!text.contains("relay.name = \"w\""), "{text}");
    assert!(text.contains("relay.constant"), "{text}");
}

/// `y = x + ConstantOfShape(Concat(Shape(x)[0:1], [4]))`: exporters write such.
fn shape_arithmetic() -> proto::Model {
    let mut graph = relu_graph();
    graph.input = vec![value("x", FLOAT, &[-1, 4])];
    graph.output = vec![value("y", FLOAT, &[-1, 4])];
    graph.initializer = vec![
        vector("zero", &[0]),
        vector("one", &[1]),
        vector("four", &[4]),
    ];
    let mut concat = node("Concat", &["b", "four"], &["s"]);
    concat.attribute = vec![int("axis", 0)];
    graph.node = vec![
        node("Shape", &["x"], &["all"]),
        node("Slice", &["all", "zero", "one"], &["b"]),
        concat,
        node("ConstantOfShape", &["s"], &["c"]),
        node("Add", &["x", "c"], &["y"]),
    ];
    model(13, graph)
}

#[test]
fn shapes_are_computed_while_importing() {
    let options = Options {
        unsaid: Unsaid::One,
        ..Options::default()
    };
    let text = import_with(&shape_arithmetic(), &options).unwrap();
    assert!(
        text.contains("dense<0.000000e+00> : tensor<1x4xf32>"),
        "{text}"
    );
    assert_eq!(text.matches("relay.constant").count(), 1, "{text}");
}

#[test]
fn unknown_dimensions_can_be_given() {
    let shapes = [("x".to_string(), vec![Extent::Size(7), Extent::Size(4)])].into();
    let text = import_with(
        &shape_arithmetic(),
        &Options {
            shapes,
            ..Options::default()
        },
    )
    .unwrap();
    assert!(text.contains("tensor<7x4xf32>"), "{text}");
    for (name, shape, expected) in [
        ("z", vec![7, 4], "'z', which is no input; the inputs are x"),
        ("x", vec![7, 5], "[7, 5], is not one of float[batch, 4]"),
        ("x", vec![7], "[7], is not one of float[batch, 4]"),
        ("x", vec![-7, 4], "dimension 'batch' is -7"),
    ] {
        let shape = shape.into_iter().map(Extent::Size).collect();
        let shapes = [(name.to_string(), shape)].into();
        let error = import_with(
            &shape_arithmetic(),
            &Options {
                shapes,
                ..Options::default()
            },
        )
        .unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn inputs_can_be_bound_to_values() {
    let mut graph = relu_graph();
    graph.node = vec![
        node("Add", &["x", "c"], &["y"]),
        node("ConstantOfShape", &["s"], &["c"]),
    ];
    graph.input.push(value("s", INT64, &[2]));
    let values = [("s".to_string(), Const::ints(&[1, 4]))].into();
    let options = Options {
        values,
        ..Options::default()
    };
    let text = import_with(&model(13, graph), &options).unwrap();
    assert!(
        text.contains("@main(%arg0: tensor<1x4xf32> {relay.name = \"x\"} loc("),
        "{text}"
    );
    assert!(text.contains("tensor<1x4xf32>"), "{text}");
}

#[test]
fn large_constants_are_resources() {
    let mut graph = relu_graph();
    graph.input = vec![value("x", FLOAT, &[64])];
    graph.output = vec![value("y", FLOAT, &[64])];
    graph.node = vec![node("Add", &["x", "w"], &["y"])];
    let different: Vec<f32> = (0..64u8).map(f32::from).collect();
    graph.initializer = vec![floats("w", &[64], &different)];
    let text = import(&model(13, graph.clone())).unwrap();
    assert!(text.contains("dense_resource<w>"), "{text}");
    // Equal ones are written once.
    graph.initializer = vec![floats("w", &[64], &[0.5; 64])];
    let text = import(&model(13, graph)).unwrap();
    assert!(text.contains("dense<5.000000e-01>"), "{text}");
}

#[test]
fn inspect_reports_without_importing() {
    let mut graph = relu_graph();
    graph.input = vec![value("x", FLOAT, &[-1, 4])];
    graph.initializer = vec![floats("w", &[2, 3], &[0.0; 6])];
    graph.node.push(node("Frobnicate", &["x"], &["z"]));
    let onnx = open(model(13, graph).encode_to_vec(), None).unwrap();
    let summary = onnx.inspect();
    assert_eq!(summary.parameters, 6);
    assert_eq!(summary.operators["Relu"], 1);
    assert_eq!(summary.inputs[0].ty, "float[batch, 4]");
    assert_eq!(summary.unsupported[0].node, "my_frobnicate");
}

#[test]
fn coverage_has_no_overlaps() {
    let rows = coverage::rows();
    for pair in rows.windows(2) {
        if pair[0].operator == pair[1].operator {
            let until = pair[0].until.expect("an earlier range ends");
            assert_eq!(until + 1, pair[1].since, "{}", pair[0].operator);
        }
    }
    assert!(rows.iter().any(|row| row.to_string() == "Clip 1-10"));
}
