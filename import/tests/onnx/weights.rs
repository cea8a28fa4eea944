//! Weights beside a model.

use super::support::*;
use proptest::prelude::*;
use relay_dialects::element::Element;
use relay_import::{
    graph::{options::Options, stored::Stored, weights::Weights},
    onnx::proto,
    weights,
};
use std::{io::Write, path::Path, sync::Arc};

/// `y = x * scale + shift`: an initializer of shape 4, and an input of an open one.
fn scaled() -> proto::Model {
    let mut graph = relu_graph();
    graph.node = vec![
        node("Mul", &["x", "layer.scale"], &["scaled"]),
        node("Add", &["scaled", "layer.shift"], &["y"]),
    ];
    graph.input.push(value("layer.shift", FLOAT, &[-1]));
    graph.initializer = vec![floats("layer.scale", &[4], &[1.0; 4])];
    model(17, graph)
}

/// Options with tensors beside the model, which are the numbers 1, 2, ...
fn beside(tensors: &[(&str, Element, &[i64])]) -> Options {
    let tensors = tensors.iter().map(|(name, element, sizes)| {
        let count: i64 = sizes.iter().product();
        let numbers = (1..=count).flat_map(|number| match element {
            Element::F32 => (number as f32).to_le_bytes().to_vec(),
            Element::Bf16 => (number as f32).to_le_bytes()[2..].to_vec(),
            _ => (number as i32).to_le_bytes().to_vec(),
        });
        let bytes: Vec<u8> = numbers.collect();
        let stored = Stored::dense(*element, sizes.to_vec(), bytes.into());
        ((*name).to_owned(), stored)
    });
    let mut weights = Weights::default();
    weights
        .add(Path::new("w.safetensors"), tensors.collect())
        .unwrap();
    Options {
        weights: Arc::new(weights),
        ..Options::default()
    }
}

fn said(tensors: &[(&str, Element, &[i64])]) -> String {
    import_with(&scaled(), &beside(tensors))
        .unwrap_err()
        .to_string()
}

#[test]
fn weights_take_the_place_of_initializers_and_inputs() {
    let tensors: [(&str, Element, &[i64]); 2] = [
        ("layer.scale", Element::Bf16, &[4]),
        ("layer.shift", Element::F32, &[4]),
    ];
    let text = import_with(&scaled(), &beside(&tensors)).unwrap();
    let constant =
        "dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>";
    assert_eq!(text.matches(constant).count(), 2, "{text}");
    assert!(!text.contains("%arg1"), "{text}");
}

#[test]
fn what_a_normalisation_counts_needs_no_place() {
    let tensors: [(&str, Element, &[i64]); 2] = [
        ("layer.scale", Element::F32, &[4]),
        ("norm.num_batches_tracked", Element::I32, &[]),
    ];
    assert!(import_with(&scaled(), &beside(&tensors)).is_ok());
}

#[test]
fn weights_that_do_not_fit_are_named() {
    insta::assert_snapshot!(
        [
            said(&[("layer.scal", Element::F32, &[4])]),
            said(&[("other", Element::F32, &[4])]),
            said(&[("layer.scale", Element::F32, &[2, 2])]),
            said(&[("layer.scale", Element::I32, &[4])]),
            said(&[("layer.shift", Element::F32, &[2, 2])]),
        ]
        .join("\n")
    );
}

fn file(bytes: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    file
}

#[test]
fn lists_of_files_stay_in_their_folder() {
    let list = file(br#"{"weight_map": {"w": "../other.safetensors"}}"#);
    let error = weights::open(&[list.path().into()], None).unwrap_err();
    let error = error.to_string();
    assert!(
        error.contains("'../other.safetensors' is not below the model's folder"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn damaged_files_are_errors(bytes in prop::collection::vec(any::<u8>(), 0..64), length in 0u64..80, kind in 0..4) {
        let header = br#"{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#;
        let mut contents = match kind {
            0 => [&length.to_le_bytes()[..], header].concat(),
            1 => [&(header.len() as u64).to_le_bytes()[..], header].concat(),
            2 => br#"{"weight_map":"#.to_vec(),
            _ => Vec::new(),
        };
        contents.extend(&bytes);
        let is_whole = kind <= 1 && contents.len() == 8 + header.len() + 8;
        let file = file(&contents);
        prop_assert!(weights::open(&[file.path().into()], None).is_err() || is_whole);
    }
}
