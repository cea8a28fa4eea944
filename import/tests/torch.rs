//! Damaged programs of torch.export end in errors, whatever is wrong with them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod archives;

use proptest::prelude::*;
use relay_import::{graph::options::Options, torch::Torch};
use zip::CompressionMethod::{Deflated, Stored};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/torch/programs");

fn program(name: &str) -> Vec<u8> {
    std::fs::read(format!("{FOLDER}/{name}.pt2")).unwrap()
}

/// What is said of a program when it is imported; nothing if all is right.
fn said(bytes: Vec<u8>) -> String {
    archives::said(Torch::read, bytes, &Options::default())
}

/// A program in which an entry of the archive is another one.
fn with_entry(name: &str, ending: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    archives::changed(program(name), ending, Stored, change)
}

/// A program whose JSON has another text.
fn with_text(name: &str, ending: &str, (from, to): (&str, &str)) -> Vec<u8> {
    with_entry(name, ending, |contents| {
        let text = String::from_utf8(contents).unwrap();
        assert!(text.contains(from), "{from}");
        text.replacen(from, to, 1).into_bytes()
    })
}

/// A program in which the first node of an operator is another one.
fn with_node(name: &str, operator: &str, change: impl Fn(&mut serde_json::Value)) -> Vec<u8> {
    with_entry(name, "models/model.json", |contents| {
        let mut program: serde_json::Value = serde_json::from_slice(&contents).unwrap();
        let nodes = &mut program["graph_module"]["graph"]["nodes"];
        let mut nodes = nodes.as_array_mut().unwrap().iter_mut();
        let target = format!("torch.ops.aten.{operator}");
        change(nodes.find(|node| node["target"] == target).unwrap());
        serde_json::to_vec(&program).unwrap()
    })
}

#[test]
fn programs_of_both_layouts_are_read() {
    assert_eq!(said(program("weights")), "");
    assert_eq!(said(program("older")), "");
    let packed = |contents| archives::changed(contents, "", Deflated, |entry| entry);
    assert_eq!(said(packed(program("weights"))), "");
    assert_eq!(said(with_entry("older", ".pt", packed)), "");
}

#[test]
fn errors_say_what_is_wrong() {
    let json = "models/model.json";
    for (bytes, words) in [
        (b"no archive".to_vec(), "not an exported program of PyTorch"),
        (
            program("weights")[..2000].to_vec(),
            "not an exported program of PyTorch",
        ),
        (
            with_entry("weights", json, |_| b"{}".to_vec()),
            "missing field",
        ),
        (
            with_text("weights", json, ("\"major\": 8", "\"major\": 99")),
            "version 99",
        ),
        (
            with_text(
                "weights",
                json,
                (
                    "torch.ops.aten.embedding.default",
                    "torch.ops.mine.odd.default",
                ),
            ),
            "mine.odd.default",
        ),
        (
            with_text(
                "weights",
                "weights_config.json",
                ("\"as_int\": 6", "\"as_int\": 9024"),
            ),
            "does not lie in its",
        ),
    ] {
        let said = said(bytes);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn writes_that_would_be_lost_are_refused() {
    let bytes = std::fs::read(format!("{FOLDER}/../refused/diagonal.pt2")).unwrap();
    let said = said(bytes);
    assert!(
        said.contains("a view of a kind that can only be read"),
        "{said}"
    );
}

#[test]
fn a_name_is_defined_once() {
    // A view whose name is that of the tensor that it shows.
    let said = said(with_node("in_place", "select.int", |view| {
        view["outputs"][0]["as_tensor"]["name"] =
            view["inputs"][0]["arg"]["as_tensor"]["name"].clone();
    }));
    assert!(said.contains("two nodes compute '"), "{said}");
}

#[test]
fn a_depthwise_convolution_of_a_matrix_is_an_error() {
    let said = said(with_node("weights", "linear.default", |node| {
        node["target"] = "torch.ops.aten._conv_depthwise2d.default".into();
        node["inputs"][0]["name"] = "self".into();
    }));
    assert!(said.contains("a kernel of shape"), "{said}");
}

#[test]
fn nothing_that_a_pickle_names_is_run() {
    let evil = b"\x80\x02cos\nsystem\nX\x04\x00\x00\x00true\x85R.".to_vec();
    let inner = |contents| archives::changed(contents, "data.pkl", Stored, |_| evil.clone());
    let said = said(with_entry("older", "serialized_state_dict.pt", inner));
    assert!(said.contains("os.system, which is not allowed"), "{said}");
}

#[test]
fn objects_of_a_pickle_may_lie_deep() {
    // Lists, tuples and dictionaries in each other, which end too early.
    for (open, inner, close) in [("]", "N", "a"), ("", ")", "\u{85}"), ("}K\u{1}", "N", "s")] {
        let pickle = [open.repeat(200_000), inner.into(), close.repeat(200_000)].concat();
        let pickle: Vec<u8> = pickle.chars().map(|byte| byte as u8).collect();
        let inner = |contents| archives::changed(contents, "data.pkl", Stored, |_| pickle.clone());
        let said = said(with_entry("older", "serialized_state_dict.pt", inner));
        assert!(said.contains("it ends too early"), "{said}");
    }
}

#[test]
fn what_an_archive_only_says_is_not_allocated() {
    // The first entry of the directory says that it has 2 GiB.
    let mut bytes = program("unary");
    let size = 1u64 << 31;
    let at = bytes
        .windows(4)
        .position(|part| part == b"PK\x01\x02")
        .unwrap();
    bytes[at + 24..at + 28].copy_from_slice(&(size as u32).to_le_bytes());
    let _ = said(bytes);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn damaged_programs_end_in_errors(
        name in prop::sample::select(vec!["weights", "older", "in_place", "recurrent"]),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = program(name);
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        said(bytes);
    }

    #[test]
    fn damaged_graphs_end_in_errors(place in any::<prop::sample::Index>(), digit in 0u8..10) {
        // A number of the graph becomes another one.
        let changed = with_entry("in_place", ".json", |mut contents| {
            let digits: Vec<usize> = (0..contents.len()).filter(|at| contents[*at].is_ascii_digit()).collect();
            if !digits.is_empty() {
                contents[digits[place.index(digits.len())]] = b'0' + digit;
            }
            contents
        });
        said(changed);
    }
}
