//! Random schedules of random programs: each is diagnosed at the primitive that cannot be carried out,
//! or computes what the program says.
//!
//! Kernels run in an interpreter, once as `lower-te` leaves them and once after the passes that carry
//! out the marks, so that thousands of cases take a minute; and so do the blocks that it writes with `blocks`, with
//! what `lower-block` makes of these. Results are compared with a brute-force
//! evaluation of the program, which knows nothing of schedules. `SCHEDULE_CASES` and `SCHEDULE_SEED`
//! choose other cases.

mod candidates;
mod draw;
mod gpu;
mod interpreter;
mod intrinsics;
mod primitives;
mod program;
mod sketches;
mod tape;

use interpreter::Number;
use melior::{Context, ir::Module};
use program::{Program, Scalar};
use proptest::{
    collection::vec,
    prelude::any,
    test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner},
};
use relay_dialects::{context, ir::Op, pass::run_pipeline};
use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::rc::Rc;
use tape::Tape;

/// The passes that carry out a schedule's marks.
const MARKS: &str = "func.func(lower-thread-binding),func.func(hoist-if-then-else),\
    func.func(loop-partition),\
    func.func(tir-simplify),func.func(vectorize-loop),func.func(unroll-loop)";

/// A context that keeps its diagnostics.
struct Compiler {
    context: Context,
    said: Rc<RefCell<Vec<String>>>,
}

impl Compiler {
    fn new() -> Self {
        relay_passes::register();
        let context = context();
        let said = Rc::new(RefCell::new(Vec::new()));
        let sink = Rc::clone(&said);
        context.attach_diagnostic_handler(move |diagnostic| {
            sink.borrow_mut().push(diagnostic.to_string());
            true
        });
        Self { context, said }
    }

    fn parse(&self, text: &str) -> Result<Module<'_>, String> {
        self.said.borrow_mut().clear();
        Module::parse(&self.context, text).ok_or_else(|| self.diagnostics())
    }

    fn diagnostics(&self) -> String {
        self.said.borrow().join("\n")
    }
}

/// What came of a case: what it ran, if it could be carried out.
enum Outcome {
    Computed(String),
    Diagnosed,
}

/// What some case of each part must have run, or its marks must have become.
const RUN: [&str; 38] = [
    "te.split",
    "te.tile",
    "te.fuse",
    "te.reorder",
    "te.vectorize",
    "te.unroll",
    "te.parallel",
    "te.compute_at",
    "te.create_group",
    "te.compute_inline",
    "{guards}",
    "te.cache_read",
    "te.cache_write",
    "te.rfactor",
    "te.set_scope",
    "te.transform_layout",
    "te.storage_align",
    "te.double_buffer",
    "te.rolling_buffer",
    "te.prefetch",
    " into l2 over ",
    ", every = ",
    "te.bind",
    "te.pragma",
    "te.tensorize",
    "vector.maskedload",
    "vector.maskedstore",
    "te.scan",
    ") custom (",
    ") sum (",
    ") max (",
    "scf.if",
    "tir.where",
    "tir.reads",
    "extents [",
    "} init {",
    primitives::SEVERAL_BUFFERS,
    primitives::IN_SCAN,
];

/// A program with the intrinsics that its schedule names.
fn with_intrinsics(text: String) -> String {
    if text.contains("te.tensorize") {
        intrinsics::all() + &text
    } else {
        text
    }
}

/// Runs one case.
fn case(compiler: &Compiler, numbers: &[u16]) -> Result<Outcome, String> {
    let mut tape = Tape::new(numbers);
    let program = draw::program(&mut tape);
    let schedule = primitives::schedule(&program, &mut tape);
    let text = program.text(Some(&schedule));
    let text = with_intrinsics(text);
    if let Some(path) = std::env::var_os("SCHEDULE_LAST") {
        std::fs::write(path, &text).expect("a file is written");
    }
    run(compiler, &program, &text).map_err(|reason| format!("{reason}\n{text}"))
}

/// The ways down from a scheduled program, each with the pipelines after which its kernel runs.
const WAYS: [&[&str]; 2] = [
    &["lower-te", MARKS],
    &["lower-te{blocks=true}", "func.func(lower-block)", MARKS],
];

fn run(compiler: &Compiler, program: &Program, text: &str) -> Result<Outcome, String> {
    let inputs: Vec<Vec<i64>> = (program.inputs.iter().enumerate())
        .map(|(number, tensor)| {
            let count: i64 = program.tensors[*tensor].shape.iter().product();
            (0..count)
                .map(|at| (at * 7 + number as i64 * 3) % 5 - 2)
                .collect()
        })
        .collect();
    let expected = program.evaluate(&inputs);
    let (mut ran, mut diagnosed) = (text.to_string(), 0);
    for pipelines in WAYS {
        let mut module = compiler.parse(text)?;
        for (number, pipeline) in pipelines.iter().enumerate() {
            if run_pipeline(&compiler.context, &mut module, pipeline).is_err() {
                if number == 0 && is_at_primitive(&compiler.diagnostics()) {
                    diagnosed += 1;
                    break;
                }
                return Err(format!("{pipeline}: {}", compiler.diagnostics()));
            }
            check(program, &module, &inputs, &expected)
                .map_err(|reason| format!("{pipeline}: {reason}"))?;
            let _ = write!(ran, "\n{}", module.as_operation());
        }
    }
    match diagnosed {
        0 => Ok(Outcome::Computed(ran)),
        _ if diagnosed == WAYS.len() => Ok(Outcome::Diagnosed),
        _ => Err("only one of the ways down is diagnosed".into()),
    }
}

/// Whether a diagnostic is of an op of the schedule, not of the function or the compute.
fn is_at_primitive(said: &str) -> bool {
    let first = said.lines().next().unwrap_or_default();
    first.starts_with("'te.") && !first.starts_with("'te.compute'")
}

/// Runs the kernel and compares its results.
fn check(
    program: &Program,
    module: &Module<'_>,
    inputs: &[Vec<i64>],
    expected: &[Vec<i64>],
) -> Result<(), String> {
    let kernel = Op::of_module(module)
        .lookup("f")
        .ok_or("there is no kernel")?;
    let number = |scalar: Scalar, value: i64| match scalar {
        Scalar::F32 => Number::Float(value as f32),
        _ => Number::Int(value),
    };
    let numbers = |tensor: usize, values: &[i64]| -> Vec<Number> {
        let scalar = program.tensors[tensor].scalar;
        values.iter().map(|value| number(scalar, *value)).collect()
    };
    let inputs: Vec<Vec<Number>> = program
        .inputs
        .iter()
        .zip(inputs)
        .map(|(tensor, values)| numbers(*tensor, values))
        .collect();
    let results = interpreter::run(kernel, &inputs)?;
    for (tensor, result) in program.returned.iter().zip(results) {
        let expected = numbers(*tensor, &expected[*tensor]);
        if result != expected {
            return Err(format!("computed {result:?}, expected {expected:?}"));
        }
    }
    Ok(())
}

/// How many cases a part has.
const CASES: u32 = 2000;

/// Runs `SCHEDULE_CASES` cases, or [`CASES`], from a seed of their own.
fn run_cases(part: u8) {
    let variable = |name: &str| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u32>().ok())
    };
    let cases = variable("SCHEDULE_CASES").unwrap_or(CASES);
    let mut seed = [part; 32];
    seed[..4].copy_from_slice(&variable("SCHEDULE_SEED").unwrap_or(0).to_le_bytes());
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 3000,
        ..Config::default()
    };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let compiler = Compiler::new();
    let computed = Cell::new(0);
    let missing = RefCell::new(RUN.to_vec());
    let result = runner.run(&vec(any::<u16>(), 20..160), |numbers| {
        match case(&compiler, &numbers) {
            Ok(Outcome::Computed(text)) => {
                computed.set(computed.get() + 1);
                missing.borrow_mut().retain(|name| !text.contains(name));
            }
            Ok(Outcome::Diagnosed) => {}
            Err(reason) => return Err(proptest::test_runner::TestCaseError::fail(reason)),
        }
        Ok(())
    });
    match result {
        Ok(()) => assert!(
            computed.get() * 4 > cases,
            "only {} of {cases} ran",
            computed.get()
        ),
        Err(TestError::Fail(reason, numbers)) => panic!("{reason}\n{numbers:?}"),
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
    println!("{} of {cases} computed", computed.get());
    let missing = missing.into_inner();
    assert!(
        missing.is_empty() || cases < CASES,
        "no case ran {missing:?}"
    );
}

// Four parts, for four processes.
#[test]
fn schedules_change_no_value_1() {
    run_cases(1);
}

#[test]
fn schedules_change_no_value_2() {
    run_cases(2);
}

#[test]
fn schedules_change_no_value_3() {
    run_cases(3);
}

#[test]
fn schedules_change_no_value_4() {
    run_cases(4);
}
