//! `relay-reduce`: MLIR's test case reducer with our dialects and passes.

fn main() {
    relay_passes::register();
    std::process::exit(relay_dialects::tool::reduce_main());
}
