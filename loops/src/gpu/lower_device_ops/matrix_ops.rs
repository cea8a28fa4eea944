//! Matrix instructions that upstream's conversions do not write: the emulated ones, and those of bf16 on NVIDIA's GPUs.

use relay_dialects::{
    Element,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{
        amdgpu, llvm, memref, nvgpu,
        nvvm::{self, MMALayout, MMATypes},
        vector,
    },
    pass::{PassResult, fail},
};

/// What the emulated driver calls its matrix instructions.
const MULTIPLY: &str = "relay_emulator_multiply";

/// The bytes of a lane's memory for an emulated matrix instruction.
const LANE_BYTES: i64 = 192;

/// The bytes of this memory before the elements of the first matrix, of the second one, and of the sums.
const LANE_PLACES: [i64; 3] = [0, 64, 128];

/// Has the emulated driver multiply matrices: a lane gives its elements, and gets its sums.
///
/// # Errors
/// If the emulator does not have an instruction.
pub(super) fn emulate(module: Op, func: Op) -> PassResult {
    let ops = [nvgpu::MmaSync::NAME, amdgpu::MFMA::NAME].map(|name| func.find_all(name));
    let ops = ops.concat();
    if ops.is_empty() {
        return Ok(());
    }
    let int = Type::int(module.ctx(), 32);
    let ty = Type::memref(&[LANE_BYTES], Type::int(module.ctx(), 8));
    let start = Builder::at_start(func.body(), func.loc(), func.ctx());
    let memory = start.value(memref::Alloca::NAME, &[], ty, &[]);
    if module.lookup(MULTIPLY).is_none() {
        let start = Builder::at_start(module.body(), module.loc(), module.ctx());
        start.declare(MULTIPLY, &[int, ty], &[]);
    }
    for op in ops {
        let Some(unit) = unit(op) else {
            return fail(op, "is an instruction that the emulator does not have");
        };
        let b = Builder::before(op).with_loc(op.loc());
        let zero = b.index(0);
        let view = |place: usize, ty: Type| {
            let flat = Type::memref(&[ty.count()], ty.element());
            memref::View::build(&b, flat, memory, b.index(LANE_PLACES[place]), &[])
        };
        for (place, operand) in op.operands().into_iter().enumerate() {
            let ty = operand.ty();
            vector::Store::build(&b, flat(&b, operand), view(place, ty), &[zero]);
        }
        b.call(MULTIPLY, &[b.int_constant(int, unit), memory], &[]);
        let ty = op.result(0).ty();
        let sums = vector::Load::build(&b, flat_type(ty), view(LANE_PLACES.len() - 1, ty), &[zero]);
        op.replace_with(&[vector::ShapeCast::build(&b, ty, sums)]);
    }
    Ok(())
}

/// The emulator's number of a matrix instruction.
fn unit(op: Op) -> Option<i64> {
    let shape: Option<Vec<i64>> = match op.attr("mmaShape") {
        Some(shape) => shape.as_array()?.into_iter().map(Attr::as_i64).collect(),
        None => ["m", "n", "k"]
            .map(|name| op.attr(name)?.as_i64())
            .into_iter()
            .collect(),
    };
    let first = match (op.is(nvgpu::MmaSync::NAME), &shape?[..]) {
        (true, [16, 8, 16]) => 0,
        (false, [16, 16, 16]) => 2,
        _ => return None,
    };
    match Element::of(op.operand(0).ty().element())? {
        Element::F16 => Some(first),
        Element::Bf16 => Some(first + 1),
        _ => None,
    }
}

/// Writes products of bf16 as NVIDIA's instruction: `convert-nvgpu-to-nvvm` knows no bf16.
pub(super) fn write_bf16(func: Op) {
    for op in func.find_all(nvgpu::MmaSync::NAME) {
        let operands = op.operands();
        if !operands[0].ty().element().is_bf16() {
            continue;
        }
        let b = Builder::before(op).with_loc(op.loc());
        let ty = op.result(0).ty();
        let shape = Attr::parse(b.ctx, "#nvvm.shape<m = 16, n = 8, k = 16>");
        let result = Type::parse(b.ctx, "!llvm.struct<(f32, f32, f32, f32)>");
        let (Some(shape), Some(result)) = (shape, result) else {
            continue;
        };
        let [first, second] = [operands[0], operands[1]].map(|operand| registers(&b, operand));
        let sums = elements(&b, flat(&b, operands[2]));
        let kind = Some(MMATypes::Bf16);
        let new = nvvm::Mma::build_with(
            &b,
            result,
            shape,
            None,
            None,
            MMALayout::Row,
            MMALayout::Col,
            kind,
            kind,
            &first,
            &second,
            &sums,
        );
        let places = 0..ty.count();
        let sums = places.map(|place| llvm::ExtractValue::build(&b, ty.element(), new, &[place]));
        let sums = vector::FromElements::build(&b, flat_type(ty), &sums.collect::<Vec<_>>());
        op.replace_with(&[vector::ShapeCast::build(&b, ty, sums)]);
    }
}

/// The type of a vector with the same elements in one dimension.
fn flat_type(ty: Type) -> Type {
    Type::vector(&[ty.count()], ty.element())
}

/// A vector's elements in one dimension.
fn flat(b: &Builder, value: Value) -> Value {
    vector::ShapeCast::build(b, flat_type(value.ty()), value)
}

/// The 32-bit registers of a vector of numbers of 16 bits.
fn registers(b: &Builder, value: Value) -> Vec<Value> {
    let words = Type::vector(&[value.ty().count() / 2], Type::int(b.ctx, 32));
    elements(b, vector::BitCast::build(b, words, flat(b, value)))
}

fn elements(b: &Builder, vector: Value) -> Vec<Value> {
    let places = 0..vector.ty().count();
    let element = |place| vector::Extract::build(b, vector, &[], &[place]);
    places.map(element).collect()
}
