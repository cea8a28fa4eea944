//! Branches, loops and functions that cannot be imported. The snapshot holds the messages.

use crate::support::*;
use insta::assert_snapshot;
use relay_import::onnx::proto;

/// `y = If(c)` with branches of one node each that make `p` and `q`.
fn branches(yes: proto::Node, no: proto::Node) -> proto::Model {
    let mut whole = relu_graph();
    let mut choice = node("If", &["c"], &["y"]);
    choice.attribute = vec![
        graph_attr("then_branch", inner(&[], yes, &["p"])),
        graph_attr("else_branch", inner(&[], no, &["q"])),
    ];
    whole.input.push(value("c", BOOL, &[1]));
    whole.node = vec![choice];
    model(17, whole)
}

fn branches_of_other_shapes() -> proto::Model {
    branches(node("Relu", &["x"], &["p"]), node("Shape", &["x"], &["q"]))
}

fn unknown_operator_in_a_branch() -> proto::Model {
    branches(node("Relu", &["x"], &["p"]), node("Svm", &["x"], &["q"]))
}

fn name_from_nowhere_in_a_branch() -> proto::Model {
    branches(node("Relu", &["x"], &["p"]), node("Exp", &["z"], &["q"]))
}

/// `y = Loop(trips, condition, x)` that negates.
fn repeated(trips: &str, condition: &str) -> proto::Model {
    let mut whole = relu_graph();
    let mut body = inner(
        &["i", "c", "before"],
        node("Neg", &["before"], &["after"]),
        &["d", "after"],
    );
    body.node.push(node("Identity", &["c"], &["d"]));
    let mut repeat = node("Loop", &[trips, condition, "x"], &["y"]);
    repeat.attribute = vec![graph_attr("body", body)];
    whole.input.push(value("trips", INT64, &[]));
    whole.input.push(value("on", BOOL, &[]));
    whole.node = vec![repeat];
    model(17, whole)
}

fn loop_without_end() -> proto::Model {
    repeated("", "")
}

/// `y = Loop(trips, condition)` that collects what `operator` makes of `x`.
fn collected(operator: &str, trips: &str, condition: &str) -> proto::Model {
    let mut whole = relu_graph();
    let part = node(operator, &["x"], &["part"]);
    let mut body = inner(&["i", "c"], part, &["d", "part"]);
    body.node.push(node("Identity", &["on"], &["d"]));
    let mut repeat = node("Loop", &[trips, condition], &["y"]);
    repeat.attribute = vec![graph_attr("body", body)];
    whole.input.push(value("trips", INT64, &[]));
    whole.input.push(value("on", BOOL, &[]));
    whole.node = vec![repeat];
    model(17, whole)
}

/// A step computes how many elements are not 0.
fn loop_that_collects_other_sizes() -> proto::Model {
    collected("NonZero", "trips", "")
}

fn loop_that_collects_without_end() -> proto::Model {
    collected("Relu", "", "on")
}

/// A function `local.NAME` from `a` to `b`.
fn function(name: &str, nodes: Vec<proto::Node>) -> proto::Function {
    proto::Function {
        name: name.into(),
        domain: "local".into(),
        input: vec!["a".into()],
        output: vec!["b".into()],
        node: nodes,
        opset_import: model(17, relu_graph()).opset_import,
        ..Default::default()
    }
}

fn call(name: &str, inputs: &[&str], outputs: &[&str]) -> proto::Node {
    proto::Node {
        domain: "local".into(),
        ..node(name, inputs, outputs)
    }
}

/// A model of a call.
fn calling(call: proto::Node, functions: Vec<proto::Function>) -> proto::Model {
    let whole = proto::Graph {
        node: vec![call],
        ..relu_graph()
    };
    proto::Model {
        functions,
        ..model(17, whole)
    }
}

fn function_that_calls_itself() -> proto::Model {
    let itself = function("f", vec![call("f", &["a"], &["b"])]);
    calling(call("f", &["x"], &["y"]), vec![itself])
}

/// Each function calls the one before twice.
fn functions_that_double() -> proto::Model {
    let calls = |number: u32| {
        let before = format!("f{}", number - 1);
        vec![call(&before, &["a"], &["m"]), call(&before, &["m"], &["b"])]
    };
    let first = function("f0", vec![node("Relu", &["a"], &["b"])]);
    let others = (1..40).map(|number| function(&format!("f{number}"), calls(number)));
    let functions = [first].into_iter().chain(others).collect();
    calling(call("f39", &["x"], &["y"]), functions)
}

fn call_with_too_many_inputs() -> proto::Model {
    let relu = function("f", vec![node("Relu", &["a"], &["b"])]);
    calling(call("f", &["x", "x"], &["y"]), vec![relu])
}

fn call_with_an_unknown_attribute() -> proto::Model {
    let relu = function("f", vec![node("Relu", &["a"], &["b"])]);
    let mut call = call("f", &["x"], &["y"]);
    call.attribute = vec![int("speed", 11)];
    calling(call, vec![relu])
}

fn function_of_an_unknown_operator_set() -> proto::Model {
    let mut relu = function("f", vec![node("Relu", &["a"], &["b"])]);
    relu.opset_import[0].version = 99;
    calling(call("f", &["x"], &["y"]), vec![relu])
}

#[test]
fn what_cannot_be_written_out_is_refused() {
    assert_snapshot!(messages![
        branches_of_other_shapes,
        unknown_operator_in_a_branch,
        name_from_nowhere_in_a_branch,
        loop_without_end,
        loop_that_collects_other_sizes,
        loop_that_collects_without_end,
        function_that_calls_itself,
        functions_that_double,
        call_with_too_many_inputs,
        call_with_an_unknown_attribute,
        function_of_an_unknown_operator_set,
    ]);
}
