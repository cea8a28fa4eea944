//! What a loop computes for its later iterations: double and rolling buffers.

use super::{BoxRegion, Lowering, Nest, Realized, buffer::Circle, tensorize::block_of};
use crate::te::lower_te::schedule::{AxisId, Buffering, Illegal, StageId};
use relay_dialects::dim::Dim;
use relay_dialects::index;
use relay_dialects::ir::{Block, Builder, Op, Value};
use relay_dialects::ops::arith;
use relay_dialects::tir::{For, LoopKind, if_holds};
use relay_loops::analysis::linear::linear;
use std::collections::HashMap;

/// A stage that is computed in a loop whose iterations share a buffer, its own or another's.
struct Member {
    id: StageId,
    buffering: Option<(Buffering, Op)>,
    /// The first iteration's part, or some of it, is computed before the loop.
    before: bool,
    /// An iteration computes the next one's part.
    ahead: bool,
    /// An iteration computes its own part, or what is new in it.
    now: bool,
}

/// What an iteration reads of each stage.
type Parts = [(StageId, BoxRegion)];

impl Lowering<'_> {
    /// Whether the iterations of a loop share a buffer of a stage that is computed in it.
    pub(super) fn shares_buffers(&self, nest: &Nest, axis: AxisId) -> Result<bool, Illegal> {
        let mut inside = self.computed_in(nest, axis).into_iter();
        let Some((_, op)) = inside.find_map(|id| self.schedule.stages[id].buffering) else {
            return Ok(false);
        };
        if !matches!(
            self.schedule.axes[axis].kind,
            LoopKind::Serial | LoopKind::Unrolled
        ) {
            let reason = "the iterations of the loop that it is computed in have no order".into();
            return Err(Illegal { op, reason });
        }
        Ok(true)
    }

    /// Realises the stages that are computed in the loop of `axis`, whose body `b` stands in and some
    /// of which share their buffers among its iterations: the first parts before the loop, and in
    /// each iteration what the next one needs ahead before its own.
    pub(super) fn realize_ahead(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        (axis, position): (AxisId, usize),
    ) -> Result<(), Illegal> {
        let Some(around) = enclosing(b) else {
            return Ok(());
        };
        let before = Builder::before(around).with_loc(b.loc);
        let variable = nest.variables[&axis];
        let zero = before.index(0);
        let first = self.regions_at(&before, nest, (axis, position), zero)?;
        let here = self.regions(b, nest, axis, position)?;
        let members = self.members(nest, axis, &here)?;
        same_shapes(&members, &here, &first)?;

        let mut shared = HashMap::new();
        for ((member, region), (_, now)) in members.iter().zip(first).zip(&here) {
            let whole = self.start(&before, variable, member, region.1, now)?;
            shared.extend(whole.map(|whole| (member.id, whole)));
        }
        if members.iter().any(|member| member.ahead) {
            self.realize_next(b, nest, (axis, position), (&members, &shared, &here))?;
        }
        for (member, (id, region)) in members.iter().zip(here) {
            match (member.buffering, shared.remove(&id)) {
                (Some((Buffering::Double, _)), Some(whole)) => {
                    let own = whole.in_slot(b, variable, &region);
                    self.realized.insert(id, own);
                }
                (Some((Buffering::Rolling, op)), Some(mut whole)) => {
                    let (dimension, step) = slide(&region, variable, op)?;
                    whole.region = region.clone();
                    let mut new = region;
                    let old = known(new.extent[dimension], op)? - step;
                    new.extent[dimension] = Dim::Known(step);
                    new.min[dimension] = index::add(b, new.min[dimension], b.index(old));
                    self.fill(b, id, new, whole)?;
                }
                _ if member.now => self.realize(b, id, region, &[])?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Computes what the next iteration needs ahead, if there is one.
    fn realize_next(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        (axis, position): (AxisId, usize),
        (members, shared, here): (&[Member], &HashMap<StageId, Realized>, &Parts),
    ) -> Result<(), Illegal> {
        let next = index::add(b, nest.variables[&axis], b.index(1));
        let extent = self.extent(b, nest.extents[&axis]);
        let inside = if_holds(b, index::less(b, next, extent));
        // The condition tells the same, and what is in a tensor is known from the bounds of values.
        let within = match nest.extents[&axis].known() {
            Some(extent) => arith::MinSI::build(&inside, next, inside.index(extent - 1)),
            None => next,
        };
        let regions = self.regions_at(&inside, nest, (axis, position), within)?;
        same_shapes(members, here, &regions)?;
        for (member, (id, region)) in members.iter().zip(regions) {
            match shared.get(&id) {
                Some(whole) if member.ahead => {
                    let place = whole.in_slot(&inside, next, &region);
                    self.fill(&inside, id, region, place)?;
                }
                None if member.ahead => self.realize(&inside, id, region, &[])?,
                _ => {}
            }
        }
        Ok(())
    }

    /// What an iteration reads where the loop's variable has the given value.
    fn regions_at(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        (axis, position): (AxisId, usize),
        value: Value,
    ) -> Result<Vec<(StageId, BoxRegion)>, Illegal> {
        let variable = nest.variables.insert(axis, value);
        let regions = self.regions(b, nest, axis, position);
        nest.variables
            .extend(variable.map(|variable| (axis, variable)));
        regions
    }

    /// When each stage in the loop of `axis` is computed, producers first.
    fn members(
        &self,
        nest: &Nest,
        axis: AxisId,
        parts: &[(StageId, BoxRegion)],
    ) -> Result<Vec<Member>, Illegal> {
        let schedule = self.schedule;
        let own = schedule.reads_in_loops(nest.stage, Some(axis));
        let mut members: Vec<Member> = Vec::new();
        for &(id, _) in parts.iter().rev() {
            let readers: Vec<&Member> = members
                .iter()
                .filter(|reader| schedule.reads_in_loops(reader.id, None).contains(&id))
                .collect();
            let buffering = schedule.stages[id].buffering;
            let is_double = matches!(buffering, Some((Buffering::Double, _)));
            let early = readers.iter().find(|reader| reader.ahead);
            if let (Some((Buffering::Rolling, op)), Some(early)) = (buffering, early) {
                let reason = format!(
                    "stage '{}', which is computed an iteration ahead in the same loop, reads it; \
                     compute one of the two in another loop",
                    schedule.stages[early.id].name
                );
                return Err(Illegal { op, reason });
            }
            let is_read_now = own.contains(&id) || readers.iter().any(|reader| reader.now);
            let member = Member {
                id,
                buffering,
                before: buffering.is_some() || readers.iter().any(|reader| reader.before),
                ahead: is_double || early.is_some(),
                now: !is_double && (buffering.is_some() || is_read_now),
            };
            members.push(member);
        }
        members.reverse();
        Ok(members)
    }

    /// Computes what a member's first iteration needs of it before the loop; where iterations share
    /// its buffer, that is returned. `here` is what any iteration reads.
    fn start(
        &mut self,
        before: &Builder,
        variable: Value,
        member: &Member,
        first: BoxRegion,
        here: &BoxRegion,
    ) -> Result<Option<Realized>, Illegal> {
        let id = member.id;
        match member.buffering {
            Some((Buffering::Double, _)) => {
                let buffers = self.allocate(before, id, &first.extent, Some(2), &[])?;
                self.note_shared(id, &buffers);
                let whole = self.place(id, buffers, first.clone());
                let zero = before.index(0);
                self.fill(
                    before,
                    id,
                    first.clone(),
                    whole.in_slot(before, zero, &first),
                )?;
                Ok(Some(whole))
            }
            Some((Buffering::Rolling, op)) => {
                let (dimension, step) = slide(here, variable, op)?;
                let length = known(here.extent[dimension], op)?;
                if step >= length {
                    let reason = "no iteration reads again what one before it has read".into();
                    return Err(Illegal { op, reason });
                }
                let buffers = self.allocate(before, id, &here.extent, None, &[])?;
                self.note_shared(id, &buffers);
                let mut whole = self.place(id, buffers, first.clone());
                whole.placement.circle = Some(Circle {
                    dimension,
                    start: first.min[dimension],
                    length,
                });
                let mut start = first;
                start.extent[dimension] = Dim::Known(length - step);
                self.fill(before, id, start, whole.clone())?;
                Ok(Some(whole))
            }
            None if member.before => self.realize(before, id, first, &[]).map(|()| None),
            None => Ok(None),
        }
    }
}

impl Realized {
    /// The half of a double buffer that holds the part of an iteration.
    fn in_slot(&self, b: &Builder, iteration: Value, region: &BoxRegion) -> Self {
        let mut half = self.clone();
        half.placement.slot = Some(index::rem(b, iteration, 2));
        half.region = region.clone();
        half
    }
}

/// Whether each buffer holds what two iterations read.
fn same_shapes(
    members: &[Member],
    parts: &[(StageId, BoxRegion)],
    others: &[(StageId, BoxRegion)],
) -> Result<(), Illegal> {
    for ((member, (_, part)), (_, other)) in members.iter().zip(parts).zip(others) {
        if let Some((_, op)) = member.buffering
            && part.extent != other.extent
        {
            let reason = "the iterations read parts of different shapes".into();
            return Err(Illegal { op, reason });
        }
    }
    Ok(())
}

/// An extent that a primitive needs as a number.
fn known(extent: Dim, op: Op) -> Result<i64, Illegal> {
    extent.known().ok_or_else(|| Illegal {
        op,
        reason: format!("what an iteration reads has the extent {extent}, which is open"),
    })
}

/// The dimension in which a region moves with a loop's variable, and how far in one iteration.
fn slide(region: &BoxRegion, variable: Value, op: Op) -> Result<(usize, i64), Illegal> {
    let illegal = |reason: &str| Illegal {
        op,
        reason: reason.into(),
    };
    let mut moving = None;
    for (dimension, min) in region.min.iter().enumerate() {
        let form = linear(*min);
        let step = form.coefficient(variable);
        let mut others = form.terms.iter().filter(|(term, _)| *term != variable);
        if others.any(|(term, _)| index::depends_on(*term, variable)) {
            return Err(illegal(
                "what an iteration reads does not move evenly with the loop",
            ));
        }
        if step != 0 && moving.replace((dimension, step)).is_some() {
            return Err(illegal("what an iteration reads moves in two dimensions"));
        }
    }
    match moving {
        Some((dimension, step)) if step > 0 => Ok((dimension, step)),
        Some(_) => Err(illegal("what an iteration reads moves backwards")),
        None => Err(illegal(
            "what an iteration reads does not move with the loop",
        )),
    }
}

/// The `tir.for` whose body a builder stands in.
fn enclosing(b: &Builder) -> Option<Op> {
    block_of(b)
        .and_then(Block::parent)
        .filter(|op| op.is(For::NAME))
}
