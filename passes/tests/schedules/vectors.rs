//! Primitives that together make vectors.

use super::Writer;
use crate::tape::Tape;

impl Writer {
    /// The innermost loop in vectors, of which the last may not be full: shared among threads, in which
    /// case it does not lie over the one before, or reduced across, or in a vector of accumulators.
    pub(super) fn lanes(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let Some((axis, reduces)) = self.stages[stage].loops.last().cloned() else {
            return;
        };
        if self.has_attached.contains(&axis) {
            return;
        }
        let factor = tape.pick(&[4, 2, 3, 8, 5]);
        let (outer, inner) = (self.name("o"), self.name("i"));
        self.lines.push(format!(
            "{outer}, {inner} = te.split {axis} {{factor = {factor}}}"
        ));
        let place = self.stages[stage].loops.len() - 1;
        self.replace(stage, place..place + 1, &[outer.clone(), inner.clone()]);
        if !reduces {
            self.lines.push(format!("te.parallel {outer}"));
        } else if tape.once_in(2) {
            return self.accumulators(stage, &inner);
        }
        self.lines.push(format!("te.vectorize {inner}"));
    }

    /// The iterations of a reduce loop as elements of a stage of their own, which is a vector.
    fn accumulators(&mut self, stage: usize, axis: &str) {
        let dimension = self.stages[stage].rank;
        let number = self.stages.len();
        self.factor(stage, axis, dimension);
        let Some(partial) = self.stages.get(number) else {
            return;
        };
        let (handle, loops) = (partial.handle.clone(), partial.loops.clone());
        self.lines.push(format!("te.set_scope {handle} local"));
        let (lane, left) = (&loops[dimension].0, &loops[dimension + 1..]);
        let order: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
        let order = [order, vec![lane]].concat();
        self.lines.push(format!("te.reorder {}", order.join(", ")));
        self.lines.push(format!("te.vectorize {lane}"));
        self.stages[number].loops[dimension..].rotate_left(1);
    }
}
