//! The module of a model, as text.

use relay_runtime::{DType, Model, Port};
use std::{collections::HashSet, fmt::Write as _, path::Path};

/// Rust's words that no tensor's name may be.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The module of a model whose library is at a path.
pub(crate) fn text(name: &str, model: &Model, library: &Path) -> String {
    // A run's own names are taken.
    let mut taken = HashSet::from(["outputs".to_string()]);
    let mut named = |ports: &[Port]| -> Vec<(String, Port)> {
        let one = |port: &Port| (identifier(&port.name, &mut taken), port.clone());
        ports.iter().map(one).collect()
    };
    let (inputs, outputs) = (named(model.inputs()), named(model.outputs()));
    let mut text = format!(
        "/// The model `{name}`, compiled for {target}.\npub mod {module} {{\n\
         /// The compiled model.\npub static LIBRARY: &[u8] = include_bytes!({library:?});\n\
         /// What it was compiled for.\npub const TARGET: &str = {target:?};\n",
        target = model.target(),
        module = identifier(name, &mut HashSet::new()),
    );
    for (kind, ports) in [("Input", &inputs), ("Output", &outputs)] {
        for (identifier, port) in ports {
            text += &shape_constant(kind, identifier, port);
        }
    }
    text += "/// What a run returns.\n#[derive(Clone, Debug)]\npub struct Outputs {\n";
    for (identifier, port) in &outputs {
        let ty = array("Array<", port);
        let _ = writeln!(
            text,
            "/// {:?}, of {}.\npub {identifier}: {ty},",
            port.name,
            port.show_shape()
        );
    }
    text += MIDDLE;
    for (identifier, port) in &inputs {
        let _ = write!(text, ", {identifier}: {}", array("ArrayView<'_, ", port));
    }
    text += ") -> Result<Outputs, ::relay::Error> {\nlet outputs = self.0.run(&[";
    for (identifier, port) in &inputs {
        let _ = write!(text, "({:?}, (&{identifier}).into()), ", port.name);
    }
    text += "])?;\nOk(Outputs {\n";
    for (identifier, port) in &outputs {
        let _ = writeln!(text, "{identifier}: outputs.shaped({:?})?,", port.name);
    }
    text + "})\n}\n}\n}\n"
}

/// The shape of a tensor; `None` stands for an open dimension.
fn shape_constant(kind: &str, identifier: &str, port: &Port) -> String {
    let (constant, rank) = (identifier.to_uppercase(), port.shape.len());
    let extent = |extent: &i64| match extent {
        0.. if port.is_open() => format!("Some({extent})"),
        0.. => extent.to_string(),
        _ => "None".into(),
    };
    let extents: Vec<String> = port.shape.iter().map(extent).collect();
    let ty = if port.is_open() {
        "Option<usize>"
    } else {
        "usize"
    };
    format!(
        "/// {kind} {:?}, of {}.\npub const {constant}_SHAPE: [{ty}; {rank}] = [{}];\n",
        port.name,
        port.show_shape(),
        extents.join(", ")
    )
}

/// What stands between the outputs and the parameters of `run`.
const MIDDLE: &str = "}\n\
    /// The model, which is loaded once.\n///\n/// # Errors\n/// If it cannot be loaded.\n\
    pub fn model() -> Result<&'static ::relay::Model, ::relay::Error> {\n\
    static MODEL: ::std::sync::OnceLock<::relay::Model> = ::std::sync::OnceLock::new();\n\
    if let Some(model) = MODEL.get() {\nreturn Ok(model);\n}\n\
    let model = ::relay::load_bytes(LIBRARY)?;\nOk(MODEL.get_or_init(|| model))\n}\n\
    /// The model with threads and memory of its own.\npub struct Session(::relay::Session);\n\
    impl Session {\n\
    /// A session of so many threads; 0 for as many as the process may use.\n///\n/// # Errors\n\
    /// If the model cannot be loaded, or the system gives no threads or no memory.\n\
    pub fn new(threads: usize) -> Result<Self, ::relay::Error> {\n\
    ::relay::Session::new(model()?, threads).map(Self)\n}\n\
    /// Runs the model.\n///\n/// # Errors\n\
    /// If an input has another shape or is not in standard layout, or the run fails.\n\
    pub fn run(&mut self";

/// The type of a tensor: `kind` is the array's up to its element type.
fn array(kind: &str, port: &Port) -> String {
    let dimensions = match port.shape.len() {
        rank @ 0..=6 => format!("Ix{rank}"),
        _ => "IxDyn".into(),
    };
    format!(
        "::relay::ndarray::{kind}{}, ::relay::ndarray::{dimensions}>",
        element(port.dtype)
    )
}

/// Checks that Rust has a type for the elements of each input and output.
///
/// # Errors
/// Which one it has none for.
pub fn check(model: &Model) -> Result<(), String> {
    let mut ports = model.inputs().iter().chain(model.outputs());
    match ports.find(|port| port.dtype.is_stored_only()) {
        Some(port) => Err(format!(
            "'{}' has elements of type {}, which Rust has no type for; have the model convert them to or from f32",
            port.name, port.dtype
        )),
        None => Ok(()),
    }
}

fn element(dtype: DType) -> &'static str {
    match dtype {
        DType::Bool => "bool",
        DType::U8 => "u8",
        DType::U16 => "u16",
        DType::U32 => "u32",
        DType::U64 => "u64",
        DType::F16 => "::relay::half::f16",
        DType::BF16 => "::relay::half::bf16",
        // The others have Rust's names.
        _ => dtype.name(),
    }
}

/// A name for Rust that is not taken yet.
fn identifier(name: &str, taken: &mut HashSet<String>) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() {
            letter
        } else {
            '_'
        }
    };
    let mut identifier: String = name.chars().map(letter).collect::<String>().to_lowercase();
    if !identifier.starts_with(|first: char| first.is_ascii_alphabetic()) {
        identifier.insert_str(0, "tensor_");
    }
    while KEYWORDS.contains(&identifier.as_str()) || !taken.insert(identifier.clone()) {
        identifier.push('_');
    }
    identifier
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_dimensions_are_no_numbers() {
        let mut port = Port::new("x", DType::F32, [-1, 64]);
        port.dims = vec![Some("2*n".into()), None];
        assert_eq!(
            shape_constant("Input", "x", &port),
            "/// Input \"x\", of [2*n, 64].\npub const X_SHAPE: [Option<usize>; 2] = [None, Some(64)];\n"
        );
    }

    #[test]
    fn names_are_rusts_and_differ() {
        let mut taken = HashSet::new();
        let names = ["image", "Image", "type", "7:0", "input.1", "input/1"];
        let found = names.map(|name| identifier(name, &mut taken));
        assert_eq!(
            found,
            [
                "image",
                "image_",
                "type_",
                "tensor_7_0",
                "input_1",
                "input_1_"
            ]
        );
    }
}
