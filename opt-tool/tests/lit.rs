//! Runs the lit suites under `test/`, so that `cargo test` runs everything. Two variables, which `./x test` sets, make
//! it fewer: `RELAY_LIT_FILES` names files and folders, with colons between them, and `RELAY_TEST_QUICK` leaves
//! out the tests that say `REQUIRES: time`.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn lit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tools = PathBuf::from(env!("CARGO_BIN_EXE_relay-opt"));
    let tools = tools.parent().expect("a program lies in a folder");
    let llvm = Path::new(env!("MLIR_SYS_220_PREFIX")).join("bin");
    let oracle = root.join("target/oracle/bin/python");
    let python = if oracle.exists() {
        oracle
    } else {
        "python3".into()
    };
    let chosen = env::var("RELAY_LIT_FILES").unwrap_or_else(|_| "test".into());
    let time = if env::var_os("RELAY_TEST_QUICK").is_some() {
        "-Dtime=little"
    } else {
        "-Dtime=enough"
    };
    // What checks a change keeps a part of the output: there it holds the tests that fail, and no others.
    let shown = match env::var_os("CI") {
        Some(_) => "--print-result-after=failed",
        None => "--print-result-after=all",
    };
    let status = Command::new("python3")
        .arg(llvm.join("lit"))
        .args(["--test-output=failed", shown, "--order=lexical", "-j2"])
        .arg(format!("-Dtools={}", tools.display()))
        .arg(format!("-Dllvm={}", llvm.display()))
        .arg(format!("-Dpython={}", python.display()))
        .arg(time)
        .args(chosen.split(':').map(|file| root.join(file)))
        .status()
        .expect("python3 is installed, as ./x sees to");
    assert!(status.success(), "lit tests failed; their output is above");
}
