//! Compiles the network into a module.

fn main() -> Result<(), relay_build::Error> {
    relay_build::Model::new("../digits/digits.onnx").compile()
}
