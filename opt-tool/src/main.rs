//! `relay-opt`: MLIR's optimiser driver with our dialects and passes.

use relay_dialects::{pass, tool};
use std::process::exit;

fn main() {
    pass::register_upstream();
    exit(tool::opt_main());
}
