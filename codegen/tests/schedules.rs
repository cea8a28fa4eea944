//! Random schedules of random programs, as machine code: a few of those that `relay-passes` runs in an
//! interpreter, and for the same reason.

#[path = "../../passes/tests/schedules/draw.rs"]
mod draw;
#[path = "../../passes/tests/schedules/intrinsics.rs"]
mod intrinsics;
#[path = "../../passes/tests/schedules/primitives.rs"]
mod primitives;
#[path = "../../passes/tests/schedules/program.rs"]
mod program;
#[path = "../../passes/tests/schedules/tape.rs"]
mod tape;

use melior::ir::Module;
use program::{Program, Scalar};
use proptest::{
    collection::vec,
    prelude::any,
    strategy::{Strategy, ValueTree},
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use relay_codegen::evaluate::evaluate;
use relay_dialects::{context, ir::Op, pass::run_pipeline};
use tape::Tape;

/// How many schedules that can be carried out are compiled and run, unless `SCHEDULE_CASES` says so.
const CASES: usize = 25;

#[test]
fn machine_code_computes_what_the_program_says() {
    relay_passes::register();
    let variable = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<usize>().ok())
    };
    let seed = variable("SCHEDULE_SEED").unwrap_or(5) as u8;
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let mut left = variable("SCHEDULE_CASES").unwrap_or(CASES);
    while left > 0 {
        let numbers = vec(any::<u16>(), 40..160).new_tree(&mut runner);
        let numbers = numbers.expect("a list of numbers is always had").current();
        let mut tape = Tape::new(&numbers);
        let program = draw::program(&mut tape);
        let text = program.text(Some(&primitives::schedule(&program, &mut tape)));
        let text = with_intrinsics(text);
        if let Some(path) = std::env::var_os("SCHEDULE_LAST") {
            std::fs::write(path, &text).expect("a file is written");
        }
        if is_legal(&text) {
            check(&program, &text);
            left -= 1;
        }
    }
}

/// A program with the intrinsics that its schedule names.
fn with_intrinsics(text: String) -> String {
    if text.contains("te.tensorize") {
        intrinsics::all() + &text
    } else {
        text
    }
}

fn is_legal(text: &str) -> bool {
    let context = context();
    // What is wrong with the others is the business of the other test.
    context.attach_diagnostic_handler(|_| true);
    let mut module = Module::parse(&context, text).expect("the program parses");
    run_pipeline(&context, &mut module, "lower-te").is_ok()
}

fn check(program: &Program, text: &str) {
    let inputs: Vec<Vec<i64>> = (program.inputs.iter().enumerate())
        .map(|(number, tensor)| {
            let count: i64 = program.tensors[*tensor].shape.iter().product();
            (0..count)
                .map(|at| (at * 5 + number as i64) % 7 - 3)
                .collect()
        })
        .collect();
    let text = text.replace("func.func @f", "func.func private @f") + &main(program, &inputs);
    let context = context();
    let module = Module::parse(&context, &text).expect("the program parses");
    let results =
        evaluate(Op::of_module(&module), true).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let values = program.evaluate(&inputs);
    for (tensor, bytes) in program.returned.iter().zip(results) {
        let expected: Vec<u8> = match program.tensors[*tensor].scalar {
            Scalar::F32 => values[*tensor]
                .iter()
                .flat_map(|value| (*value as f32).to_le_bytes())
                .collect(),
            Scalar::I32 => values[*tensor]
                .iter()
                .flat_map(|value| (*value as i32).to_le_bytes())
                .collect(),
            Scalar::I1 => values[*tensor].iter().map(|value| *value as u8).collect(),
        };
        assert_eq!((*bytes).as_ref(), expected, "%t{tensor} of\n{text}");
    }
}

/// A `@main` that calls the program with constants.
fn main(program: &Program, inputs: &[Vec<i64>]) -> String {
    let mut text = String::new();
    let types = |tensors: &[usize]| -> String {
        let types: Vec<String> = tensors.iter().map(|tensor| program.ty(*tensor)).collect();
        types.join(", ")
    };
    let names = |tensors: &[usize]| -> String {
        let names: Vec<String> = tensors.iter().map(|tensor| format!("%t{tensor}")).collect();
        names.join(", ")
    };
    let results = types(&program.returned);
    text += &format!("func.func @main() -> ({results}) {{\n");
    for (tensor, values) in program.inputs.iter().zip(inputs) {
        let ty = program.ty(*tensor);
        let is_float = program.tensors[*tensor].scalar == Scalar::F32;
        let bytes: String = values
            .iter()
            .flat_map(|value| {
                if is_float {
                    (*value as f32).to_le_bytes()
                } else {
                    (*value as i32).to_le_bytes()
                }
            })
            .map(|byte| format!("{byte:02X}"))
            .collect();
        text += &format!("  %t{tensor} = relay.constant dense<\"0x{bytes}\"> : {ty}\n");
    }
    let returned = names(&program.returned);
    let (arguments, parameters) = (names(&program.inputs), types(&program.inputs));
    text += &format!("  {returned} = call @f({arguments}) : ({parameters}) -> ({results})\n");
    text + &format!("  return {returned} : {results}\n}}\n")
}
