//! Damaged and unusual TorchScript files end in errors that say where.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod archives;

use proptest::prelude::*;
use relay_import::{
    graph::options::{Extent, Options},
    model::Model,
    source::Source,
    torch::TorchScript,
};
use zip::CompressionMethod::Stored;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../test/torchscript/programs");

fn program(name: &str) -> Vec<u8> {
    std::fs::read(format!("{FOLDER}/{name}.pt")).unwrap()
}

/// What is said of a program when it is imported; nothing if all is right.
fn said(bytes: Vec<u8>, shapes: &[(&str, &[i64])]) -> String {
    let shapes = shapes.iter().map(|(name, shape)| {
        let shape = shape.iter().copied().map(Extent::Size).collect();
        ((*name).to_owned(), shape)
    });
    let options = Options {
        shapes: shapes.collect(),
        ..Options::default()
    };
    archives::said(TorchScript::read, bytes, &options)
}

/// A program in which an entry of the archive is another one.
fn with_entry(name: &str, ending: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
    archives::changed(program(name), ending, Stored, change)
}

/// A program whose method `forward` has another body.
fn with_body(lines: &[&str]) -> Vec<u8> {
    with_entry("data", "code/__torch__.py", |contents| {
        let text = String::from_utf8(contents).unwrap();
        let (head, _) = text.split_once("-> Tuple").unwrap();
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("{head}-> Tensor:\n{body}").into_bytes()
    })
}

const SHAPES: &[(&str, &[i64])] = &[("x", &[2, 3]), ("n", &[])];

#[test]
fn a_body_is_read_as_it_would_run() {
    assert_eq!(said(with_body(&["return torch.relu(x)"]), SHAPES), "");
}

#[test]
fn errors_name_the_file_the_line_and_the_operator() {
    let said = said(
        with_body(&["y = torch.relu(x)", "return torch.transpose(y, 0, 7)"]),
        SHAPES,
    );
    assert!(said.contains("code/__torch__.py:"), "{said}");
    assert!(said.contains("aten::transpose"), "{said}");
    assert!(said.contains("axis 7"), "{said}");
}

#[test]
fn tensors_of_any_size_are_errors() {
    let code = "return torch.add(x, torch.new_zeros(x, [3037000500, 3037000501]))";
    let said = said(with_body(&[code]), SHAPES);
    assert!(said.contains("has more than 2^40 elements"), "{said}");
}

#[test]
fn operators_of_any_arguments_are_known() {
    // Code that is never reached may call them.
    const UNREACHED: [&str; 4] = [
        "aten._native_multi_head_attention",
        "aten._upsample_lanczos2d_aa",
        "prim.type",
        "profiler._call_end_callbacks_on_jit_fut",
    ];
    for entry in std::fs::read_dir(FOLDER).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "pt") {
            let model = TorchScript::read(Source::open(&path, None).unwrap()).unwrap();
            let mut unsupported = model.unsupported();
            unsupported.retain(|call| !UNREACHED.contains(&&*call.op_type));
            assert!(unsupported.is_empty(), "{path:?}: {unsupported:?}");
        }
    }
    let code = "return torch.unsafe_chunk(x, 2)[0]";
    assert_eq!(super_said(&[code]), "");
}

#[test]
fn lists_of_many_steps_are_put_together() {
    // As recurrent layers that are written by hand do.
    for append in ["y = torch.add_(y, [i])", "y = torch.add(y, [i])"] {
        let body = [
            "y = annotate(List[int], [])",
            "for i in range(4000):",
            &format!("  {append}"),
            "return torch.mul(x, torch.len(y))",
        ];
        assert_eq!(super_said(&body), "", "{append}");
    }
}

#[test]
fn unknown_operators_are_reported_together() {
    let said = said(
        with_body(&[
            "y = ops.my.thing(x)",
            "return torch.linalg_matrix_exp(y) + torch.linalg_matrix_exp(x)",
        ]),
        SHAPES,
    );
    assert!(!said.is_empty());
    let said = super_said(&[
        "y = ops.my.thing(x)",
        "z = torch.linalg_matrix_exp(x)",
        "return (y, z)",
    ]);
    assert!(said.contains("2 nodes are not supported"), "{said}");
    assert!(said.contains("my::thing"), "{said}");
    assert!(said.contains("linalg_matrix_exp"), "{said}");
}

fn super_said(lines: &[&str]) -> String {
    said(with_body(lines), SHAPES)
}

#[test]
fn layers_take_quantised_tensors_and_packed_weights() {
    let quantized = "y = torch.quantize_per_tensor(x, 0.1, 3, 13)";
    for (lines, reason) in [
        (
            &["return ops.quantized.linear(x, n, 0.1, 3)"][..],
            "its operand is no quantised tensor",
        ),
        (
            &[quantized, "return ops.quantized.linear(y, n, 0.1, 3)"],
            "a tensor stands in the place of a packed weight",
        ),
        (
            &[quantized, "return ops.quantized.add(y)"],
            "it has no scale and no zero point of its result",
        ),
        (
            &["return torch.quantize_per_tensor(x, 0.1, 3, 17)"],
            "quantised tensors of scalar type 17 are not supported",
        ),
    ] {
        let said = super_said(lines);
        assert!(said.contains(reason), "{said}");
    }
    assert_eq!(
        super_said(&[quantized, "return torch.dequantize(torch.relu(y))"]),
        ""
    );
}

#[test]
fn contexts_have_methods() {
    let said = super_said(&["with x:", "  y = torch.relu(x)", "return y"]);
    assert!(
        said.contains("a tensor has no method '__enter__'"),
        "{said}"
    );
}

/// Programs that take for ever, or make lists without end.
const ENDLESS: &[&[&str]] = &[
    &["while True:", "  pass", "return x"],
    &["return (self).forward(x, n, )"],
    &[
        "y = [1]",
        "while True:",
        "  _0 = torch.append(y, 1)",
        "return x",
    ],
    &["return torch.relu(torch.mul([x], 100000000000)[0])"],
    &["y = [1]", "_0 = torch.append(y, y)", "return torch.cat(y)"],
    &["y = [1]", "_0 = torch.append(y, y)", "return y == y"],
    &[
        "y = [1]",
        "for i in range(60):",
        "  y = torch.add(y, y)",
        "return torch.cat([x])",
    ],
    &[
        "y = \"text\"",
        "for i in range(60):",
        "  y = torch.add(y, y)",
        "return torch.cat([x])",
    ],
    &[
        "y = [1]",
        "for i in range(60):",
        "  _0 = torch.extend(y, y)",
        "return torch.cat([x])",
    ],
    &[
        "y = (x, x)",
        "for i in range(60):",
        "  y = (y, y)",
        "if bool(torch.gt(x, 0)):",
        "  y = (y, y)",
        "else:",
        "  y = (y, y)",
        "return x",
    ],
    &[
        "y = [1]",
        "_0 = torch.append(y, y)",
        "return torch.eq(y, y)",
    ],
    &[
        "y = [x]",
        "for i in range(100000):",
        "  y = [y]",
        "return torch.cat(y)",
    ],
    &[
        "y = (x,)",
        "for i in range(100000):",
        "  y = (y,)",
        "if bool(torch.gt(x, 0)):",
        "  y = (y,)",
        "else:",
        "  y = (y,)",
        "return y",
    ],
];

#[test]
fn endless_programs_end() {
    for lines in ENDLESS {
        let said = super_said(lines);
        assert!(!said.is_empty(), "{lines:?}");
    }
    let deep = format!("return {}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(super_said(&[&deep]).contains("levels lie in each other"));
    let long = format!("return x{}", ".y".repeat(100_000));
    assert!(super_said(&[&long]).contains("links"));
}

#[test]
fn attributes_change_outside_of_branches_that_data_decide() {
    let changed = with_entry("scripted_network", "network.py", |contents| contents);
    assert_eq!(said(changed, &[("x", &[2, 3, 8, 8])]), "");
    assert_eq!(super_said(&["self.x = x", "return x"]), "");
    let lines = [
        "if bool(torch.gt(n, 0)):",
        "  self.x = x",
        "else:",
        "  pass",
        "return x",
    ];
    let said = super_said(&lines);
    assert!(
        said.contains("changes the attribute 'x' in a branch"),
        "{said}"
    );
}

#[test]
fn files_without_programs_say_so() {
    let weights = std::fs::read(format!("{FOLDER}/data.pt")).unwrap();
    assert!(said(weights[..100].to_vec(), SHAPES).contains("not a TorchScript program"));
    assert!(said(b"\x80\x02}q\x00.".to_vec(), SHAPES).contains("no zip file"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn damaged_code_ends_in_errors(at in 0usize..4096, byte in any::<u8>(), cut in any::<bool>()) {
        for ending in ["code/__torch__.py", "data.pkl", "constants.pkl"] {
            let damaged = with_entry("data", ending, |mut contents| {
                let at = at % contents.len().max(1);
                match cut {
                    true => contents.truncate(at),
                    false => if let Some(place) = contents.get_mut(at) { *place = byte },
                }
                contents
            });
            said(damaged, SHAPES);
        }
    }
}
