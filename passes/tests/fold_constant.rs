//! `fold-constant` with an evaluator that stands in for a compiler.

use melior::ir::Module;
use relay_dialects::{context, ir::Op, pass::run_pipeline};
use relay_passes::evaluator::{Bytes, Evaluator};

static EVALUATOR: Evaluator = Evaluator {
    evaluate,
    time: |_, _, _| Err("nothing is measured here".into()),
};

/// Knows the value of the one program that the test below folds: in numpy,
/// `np.arange(1, 5) + np.arange(1, 5) + 1`.
fn evaluate(module: Op, _cache: bool) -> Result<Vec<Bytes>, String> {
    let text = module.to_string();
    assert!(module.verify(), "the scratch module is well formed");
    if text.contains("relay.abs") {
        return Err("abs is not known".into());
    }
    assert_eq!(module.find_all("relay.add").len(), 2, "{text}");
    assert_eq!(module.find_all("relay.constant").len(), 2, "{text}");
    assert!(!text.contains("relay.nn.relu"), "{text}");
    let floats = [3.0_f32, 5.0, 7.0, 9.0];
    let bytes = floats.iter().flat_map(|float| float.to_le_bytes());
    Ok(vec![Box::new(bytes.collect::<Vec<u8>>())])
}

fn fold(body: &str) -> Result<String, String> {
    fold_with(body, "fold-constant")
}

fn fold_with(body: &str, pass: &str) -> Result<String, String> {
    relay_passes::register_with(&EVALUATOR);
    let context = context();
    let mut module = Module::parse(&context, body).expect("the test's module parses");
    run_pipeline(&context, &mut module, pass)?;
    Ok(Op::of_module(&module).to_string())
}

#[test]
fn maximal_subgraphs_become_constants() {
    let text = fold(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %a = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          %b = relay.constant dense<1.0> : tensor<f32>
          %0 = relay.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          %1 = relay.add %0, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
          %2 = relay.nn.relu %x : (tensor<4xf32>) -> tensor<4xf32>
          %3 = relay.add %2, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          return %3 : tensor<4xf32>
        }",
    )
    .expect("the pass succeeds");
    let folded = "dense<[3.000000e+00, 5.000000e+00, 7.000000e+00, 9.000000e+00]>";
    assert!(text.contains(folded), "{text}");
    assert_eq!(text.matches("relay.constant").count(), 1, "{text}");
    assert_eq!(text.matches("relay.add").count(), 1, "{text}");
}

#[test]
fn the_evaluators_error_fails_the_pass() {
    let result = fold(
        "func.func @main() -> tensor<1xf32> {
          %a = relay.constant dense<1.0> : tensor<1xf32>
          %0 = relay.abs %a : (tensor<1xf32>) -> tensor<1xf32>
          return %0 : tensor<1xf32>
        }",
    );
    assert!(result.is_err());
}

#[test]
fn larger_results_wait() {
    let body = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
          %a = relay.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
          %b = relay.constant dense<1.0> : tensor<f32>
          %0 = relay.add %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          %1 = relay.add %0, %b : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
          %2 = relay.add %x, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
          return %2 : tensor<4xf32>
        }";
    let adds = |pass| {
        let text = fold_with(body, pass).expect("the pass succeeds");
        text.matches("relay.add").count()
    };
    assert_eq!(adds("fold-constant{max-bytes=15}"), 3);
    assert_eq!(adds("fold-constant{max-bytes=16}"), 1);
}

#[test]
fn what_64_bits_do_not_count_is_not_folded() {
    // 2^62 elements of four bytes.
    let text = fold(
        "func.func @main(%x: tensor<2147483648x2147483648xf32>)
            -> tensor<2147483648x2147483648xf32> {
          %0 = relay.abs %x : (tensor<2147483648x2147483648xf32>)
            -> tensor<2147483648x2147483648xf32>
          return %0 : tensor<2147483648x2147483648xf32>
        }",
    );
    assert!(text.is_ok_and(|text| text.contains("relay.abs")));
}
