//! Reductions to so few elements that these cannot be shared among threads: sums of everything, means of
//! some images. What is reduced is cut into parts, whose results are a stage that threads share and
//! that is then reduced. How many parts follows from the shape alone, so that results are the same bits for any
//! number of threads.

use super::{
    Machine, Stage,
    cost::rows::{PARTS, STEP, counts_of_parts},
};
use relay_dialects::{index::ceil_div, ir::Value, te::build::ScheduleBuilder};

/// A stage that reduces, or one of the partial results that were made of it.
pub struct Reduction {
    /// The stage.
    pub handle: Value,
    /// How many data axes it has.
    pub rank: usize,
    /// The extents of its reduce axes.
    pub reduce: Vec<i64>,
    /// How many tensors it computes.
    pub results: i64,
    /// The bytes of an element of what it computes with.
    pub bytes: i64,
}

impl Reduction {
    /// A stage of which nothing is scheduled yet.
    pub fn of(stage: Stage, handle: Value) -> Self {
        Self {
            handle,
            rank: stage.shape().len(),
            reduce: stage.reduce_extents(),
            results: stage.op.result_count() as i64,
            bytes: stage.bytes(),
        }
    }

    /// Its axes, data axes first.
    pub fn axes(&self, s: &ScheduleBuilder) -> Vec<Value> {
        s.axes(self.handle, self.rank + self.reduce.len())
    }

    /// The partial results of the parts, which are their first dimension.
    pub fn parts(&self, s: &ScheduleBuilder) -> Self {
        let (axis, extent) = cut(&self.reduce);
        let (part, _) = s.split(self.axes(s)[self.rank + axis], extent);
        let mut reduce = self.reduce.clone();
        reduce[axis] = extent;
        Self {
            handle: s.rfactor(self.handle, part, 0),
            rank: self.rank + 1,
            reduce,
            results: self.results,
            bytes: self.bytes,
        }
    }
}

/// Whether a reduction of which threads could share `elements` alone, rows or tiles, is worth parts.
pub fn applies(stage: Stage, elements: i64, machine: Machine) -> bool {
    stage.reduces() && elements < machine.threads && stage.is_worth_sharing_tiles(machine.block())
}

/// The reduce axis to cut, and the extent of a part: the outermost that equal parts divide, or else the longest.
fn cut(extents: &[i64]) -> (usize, i64) {
    let last = extents.len() - 1;
    let equal = |axis: usize| {
        let step = if axis == last { STEP } else { 1 };
        let parts = counts_of_parts().find(|parts| extents[axis] % (parts * step) == 0)?;
        Some((axis, extents[axis] / parts))
    };
    (0..=last).find_map(equal).unwrap_or_else(|| {
        let longest = (0..=last).rev().max_by_key(|axis| extents[*axis]);
        let axis = longest.unwrap_or(last);
        let part = ceil_div(extents[axis], PARTS);
        let whole = axis == last && part > STEP;
        (
            axis,
            if whole {
                ceil_div(part, STEP) * STEP
            } else {
                part
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn parts_are_equal_where_they_can_be() {
        assert_eq!(cut(&[1, 64, 256, 256]), (1, 4));
        assert_eq!(cut(&[3, 512, 512]), (1, 32));
        assert_eq!(cut(&[4096, 1000]), (0, 256));
        assert_eq!(cut(&[1 << 22]), (0, 1 << 18));
        // Fifteen parts are as good as sixteen.
        assert_eq!(cut(&[15, 7, 7]), (0, 1));
    }

    #[test]
    fn other_parts_cover_everything() {
        assert_eq!(cut(&[1_000_003]), (0, 62_592));
        assert_eq!(cut(&[3, 100_003, 3]), (1, 6_251));
    }
}
