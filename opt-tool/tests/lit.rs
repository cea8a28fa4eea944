//! Runs the lit suites under `test/`, so that `cargo test` runs everything.

use std::{
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
    let status = Command::new("python3")
        .arg(llvm.join("lit"))
        .args(["--verbose", "--order=lexical", "-j2"])
        .arg(format!("-Dtools={}", tools.display()))
        .arg(format!("-Dllvm={}", llvm.display()))
        .arg(format!("-Dpython={}", python.display()))
        .arg(root.join("test"))
        .status()
        .expect("python3 is installed, as ./x sees to");
    assert!(status.success(), "lit tests failed; their output is above");
}
