//! `distribute-fragments`: the lanes of a warp get the registers that hold their elements of a matrix.

use crate::analysis::quasi_affine::{Form, Term};
use relay_dialects::{
    index,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{func, gpu, memref, vector},
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
    tir::{AllocBuffer, Bound, For, LoopKind, Scope, Thread},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "distribute-fragments",
    summary: "Give each lane of a warp its elements of fragments",
    description: "The last dimension but one of a buffer of scope `fragment` numbers the lanes of a warp, which are the threads along \
                  x. A lane accesses its own elements only: by `gpu.lane_id`, or by the variable of a loop that is bound to \
                  `threadIdx.x`. Serial loops over the lanes become such a loop. The buffer loses the \
                  dimension, and its scope becomes `local`. In TVM, this is `LowerWarpMemory`, without shuffles.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    for alloc in AllocBuffer::all(func) {
        if alloc.scope() == Scope::Fragment {
            distribute(alloc)?;
        }
    }
    Ok(())
}

/// An access to a fragment.
struct Access {
    op: Op,
    /// The place of its first subscript among its operands.
    subscripts: usize,
}

/// Makes a fragment a buffer of each lane.
fn distribute(alloc: AllocBuffer) -> PassResult {
    let (op, ty) = (alloc.op(), alloc.buffer().ty());
    let shape = ty.shape();
    let Some(dimension) = shape.len().checked_sub(2).filter(|_| ty.is_static()) else {
        return fail(
            op,
            format!(
                "is a fragment of type {ty}: it needs a dimension of lanes and one of registers, of known extents"
            ),
        );
    };
    let lanes = shape[dimension];
    let accesses = accesses(alloc.buffer())?;
    for access in &accesses {
        own_lane(access, access.subscripts + dimension, lanes)?;
    }
    let mut own = shape;
    own.remove(dimension);
    let name = op.attr("name").and_then(Attr::as_str);
    let buffer = AllocBuffer::build(
        &Builder::before(op).with_loc(op.loc()),
        Type::memref(&own, ty.element()),
        Scope::Local,
        &name.unwrap_or_default(),
    );
    for access in accesses {
        let mut operands = access.op.operands();
        operands.remove(access.subscripts + dimension);
        operands[access.subscripts - 1] = buffer;
        access.op.set_operands(&operands);
    }
    op.erase();
    Ok(())
}

/// All accesses to a fragment.
///
/// # Errors
/// If something else is done with it.
fn accesses(fragment: Value) -> Result<Vec<Access>, PassFailed> {
    let mut found = Vec::new();
    for (op, place) in fragment.uses() {
        let wanted = match op.name().as_str() {
            memref::Load::NAME | vector::Load::NAME => 0,
            memref::Store::NAME | vector::Store::NAME => 1,
            _ => usize::MAX,
        };
        if place != wanted {
            return fail(
                op,
                "uses a fragment as a whole, and each lane has a part of it only",
            );
        }
        found.push(Access {
            op,
            subscripts: place + 1,
        });
    }
    Ok(found)
}

/// Has each lane run an access for itself alone.
fn own_lane(access: &Access, place: usize, lanes: i64) -> PassResult {
    let wrong = || {
        fail(
            access.op,
            "accesses an element of a fragment that is not known to be the lane's own",
        )
    };
    let form = Form::of(access.op.operand(place));
    let values = form.terms.iter().map(|(term, by)| match term {
        Term::Value(value) => Some((*value, *by)),
        Term::Quotient(..) => None,
    });
    let Some(values) = values
        .collect::<Option<Vec<_>>>()
        .filter(|_| form.constant == 0)
    else {
        return wrong();
    };
    if let [(lane, 1)] = values[..]
        && is_lane(lane, lanes)
    {
        return Ok(());
    }
    match Digit::all(&values, lanes) {
        Some(digits) => {
            bind(&digits, lanes);
            Ok(())
        }
        None => wrong(),
    }
}

/// Whether a value is the number of a lane.
fn is_lane(value: Value, lanes: i64) -> bool {
    let bound = |bound: For| {
        bound.thread() == Some(Thread::ThreadX)
            && bound.bounds() == (Bound::Static(0), Bound::Static(lanes))
    };
    value.def_of(gpu::LaneId::NAME).is_some() || loop_of(value).is_some_and(bound)
}

/// The loop of a variable.
fn loop_of(variable: Value) -> Option<For> {
    let owner = variable.owner_block()?.parent()?;
    For::of(owner).filter(|_| variable.def().is_none())
}

/// A serial loop whose variable is a digit of the number of a lane.
struct Digit {
    of: For,
    extent: i64,
    /// How many lanes lie between its iterations.
    step: i64,
}

impl Digit {
    /// The digits that a subscript is a sum of, each times its step, if they count all lanes: those that step furthest first.
    fn all(values: &[(Value, i64)], lanes: i64) -> Option<Vec<Self>> {
        let digit = |(variable, step): &(Value, i64)| {
            let of = loop_of(*variable).filter(|of| of.kind() == LoopKind::Serial)?;
            let starts = of.bounds().0 == Bound::Static(0);
            starts.then_some(Self {
                of,
                extent: of.extent()?,
                step: *step,
            })
        };
        let mut digits = values.iter().map(digit).collect::<Option<Vec<_>>>()?;
        digits.sort_by_key(|digit| -digit.step);
        let mut steps = digits.iter().rev();
        let counted = steps.try_fold(1, |counted, digit| {
            (digit.step == counted).then_some(counted * digit.extent)
        });
        (counted == Some(lanes)).then_some(digits)
    }
}

/// Binds loops over lanes to the threads of a warp.
fn bind(digits: &[Digit], lanes: i64) {
    let is_inside = |digit: &Digit, other: &Digit| {
        let mut around = std::iter::successors(digit.of.op().parent(), |op| op.parent());
        around.any(|op| op == other.of.op())
    };
    let outermost = digits
        .iter()
        .find(|digit| !digits.iter().any(|other| is_inside(digit, other)));
    let Some(outermost) = outermost.map(|digit| digit.of.op()) else {
        return;
    };
    let b = Builder::before(outermost);
    let kind = (LoopKind::ThreadBinding, Some(Thread::ThreadX));
    let thread = For::of_kind(&b, lanes, kind, "lane", &[]);
    outermost.detach();
    thread.body().append(outermost);
    let inside = Builder::before(outermost);
    let value = |digit: &Digit| {
        let above = index::div(&inside, thread.variable(), digit.step);
        index::rem(&inside, above, digit.extent)
    };
    let values: Vec<Value> = digits.iter().map(value).collect();
    for (digit, value) in digits.iter().zip(values) {
        digit.of.variable().replace_all_uses_with(value);
        for op in digit.of.body().ops() {
            op.move_before(digit.of.op());
        }
        digit.of.op().erase();
    }
}
