//! `relayc`: the compiler for people with a model.

use std::process::ExitCode;

fn main() -> ExitCode {
    relay_driver::cli::main()
}
