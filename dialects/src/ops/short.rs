//! Short forms of ops that every lowering makes.

use super::{arith, builtin, func, memref};
use crate::ir::{Attr, Block, Builder, NamedAttr, Op, Type, Value};

impl Builder {
    /// `arith.constant` of a scalar or splat vector type.
    pub fn constant(&self, ty: Type, value: f64) -> Value {
        if ty.is_unsigned() {
            return self.signed_as(self.constant(ty.signless(), value), ty);
        }
        let scalar = Attr::number(ty.element(), value);
        let attr = if ty.is_vector() {
            Attr::splat(ty, scalar)
        } else {
            scalar
        };
        arith::Constant::build(self, attr)
    }

    /// `arith.constant` of an integer-like type, exact for all 64-bit values.
    pub fn int_constant(&self, ty: Type, value: i64) -> Value {
        if ty.is_unsigned() {
            return self.signed_as(self.int_constant(ty.signless(), value), ty);
        }
        arith::Constant::build(self, Attr::int(ty, value))
    }

    /// `arith.constant` of type `index`.
    pub fn index(&self, value: i64) -> Value {
        self.int_constant(Type::index(self.ctx), value)
    }

    /// The address of a buffer's first element, as an `index`.
    pub fn address(&self, buffer: Value) -> Value {
        let name = memref::ExtractAlignedPointerAsIndex::NAME;
        self.value(name, &[buffer], Type::index(self.ctx), &[])
    }

    /// `arith.select`.
    pub fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        arith::Select::build(self, condition, yes, no)
    }

    /// The same bits as an integer type of the same width, with or without a sign, or signless.
    pub fn signed_as(&self, value: Value, ty: Type) -> Value {
        if value.ty() == ty {
            return value;
        }
        // There and back is what was there.
        let cast = value.def_of(builtin::UnrealizedConversionCast::NAME);
        match cast.map(|op| op.operand(0)) {
            Some(before) if before.ty() == ty => before,
            _ => builtin::UnrealizedConversionCast::build(self, &[ty], &[value]).result(0),
        }
    }

    /// `func.call` of a function in the same module.
    pub fn call(&self, callee: &str, operands: &[Value], types: &[Type]) -> Op {
        func::Call::build(self, types, callee, operands)
    }

    /// A private `func.func` without a body.
    pub fn declare(&self, name: &str, inputs: &[Type], results: &[Type]) -> Op {
        let ty = Type::function(self.ctx, inputs, results);
        func::Func::build_with(self, name, ty, Some("private"), None, None, false, None)
    }

    /// A `func.func` with an entry block for its inputs.
    pub fn func(
        &self,
        name: &str,
        inputs: &[Type],
        results: &[Type],
        attrs: &[NamedAttr<'_>],
    ) -> Op {
        self.func_of(name, Block::new(self.ctx, inputs), results, attrs)
    }

    /// A `func.func` whose entry block is `body`.
    pub fn func_of(
        &self,
        name: &str,
        body: Block,
        results: &[Type],
        attrs: &[NamedAttr<'_>],
    ) -> Op {
        let inputs: Vec<Type> = body.args().iter().map(|value| value.ty()).collect();
        let ty = Type::function(self.ctx, &inputs, results);
        let function = func::Func::build(self, name, ty, Some(body));
        for (name, value) in attrs {
            function.set_attr(name, *value);
        }
        function
    }

    /// A `builtin.module` of that name whose body is `body`.
    pub fn module(&self, name: Option<&str>, body: Block) -> Op {
        builtin::Module::build_with(self, name, None, body)
    }
}
