//! `relay-opt`: MLIR's optimiser driver with our dialects and passes.

use relay_dialects::tool;
use std::process::exit;

fn main() {
    relay_codegen::evaluate::register_passes();
    exit(tool::opt_main());
}
