//! Tests of the types of ops against MLIR's own parser, printer and interfaces.

use super::{
    amx,
    arith::{self, CmpFPredicate, CmpIPredicate, FastMathFlags},
    generated::INFERRED,
    gpu, memref, tensor, vector,
};
use crate::ir::{Attr, Builder, Ctx, Op, Type};

#[test]
fn mlir_finds_the_types_that_builders_do_not_take() {
    super::support::require_inference(INFERRED);
}

#[test]
fn all_names_are_those_of_ops() {
    let context = crate::context();
    let ctx = Ctx::of(&context);
    for name in super::NAMES {
        assert!(ctx.infers_types(name).is_some(), "{name}");
    }
}

#[test]
fn enums_are_the_attributes_that_mlir_parses() {
    let context = crate::context();
    let ctx = Ctx::of(&context);
    let parsed = |text| Attr::parse(ctx, text).expect("an attribute");
    let both = FastMathFlags::NNAN | FastMathFlags::CONTRACT;
    for (flags, text) in [
        (FastMathFlags::NONE, "#arith.fastmath<none>"),
        (FastMathFlags::CONTRACT, "#arith.fastmath<contract>"),
        (both, "#arith.fastmath<nnan,contract>"),
        (FastMathFlags::FAST, "#arith.fastmath<fast>"),
    ] {
        assert_eq!(flags.attr(ctx), parsed(text));
        assert_eq!(FastMathFlags::of(parsed(text)), Some(flags));
    }
    assert!(FastMathFlags::FAST.contains(both));
    assert_eq!(both.without(FastMathFlags::NNAN), FastMathFlags::CONTRACT);
    let kind = parsed("#vector.kind<maximumf>");
    assert_eq!(
        vector::CombiningKind::of(kind),
        Some(vector::CombiningKind::Maximumf)
    );
    assert_eq!(vector::CombiningKind::Maximumf.attr(ctx), kind);
    assert_eq!(gpu::Dimension::Y.attr(ctx), parsed("#gpu<dim y>"));
    assert_eq!(
        gpu::Dimension::of(parsed("#gpu<dim z>")),
        Some(gpu::Dimension::Z)
    );
}

#[test]
fn a_predicate_holds_as_its_name_says() {
    assert!(CmpIPredicate::Slt.holds(-1, 0) && !CmpIPredicate::Ult.holds(-1, 0));
    assert!(CmpIPredicate::Uge.holds(-1, 0) && CmpIPredicate::Ne.holds(-1, 0));
}

/// Ops with groups of operands, optional operands and attributes of all kinds.
const OPS: &str = "\
func.func @f(%x: f32, %i: index, %a: memref<16x64xbf16>, %m: vector<4xi1>, %v: vector<4xbf16>, %t: tensor<8x8xf32>) {
  %0 = arith.cmpf olt, %x, %x fastmath<nnan> : f32
  %1 = memref.alloca(%i) {alignment = 64 : i64} : memref<?x2xf32>
  %2 = memref.reinterpret_cast %1 to offset: [%i], sizes: [4], strides: [1] : memref<?x2xf32> to memref<4xf32, strided<[1], offset: ?>>
  %3 = amx.tile_load %a[%i, %i] : memref<16x64xbf16> into !amx.tile<16x32xbf16>
  %4 = amx.tile_load %a[%i, %i], %i : memref<16x64xbf16> into !amx.tile<16x32xbf16>
  %5 = vector.maskedload %a[%i, %i], %m, %v : memref<16x64xbf16>, vector<4xi1>, vector<4xbf16> into vector<4xbf16>
  %6 = tensor.extract_slice %t[0, %i] [2, 2] [1, 1] : tensor<8x8xf32> to tensor<2x2xf32>
  %7 = tensor.extract %t[%i, %i] : tensor<8x8xf32>
  memref.prefetch %a[%i, %i], read, locality<3>, data : memref<16x64xbf16>
  return
}";

/// The op built again from what its accessors give.
fn rebuilt(op: Op) -> Option<Op> {
    let b = &Builder::after(op);
    let ty = op.results().first().map(|result| result.ty());
    let value = if let Some(op) = arith::CmpF::of(op) {
        assert_eq!(op.predicate(), CmpFPredicate::Olt);
        arith::CmpF::build_with(b, op.predicate(), op.lhs(), op.rhs(), op.fastmath())
    } else if let Some(op) = memref::Alloca::of(op) {
        let (sizes, symbols) = (op.dynamic_sizes(), op.symbol_operands());
        memref::Alloca::build_with(b, ty?, &sizes, &symbols, op.alignment())
    } else if let Some(op) = memref::ReinterpretCast::of(op) {
        let (offsets, sizes, strides) = (op.offsets(), op.sizes(), op.strides());
        let numbers = [op.static_offsets(), op.static_sizes(), op.static_strides()];
        let [first, second, third] = &numbers;
        let source = op.source();
        memref::ReinterpretCast::build(
            b, ty?, source, &offsets, &sizes, &strides, first, second, third,
        )
    } else if let Some(op) = amx::TileLoad::of(op) {
        amx::TileLoad::build(b, ty?, op.base(), &op.indices(), op.stride())
    } else if let Some(op) = vector::MaskedLoad::of(op) {
        let (indices, mask) = (op.indices(), op.mask());
        vector::MaskedLoad::build(b, ty?, op.base(), &indices, mask, op.pass_thru())
    } else if let Some(op) = tensor::ExtractSlice::of(op) {
        let (offsets, sizes, strides) = (op.offsets(), op.sizes(), op.strides());
        let numbers = [op.static_offsets(), op.static_sizes(), op.static_strides()];
        let [first, second, third] = &numbers;
        let source = op.source();
        tensor::ExtractSlice::build(
            b, ty?, source, &offsets, &sizes, &strides, first, second, third,
        )
    } else if let Some(op) = tensor::Extract::of(op) {
        tensor::Extract::build(b, op.tensor(), &op.indices())
    } else {
        let op = memref::Prefetch::of(op)?;
        let (indices, hint) = (op.indices(), op.locality_hint());
        let (is_write, is_data) = (op.is_write(), op.is_data_cache());
        return Some(memref::Prefetch::build(
            b,
            op.memref(),
            &indices,
            is_write,
            hint,
            is_data,
        ));
    };
    value.def()
}

#[test]
fn an_op_is_built_from_what_its_accessors_give() {
    let context = crate::context();
    let module = crate::parse(&context, OPS.as_bytes(), "-").expect("a module");
    let function = Op::of_module(&module).functions()[0];
    let ops = function.body().ops();
    let (end, ops) = ops.split_last().expect("a terminator");
    for op in ops {
        let copy = rebuilt(*op).unwrap_or_else(|| panic!("{op} is an op of the list"));
        assert_eq!(copy.operands(), op.operands(), "{op}");
        assert_eq!(copy.attrs(), op.attrs(), "{op}");
        let types = |op: Op| -> Vec<Type> { op.results().iter().map(|it| it.ty()).collect() };
        assert_eq!(types(copy), types(*op), "{op}");
    }
    assert!(end.is(super::func::Return::NAME));
    assert!(Op::of_module(&module).verify());
}
