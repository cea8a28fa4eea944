//! What loops ask for before they read or write it: `te.prefetch`.

use super::{BoxRegion, Lowering, Nest};
use crate::te::lower_te::schedule::{Attach, AxisId, Illegal, Prefetch};
use relay_dialects::index;
use relay_dialects::ir::{Builder, Op, Value};
use relay_dialects::ops::memref;
use relay_dialects::te::Cache;
use relay_dialects::tir::{For, LoopKind};
use relay_topi::{LINE_BYTES, cost::prefetch::MOST_UNROLLED};

/// Some lines of a buffer: those of a box.
struct Lines {
    buffer: Value,
    cache: Cache,
    is_written: bool,
    /// The subscripts of the first element.
    first: Vec<Value>,
    /// The steps from there, outermost first.
    steps: Vec<Steps>,
}

/// So many places, so many elements from one to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Steps {
    count: i64,
    stride: i64,
}

/// Lines that the iterations of several loops ask for together.
pub(super) struct Panel {
    lines: Lines,
    /// The innermost of the loops.
    over: AxisId,
    /// The loops down to the one that is being written: variables and extents, outermost first.
    loops: Vec<(Value, i64)>,
    is_asked_for: bool,
    op: Op,
}

impl Lowering<'_> {
    /// Begins the body of the loop of `axis`, leaf `position` of `nest`: asks for what is to be asked for there.
    /// Returns how many panels are those of loops around it, for [`Lowering::leave`].
    pub(super) fn enter(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        (axis, position): (AxisId, usize),
    ) -> Result<usize, Illegal> {
        let outer = self.panels.len();
        for panel in &mut self.panels {
            panel.loops.push((
                nest.variables[&axis],
                nest.extents[&axis].known().unwrap_or(1),
            ));
            if panel.over == axis {
                panel.is_asked_for = true;
                panel.ask_part(b);
            }
        }
        let prefetches = self.schedule.stages[nest.stage].prefetches.iter();
        for prefetch in prefetches.filter(|prefetch| prefetch.axis == axis) {
            self.prefetch(b, nest, position, *prefetch)?;
        }
        Ok(outer)
    }

    /// Ends the body of a loop.
    pub(super) fn leave(&mut self, outer: usize) -> Result<(), Illegal> {
        let panels = self.panels.split_off(outer);
        for panel in &mut self.panels {
            panel.loops.pop();
        }
        match panels.into_iter().find(|panel| !panel.is_asked_for) {
            Some(Panel { op, .. }) => Err(Illegal {
                op,
                reason:
                    "the loop that is to ask is not there: an intrinsic does it, or it is run for \
                         another iteration"
                        .into(),
            }),
            None => Ok(()),
        }
    }

    /// A loop of no iteration: nothing in it asks.
    pub(super) fn skip_panels(&mut self) {
        for panel in &mut self.panels {
            panel.is_asked_for = true;
        }
    }

    /// Asks for what the loops inside the leaf `position` of `nest`, in whose loop `b` stands, read some
    /// iterations later, or notes that loops inside will.
    fn prefetch(
        &mut self,
        b: &Builder,
        nest: &mut Nest,
        position: usize,
        prefetch: Prefetch,
    ) -> Result<(), Illegal> {
        let Prefetch { axis, op, .. } = prefetch;
        // How far ahead a loop reads is not known where its length is not.
        if nest.extents.values().any(|extent| !extent.is_known()) {
            return Ok(());
        }
        let buffer = self.buffer_of(prefetch)?;
        let variable = nest.variables[&axis];
        nest.variables.insert(axis, prefetch.later(b, variable));
        let region = self
            .regions(b, nest, axis, position)
            .and_then(|inside| self.tensor_region(b, nest, prefetch.tensor, (position, &inside)));
        nest.variables.insert(axis, variable);
        let is_empty = nest.extents.values().any(|extent| *extent == 0);
        let Some(region) = region? else {
            if is_empty || self.other_steps_read(nest.stage, prefetch.tensor) {
                return Ok(());
            }
            let reason = "nothing in that loop reads or writes the tensor".into();
            return Err(Illegal { op, reason });
        };
        let is_written = self.schedule.stage_of(prefetch.tensor) == Some(nest.stage);
        let lines = Lines::of(buffer, region, (prefetch.cache, is_written));
        match prefetch.over {
            None => lines.ask(b, b.index(0), &lines.steps),
            Some((_, over)) => self.panels.push(Panel {
                lines,
                over,
                loops: vec![(index::rem(b, variable, prefetch.every), prefetch.every)],
                is_asked_for: false,
                op,
            }),
        }
        Ok(())
    }

    /// The memory of a tensor.
    fn buffer_of(&self, prefetch: Prefetch) -> Result<Value, Illegal> {
        let tensor = prefetch.tensor;
        let illegal = |reason: &str| Illegal {
            op: prefetch.op,
            reason: reason.into(),
        };
        match (self.arguments.get(&tensor), self.schedule.stage_of(tensor)) {
            (Some(buffer), _) => Ok(*buffer),
            (None, Some(id)) => {
                let stage = &self.schedule.stages[id];
                let realized = self.realized.get(&id);
                let whole =
                    realized.filter(|_| stage.attach == Attach::Root && stage.layout.is_none());
                let whole =
                    whole.ok_or_else(|| illegal("the tensor is not in memory as a whole"))?;
                Ok(whole.buffers[tensor.number()])
            }
            (None, None) => Err(illegal("takes an argument or the result of a stage")),
        }
    }
}

impl Prefetch {
    /// The iteration that is asked for.
    fn later(&self, b: &Builder, iteration: Value) -> Value {
        let Self { offset, every, .. } = *self;
        let group = index::add(b, index::div(b, iteration, every), b.index(offset / every));
        index::add(b, index::scale(b, group, every), b.index(offset % every))
    }
}

impl Panel {
    /// Asks for the part of an iteration of the innermost loop, of the places along the longest of the steps; and
    /// for all others at each of them.
    fn ask_part(&self, b: &Builder) {
        let lines = &self.lines;
        let iterations = self.loops.iter().map(|(_, extent)| *extent);
        let iterations = iterations.fold(1, i64::saturating_mul);
        let done = (self.loops.iter()).fold(b.index(0), |done, (variable, extent)| {
            index::add(b, index::scale(b, done, *extent), *variable)
        });
        let mut steps = lines.steps.clone();
        let Some(along) = steps.iter_mut().max_by_key(|steps| steps.count) else {
            return lines.ask(b, b.index(0), &[]);
        };
        let common = common_divisor(along.count, iterations);
        let place = index::scale(b, done, along.count / common);
        let place = index::div(b, place, iterations / common);
        let from = index::scale(b, place, along.stride);
        along.count = index::ceil_div(along.count, iterations);
        lines.ask(b, from, &steps);
    }
}

impl Lines {
    fn of(buffer: Value, region: BoxRegion, (cache, is_written): (Cache, bool)) -> Self {
        let extents: Vec<i64> = region
            .extent
            .iter()
            .map(|extent| extent.known().unwrap_or(1))
            .collect();
        let line = LINE_BYTES / buffer.ty().element().byte_width() as i64;
        Self {
            buffer,
            cache,
            is_written,
            steps: steps(&buffer.ty().shape(), &extents, line.max(1)),
            first: region.min,
        }
    }

    /// Asks for the lines of some steps, from so many elements after the first.
    fn ask(&self, b: &Builder, from: Value, steps: &[Steps]) {
        let all = steps.iter().map(|steps| steps.count);
        let kind = if all.fold(1, i64::saturating_mul) <= MOST_UNROLLED {
            LoopKind::Unrolled
        } else {
            LoopKind::Serial
        };
        let (mut inner, mut at) = (*b, from);
        for steps in steps.iter().filter(|steps| steps.count != 1) {
            let places = For::of_kind(&inner, steps.count, (kind, None), "line", &[]);
            inner = places.inside(b);
            at = index::add(
                &inner,
                at,
                index::scale(&inner, places.variable(), steps.stride),
            );
        }
        let mut subscripts = self.first.clone();
        if let Some(last) = subscripts.last_mut() {
            *last = index::add(&inner, *last, at);
        }
        let locality = match self.cache {
            Cache::First => 3,
            Cache::Second => 2,
        };
        let (buffer, is_written) = (self.buffer, self.is_written);
        memref::Prefetch::build(&inner, buffer, &subscripts, is_written, locality, true);
    }
}

/// The steps from line to line in a box, of lines of `line` elements, outermost first. What lies less than a line
/// apart is one run, and so are whole dimensions. A part of a dimension is a step: loops read several blocks of columns or
/// of channels side by side, and lines are asked for in the order in which they are read.
fn steps(shape: &[i64], extents: &[i64], line: i64) -> Vec<Steps> {
    let mut run = 1;
    let mut found = Vec::new();
    let strides = index::strides(shape).into_iter();
    for ((&extent, stride), &dim) in extents.iter().zip(strides).zip(shape).rev() {
        if extent <= 1 {
            continue;
        }
        if found.is_empty() && (stride <= line || stride <= run && extent == dim) {
            run += (extent - 1) * stride;
        } else {
            found.push(Steps {
                count: extent,
                stride,
            });
        }
    }
    found.insert(
        0,
        Steps {
            count: index::ceil_div(run, line),
            stride: line,
        },
    );
    found.reverse();
    found
}

fn common_divisor(a: i64, b: i64) -> i64 {
    if b == 0 {
        a.max(1)
    } else {
        common_divisor(b, a % b)
    }
}

#[cfg(test)]
mod tests {
    use super::{Steps, steps};

    fn pairs(found: Vec<Steps>) -> Vec<(i64, i64)> {
        found
            .iter()
            .map(|steps| (steps.count, steps.stride))
            .collect()
    }

    #[test]
    fn whole_dimensions_are_one_run() {
        assert_eq!(pairs(steps(&[8, 512, 16], &[1, 512, 16], 16)), [(512, 16)]);
        // Two vectors of eight share a line.
        assert_eq!(pairs(steps(&[8, 512, 8], &[1, 2, 8], 16)), [(1, 16)]);
        assert_eq!(pairs(steps(&[8, 512, 8], &[1, 1, 8], 16)), [(1, 16)]);
    }

    #[test]
    fn parts_of_rows_are_steps() {
        let found = steps(&[512, 512], &[512, 32], 16);
        assert_eq!(pairs(found), [(512, 512), (2, 16)]);
        // Two blocks of eight that lie one after the other are read side by side.
        let found = steps(&[8, 512, 16], &[2, 512, 16], 16);
        assert_eq!(pairs(found), [(2, 8192), (512, 16)]);
        // Blocks far from each other, each of a run.
        let found = steps(&[4, 3, 3, 16, 16], &[2, 1, 3, 16, 16], 16);
        assert_eq!(pairs(found), [(2, 2304), (48, 16)]);
    }

    #[test]
    fn neighbours_in_a_line_are_asked_for_once() {
        // A column of rows of five, which lie in one run of lines.
        assert_eq!(pairs(steps(&[100, 5], &[7, 1], 16)), [(2, 16)]);
        assert_eq!(pairs(steps(&[], &[], 16)), [(1, 16)]);
    }
}
