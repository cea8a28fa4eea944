//! `relay-opt`: MLIR's optimiser driver with our dialects and passes.

use relay_dialects::tool;
use std::process::exit;

fn main() {
    relay_passes::register();
    relay_codegen::evaluate::install();
    exit(tool::opt_main());
}
