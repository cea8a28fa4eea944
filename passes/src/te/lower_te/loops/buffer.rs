//! Where a stage's elements lie.

use super::{BoxRegion, Lowering, Realized, evaluate::difference};
use crate::te::lower_te::layout;
use crate::te::lower_te::schedule::{Align, Body, Illegal, Stage, StageId};
use relay_dialects::dim::Dim;
use relay_dialects::index;
use relay_dialects::ir::{AffineExpr, AffineMap, Builder, Type, Value};
use relay_dialects::limits::TOO_LARGE;
use relay_dialects::relay::relation::show;
use relay_dialects::tir::AllocBuffer;
use relay_loops::buffers::{buffer_type, fits};

/// What makes the subscripts in a buffer other than the place in its region.
#[derive(Clone, Debug, Default)]
pub(super) struct Placement {
    /// The first subscript: which of two buffers.
    pub slot: Option<Value>,
    /// A dimension that is a circle.
    pub circle: Option<Circle>,
    /// The layout.
    pub layout: Option<AffineMap>,
}

/// A dimension whose subscripts start again at 0.
#[derive(Clone, Debug)]
pub(super) struct Circle {
    /// The dimension.
    pub dimension: usize,
    /// The index that lies at 0.
    pub start: Value,
    /// How many there are.
    pub length: i64,
}

impl Realized {
    /// The subscripts of the element at `indices`, which is at `local` in its region.
    pub(super) fn subscripts(
        &self,
        b: &Builder,
        indices: &[Value],
        mut local: Vec<Value>,
    ) -> Vec<Value> {
        let Placement {
            slot,
            circle,
            layout,
        } = &self.placement;
        if let Some(Circle {
            dimension,
            start,
            length,
        }) = circle
        {
            let distance = difference(b, indices[*dimension], *start);
            local[*dimension] = index::rem(b, distance, *length);
        }
        if let Some(map) = layout {
            local = map
                .results
                .iter()
                .map(|expr| write(b, expr, &local))
                .collect();
        }
        slot.iter().copied().chain(local).collect()
    }
}

impl Lowering<'_> {
    /// The buffers of a stage that hold a region, `copies` times.
    pub(super) fn allocate(
        &self,
        b: &Builder,
        id: StageId,
        extent: &[Dim],
        copies: Option<i64>,
        given: &[Option<Value>],
    ) -> Result<Vec<Value>, Illegal> {
        let stage = &self.schedule.stages[id];
        let types = self.physical_types(id, extent, copies)?;
        if types
            .iter()
            .any(|ty| ty.is_static() && !fits(&ty.shape(), ty.element()))
        {
            let reason = format!("the buffer of stage '{}' {TOO_LARGE}", stage.name);
            let layout = stage.layout.as_ref().map(|(_, op)| *op);
            return Err(
                match layout.or(stage.aligns.first().map(|align| align.op)) {
                    Some(op) => Illegal { op, reason },
                    None => self.illegal(id, reason),
                },
            );
        }
        let buffers = types.iter().enumerate().map(|(result, tensor)| {
            given.get(result).copied().flatten().unwrap_or_else(|| {
                let ty = buffer_type(*tensor);
                AllocBuffer::of_tensor(b, ty, extent, stage.scope(), &stage.name)
            })
        });
        Ok(buffers.collect())
    }

    /// What the buffers of a stage hold, as tensors.
    fn physical_types(
        &self,
        id: StageId,
        extent: &[Dim],
        copies: Option<i64>,
    ) -> Result<Vec<Type>, Illegal> {
        let stage = &self.schedule.stages[id];
        if let Body::Extern(program) = stage.body {
            return Ok(program.results().iter().map(|result| result.ty()).collect());
        }
        let Some(known) = extent
            .iter()
            .map(|extent| extent.known())
            .collect::<Option<Vec<_>>>()
        else {
            return self.open_types(id, extent, copies);
        };
        let shape = physical_shape(stage, &known)?;
        let shape: Vec<i64> = copies.into_iter().chain(shape).collect();
        let elements = self.element_types(id).into_iter();
        Ok(elements
            .map(|element| Type::tensor(&shape, element))
            .collect())
    }

    /// The same where extents are open: in row-major order.
    fn open_types(
        &self,
        id: StageId,
        extent: &[Dim],
        copies: Option<i64>,
    ) -> Result<Vec<Type>, Illegal> {
        let stage = &self.schedule.stages[id];
        let is_plain = stage.layout.is_none() && stage.aligns.is_empty() && copies.is_none();
        if !is_plain {
            let reason = format!(
                "the buffer of stage '{}' has the extents {}, of which some are open; only a buffer in row-major order can \
                 have them",
                stage.name,
                show(extent)
            );
            return Err(match stage.layout {
                Some((_, op)) => Illegal { op, reason },
                None => self.illegal(id, reason),
            });
        }
        let elements = self.element_types(id).into_iter();
        Ok(elements
            .map(|element| Type::tensor_of(extent, element))
            .collect())
    }

    /// The whole of a stage's region, with its own layout.
    pub(super) fn place(&self, id: StageId, buffers: Vec<Value>, region: BoxRegion) -> Realized {
        let layout = self.schedule.stages[id].layout.clone();
        let placement = Placement {
            layout: layout.map(|(map, _)| map),
            ..Placement::default()
        };
        Realized {
            buffers,
            region,
            placement,
        }
    }
}

/// The shape of a buffer that holds so much of a stage.
fn physical_shape(stage: &Stage, extent: &[i64]) -> Result<Vec<i64>, Illegal> {
    if let Some((map, op)) = &stage.layout {
        layout::check(map, extent).map_err(|reason| Illegal { op: *op, reason })?;
        let whole: Vec<(i64, i64)> = extent
            .iter()
            .map(|extent| (0, (extent - 1).max(0)))
            .collect();
        let shape = map
            .results
            .iter()
            .map(|expr| Some(bounds(expr, &whole)?.1.saturating_add(1)));
        return shape.collect::<Option<_>>().ok_or(Illegal {
            op: *op,
            reason: "divides by what is not a positive number, divides a negative one, or passes 64 bits".into(),
        });
    }
    let mut shape = extent.to_vec();
    for align in &stage.aligns {
        let inner = align.dimension + 1;
        if inner == shape.len() {
            continue;
        }
        let behind = index::product(&shape[inner + 1..]);
        shape[inner] = aligned(shape[inner], behind, align).ok_or_else(|| Illegal {
            op: align.op,
            reason: format!(
                "no multiple of {behind}, the stride of the next dimension, leaves {} when divided \
                 by {}",
                align.offset, align.factor
            ),
        })?;
    }
    Ok(shape)
}

/// The smallest number from `width` on that, times `behind`, leaves the offset when divided by the
/// factor; `i64::MAX` where it is more.
fn aligned(width: i64, behind: i64, align: &Align) -> Option<i64> {
    let [width, behind, factor, offset] =
        [width, behind, align.factor, align.offset].map(i128::from);
    let (common, inverse) = gcd(behind.rem_euclid(factor), factor);
    if offset % common != 0 {
        return None;
    }
    let period = factor / common;
    let first = (offset / common).rem_euclid(period) * inverse.rem_euclid(period);
    let wider = width + (first - width).rem_euclid(period);
    Some(i64::try_from(wider).unwrap_or(i64::MAX))
}

/// The greatest common divisor of two numbers, and what the first is to be multiplied by to leave it
/// when divided by the second: Euclid's algorithm.
fn gcd(a: i128, b: i128) -> (i128, i128) {
    let (mut old, mut new) = ((a, 1), (b, 0));
    while new.0 != 0 {
        let quotient = old.0 / new.0;
        (old, new) = (new, (old.0 - quotient * new.0, old.1 - quotient * new.1));
    }
    old
}

/// The smallest and largest value of an expression over a box. None where it divides by anything but
/// a positive number, or divides what can be negative, or something in it can leave 64 bits.
fn bounds(expr: &AffineExpr, whole: &[(i64, i64)]) -> Option<(i64, i64)> {
    let divided = |lhs: &AffineExpr, rhs: &AffineExpr| {
        let AffineExpr::Constant(by) = *rhs else {
            return None;
        };
        let (low, high) = bounds(lhs, whole)?;
        (by > 0 && low >= 0).then_some((low, high, by))
    };
    Some(match expr {
        AffineExpr::Dim(dim) => whole[*dim],
        AffineExpr::Constant(value) => (*value, *value),
        AffineExpr::Add(lhs, rhs) => {
            let ((a, b), (c, d)) = (bounds(lhs, whole)?, bounds(rhs, whole)?);
            (a.checked_add(c)?, b.checked_add(d)?)
        }
        AffineExpr::Mul(lhs, rhs) => {
            let ((a, b), (c, d)) = (bounds(lhs, whole)?, bounds(rhs, whole)?);
            let all = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
            let all = all.into_iter().collect::<Option<Vec<i64>>>()?;
            (*all.iter().min()?, *all.iter().max()?)
        }
        AffineExpr::FloorDiv(lhs, rhs) => {
            let (low, high, by) = divided(lhs, rhs)?;
            (low / by, high / by)
        }
        AffineExpr::CeilDiv(lhs, rhs) => {
            let (low, high, by) = divided(lhs, rhs)?;
            // `write` adds one less than the divisor before it divides.
            high.checked_add(by - 1)?;
            (index::ceil_div(low, by), index::ceil_div(high, by))
        }
        AffineExpr::Mod(lhs, rhs) => {
            let (_, high, by) = divided(lhs, rhs)?;
            (0, high.min(by - 1))
        }
    })
}

/// An expression of values. `bounds` has seen that what it divides is not negative.
fn write(b: &Builder, expr: &AffineExpr, values: &[Value]) -> Value {
    let divisor = |rhs: &AffineExpr| rhs.value(&[]).expect("`bounds` has seen a constant");
    match expr {
        AffineExpr::Dim(dim) => values[*dim],
        AffineExpr::Constant(value) => b.index(*value),
        AffineExpr::Add(lhs, rhs) => index::add(b, write(b, lhs, values), write(b, rhs, values)),
        AffineExpr::Mul(lhs, rhs) => index::mul(b, write(b, lhs, values), write(b, rhs, values)),
        AffineExpr::FloorDiv(lhs, rhs) => index::div(b, write(b, lhs, values), divisor(rhs)),
        AffineExpr::CeilDiv(lhs, rhs) => {
            let up = index::add(b, write(b, lhs, values), b.index(divisor(rhs) - 1));
            index::div(b, up, divisor(rhs))
        }
        AffineExpr::Mod(lhs, rhs) => index::rem(b, write(b, lhs, values), divisor(rhs)),
    }
}
