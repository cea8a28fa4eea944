//! What exporters write to compute shapes, and what is left to the compiler.

use crate::support::*;
use relay_import::onnx::proto;

/// A graph of `x`, 2x6 floats, to `y`, whose type it leaves open.
fn graph(nodes: Vec<proto::Node>, initializers: Vec<proto::Tensor>) -> proto::Model {
    let output = proto::ValueInfo {
        name: "y".into(),
        ty: None,
    };
    model(
        16,
        proto::Graph {
            name: "g".into(),
            node: nodes,
            input: vec![value("x", FLOAT, &[2, 6])],
            output: vec![output],
            initializer: initializers,
            ..Default::default()
        },
    )
}

fn with(mut node: proto::Node, attributes: Vec<proto::Attribute>) -> proto::Node {
    node.attribute = attributes;
    node
}

/// PyTorch lists pads from the last axis to the first, in pairs; its exporter turns them about.
#[test]
fn pads_turned_about() {
    let nodes = vec![
        node("Concat", &["given", "zeros"], &["all"]),
        node("Reshape", &["all", "pairs"], &["matrix"]),
        node(
            "Slice",
            &["matrix", "last", "before", "zero", "last"],
            &["turned"],
        ),
        with(
            node("Transpose", &["turned"], &["columns"]),
            vec![ints("perm", &[1, 0])],
        ),
        node("Reshape", &["columns", "flat"], &["pads32"]),
        with(
            node("Cast", &["pads32"], &["pads"]),
            vec![int("to", INT64.into())],
        ),
        node("Pad", &["x", "pads"], &["y"]),
    ];
    let nodes = nodes
        .into_iter()
        .map(|node| match node.op_type.as_str() {
            "Concat" => with(node, vec![int("axis", 0)]),
            _ => node,
        })
        .collect();
    let initializers = vec![
        vector("given", &[1, 2]),
        vector("zeros", &[3, 0]),
        vector("pairs", &[-1, 2]),
        vector("last", &[-1]),
        vector("before", &[i64::MIN]),
        vector("zero", &[0]),
        vector("flat", &[-1]),
    ];
    let text = import(&graph(nodes, initializers)).unwrap();
    // torch.nn.functional.pad(x, (1, 2, 3, 0)): the last axis by 1 and 2, the first by 3 and 0.
    assert!(text.contains("3, 0, 1, 2"), "{text}");
    assert!(text.contains("tensor<5x9xf32>"), "{text}");
}

/// `Expand` to a shape where -1 keeps the axis.
#[test]
fn shapes_with_axes_kept() {
    let nodes = vec![
        node("Shape", &["x"], &["own"]),
        with(
            node("Concat", &["one", "own"], &["axes"]),
            vec![int("axis", 0)],
        ),
        node("Equal", &["wanted", "minus"], &["kept"]),
        node("Where", &["kept", "axes", "wanted"], &["shape"]),
        node("Expand", &["x", "shape"], &["y"]),
    ];
    let initializers = vec![
        vector("one", &[1]),
        vector("wanted", &[3, -1, -1]),
        vector("minus", &[-1]),
    ];
    let text = import(&graph(nodes, initializers)).unwrap();
    assert!(text.contains("tensor<3x2x6xf32>"), "{text}");
}

/// Sizes scaled in floats: 2 * 1.75 is 3.5, rounded down.
#[test]
fn sizes_scaled_in_floats() {
    let nodes = vec![
        node("Shape", &["x"], &["own"]),
        with(
            node("Cast", &["own"], &["floats"]),
            vec![int("to", FLOAT.into())],
        ),
        node("Mul", &["floats", "scales"], &["scaled"]),
        node("Floor", &["scaled"], &["whole"]),
        with(
            node("Cast", &["whole"], &["shape"]),
            vec![int("to", INT64.into())],
        ),
        node("ConstantOfShape", &["shape"], &["y"]),
    ];
    let text = import(&graph(nodes, vec![floats("scales", &[2], &[1.75, 0.5])])).unwrap();
    assert!(text.contains("-> (tensor<3x3xf32>"), "{text}");
}

/// Whether heads are shared decides about a shape: 6 is no multiple of 4, so they are not.
#[test]
fn sizes_that_conditions_choose() {
    let nodes = vec![
        node("Equal", &["heads", "groups"], &["same"]),
        node("Not", &["same"], &["differ"]),
        node("Mod", &["heads", "groups"], &["rest"]),
        node("Equal", &["rest", "zero"], &["divides"]),
        node("And", &["differ", "divides"], &["shared"]),
        node("Where", &["shared", "groups", "three"], &["size"]),
        with(
            node("Concat", &["size", "heads"], &["shape"]),
            vec![int("axis", 0)],
        ),
        node("ConstantOfShape", &["shape"], &["y"]),
    ];
    let numbers = [("heads", 6), ("groups", 4), ("zero", 0), ("three", 3)];
    let initializers = numbers.map(|(name, number)| vector(name, &[number]));
    let text = import(&graph(nodes, initializers.to_vec())).unwrap();
    assert!(text.contains("-> (tensor<3x6xf32>"), "{text}");
}

/// Data that is known stays what it is: `fold-constant` compiles it.
#[test]
fn longer_lists_are_left_to_the_compiler() {
    for (count, left) in [(64, 0), (65, 1)] {
        let numbers: Vec<i64> = (0..count).collect();
        let nodes = vec![node("Mul", &["a", "a"], &["y"])];
        let text = import(&graph(nodes, vec![vector("a", &numbers)])).unwrap();
        assert_eq!(
            text.matches("relay.multiply").count(),
            left,
            "{count}: {text}"
        );
    }
}

/// What C leaves undefined is not decided here.
#[test]
fn divisions_by_zero_are_left_to_the_compiler() {
    for (divisor, left) in [(2, 0), (0, 1)] {
        let nodes = vec![node("Div", &["a", "b"], &["y"])];
        let initializers = vec![vector("a", &[7]), vector("b", &[divisor])];
        let text = import(&graph(nodes, initializers)).unwrap();
        assert_eq!(text.matches("relay.divide").count(), left, "{text}");
    }
}

/// Products beyond 64 bits wrap, as numpy's do.
#[test]
fn products_wrap() {
    let nodes = vec![node("Mul", &["a", "a"], &["y"])];
    let text = import(&graph(nodes, vec![vector("a", &[i64::MAX, 1 << 32])])).unwrap();
    assert!(text.contains("dense<[1, 0]> : tensor<2xi64>"), "{text}");
}
