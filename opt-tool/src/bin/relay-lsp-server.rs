//! `relay-lsp-server`: MLIR's language server with our dialects.

fn main() {
    std::process::exit(relay_dialects::tool::lsp_server_main());
}
