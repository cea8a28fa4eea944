//! Random programs, by every executor: they have to give what the plainest evaluation gives, and to give back all memory.
//!
//! A module holds many programs, because compiling takes time for each module.

mod make;
mod tree;
mod value;

use super::relayc_with;
use make::Maker;
use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use relay_dialects::{ir::Op, pass::run_pipeline};
use relay_driver::npz;
use relay_import::relay_text;
use relay_runtime::{DType, Port, Tensor};
use std::{cell::Cell, collections::BTreeMap, fmt::Write, fs, path::Path};
use tree::{Expr, Type};
use value::{Names, Value, value};

/// How many modules there are, of all and by default, and how many programs one has on average.
const MODULES: u32 = 22;
const FEW_MODULES: u32 = 2;
const PROGRAMS: usize = 100;

/// The most choices of a program.
const CHOICES: usize = 120;

/// What the programs are given.
const NUMBER: i32 = 3;
const FLOATS: [f32; 2] = [2.0, -5.0];

/// The text of a module of programs, and the types of what it gives.
fn module(programs: &[(Type, Expr)]) -> String {
    let mut text = String::from("#[version = \"0.0.5\"]\n");
    let parameters = "%v0: int32, %v1: Tensor[(2), float32]";
    let mut calls = Vec::new();
    for (number, (ty, body)) in programs.iter().enumerate() {
        let _ = writeln!(text, "def @p{number}({parameters}) -> {ty} {{\n{body}\n}}");
        calls.push(format!("@p{number}(%v0, %v1)"));
    }
    let end = if calls.len() == 1 { ",)" } else { ")" };
    let _ = writeln!(
        text,
        "def @main({parameters}) {{\n({}{end}\n}}",
        calls.join(", ")
    );
    text
}

/// The tensors in a value, in order.
fn tensors(value: &Value, all: &mut Vec<Tensor>) {
    let tensor = match value {
        Value::Int(value) => Tensor::from_slice(&[], &[*value]),
        Value::Bool(value) => Tensor::from_bytes(DType::Bool, &[], &[u8::from(*value)]),
        Value::Floats(values) => Tensor::from_slice(&[2], values),
        Value::Pair(pair) => {
            tensors(&pair.0, all);
            return tensors(&pair.1, all);
        }
        other => panic!("{other:?} is no result"),
    };
    all.push(tensor.unwrap());
}

fn is_same(found: &Tensor, wanted: &Tensor) -> bool {
    // Zeros are equal, whatever their signs.
    match wanted.dtype() {
        DType::F32 => found.as_slice::<f32>() == wanted.as_slice::<f32>(),
        _ => found.bytes() == wanted.bytes(),
    }
}

/// What is wrong with a module by an executor, if something is.
fn check(folder: &Path, programs: &[(Type, Expr)], how: &str) -> Result<(), String> {
    let names = Names::default()
        .with(0, Value::Int(NUMBER))
        .with(1, Value::Floats(FLOATS));
    let mut wanted = Vec::new();
    for (_, body) in programs {
        tensors(&value(body, &names), &mut wanted);
    }
    fs::write(folder.join("p.relay"), module(programs)).unwrap();
    let inputs = [
        ("v0".to_owned(), Tensor::from_slice(&[], &[NUMBER]).unwrap()),
        ("v1".to_owned(), Tensor::from_slice(&[2], &FLOATS).unwrap()),
    ];
    npz::write_all(&folder.join("in.npz"), &BTreeMap::from(inputs)).unwrap();
    let _ = fs::remove_file(folder.join("out.npz"));
    let words = format!("run p.relay -q {how} --inputs in.npz --outputs out.npz");
    let said = relayc_with("RELAY_HEAP_REPORT=1", folder, &words);
    let ports = wanted
        .iter()
        .enumerate()
        .map(|(index, tensor)| Port::new(format!("output{index}"), tensor.dtype(), tensor.shape()));
    let found = npz::read(&folder.join("out.npz"), &ports.collect::<Vec<_>>());
    let found = found.map_err(|_| said.clone())?;
    if said.contains("values made") && !said.contains(" 0 left") {
        return Err(said);
    }
    let mut pairs = found.iter().zip(&wanted).enumerate();
    match pairs.find(|(_, (found, wanted))| !is_same(found, wanted)) {
        Some((index, _)) => Err(format!("output {index} differs: {words}")),
        None => Ok(()),
    }
}

/// Makes modules of random programs. One that is wrong is cut down to fewer and smaller programs.
fn each(modules: u32, least: usize, check: impl Fn(&[(Type, Expr)]) -> Result<(), String>) {
    let config = Config {
        cases: modules,
        failure_persistence: None,
        max_shrink_iters: 400,
        ..Config::default()
    };
    // The same programs each time.
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[13; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let choices = proptest::collection::vec(any::<u8>(), 0..CHOICES);
    let strategy = proptest::collection::vec(choices, 1..=2 * PROGRAMS);
    let count = Cell::new(0);
    let done = runner.run(&strategy, |choices| {
        count.set(count.get() + choices.len());
        let programs = choices.iter().map(|choices| Maker::new(choices).program());
        let programs: Vec<_> = programs.collect();
        let fail = |reason| TestCaseError::fail(format!("{reason}\n{}", module(&programs)));
        check(&programs).map_err(fail)
    });
    if let Err(error) = done {
        panic!("{error}");
    }
    assert!(count.get() >= least, "there were {} programs", count.get());
}

/// Runs modules of random programs in some ways.
fn run(how: &[&str], modules: u32, least: usize) {
    let folder = tempfile::tempdir().unwrap();
    each(modules, least, |programs| {
        how.iter()
            .try_for_each(|how| check(folder.path(), programs, how))
    });
}

/// A text by way of a module whose types are known.
fn printed(text: &str) -> Result<String, String> {
    let context = relay_dialects::context();
    let module = relay_text::import(&context, text, "p.relay");
    let mut module = module.map_err(|error| error.to_string())?;
    // What nothing reads has no place in a graph, and is not read back.
    run_pipeline(&context, &mut module, "infer-type,dead-code-elimination")?;
    let program = relay_text::export(Op::of_module(&module));
    Ok(program.map_err(|error| error.to_string())?.to_string())
}

/// What is printed is read as the same, as a tree and as a module.
#[test]
fn printed_programs_are_read_back() {
    relay_codegen::evaluate::register_passes();
    each(8, 500, |programs| {
        let text = module(programs);
        let parse = |text: &str| relay_text::parse(text).map(|program| program.to_string());
        let tree = parse(&text).map_err(|error| error.to_string())?;
        let again = parse(&tree).map_err(|error| error.to_string())?;
        if tree != again {
            return Err(format!(
                "the tree is printed as\n{tree}\nand then as\n{again}"
            ));
        }
        // Printing numbers what has no name; that settles with the second reading.
        let typed = printed(&printed(&text)?)?;
        let again = printed(&typed)?;
        if typed != again {
            return Err(format!(
                "the module is printed as\n{typed}\nand then as\n{again}"
            ));
        }
        Ok(())
    });
}

/// Every operator is a kernel of its own, so that there are few, which the cache has.
#[test]
fn random_programs_agree() {
    // All of them take longer than a test may, but for a release.
    let all = std::env::var("RELAY_TEST_TIER").is_ok_and(|tier| tier == "all");
    let (modules, least) = if all {
        (MODULES, 2000)
    } else {
        (FEW_MODULES, 100)
    };
    run(
        &[
            "--executor interpreter",
            "--executor aot --opt-level 0",
            "--executor vm --opt-level 0",
        ],
        modules,
        least,
    );
}

/// The same with fusion.
#[test]
fn optimised_programs_agree() {
    run(&["--executor aot", "--executor vm"], 2, 50);
}
