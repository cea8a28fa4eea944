//! `relay-opt`: MLIR's optimiser driver with our dialects and passes.

use relay_dialects::tool;
use std::process::exit;

fn main() {
    relay_codegen::evaluate::register_passes();
    let passes = relay_passes::all();
    exit(tool::opt_main(|argument| {
        passes.iter().find_map(|pass| pass.spelled_out(argument))
    }));
}
