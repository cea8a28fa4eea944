//! `to-mixed-precision`: products of narrow floats, and what follows them in narrow floats, too.

use crate::graph::{
    operators::{cast, constant, make},
    rewrite,
};
use relay_dialects::{
    inferred,
    ir::{Attr, Block, Builder, Loc, Op, Type, Value, named},
    names,
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
    relay::{
        Pattern,
        row::{Category, Precision},
        row_of,
    },
};
use std::collections::HashMap;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "to-mixed-precision",
    summary: "compute products and the operators after them on narrow floats",
    description: include_str!("to_mixed_precision.md"),
    anchor: func::Func::NAME,
    options: &[OptionSpec {
        name: "type",
        summary: "the narrow float: bf16",
        default: Default::Str("bf16"),
    }],
    run,
};

/// Whether the pass would narrow something in a module: a product that reads f32 and no other float.
pub fn has_products_of_f32(module: Op) -> bool {
    let found = module.find(|op| {
        let category = row_of(op).map(|row| row.precision.category());
        category == Some(Category::Always) && reads_f32(op)
    });
    found.is_some()
}

fn run(function: Op, options: &Options) -> PassResult {
    let name = options.str("type");
    if name != "bf16" {
        return fail(function, format!("type is '{name}', expected bf16"));
    }
    inferred::check(function)?;
    visit(function, Type::bf16(function.ctx()));
    rewrite::erase_dead(function);
    Ok(())
}

/// Each block on its own: what crosses a region's edge is f32.
fn visit(op: Op, narrow: Type) {
    for region in op.regions() {
        for block in region.blocks() {
            convert(block, narrow);
            block
                .ops()
                .into_iter()
                .for_each(|inner| visit(inner, narrow));
        }
    }
}

fn convert(block: Block, narrow: Type) {
    let mut values = Values {
        narrow,
        results: HashMap::new(),
        casts: HashMap::new(),
    };
    for op in block.ops() {
        let narrows = match row_of(op).map(|row| row.precision.category()) {
            Some(Category::Always) => reads_f32(op),
            Some(Category::Follow) => values.is_followed(op),
            Some(Category::Never) | None => false,
        };
        if narrows && has_constant_term(op) {
            values.round(op);
        } else if narrows {
            values.narrow(op);
        }
    }
}

/// What is known of a block's values.
struct Values {
    /// The narrow float.
    narrow: Type,
    /// From what reads as f32 to the narrow result that it is cast from.
    results: HashMap<Value, Value>,
    /// From values of f32 to what they are cast to.
    casts: HashMap<Value, Value>,
}

impl Values {
    /// Whether all that an operator reads of floats is narrow, or a constant that can be.
    fn is_followed(&self, op: Op) -> bool {
        let mut operands = floats(op).peekable();
        operands.peek().is_some()
            && operands.all(|operand| {
                self.results.contains_key(&operand) || constant(operand).is_some_and(stays_finite)
            })
    }

    /// Makes an operator again on narrow operands. Who reads its results reads casts of them, which
    /// are dead where all readers follow.
    fn narrow(&mut self, op: Op) {
        let b = Builder::before(op);
        let operands: Vec<Value> = op
            .operands()
            .into_iter()
            .map(|operand| self.narrowed(operand, op.loc()))
            .collect();
        let attrs = op.attrs();
        let Some(made) = b.inferred(&op.name(), &operands, &named(&attrs)) else {
            return;
        };
        for (old, new) in op.results().into_iter().zip(made.results()) {
            let read = if old.ty() == new.ty() {
                new
            } else {
                self.read(&b, new)
            };
            old.replace_all_uses_with(read);
        }
        op.erase();
    }

    /// Leaves an operator in f32, and rounds its result.
    fn round(&mut self, op: Op) {
        let b = Builder::before(op);
        let made = b.insert(op.clone_detached());
        for (old, new) in op.results().into_iter().zip(made.results()) {
            let attrs = [
                ("dtype", Attr::ty(self.narrow)),
                ("contract", Attr::unit(b.ctx)),
            ];
            let rounded = make(&b, names::relay::CAST, &[new], &attrs);
            old.replace_all_uses_with(self.read(&b, rounded));
        }
        op.erase();
    }

    /// A narrow result as those read it that do not follow.
    fn read(&mut self, b: &Builder, result: Value) -> Value {
        let read = cast(b, result, Type::f32(b.ctx));
        self.results.insert(read, result);
        read
    }

    /// A value of f32 as a narrow one, for what stands at `loc`; anything else as it is.
    fn narrowed(&mut self, value: Value, loc: Loc) -> Value {
        if !value.ty().element().is_f32() {
            return value;
        }
        if let Some(result) = self.results.get(&value) {
            return *result;
        }
        let narrow = self.narrow;
        *self.casts.entry(value).or_insert_with(|| {
            let b = match (value.def(), value.owner_block()) {
                (Some(op), _) => Builder::after(op),
                (None, Some(block)) => Builder::at_start(block, loc, value.ctx()),
                (None, None) => unreachable!("a value is a result or an argument"),
            };
            cast(&b, value, narrow)
        })
    }
}

/// Whether an operator computes with a constant: a bias, say, of which an error would be the same all over
/// a channel. Its own arithmetic is of f32 anyway, and in a kernel so is what it reads.
fn has_constant_term(op: Op) -> bool {
    let computes = row_of(op)
        .is_some_and(|row| row.pattern == Pattern::Broadcast && row.precision == Precision::Near);
    let is_f32 = |ty: Type| ty.element().is_f32();
    computes
        && op.results().iter().all(|result| is_f32(result.ty()))
        && floats(op).any(|operand| constant(operand).is_some())
}

/// Whether all floats that an operator reads are f32.
fn reads_f32(op: Op) -> bool {
    floats(op).all(|operand| operand.ty().element().is_f32())
}

/// The operands that are tensors of floats.
fn floats(op: Op) -> impl Iterator<Item = Value> {
    let operands = op.operands().into_iter();
    operands.filter(|operand| operand.ty().is_tensor() && operand.ty().element().is_float())
}

/// Whether a constant's numbers are f32 that do not become infinite: the largest f32 would, which masks
/// are made of.
fn stays_finite(value: Attr) -> bool {
    if !value.typ().element().is_f32() {
        return false;
    }
    let stays = |bytes: &[u8]| {
        let (words, _) = bytes.as_chunks::<4>();
        words.iter().all(|word| {
            let number = f32::from_le_bytes(*word);
            !number.is_finite() || number.abs() < LARGEST
        })
    };
    value.read(stays).unwrap_or(false)
}

/// From half a step above the largest bf16 on, numbers round to infinity.
const LARGEST: f32 = f32::from_bits(0x7f7f_8000);
