//! Graphs of MXNet whose tensors do not fit their operators end in errors.

use relay_import::{graph::options::Options, model::Model, mxnet::Mxnet, source::Source};

/// What is said of a graph of one operator of `x`, which has a shape, when it is imported.
fn said(shape: &str, operator: &str, attributes: &str) -> String {
    let graph = format!(
        r#"{{"nodes": [{{"op": "null", "name": "x", "attrs": {{"__shape__": "{shape}"}}, "inputs": []}},
            {{"op": "{operator}", "name": "y", "attrs": {{{attributes}}}, "inputs": [[0, 0, 0]]}}],
            "heads": [[1, 0]]}}"#
    );
    let source = Source {
        path: "model-symbol.json".into(),
        bytes: graph.into_bytes().into(),
        folder: None,
        data_root: None,
        choice: Default::default(),
    };
    let context = relay_dialects::context();
    let imported = Mxnet::read(source).and_then(|model| {
        model
            .import(&context, &Options::default())
            .map(|_| String::new())
    });
    imported.unwrap_or_else(|error| error.to_string())
}

#[test]
fn ranks_are_checked() {
    assert_eq!(said("(2, 3)", "Flatten", ""), "");
    assert!(said("()", "Flatten", "").contains("a tensor of rank 0 has no axis 1"));
    let attributes = r#""scale": "2", "sample_type": "nearest""#;
    assert_eq!(said("(1, 2, 3, 4)", "UpSampling", attributes), "");
    assert!(said("(2, 3)", "UpSampling", attributes).contains("is not supported"));
}

#[test]
fn shapes_are_checked() {
    let shape = |shape: &str| format!(r#""shape": "{shape}""#);
    assert_eq!(said("(2, 6)", "Reshape", &shape("(0, 3, -1)")), "");
    assert!(said("(2, 6)", "Reshape", &shape("(5, -1)")).contains("cannot reshape"));
    assert!(said("(2, 6)", "Reshape", &shape("(-1, -1)")).contains("more than one -1"));
    assert!(said("(2, 6)", "Reshape", &shape("(-4, 0, -1, 6)")).contains("do not divide"));
    assert!(!said("(2,)", "_zeros", &shape("(9223372036854775807, 9)")).is_empty());
}
