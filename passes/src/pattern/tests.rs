//! The examples of TVM's documentation and tests of `dataflow_pattern`, on our IR.

use super::{Datum, group::Group, *};
use melior::ir::Module;
use relay_dialects::{
    Element, context,
    ir::{Op, Value},
};

/// Runs a check on the operands of the `return` of a function, and what else it has.
fn on(body: &str, check: impl FnOnce(&[Value], Op)) {
    let context = context();
    let module = Module::parse(&context, body).expect("the test's module parses");
    let module = Op::of_module(&module);
    let function = module.lookup("main").expect("there is a main");
    let end = function.body().terminator().expect("a function ends");
    check(&end.operands(), function);
}

fn matches(pattern: &Pattern, value: Value) -> bool {
    match_at(pattern, Subject::Value(value), |_| true).is_some()
}

/// A function of `x`, `y` and `z`, all `tensor<4xf32>`.
fn graph(lines: &str) -> String {
    let lines: Vec<String> = lines
        .lines()
        .map(|line| match line.trim().split_once(" = relay.") {
            Some((name, rest)) => {
                let operands = rest.matches('%').count();
                let types = vec!["tensor<4xf32>"; operands].join(", ");
                format!("{name} = relay.{rest} : ({types}) -> tensor<4xf32>")
            }
            None => line.to_string(),
        })
        .collect();
    let params = "%x: tensor<4xf32> {relay.name = \"x\"}, %y: tensor<4xf32>, %z: tensor<4xf32>";
    let body = lines.join("\n");
    format!("func.func @main({params}) -> tensor<4xf32> {{\n{body}\n}}")
}

#[test]
fn commutative_operators_match_in_both_orders() {
    let text = graph("%0 = relay.negative %y\n%1 = relay.add %x, %0\nreturn %1 : tensor<4xf32>");
    on(&text, |returned, _| {
        let negative = is_op("negative").call(&[wildcard()]);
        assert!(matches(&(negative.clone() + wildcard()), returned[0]));
        assert!(matches(&(wildcard() + negative.clone()), returned[0]));
        assert!(!matches(
            &(negative.clone() + negative.clone()),
            returned[0]
        ));
    });
    let text =
        graph("%0 = relay.negative %y\n%1 = relay.subtract %x, %0\nreturn %1 : tensor<4xf32>");
    on(&text, |returned, _| {
        let negative = is_op("negative").call(&[wildcard()]);
        assert!(matches(&(wildcard() - negative.clone()), returned[0]));
        assert!(!matches(&(negative - wildcard()), returned[0]));
    });
}

#[test]
fn one_node_is_one_value() {
    let x = wildcard();
    let square = x.clone() * x;
    let text = graph("%0 = relay.multiply %x, %x\nreturn %0 : tensor<4xf32>");
    on(&text, |returned, _| assert!(matches(&square, returned[0])));
    let text = graph("%0 = relay.multiply %x, %y\nreturn %0 : tensor<4xf32>");
    on(&text, |returned, _| assert!(!matches(&square, returned[0])));
}

#[test]
fn the_other_order_is_tried_when_the_rest_does_not_match() {
    // x * y + z * x: the first product has to be read the other way round.
    let text = graph(
        "%0 = relay.multiply %x, %y\n%1 = relay.multiply %z, %x
         %2 = relay.add %0, %1\nreturn %2 : tensor<4xf32>",
    );
    let shared = wildcard();
    let sum = wildcard() * shared.clone() + wildcard() * shared.clone();
    on(&text, |returned, function| {
        let found = match_at(&sum, Subject::Value(returned[0]), |_| true);
        let found = found.expect("there is a way");
        assert_eq!(found.value(&shared), Some(function.body().arg(0)));
    });
}

#[test]
fn products_and_quotients_associate() {
    let (a, b, c) = (wildcard(), wildcard(), is_op("sqrt").call(&[wildcard()]));
    let left = a.clone() * b.clone() / c.clone();
    let right = a.clone() * (b.clone() / c.clone());
    let other = b * (a / c);
    let text = graph(
        "%0 = relay.sqrt %z\n%1 = relay.multiply %x, %y
         %2 = relay.divide %1, %0\nreturn %2 : tensor<4xf32>",
    );
    on(&text, |returned, _| {
        assert!(
            [&left, &right, &other]
                .iter()
                .all(|pattern| matches(pattern, returned[0]))
        );
    });
    let text = graph(
        "%0 = relay.sqrt %z\n%1 = relay.divide %y, %0
         %2 = relay.multiply %x, %1\nreturn %2 : tensor<4xf32>",
    );
    on(&text, |returned, _| {
        assert!(
            [&left, &right, &other]
                .iter()
                .all(|pattern| matches(pattern, returned[0]))
        );
    });
}

#[test]
fn alternatives_and_optional_parts() {
    let base = is_op("exp").call(&[is_var("x")]);
    let relu = is_op("nn.relu");
    let pattern = base.optional(|base| relu.call(std::slice::from_ref(base)));
    let text = graph("%0 = relay.exp %x\n%1 = relay.nn.relu %0\nreturn %1 : tensor<4xf32>");
    on(&text, |returned, _| {
        let found = match_at(&pattern, Subject::Value(returned[0]), |_| true);
        let found = found.expect("with the optional part");
        assert!(found.get(&relu).is_some() && found.get(&base).is_some());
        let inner = returned[0].def().expect("an op").operand(0);
        assert!(matches(&pattern, inner), "without the optional part");
        let either = is_op("sqrt") | is_op("exp");
        assert!(matches(&either.call(&[is_var("x")]), inner));
        assert!(!matches(&either.call(&[is_var("y")]), inner));
    });
}

#[test]
fn types_shapes_and_attributes() {
    let text = "func.func @main(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
      %0 = relay.nn.softmax %x {axis = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x4xf32>
      return %0 : tensor<2x4xf32>
    }";
    on(text, |returned, _| {
        let softmax = is_op("nn.softmax").call(&[has_shape(&[2, 4])]);
        assert!(matches(&softmax.has_type("tensor<2x4xf32>"), returned[0]));
        assert!(!matches(&softmax.has_type("tensor<2x4xf16>"), returned[0]));
        assert!(!matches(&has_shape(&[4, 2]), returned[0]));
        assert!(matches(
            &has_shape(&[2, 4]).has_dtype(Element::F32),
            returned[0]
        ));
        assert!(!matches(&has_dtype(Element::I8), returned[0]));
        assert!(matches(
            &softmax.has_attr(&[("axis", Datum::Int(1))]),
            returned[0]
        ));
        assert!(!matches(
            &softmax.has_attr(&[("axis", Datum::Int(0))]),
            returned[0]
        ));
        let fusable = has_attr(&[("TOpPattern", Datum::Int(4))]).call_any();
        let elementwise = has_attr(&[("TOpPattern", Datum::Int(0))]).call_any();
        assert!(matches(&fusable, returned[0]) && !matches(&elementwise, returned[0]));
    });
}

#[test]
fn tuples_and_results() {
    let text = "func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
      %0 = relay.tuple %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tuple<tensor<4xf32>, tensor<4xf32>>
      %1 = relay.tuple_get %0 {index = 1 : i64} : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
      %2:2 = relay.split %x {indices = array<i64: 2>, axis = 0 : i64} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xf32>)
      return %1, %2#1 : tensor<4xf32>, tensor<2xf32>
    }";
    on(text, |returned, _| {
        let x = is_var("x");
        let pair = is_tuple(&[is_var(""), is_var("")]);
        assert!(matches(&is_tuple_get_item(&pair, Some(1)), returned[0]));
        assert!(matches(&is_tuple_get_item(&any_tuple(), None), returned[0]));
        assert!(!matches(&is_tuple_get_item(&pair, Some(0)), returned[0]));
        assert!(!matches(
            &is_tuple_get_item(&is_tuple(&[x]), Some(1)),
            returned[0]
        ));
        let split = is_op("split").call_any();
        assert!(matches(&is_tuple_get_item(&split, Some(1)), returned[1]));
        assert!(!matches(&is_tuple_get_item(&split, Some(0)), returned[1]));
        assert!(
            !matches(&split, returned[1]),
            "one result is not all of them"
        );
        let op = returned[1].def().expect("an op");
        assert!(match_at(&split, Subject::of(op), |_| true).is_some());
    });
}

#[test]
fn branches_functions_and_expressions() {
    let text = "func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
      %0 = relay.exp %a : (tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
      %0 = relay.if %c : (tensor<i1>) -> tensor<4xf32> {
        %1 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
        relay.yield %1 : tensor<4xf32>
      } else {
        relay.yield %x : tensor<4xf32>
      }
      %2 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
      %3 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
      %4 = relay.exp %x : (tensor<4xf32>) -> tensor<4xf32>
      return %0, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
    }";
    on(text, |returned, _| {
        let exp = is_op("exp").call(&[wildcard()]);
        let sqrt = is_op("sqrt").call(&[wildcard()]);
        assert!(matches(&is_if(&is_var(""), &exp, &is_var("")), returned[0]));
        assert!(!matches(
            &is_if(&is_var(""), &is_var(""), &exp),
            returned[0]
        ));
        let called = |body: &Pattern| is_function(None, body).call(&[is_var("")]);
        assert!(matches(&called(&exp), returned[1]));
        assert!(!matches(&called(&sqrt), returned[1]));
        let params = [is_var(""), is_var("")];
        assert!(!matches(
            &is_function(Some(&params), &exp).call_any(),
            returned[1]
        ));
        assert!(matches(&is_expr(returned[2]), returned[3]));
        assert!(!matches(&is_expr(returned[2]), returned[1]));
    });
}

/// exp dominates the sum by way of what is element by element.
fn diamond() -> Pattern {
    let elementwise = has_attr(&[("TOpPattern", Datum::Int(0))]).call_any();
    let path = elementwise | (wildcard() + wildcard());
    let parent = is_op("nn.relu").call(&[wildcard()]);
    dominates(&parent, &path, &(wildcard() * wildcard()))
}

#[test]
fn dominators_match_diamonds() {
    let text = graph(
        "%0 = relay.nn.relu %x\n%1 = relay.exp %0\n%2 = relay.negative %1\n%3 = relay.sqrt %0
         %4 = relay.multiply %2, %3\nreturn %4 : tensor<4xf32>",
    );
    on(&text, |returned, _| {
        assert!(matches(&diamond(), returned[0]))
    });
}

#[test]
fn dominators_do_not_match_what_leaves_the_diamond() {
    // A path ends in y, which the parent is not.
    let text = graph(
        "%0 = relay.nn.relu %x\n%1 = relay.exp %0\n%2 = relay.add %0, %y
         %3 = relay.multiply %1, %2\nreturn %3 : tensor<4xf32>",
    );
    on(&text, |returned, _| {
        assert!(!matches(&diamond(), returned[0]))
    });
    // What the parent gives is read elsewhere, too.
    let text = graph(
        "%0 = relay.nn.relu %x\n%1 = relay.exp %0\n%2 = relay.sqrt %0
         %3 = relay.multiply %1, %2\n%4 = relay.subtract %3, %0\nreturn %4 : tensor<4xf32>",
    );
    on(&text, |returned, _| {
        let product = returned[0].def().expect("an op").operand(0);
        assert!(!matches(&diamond(), product));
    });
    // Two parents.
    let text = graph(
        "%0 = relay.nn.relu %x\n%1 = relay.nn.relu %y\n%2 = relay.exp %0\n%3 = relay.sqrt %1
         %4 = relay.multiply %2, %3\nreturn %4 : tensor<4xf32>",
    );
    on(&text, |returned, _| {
        assert!(!matches(&diamond(), returned[0]))
    });
}

#[test]
fn groups_hold_what_the_pattern_names() {
    let text = graph(
        "%0 = relay.exp %x\n%1 = relay.add %0, %y\n%2 = relay.nn.relu %1\nreturn %2 : tensor<4xf32>",
    );
    let pattern = is_op("nn.relu").call(&[wildcard() + is_var("")]);
    on(&text, |returned, function| {
        let root = returned[0].def().expect("an op");
        let found = match_at(&pattern, Subject::of(root), |_| true).expect("it matches");
        let group = Group::of(&found, root).expect("nothing cuts it");
        assert_eq!(group.name(), "add_nn.relu_");
        let exp = root.operand(0).def().expect("an op").operand(0);
        assert_eq!(group.inputs, [exp, function.body().arg(1)]);
    });
}

#[test]
fn groups_are_not_cut() {
    let text = graph(
        "%0 = relay.add %x, %y\n%1 = relay.nn.relu %0\n%2 = relay.add %1, %0\nreturn %2 : tensor<4xf32>",
    );
    let pattern = is_op("nn.relu").call(&[wildcard() + wildcard()]);
    on(&text, |returned, _| {
        let root = returned[0]
            .def()
            .expect("an op")
            .operand(0)
            .def()
            .expect("an op");
        let found = match_at(&pattern, Subject::of(root), |_| true).expect("it matches");
        assert!(Group::of(&found, root).is_none());
    });
}

#[test]
fn patterns_are_shown_as_rules_write_them() {
    let pattern = is_op("nn.relu").call(&[wildcard() + is_constant()]) | has_dtype(Element::F32);
    assert_eq!(pattern.to_string(), "(nn.relu(add(_, constant)) | _: f32)");
}

#[test]
fn the_guide_has_all_functions() {
    let guide = include_str!("../../../docs/guide/rewriting_with_rules.md");
    for (name, meaning) in rules::functions() {
        let row = |line: &str| {
            let is_its = line.starts_with(&format!("| `{name}("));
            is_its && line.ends_with(&format!("| {meaning} |"))
        };
        assert!(guide.lines().any(row), "{name}: {meaning}");
    }
}
