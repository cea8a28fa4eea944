//! Models of Keras that are damaged, or do not fit their layers, end in errors.

use relay_import::{graph::options::Options, keras::Keras, model::Model, source::Source};
use std::{io::Write, path::Path};

/// The folder of models that Keras wrote.
const PROGRAMS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/keras/programs");

fn source(name: &str, bytes: Vec<u8>) -> Source {
    Source {
        path: name.into(),
        bytes: bytes.into(),
        folder: None,
        data_root: None,
        choice: Default::default(),
    }
}

/// What is said of a file when it is imported.
fn said_of_file(name: &str, bytes: Vec<u8>) -> String {
    let context = relay_dialects::context();
    let imported = Keras::read(source(name, bytes)).and_then(|model| {
        model
            .import(&context, &Options::default())
            .map(|_| String::new())
    });
    imported.unwrap_or_else(|error| error.to_string())
}

fn program(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(PROGRAMS).join(name)).expect("Keras wrote it")
}

/// The weights of a program.
fn weights(name: &str) -> Vec<u8> {
    let file = std::io::Cursor::new(program(name));
    let mut archive = zip::ZipArchive::new(file).expect("it is a zip file");
    let mut entry = archive
        .by_name("model.weights.h5")
        .expect("it holds weights");
    let mut bytes = Vec::new();
    std::io::Read::read_to_end(&mut entry, &mut bytes).expect("they can be read");
    bytes
}

/// A `.keras` file of a description and weights.
fn archive(config: &str, weights: &[u8]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    let entries = [
        ("metadata.json", &br#"{"keras_version": "3.15.1"}"#[..]),
        ("config.json", config.as_bytes()),
        ("model.weights.h5", weights),
    ];
    for (name, content) in entries {
        zip.start_file(name, options).expect("it is in memory");
        zip.write_all(content).expect("it is in memory");
    }
    zip.finish().expect("it is in memory").into_inner()
}

fn tensor(layer: &str, call: usize) -> String {
    format!(
        r#"{{"class_name": "__keras_tensor__", "config": {{"keras_history": ["{layer}", {call}, 0]}}}}"#
    )
}

/// A layer without weights that is called with an argument.
fn layer(class: &str, name: &str, attributes: &str, argument: &str) -> String {
    format!(
        r#"{{"module": "keras.layers", "class_name": "{class}", "name": "{name}",
            "config": {{"name": "{name}", "trainable": true, "dtype": "float32"{attributes}}},
            "inbound_nodes": [{{"args": [{argument}], "kwargs": {{}}}}]}}"#
    )
}

/// What is said of layers between an input `x` of a shape and the output `y`.
fn said(shape: &str, layers: &[String]) -> String {
    let input = format!(
        r#"{{"module": "keras.layers", "class_name": "InputLayer", "name": "x", "inbound_nodes": [],
            "config": {{"name": "x", "batch_shape": {shape}, "dtype": "float32"}}}}"#
    );
    let layers = [&[input][..], layers].concat().join(", ");
    let config = format!(
        r#"{{"class_name": "Functional", "config": {{"name": "m", "layers": [{layers}],
            "input_layers": [["x", 0, 0]], "output_layers": [["y", 0, 0]]}}}}"#
    );
    said_of_file("model.keras", archive(&config, &weights("mixed.keras")))
}

#[test]
fn layers_are_checked() {
    let one = |class: &str, attributes: &str| layer(class, "y", attributes, &tensor("x", 0));
    assert_eq!(said("[null, 4, 6]", &[one("Flatten", "")]), "");
    let said_of =
        |shape: &str, class: &str, attributes: &str| said(shape, &[one(class, attributes)]);
    let permuted = said_of("[2, 3, 4]", "Permute", r#", "dims": [2, 2]"#);
    assert!(permuted.contains("does not permute"), "{permuted}");
    let shaped = said_of("[2, 3, 4]", "Reshape", r#", "target_shape": [5, -1]"#);
    assert!(shaped.contains("cannot reshape"), "{shaped}");
    let cropped = said_of("[2, 3, 4]", "Cropping1D", r#", "cropping": [2, 2]"#);
    assert!(cropped.contains("it cuts 2 and 2 elements"), "{cropped}");
    let pooled = said_of("[2, 3, 4]", "MaxPooling1D", r#", "pool_size": [9]"#);
    assert!(pooled.contains("does not fit into the data"), "{pooled}");
    let activated = said_of("[2, 3]", "Activation", r#", "activation": "mine""#);
    assert!(
        activated.contains("the activation 'mine' is not supported"),
        "{activated}"
    );
    let unread = said_of("[2, 3]", "Flatten", r#", "novel": 3"#);
    assert!(
        unread.contains("attribute 'novel' (3) is not supported"),
        "{unread}"
    );
    let missing = said_of(
        "[2, 3]",
        "Embedding",
        r#", "input_dim": 5, "output_dim": 2"#,
    );
    assert!(missing.contains("the file holds no weight"), "{missing}");
    let narrow = said_of("[2, 3]", "Dense", r#", "units": 3"#);
    assert!(narrow.contains("its kernel has shape [6, 8]"), "{narrow}");
    let repeated = said_of("[2, 3]", "RepeatVector", r#", "n": -3"#);
    assert!(!repeated.is_empty());
}

#[test]
fn graphs_are_checked() {
    let y = layer("Flatten", "y", "", &tensor("z", 0));
    let cycle = [y.clone(), layer("Flatten", "z", "", &tensor("y", 0))];
    assert!(said("[2, 3]", &cycle).contains("the graph has a cycle"));
    assert!(said("[2, 3]", &[y]).contains("there is no layer 'z'"));
    let call = layer("Flatten", "y", "", &tensor("x", 7));
    assert!(said("[2, 3]", &[call]).contains("a call that is missing"));
    let twice = layer("Flatten", "x", "", &tensor("x", 0));
    assert!(said("[2, 3]", &[twice]).contains("two layers are called 'x'"));
    let deep = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    assert!(!said("[2, 3]", &[layer("Flatten", "y", "", &deep)]).is_empty());
    let negative = layer("Flatten", "y", "", &tensor("x", 0));
    assert!(!said("[-2, 3]", &[negative]).is_empty());
}

#[test]
fn damaged_files_are_errors() {
    let file = program("network.h5");
    assert_eq!(said_of_file("model.h5", file.clone()), "");
    // What is said is known to be text; nothing panics.
    for end in (0..file.len()).step_by(1511) {
        assert!(!said_of_file("model.h5", file[..end].to_vec()).is_empty());
    }
    for at in (0..file.len()).step_by(487) {
        for byte in [0x00, 0x7F, 0xFF] {
            let mut damaged = file.clone();
            damaged[at] = byte;
            said_of_file("model.h5", damaged);
        }
    }
    let stored = program("mixed.keras");
    for at in (0..stored.len()).step_by(61) {
        let mut damaged = stored.clone();
        damaged[at] ^= 0x55;
        said_of_file("model.keras", damaged);
    }
}
