//! `te.compute`.

use super::{Reducer, Role};
use crate::{
    dim::Dim,
    index,
    ir::{Attr, Block, Op, Value},
    names,
    ops::{
        arith::{self, CmpIPredicate},
        scf, tensor,
    },
    relay::Attrs,
};

/// A `te.compute`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Compute(Op);

impl Compute {
    /// The op's name.
    pub const NAME: &str = names::te::COMPUTE;

    /// An op as a compute, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        op.is(Self::NAME).then_some(Self(op))
    }

    /// The compute of a tensor, if it is the result of one.
    pub fn making(tensor: Value) -> Option<Self> {
        tensor.def_of(Self::NAME).map(Self)
    }

    /// The op.
    pub fn op(self) -> Op {
        self.0
    }

    /// Its name, for people.
    pub fn name(self) -> String {
        let name = self.0.attr("name").and_then(Attr::as_str);
        name.unwrap_or_default()
    }

    /// What it is for.
    pub fn role(self) -> Option<Role> {
        self.0.attr("role").and_then(Role::of)
    }

    /// Says what it is for.
    pub fn set_role(self, role: Role) {
        self.0.set_attr("role", role.attr(self.0.ctx()));
    }

    /// The shape of its results; open dimensions are [`DYNAMIC`](crate::ir::DYNAMIC).
    pub fn shape(self) -> Vec<i64> {
        self.0.result(0).ty().shape()
    }

    /// The extents of its spatial axes.
    pub fn dims(self) -> Vec<Dim> {
        self.0.result(0).ty().dims()
    }

    /// The extents of its reduce axes.
    ///
    /// # Errors
    /// If they are no dimensions.
    pub fn reduce_dims(self) -> Result<Vec<Dim>, String> {
        Attrs::of(self.0).dims("reduce_extents")
    }

    /// As [`Self::reduce_dims`], where open ones are [`DYNAMIC`](crate::ir::DYNAMIC).
    pub fn reduce_extents(self) -> Vec<i64> {
        let dims = self.reduce_dims().unwrap_or_default();
        dims.into_iter().map(Dim::to_mlir).collect()
    }

    /// The extents of all axes, the spatial ones first; open ones are [`DYNAMIC`](crate::ir::DYNAMIC).
    pub fn extents(self) -> Vec<i64> {
        [self.shape(), self.reduce_extents()].concat()
    }

    /// How values along its reduce axes are combined; `None` without such axes.
    pub fn reducer(self) -> Option<Reducer> {
        self.0.attr("reducer").and_then(Reducer::of)
    }

    /// The start values of a custom reducer.
    pub fn identity(self) -> Vec<Attr> {
        let identity = self.0.attr("identity").and_then(Attr::as_array);
        identity.unwrap_or_default()
    }

    /// What a custom reducer does.
    pub fn combiner(self) -> Option<Block> {
        self.0.block_in(1)
    }

    /// The `scf.if` that it yields, whose other branch is a constant zero: what padding is.
    pub fn zero_outside(self) -> Option<Op> {
        let body = self.0.body();
        let [value] = body.terminator()?.operands()[..] else {
            return None;
        };
        let guarded = value.def_of(scf::If::NAME)?;
        let [other] = guarded.block_in(1)?.terminator()?.operands()[..] else {
            return None;
        };
        let zero = other.def_of(arith::Constant::NAME)?.attr("value")?;
        let is_zero = zero.as_f64() == Some(0.0) || zero.as_i64() == Some(0);
        (guarded.block() == Some(body) && is_zero).then_some(guarded)
    }

    /// The `scf.if` that it yields, whose other branch has the start values of its reducer, and the tensor of whose elements the
    /// condition is that they are not zero; none if it reduces otherwise than by a custom reducer.
    pub fn identity_outside(self) -> Option<(Op, Value)> {
        let yielded = self.0.body().terminator()?.operands();
        let guarded = yielded.first()?.def_of(scf::If::NAME)?;
        let others = guarded.block_in(1)?.terminator()?.operands();
        let identity = self.identity();
        let is_identity = |(value, start): (Value, &Attr)| {
            arith::Constant::making(value).is_some_and(|constant| constant.value() == *start)
        };
        let is_whole = yielded == guarded.results() && identity.len() == others.len();
        let compared = arith::CmpI::making(guarded.operand(0))?;
        let is_not_zero =
            compared.predicate() == CmpIPredicate::Ne && index::constant(compared.rhs()) == Some(0);
        let read = compared.lhs().def_of(tensor::Extract::NAME)?;
        let has_identity = others.into_iter().zip(&identity).all(is_identity);
        (is_whole && is_not_zero && has_identity).then(|| (guarded, read.operand(0)))
    }

    /// Whether it is a sum of products, of which each read of the tensor is a factor.
    pub fn sums_products_with(self, tensor: Value) -> bool {
        let reads = self.0.find_all(tensor::Extract::NAME).into_iter();
        let mut reads = reads.filter(|read| read.operand(0) == tensor);
        self.reducer() == Some(Reducer::Sum) && reads.all(|read| is_factor(read.result(0)))
    }

    /// The name of an axis, spatial ones counted first; empty if it has none.
    pub fn axis_name(self, number: usize) -> String {
        let names = self.0.attr("axes").and_then(Attr::as_array);
        let names = names.unwrap_or_default();
        let name = names.get(number).and_then(|name| name.as_str());
        name.unwrap_or_default()
    }

    /// Names the axes, spatial ones first.
    pub fn set_axis_names<Name: AsRef<str>>(self, names: &[Name]) {
        let ctx = self.0.ctx();
        let names = names.iter().map(|name| Attr::str(ctx, name.as_ref()));
        self.0
            .set_attr("axes", Attr::array(ctx, &names.collect::<Vec<_>>()));
    }
}

/// Whether all that becomes of a value is a product that is yielded; it may be widened before.
fn is_factor(value: Value) -> bool {
    let [user] = value.users()[..] else {
        return false;
    };
    match user.name().as_str() {
        arith::ExtF::NAME => is_factor(user.result(0)),
        arith::MulF::NAME | arith::MulI::NAME => {
            let users = user.result(0).users();
            users.iter().all(|user| user.is(names::te::YIELD))
        }
        _ => false,
    }
}
