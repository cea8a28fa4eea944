//! `relay-reduce`: MLIR's test case reducer with our dialects and passes.

fn main() {
    relay_codegen::evaluate::register_passes();
    std::process::exit(relay_dialects::tool::reduce_main());
}
