//! The schedule of a function, from what it computes and the machine.
//!
//! One stage - the packed convolution, the product - decides; stages that only follow it are
//! inlined into what comes after.

mod conv2d;
mod injective;
mod product;

use crate::{conv, pool, product as products};
use relay_dialects::{
    ir::{Attr, Builder, Op, Value},
    te::build::ScheduleBuilder,
};

/// What schedules need to know of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// The lanes of f32 in a vector register.
    pub lanes: i64,
    /// How many vector registers there are.
    pub registers: i64,
}

impl Machine {
    /// A machine with vectors of `bits`.
    pub fn new(bits: i64) -> Self {
        Self {
            lanes: bits / 32,
            registers: if bits >= 512 { 32 } else { 16 },
        }
    }
}

/// A stage: a `te.compute` with what schedules ask of it.
#[derive(Clone, Copy)]
pub(crate) struct Stage {
    op: Op,
}

impl Stage {
    fn tensor(self) -> Value {
        self.op.result(0)
    }

    fn shape(self) -> Vec<i64> {
        self.tensor().ty().shape()
    }

    fn reduce_extents(self) -> Vec<i64> {
        self.op
            .attr("reduce_extents")
            .and_then(Attr::as_ints)
            .unwrap_or_default()
    }

    fn tag(self) -> String {
        self.op
            .attr("tag")
            .and_then(Attr::as_str)
            .unwrap_or_default()
    }

    fn reduces(self) -> bool {
        !self.reduce_extents().is_empty()
    }

    /// The number of axes, data and reduce.
    fn axes(self) -> usize {
        self.shape().len() + self.reduce_extents().len()
    }

    /// The number of scalar evaluations.
    fn work(self) -> i64 {
        self.shape().iter().chain(&self.reduce_extents()).product()
    }

    /// The computes that read this one.
    fn readers(self) -> Vec<Stage> {
        let mut readers: Vec<Op> = Vec::new();
        for result in self.op.results() {
            for user in result.users() {
                let reader = std::iter::successors(Some(user), |op| op.parent())
                    .find(|op| op.is("te.compute"));
                if let Some(reader) = reader
                    && !readers.contains(&reader)
                {
                    readers.push(reader);
                }
            }
        }
        readers.into_iter().map(|op| Stage { op }).collect()
    }

    /// How often each element is read, about: more than once if a reader has windows over it.
    fn is_read_repeatedly(self) -> bool {
        let elements: i64 = self.shape().iter().product();
        let readers = self.readers();
        readers.len() > 1
            || readers
                .iter()
                .any(|reader| reader.reduces() && reader.work() > elements)
    }
}

/// Writes the `te.schedule` of a TE function before its return.
pub fn schedule(func: Op, machine: Machine) {
    let Some(end) = func.body().terminator() else {
        return;
    };
    let returned = end.operands();
    let stages: Vec<Stage> = func
        .body()
        .ops()
        .into_iter()
        .filter(|op| op.is("te.compute"))
        .map(|op| Stage { op })
        .collect();
    let s = ScheduleBuilder::new(&Builder::before(end));
    let mut done: Vec<Op> = Vec::new();
    for stage in &stages {
        let is_result = stage
            .op
            .results()
            .iter()
            .any(|result| returned.contains(result));
        match epilogue(*stage, &returned) {
            Some(last) if stage.tag() == conv::PACKED => {
                conv2d::packed(&s, *stage, last, machine);
                done.extend([stage.op, last.op]);
            }
            Some(last) if stage.tag() == conv::DEPTHWISE => {
                conv2d::depthwise(&s, *stage, last, machine);
                done.extend([stage.op, last.op]);
            }
            Some(last) if stage.tag() == products::MATMUL && stage.op.result_count() == 1 => {
                product::matmul(&s, *stage, last, machine);
                done.extend([stage.op, last.op]);
            }
            _ if done.contains(&stage.op) => {}
            _ if !is_result && !stage.reduces() && !stage.is_read_repeatedly() => {
                s.compute_inline(s.stage(stage.tensor()));
            }
            _ if !is_result
                && !stage.reduces()
                && stage.readers().iter().all(|reader| !reader.reduces()) =>
            {
                s.compute_inline(s.stage(stage.tensor()));
            }
            _ if stage.tag() == products::DENSE_PACK => product::packed(&s, *stage),
            _ if stage.tag() == pool::TAG && stage.op.result_count() == 1 => {
                injective::pool(&s, *stage, machine)
            }
            _ => injective::root(&s, *stage, machine),
        }
    }
}

/// The returned stage at the end of the elementwise chain that starts with `stage`, if every link
/// has the same shape: what can be computed while a tile of `stage` is in registers.
fn epilogue(stage: Stage, returned: &[Value]) -> Option<Stage> {
    let mut last = stage;
    loop {
        if returned.contains(&last.tensor()) {
            return (last.shape() == stage.shape()).then_some(last);
        }
        let readers = last.readers();
        let [next] = readers[..] else { return None };
        if next.reduces() || next.shape() != stage.shape() || next.op.result_count() != 1 {
            return None;
        }
        last = next;
    }
}
