//! `relay-opt`: MLIR's optimiser driver with our dialects and passes.

mod arguments;

use relay_dialects::tool;
use std::{env, ffi::OsString, process::exit};

fn main() {
    relay_codegen::evaluate::register_passes();
    let given: Vec<OsString> = tool::load_operators(env::args_os()).unwrap_or_else(|message| {
        eprintln!("relay-opt: {message}");
        exit(1);
    });
    if given.iter().any(|argument| argument == "--help") {
        println!("{}", arguments::HELP);
    }
    let default = env::var(arguments::VARIABLE).unwrap_or_else(|_| "native".into());
    match arguments::spell_out(given, &default, &relay_passes::all()) {
        Ok(arguments) => exit(tool::opt_main(arguments)),
        Err(message) => {
            eprintln!("relay-opt: {message}");
            exit(1);
        }
    }
}
