//! What a choice costs is estimated in `topi/src/schedule/cost/` alone, from the numbers of the files in `machine/machines/`.
//!
//! Where schedules and layouts are chosen, a number of our own making is a constant, a fraction, or a literal by which
//! something is multiplied, divided or compared. Each of these is a finding, unless it is on the list of those
//! that follow from what things are: the shape of an instruction's operands, the bounds of a space. Zero, one and two are free:
//! they count halves, pairs and what is absent. Tests are left out, and so is what stands in the arguments of macros.

use super::{Finding, Tree};
use crate::Result;
use std::path::Path;
use syn::{
    BinOp, Expr, ExprBinary, ExprLit, Item, ItemConst, Lit, Type,
    spanned::Spanned,
    visit::{self, Visit},
};

/// Where schedules and layouts are chosen.
const CHOOSING: &[&str] = &["loops/src", "passes/src", "topi/src"];

/// Where it is said what that costs, and of which machine.
const ESTIMATING: &[&str] = &["topi/src/schedule/cost", "loops/src/estimates.rs"];

/// Where numbers are of another kind.
const OTHER: &[&str] = &[
    // The polynomials of functions.
    "loops/src/tir/approximate_math",
    "loops/src/gpu/expand_device_math.rs",
    "loops/src/gpu/expand_device_math",
    // What a cost model that learns is told of a kernel: counts, and the scale of each.
    "passes/src/analysis/cost",
    // The form of fixed-point numbers, and the definitions of operators on quantised tensors.
    "topi/src/fixed_point.rs",
    "passes/src/relay/qnn_legalize",
    // What makes random words of a key.
    "topi/src/random.rs",
    // How much a file of rules may ask for.
    "passes/src/pattern",
];

/// Files, numbers in them, and why these are no estimates. One that is gone goes off the list.
const STRUCTURE: &[(&str, &str, &str)] = &[
    (
        "loops/src/analysis/condition.rs",
        "LARGE",
        "what 64 bits hold",
    ),
    (
        "loops/src/analysis/loops.rs",
        "NESTS",
        "how loops are described",
    ),
    (
        "loops/src/buffers.rs",
        "ALIGNMENT",
        "where buffers may begin",
    ),
    (
        "loops/src/cpu/lower_byte_dots.rs",
        "BYTES",
        "the bytes of a word",
    ),
    (
        "loops/src/cpu/lower_byte_dots.rs",
        "8",
        "the bits of a byte",
    ),
    (
        "loops/src/cpu/lower_byte_dots.rs",
        "32",
        "the bits of a word",
    ),
    (
        "loops/src/gpu/align_vectors.rs",
        "MOST_BYTES",
        "the bytes of an instruction's operand",
    ),
    (
        "loops/src/gpu/lower_device_ops/matrix_ops.rs",
        "LANE_BYTES",
        "the interface of the emulator",
    ),
    (
        "loops/src/gpu/lower_device_ops/matrix_ops.rs",
        "LANE_PLACES",
        "the interface of the emulator",
    ),
    (
        "loops/src/gpu/bind_grid.rs",
        "THREADS",
        "what runs without a schedule",
    ),
    (
        "loops/src/gpu/raise_scratch.rs",
        "MOST_OWN_BYTES",
        "where memory lies",
    ),
    (
        "loops/src/gpu/raise_scratch.rs",
        "THREADS",
        "what runs without a schedule",
    ),
    (
        "loops/src/gpu/raise_scratch.rs",
        "USUAL_THREADS",
        "what runs without a schedule",
    ),
    (
        "loops/src/kernel_limits.rs",
        "MOST_ITERATIONS",
        "where a kernel is refused",
    ),
    (
        "loops/src/kernel_limits.rs",
        "MOST_ELEMENTS",
        "where a kernel is refused",
    ),
    (
        "loops/src/symbols.rs",
        "MOST_STEPS",
        "how far a search goes",
    ),
    (
        "loops/src/tir/plan_memory.rs",
        "SPAN",
        "the length of a list",
    ),
    (
        "loops/src/tir/unroll_loop.rs",
        "MOST_OPS",
        "where a kernel is refused",
    ),
    (
        "loops/src/tir/vectorize_loop/transpose.rs",
        "BLOCK_BYTES",
        "the shape of an instruction's operands",
    ),
    (
        "passes/src/graph/few_bits.rs",
        "LEAST",
        "what an option is by default",
    ),
    (
        "passes/src/graph/bounds.rs",
        "DEPTH",
        "how far a search goes",
    ),
    (
        "passes/src/pipeline/mod.rs",
        "MAX_OPT_LEVEL",
        "the levels of optimisation",
    ),
    (
        "passes/src/te/lower_te/schedule/apply.rs",
        "MAX_COPIES",
        "where a schedule is refused",
    ),
    (
        "passes/src/te/lower_te/layout.rs",
        "CHECKED_ELEMENTS",
        "where a schedule is refused",
    ),
    ("topi/src/anchors.rs", "2.0", "the halves of a box"),
    ("topi/src/anchors.rs", "4", "the numbers of a box"),
    ("topi/src/deform.rs", "2.0", "the middle of a part"),
    (
        "topi/src/intrin/warp.rs",
        "REGISTER_BYTES",
        "the bytes of a register",
    ),
    ("topi/src/sampling.rs", "0.5", "the centers of pixels"),
    (
        "topi/src/sampling.rs",
        "2.0",
        "the extent of places from -1 to 1",
    ),
    ("topi/src/sampling.rs", "3.0", "beside an image"),
    ("topi/src/scalar.rs", "32", "the bits of an i32"),
    ("topi/src/selection.rs", "2.0", "the halves of a box"),
    (
        "topi/src/transform.rs",
        "MOST_IN_CHAIN",
        "how deep expressions are nested",
    ),
    (
        "passes/src/graph/constants.rs",
        "DENSE_BYTES",
        "how constants are written",
    ),
    (
        "passes/src/relay/collage_partition.rs",
        "100.0",
        "how percent are written",
    ),
    (
        "passes/src/relay/collage_partition/candidates.rs",
        "MOST_FUSED",
        "bounds a space",
    ),
    (
        "passes/src/relay/collage_partition/scratch.rs",
        "0.5",
        "an element that stands for any",
    ),
    (
        "passes/src/relay/defunctionalization/types.rs",
        "INSTANCE_LIMIT",
        "where a program that has no end is refused",
    ),
    (
        "passes/src/relay/fuse_ops.rs",
        "NAME_LIMIT",
        "how functions are named",
    ),
    (
        "passes/src/relay/monomorphize.rs",
        "INSTANCE_LIMIT",
        "where a program that has no end is refused",
    ),
    (
        "passes/src/relay/monomorphize.rs",
        "PART_LIMIT",
        "where a program that has no end is refused",
    ),
    (
        "passes/src/relay/partial_evaluate/machine.rs",
        "DEEPEST",
        "what a stack has memory for",
    ),
    (
        "passes/src/relay/partial_evaluate/fuel.rs",
        "ABSENT",
        "the measure of what is not known",
    ),
    (
        "passes/src/relay/alter_op_layout/packing.rs",
        "4",
        "the dimensions of NCHW",
    ),
    (
        "passes/src/relay/alter_op_layout/stacks.rs",
        "SWAPPED",
        "an order of dimensions",
    ),
    (
        "passes/src/relay/to_mixed_precision.rs",
        "LARGEST",
        "the range of bf16",
    ),
    (
        "topi/src/intrin/x86_amx/convolution.rs",
        "MOST_KERNEL",
        "which names are read",
    ),
    (
        "topi/src/intrin/x86_amx/mod.rs",
        "MOST_EXTENT",
        "which names are read",
    ),
    (
        "topi/src/intrin/x86_amx/mod.rs",
        "BLOCK",
        "the shape of an AMX tile",
    ),
    (
        "topi/src/intrin/x86_amx/mod.rs",
        "COLUMNS",
        "the shape of an AMX tile",
    ),
    (
        "topi/src/intrin/x86_amx/mod.rs",
        "TILE_ROWS",
        "the shape of an AMX tile",
    ),
    (
        "topi/src/intrin/x86_amx/sums.rs",
        "MAX_SUM_TILES",
        "the number of tile registers",
    ),
    (
        "topi/src/schedule/templates/packed_conv.rs",
        "MOST_COLUMNS",
        "bounds a space",
    ),
    (
        "topi/src/schedule/templates/plain_conv.rs",
        "3",
        "the dimensions of a row with channels",
    ),
    (
        "topi/src/schedule/templates/plain_conv.rs",
        "MOST_ROWS",
        "bounds a space",
    ),
    (
        "topi/src/schedule/templates/plain_conv.rs",
        "MOST_VECTORS",
        "bounds a space",
    ),
    (
        "topi/src/schedule/templates/product.rs",
        "MOST_ROWS",
        "bounds a space",
    ),
    (
        "topi/src/schedule/templates/product.rs",
        "MOST_VECTORS",
        "bounds a space",
    ),
    (
        "topi/src/winograd.rs",
        "POINTS",
        "the points of Winograd's algorithm",
    ),
];

/// The check.
pub fn check(tree: &Tree) -> Result<Vec<Finding>> {
    findings(tree, STRUCTURE)
}

fn findings(tree: &Tree, known: &[(&str, &str, &str)]) -> Result<Vec<Finding>> {
    let mut findings = Vec::new();
    let mut used = vec![false; known.len()];
    let under = |file: &Path, places: &[&str]| places.iter().any(|place| file.starts_with(place));
    let files = tree.with_extension("rs");
    for file in files
        .filter(|file| under(file, CHOOSING) && !under(file, ESTIMATING) && !under(file, OTHER))
    {
        // What is no Rust is a finding of another check.
        let Ok(parsed) = syn::parse_file(&tree.text(file)?.unwrap_or_default()) else {
            continue;
        };
        let mut numbers = Numbers::default();
        numbers.visit_file(&parsed);
        for (number, line) in numbers.found {
            let is_known =
                |(place, name, _): &(&str, &str, &str)| file == Path::new(place) && *name == number;
            match known.iter().position(is_known) {
                Some(place) => used[place] = true,
                None => {
                    let message = format!(
                        "{number} decides here; what is estimated belongs into {}, and callers ask",
                        ESTIMATING[0]
                    );
                    findings.push(Finding::new(file, message).at_line(line));
                }
            }
        }
    }
    let unused = known.iter().zip(used).filter(|(_, used)| !used);
    findings.extend(unused.map(|((file, number, _), _)| {
        let message =
            format!("{number} is gone: take it off the list in xtask/src/tidy/estimates.rs");
        Finding::new(file, message)
    }));
    Ok(findings)
}

/// The numbers of a file, with their lines.
#[derive(Default)]
struct Numbers {
    found: Vec<(String, usize)>,
}

impl Numbers {
    /// Notes a literal that is worth a reason.
    fn literal(&mut self, literal: &ExprLit) {
        let text = match &literal.lit {
            Lit::Int(int) if int.base10_parse::<u128>().is_ok_and(|value| value > 2) => {
                int.base10_digits().to_owned()
            }
            Lit::Float(float) if !matches!(float.base10_digits(), "0.0" | "1.0") => {
                float.base10_digits().to_owned()
            }
            _ => return,
        };
        self.found.push((text, literal.span().start().line));
    }
}

impl<'ast> Visit<'ast> for Numbers {
    fn visit_item(&mut self, item: &'ast Item) {
        let attributes = match item {
            Item::Mod(module) => &module.attrs,
            Item::Fn(function) => &function.attrs,
            _ => return visit::visit_item(self, item),
        };
        let is_test = |attribute: &syn::Attribute| {
            attribute.path().is_ident("cfg")
                && (attribute.parse_args::<syn::Path>()).is_ok_and(|path| path.is_ident("test"))
        };
        if !attributes.iter().any(is_test) {
            visit::visit_item(self, item);
        }
    }

    /// A constant is one number, whatever it is made of.
    fn visit_item_const(&mut self, item: &'ast ItemConst) {
        if is_numeric(&item.ty) {
            let line = item.ident.span().start().line;
            self.found.push((item.ident.to_string(), line));
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast ExprBinary) {
        use BinOp::{Div, Ge, Gt, Le, Lt, Mul};
        if matches!(binary.op, Mul(_) | Div(_) | Lt(_) | Le(_) | Gt(_) | Ge(_)) {
            for side in [&binary.left, &binary.right] {
                if let Expr::Lit(literal) = &**side
                    && matches!(literal.lit, Lit::Int(_))
                {
                    self.literal(literal);
                }
            }
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_lit(&mut self, literal: &'ast ExprLit) {
        if matches!(literal.lit, Lit::Float(_)) {
            self.literal(literal);
        }
    }
}

/// Whether a type is a number, or an array or a range of numbers.
fn is_numeric(ty: &Type) -> bool {
    match ty {
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let name = last.ident.to_string();
            let is_number = ["f", "i", "u"].iter().any(|kind| {
                name.strip_prefix(kind).is_some_and(|bits| {
                    bits == "size" || bits.chars().all(|digit| digit.is_ascii_digit())
                })
            });
            is_number || name.starts_with("Range")
        }),
        Type::Array(array) => is_numeric(&array.elem),
        Type::Reference(reference) => is_numeric(&reference.elem),
        Type::Slice(slice) => is_numeric(&slice.elem),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::tree::sample, *};

    #[test]
    fn numbers_that_decide_are_found() -> Result<()> {
        let files = [
            (
                "passes/src/relay/a.rs",
                "const MOST: i64 = 8;\nconst NAME: &str = \"8\";\n\
                 fn f(x: i64) -> bool {\n  let y = 20 * x;\n  x >= 3 && y / 2 > 1 && x as f64 * 1.5 > 0.0\n}",
            ),
            (
                "topi/src/schedule/b.rs",
                "const SIZES: [i64; 2] = [16, 2];\n\
                 #[cfg(test)] mod tests { const N: i64 = 9; fn f() -> bool { g() > 9 } }",
            ),
            ("topi/src/schedule/cost/c.rs", "const FITTED: f64 = 0.7;"),
            ("topi/src/schedule/cost/mod.rs", "const BITS: i64 = 512;"),
            ("tune/src/d.rs", "const OTHER: i64 = 64;"),
        ];
        let (_folder, tree) = sample(&files)?;
        let known = [("topi/src/schedule/b.rs", "SIZES", "the shape of a tile")];
        let found: Vec<String> = findings(&tree, &known)?
            .iter()
            .map(Finding::to_string)
            .collect();
        let decides =
            "decides here; what is estimated belongs into topi/src/schedule/cost, and callers ask";
        let expected = [(1, "MOST"), (4, "20"), (5, "3"), (5, "1.5")];
        let expected = expected
            .map(|(line, number)| format!("passes/src/relay/a.rs:{line}: {number} {decides}"));
        assert_eq!(found, expected);
        Ok(())
    }

    #[test]
    fn what_is_gone_goes_off_the_list() -> Result<()> {
        let (_folder, tree) = sample(&[("topi/src/schedule/b.rs", "fn f() {}")])?;
        let known = [("topi/src/schedule/b.rs", "SIZES", "the shape of a tile")];
        let found = findings(&tree, &known)?;
        assert_eq!(found.len(), 1);
        assert!(found[0].message.starts_with("SIZES is gone"), "{found:?}");
        Ok(())
    }
}
