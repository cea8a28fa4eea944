//! Sequences and optionals that cannot be imported. The snapshot holds the messages.

use crate::support::*;
use insta::assert_snapshot;
use relay_import::onnx::proto;

/// A model from `x` and constants to `y`: of nodes behind one that makes the sequence `s` of `x`, twice.
fn of_sequence(nodes: Vec<proto::Node>) -> proto::Model {
    let mut graph = relu_graph();
    graph.initializer = vec![vector("two", &[2]), vector("parts", &[1, 4])];
    graph.input.push(value("at", INT64, &[1]));
    graph.input.push(value("yes", BOOL, &[1]));
    graph.node = vec![node("SequenceConstruct", &["x", "x"], &["s"])];
    graph.node.extend(nodes);
    graph.output = vec![value("y", 0, &[1, 4])];
    model(17, graph)
}

fn position_outside() -> proto::Model {
    of_sequence(vec![node("SequenceAt", &["s", "two"], &["y"])])
}

fn position_at_run_time() -> proto::Model {
    of_sequence(vec![node("SequenceAt", &["s", "at"], &["y"])])
}

fn sequence_for_a_position() -> proto::Model {
    of_sequence(vec![node("SequenceErase", &["s", "s"], &["y"])])
}

fn sequence_for_a_tensor() -> proto::Model {
    of_sequence(vec![node("Relu", &["s"], &["y"])])
}

fn tensor_for_a_sequence() -> proto::Model {
    of_sequence(vec![node("SequenceLength", &["x"], &["y"])])
}

fn nothing_as_output() -> proto::Model {
    of_sequence(vec![node("Optional", &[], &["y"])])
}

fn tensors_of_two_types() -> proto::Model {
    of_sequence(vec![node("SequenceInsert", &["s", "two"], &["y"])])
}

fn nothing_to_erase() -> proto::Model {
    of_sequence(vec![
        node("SequenceEmpty", &[], &["none"]),
        node("SequenceErase", &["none"], &["y"]),
    ])
}

fn nothing_to_join() -> proto::Model {
    let mut join = node("ConcatFromSequence", &["none"], &["y"]);
    join.attribute = vec![int("axis", 0)];
    of_sequence(vec![node("SequenceEmpty", &[], &["none"]), join])
}

fn parts_of_more() -> proto::Model {
    let mut split = node("SplitToSequence", &["x", "parts"], &["y"]);
    split.attribute = vec![int("axis", 1)];
    of_sequence(vec![split])
}

fn optional_of_nothing() -> proto::Model {
    of_sequence(vec![
        node("Optional", &[], &["none"]),
        node("OptionalGetElement", &["none"], &["y"]),
    ])
}

fn optional_of_nothing_for_a_tensor() -> proto::Model {
    of_sequence(vec![
        node("Optional", &[], &["none"]),
        node("Neg", &["none"], &["y"]),
    ])
}

fn branches_of_other_lengths() -> proto::Model {
    let mut choice = node("If", &["yes"], &["t"]);
    choice.attribute = vec![
        graph_attr(
            "then_branch",
            inner(&[], node("Identity", &["s"], &["p"]), &["p"]),
        ),
        graph_attr(
            "else_branch",
            inner(&[], node("SequenceErase", &["s"], &["q"]), &["q"]),
        ),
    ];
    of_sequence(vec![choice, node("SequenceAt", &["t", "two"], &["y"])])
}

#[test]
fn what_is_not_known_is_refused() {
    assert_snapshot!(messages![
        position_outside,
        position_at_run_time,
        sequence_for_a_position,
        sequence_for_a_tensor,
        tensor_for_a_sequence,
        nothing_as_output,
        tensors_of_two_types,
        nothing_to_erase,
        nothing_to_join,
        parts_of_more,
        optional_of_nothing,
        optional_of_nothing_for_a_tensor,
        branches_of_other_lengths,
    ]);
}
