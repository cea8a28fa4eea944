//! `tir.for` and its bounds.

use super::{LoopKind, Thread};
use crate::{
    index,
    ir::{Attr, Block, Builder, Ctx, Op, Type, Value, named},
    names,
};

/// A bound of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// A number.
    Static(i64),
    /// A value of type `index`.
    Dynamic(Value),
}

impl Bound {
    /// The number, also of a constant.
    pub fn constant(self) -> Option<i64> {
        match self {
            Self::Static(number) => Some(number),
            Self::Dynamic(value) => index::constant(value),
        }
    }

    /// As a value.
    pub fn value(self, b: &Builder) -> Value {
        match self {
            Self::Static(number) => b.index(number),
            Self::Dynamic(value) => value,
        }
    }
}

impl From<i64> for Bound {
    fn from(number: i64) -> Self {
        Self::Static(number)
    }
}

/// A constant is a number.
impl From<Value> for Bound {
    fn from(value: Value) -> Self {
        match index::constant(value) {
            Some(number) if number != DYNAMIC => Self::Static(number),
            _ => Self::Dynamic(value),
        }
    }
}

/// What `static_bounds` holds for a bound that is a value: MLIR's `ShapedType::kDynamic`.
const DYNAMIC: i64 = i64::MIN;

const BOUNDS: &str = "static_bounds";
const KIND: &str = "kind";
const THREAD: &str = "thread";
const VARIABLE: &str = "name";

/// A `tir.for`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct For(Op);

/// Reading.
impl For {
    /// The op's name.
    pub const NAME: &str = names::tir::FOR;

    /// An op as a loop, if it is one.
    pub fn of(op: Op) -> Option<Self> {
        op.is(Self::NAME).then_some(Self(op))
    }

    /// All loops inside an op, inner ones before those around them.
    pub fn all(op: Op) -> Vec<Self> {
        op.find_all(Self::NAME).into_iter().map(Self).collect()
    }

    /// The loops around an op, the nearest first.
    pub fn around(op: Op) -> impl Iterator<Item = Self> {
        let parents = std::iter::successors(op.parent(), |op| op.parent());
        parents.filter_map(Self::of)
    }

    /// The op.
    pub fn op(self) -> Op {
        self.0
    }

    /// The lower bound, which is the first value of the variable, and the upper one, which is behind the
    /// last.
    pub fn bounds(self) -> (Bound, Bound) {
        let numbers = self.0.attr(BOUNDS).and_then(Attr::as_ints);
        let numbers = numbers.unwrap_or_default();
        let mut dynamic = 0;
        let mut bound = |side: usize| match numbers.get(side) {
            Some(&number) if number != DYNAMIC => Bound::Static(number),
            _ => {
                dynamic += 1;
                Bound::Dynamic(self.0.operand(dynamic - 1))
            }
        };
        (bound(0), bound(1))
    }

    /// The bounds, if both are constant.
    pub fn constant_bounds(self) -> Option<(i64, i64)> {
        let (lower, upper) = self.bounds();
        Some((lower.constant()?, upper.constant()?))
    }

    /// The number of iterations, if it is constant.
    pub fn extent(self) -> Option<i64> {
        let (low, high) = self.constant_bounds()?;
        Some(high.saturating_sub(low).max(0))
    }

    /// How it runs.
    pub fn kind(self) -> LoopKind {
        let kind = self.0.attr(KIND).and_then(LoopKind::of);
        kind.unwrap_or(LoopKind::Serial)
    }

    /// The axis of a grid of threads that it is bound to.
    pub fn thread(self) -> Option<Thread> {
        self.0.attr(THREAD).and_then(Thread::of)
    }

    /// The name of its variable.
    pub fn name(self) -> Option<String> {
        self.0.attr(VARIABLE).and_then(Attr::as_str)
    }

    /// The variable.
    pub fn variable(self) -> Value {
        self.body().arg(0)
    }

    /// The body.
    pub fn body(self) -> Block {
        self.0.body()
    }
}

/// Making and changing.
impl For {
    /// A serial loop with an empty body.
    pub fn serial(b: &Builder, lower: impl Into<Bound>, upper: impl Into<Bound>) -> Self {
        let kind = LoopKind::Serial.attr(b.ctx);
        Self::build(b, (lower.into(), upper.into()), &[(KIND, kind)])
    }

    /// A loop of one kind, bound to a thread if that is `ThreadBinding`, whose variable has a name, and which
    /// has further attributes.
    pub fn of_kind(
        b: &Builder,
        upper: impl Into<Bound>,
        (kind, thread): (LoopKind, Option<Thread>),
        name: &str,
        others: &[(&str, Attr)],
    ) -> Self {
        let mut attrs = vec![(KIND, kind.attr(b.ctx))];
        attrs.extend(thread.map(|thread| (THREAD, thread.attr(b.ctx))));
        attrs.extend((!name.is_empty()).then(|| (VARIABLE, Attr::str(b.ctx, name))));
        attrs.extend(others);
        Self::build(b, (Bound::Static(0), upper.into()), &attrs)
    }

    /// A loop like this one, with an empty body and bounds of its own.
    pub fn like(self, b: &Builder, lower: impl Into<Bound>, upper: impl Into<Bound>) -> Self {
        let mut attrs = self.0.attrs();
        attrs.retain(|(name, _)| name != BOUNDS);
        Self::build(b, (lower.into(), upper.into()), &named(&attrs))
    }

    fn build(b: &Builder, bounds: (Bound, Bound), attrs: &[(&str, Attr)]) -> Self {
        let (numbers, values) = split(b.ctx, bounds);
        let attrs = [&[(BOUNDS, numbers)], attrs].concat();
        let body = Block::new(b.ctx, &[Type::index(b.ctx)]);
        Self(b.region_op(Self::NAME, &values, &[], &attrs, &[Some(body)]))
    }

    /// Makes ops at the end of the body.
    pub fn inside(self, b: &Builder) -> Builder {
        Builder::at_end(self.body(), b.loc, b.ctx)
    }

    /// Has it run otherwise.
    pub fn set_kind(self, kind: LoopKind) {
        self.0.set_attr(KIND, kind.attr(self.0.ctx()));
        if kind != LoopKind::ThreadBinding {
            self.0.remove_attr(THREAD);
        }
    }

    /// Names its variable.
    pub fn set_name(self, name: &str) {
        self.0.set_attr(VARIABLE, Attr::str(self.0.ctx(), name));
    }

    /// Replaces the bounds.
    pub fn set_bounds(self, lower: impl Into<Bound>, upper: impl Into<Bound>) {
        let (numbers, values) = split(self.0.ctx(), (lower.into(), upper.into()));
        self.0.set_attr(BOUNDS, numbers);
        self.0.set_operands(&values);
    }
}

/// The bounds as attribute and operands hold them.
fn split(ctx: Ctx, (lower, upper): (Bound, Bound)) -> (Attr, Vec<Value>) {
    let mut values = Vec::new();
    let numbers = [lower, upper].map(|bound| match bound {
        Bound::Static(number) => number,
        Bound::Dynamic(value) => {
            values.push(value);
            DYNAMIC
        }
    });
    (Attr::ints(ctx, &numbers), values)
}

/// Checks the constraints C1 to C3.
pub(super) fn verify(op: Op) -> Result<(), String> {
    let arguments = op.body().args();
    if arguments.len() != 1 || !arguments[0].ty().is_index() {
        return Err("the body takes one argument of type index (C1)".into());
    }
    let numbers = op.attr(BOUNDS).and_then(Attr::as_ints).unwrap_or_default();
    let dynamic = numbers.iter().filter(|number| **number == DYNAMIC).count();
    let values = op.operand_count();
    if numbers.len() != 2 || dynamic != values {
        return Err(format!(
            "has {values} values for {dynamic} dynamic bounds of {} (C2)",
            numbers.len()
        ));
    }
    let is_bound = For(op).kind() == LoopKind::ThreadBinding;
    if is_bound != For(op).thread().is_some() {
        return Err(
            "a loop has a thread if it is of kind thread_binding, and only then (C3)".into(),
        );
    }
    Ok(())
}
