//! C programs use models through the header.

use crate::support::{self, Options};
use std::process::Command;

/// What `linked.c` prints, by the first word of each line.
fn linked(arguments: &[&str]) -> impl Fn(&str) -> String + use<> {
    let folder = support::folder();
    let model = support::model(folder.path(), &Options::default());
    let program = support::program(folder.path(), "linked", &[&model]);
    let output = support::run(Command::new(program).args(arguments));
    move |word| {
        let line = output.lines().find_map(|line| line.strip_prefix(word));
        line.unwrap_or_else(|| panic!("no {word} in {output}"))
            .trim()
            .to_string()
    }
}

#[test]
fn a_linked_program_runs_the_model() {
    let printed = linked(&["2"]);
    assert_eq!(printed("12 "), "14 16 18 20 22");
    assert_eq!(printed("once"), "1001");
    assert_eq!(printed("threads"), "2");
    assert_eq!(printed("profile"), "0 1 1");
    assert_eq!(
        printed("second"),
        "this instance runs on another thread now; make one for each concurrent caller"
    );
    assert_eq!(printed("failing"), "1 the compiled graph returned status 7");
    assert_eq!(printed("null"), "1 a null pointer was passed to run");
    assert_eq!(printed("input"), "1 input 1, 'bias', is a null pointer");
    assert_eq!(
        printed("output"),
        "1 output 2, 'workers', is a null pointer"
    );
    assert_eq!(printed("left"), "1", "destroy joins the threads");
}

#[test]
fn the_child_of_a_fork_has_threads_of_its_own() {
    let folder = support::folder();
    let model = support::model(folder.path(), &Options::default());
    let program = support::program(folder.path(), "forked", &[&model]);
    let printed = support::run(&mut Command::new(program));
    let wanted = "parent: 1001 threads 3\n\
                  dropped: threads 1 left 1\n\
                  run: 1001 1001 threads 3 left 1\n\
                  forked in a run: 1001 threads 3 left 1\n\
                  parent: 1001 threads 3\n\
                  left 1\n";
    assert_eq!(printed, wanted);
}

#[test]
fn an_idle_model_uses_no_processor() {
    // Awake, the other thread would use 300 ms.
    let idle: u32 = linked(&["2"])("idle_ms").parse().unwrap();
    assert!(idle < 30, "{idle} ms of processor time in 300 ms of idling");
}

#[test]
fn more_threads_than_processors_work() {
    let printed = linked(&["9"]);
    assert_eq!(
        (printed("once"), printed("threads")),
        ("1001".into(), "9".into())
    );
}

#[test]
fn zero_threads_are_as_many_as_the_process_may_use() {
    let first = first_processor();
    let printed = linked(&["0", &first]);
    assert_eq!(printed("threads"), "1", "the process may use one processor");
    assert_eq!(printed("once"), "1001");
}

/// The first processor that this process may use.
fn first_processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = status
        .lines()
        .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
        .unwrap();
    list.trim()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect()
}

#[test]
fn a_negative_number_of_threads_is_refused() {
    let folder = support::folder();
    let model = support::model(folder.path(), &Options::default());
    let program = support::program(folder.path(), "linked", &[&model]);
    let output = Command::new(program).arg("-3").output().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "error: the number of threads is -3, and must not be negative\n"
    );
}

#[test]
fn threads_that_the_system_does_not_give_are_an_error() {
    let folder = support::folder();
    let model = support::model(folder.path(), &Options::default());
    let program = support::program(folder.path(), "linked", &[&model]);
    // Stacks for 200 threads do not fit this address space.
    let limited = format!("ulimit -v 400000; exec {} 200", program.display());
    let output = Command::new("sh").args(["-c", &limited]).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        printed.starts_with("error: cannot start thread "),
        "{printed}"
    );
    assert!(printed.ends_with("; ask for fewer threads\n"), "{printed}");
}

#[test]
fn a_program_loads_models_that_it_does_not_know() {
    let folder = support::folder();
    let program = support::program(folder.path(), "loaded", &[]);
    for (name, extent) in [("alpha", 1), ("beta", 7)] {
        let options = Options {
            name,
            extent,
            ..Options::default()
        };
        let model = support::model(folder.path(), &options);
        let printed = support::run(Command::new(&program).arg(model));
        assert_eq!(printed, format!("{name} ran, counts[0] = 1\n"));
    }
}

#[test]
fn a_model_with_open_dimensions_is_prepared() {
    for (is_bounded, name) in [(true, "bounded"), (false, "unbounded")] {
        let folder = support::folder();
        let model = support::open_model(folder.path(), is_bounded);
        let program = support::program(folder.path(), "prepared", &[&model]);
        insta::assert_snapshot!(name, support::run(&mut Command::new(program)));
    }
}

#[test]
fn a_model_gives_outputs_whose_shapes_depend_on_data() {
    let folder = support::folder();
    let model = support::computed_model(folder.path());
    let program = support::program(folder.path(), "selected", &[&model]);
    let printed = support::run(&mut Command::new(program));
    let wanted = "there are no outputs: the last run failed, or there was none\n\
                  prepared: -1\n3: 1 2 3\n\
                  prepared: -1\n0:\n\
                  prepared: -1\n'find' computes 9 for the extent 'k', which must be from 0 to 8\n\
                  there are no outputs: the last run failed, or there was none\n\
                  prepared: -1\n8: 1 2 3 4 5 6 7 8\n\
                  prepared: -1\n3: 1 2 3\n\
                  prepared: -1\n3: 1 2 3\n\
                  the model has no output 1\n";
    assert_eq!(printed, wanted);
}

#[test]
fn a_program_in_cpp_takes_outputs_whose_shapes_depend_on_data() {
    let folder = support::folder();
    let model = support::computed_model(folder.path());
    let program = folder.path().join("selected");
    let mut command = support::cpp_compiler();
    command.arg(support::source("selected.cpp"));
    support::run(command.args(["-ldl", "-o"]).arg(&program));
    let printed = support::run(Command::new(program).arg(&model));
    assert_eq!(printed, "2: 1 2\n0:\n4: 4 5 6 7\n");
}

#[test]
fn a_program_in_cpp_runs_models() {
    let folder = support::folder();
    let model = support::model(folder.path(), &Options::default());
    let program = folder.path().join("wrapped");
    let mut command = support::cpp_compiler();
    command.arg(support::source("wrapped.cpp")).arg(&model);
    command.args(["-ldl", "-o"]).arg(&program);
    support::run(&mut command);
    insta::assert_snapshot!(support::run(Command::new(program).arg(&model)));
}

#[test]
fn a_program_in_cpp_prepares_models() {
    let folder = support::folder();
    let model = support::open_model(folder.path(), true);
    let program = folder.path().join("prepared");
    let mut command = support::cpp_compiler();
    command.arg(support::source("prepared.cpp"));
    support::run(command.args(["-ldl", "-o"]).arg(&program));
    insta::assert_snapshot!(support::run(Command::new(program).arg(&model)));
}

#[test]
fn the_header_is_valid_cpp() {
    let folder = support::folder();
    let source = folder.path().join("use.cpp");
    std::fs::write(
        &source,
        "#include \"relay_runtime.h\"\nRELAY_DECLARE_MODEL(alpha)\nint main() { return 0; }\n",
    )
    .unwrap();
    support::run(support::cpp_compiler().arg("-fsyntax-only").arg(source));
}
