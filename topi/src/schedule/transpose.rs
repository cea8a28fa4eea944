//! Stages whose elements lie in another order in memory than what they read: a tile at a time, whose lines
//! on both sides stay in the first cache.

use super::{Machine, Stage, cost::lanes_of_row};
use relay_dialects::{
    index::depends_on,
    ir::{Op, Value},
    te::build::ScheduleBuilder,
};

/// The dimension along which a stage reads what lies together, if that is not its last one; `inlined`
/// stages are read as part of it. `seen` holds those that have been looked at.
fn along(stage: Stage, inlined: &[Stage], seen: &mut Vec<Stage>) -> Option<usize> {
    if seen.contains(&stage) {
        return None;
    }
    seen.push(stage);
    let shape = stage.shape();
    let arguments = stage.op.body().args();
    let (last, others) = arguments.get(..shape.len())?.split_last()?;
    let mut found = None;
    let mut reads_rows = false;
    let mut inner = Vec::new();
    stage.op.walk(|op: Op| {
        if !op.is("tensor.extract") {
            return;
        }
        let (tensor, subscripts) = (op.operand(0), &op.operands()[1..]);
        let producer = tensor.def_of("te.compute").map(|op| Stage { op });
        if let Some(producer) = producer.filter(|producer| inlined.contains(producer)) {
            let same = subscripts.iter().zip(&arguments).all(|(a, b)| a == b);
            inner.extend((same && producer.shape() == shape).then_some(producer));
            return;
        }
        let from = tensor.ty().shape();
        let Some(inmost) = (0..from.len()).rev().find(|dim| from[*dim] != 1) else {
            return;
        };
        let needs = |argument: &Value| depends_on(subscripts[inmost], *argument);
        if needs(last) {
            reads_rows = true;
        } else if subscripts
            .iter()
            .any(|subscript| depends_on(*subscript, *last))
        {
            found = found.or(others.iter().rposition(needs));
        }
    });
    if reads_rows {
        return None;
    }
    found.or_else(|| {
        inner
            .into_iter()
            .find_map(|stage| along(stage, inlined, seen))
    })
}

/// Schedules a stage in tiles, if it is one that gains from it.
pub fn schedule(s: &ScheduleBuilder, stage: Stage, inlined: &[Stage], machine: Machine) -> bool {
    let shape = stage.shape();
    if stage.reduces() || stage.op.result_count() != 1 {
        return false;
    }
    let last = shape.len().saturating_sub(1);
    let Some(dim) = along(stage, inlined, &mut Vec::new()) else {
        return false;
    };
    let Some(lanes) = lanes_of_row(shape[last], stage.bytes(), machine) else {
        return false;
    };
    let lines = machine.lanes(stage.bytes()).min(shape[dim]);
    let axes = s.axes(s.stage(stage.tensor()), shape.len());
    let (outer, line) = s.split(axes[dim], lines);
    let (column, lane) = s.split(axes[last], lanes);
    let mut order = axes[..last].to_vec();
    order[dim] = outer;
    let shared = if shape[dim] % lines == 0 { last } else { dim };
    let rows = order[..shared].to_vec();
    order.extend([column, line, lane]);
    s.reorder(&order);
    s.vectorize(lane);
    if stage.is_worth_sharing() && !rows.is_empty() {
        s.parallel(s.fuse(&rows));
    }
    true
}
