//! Which operators compute rows of the same tensors: the last fusion rule of `fuse-ops`.

use crate::graph::operators::is_view;
use relay_dialects::{
    ir::{Op, Value},
    relay::{
        Attrs, Pattern, ops::reduce::reduced_axes, pattern, relation::normalize_axis,
        row::Schedule, row_of,
    },
};
use relay_topi::cost::MOST_WHOLE;

/// Whether all operators of a group compute rows, at least one of them what needs a row as a whole,
/// so that a row can go through all of them while it is in the cache.
///
/// A row is what the last dimensions hold: those that reductions reduce, or a softmax runs along. All
/// reductions of a group have rows of the same number.
pub fn is_row_group(group: &[Op]) -> bool {
    let mut rows: Option<Vec<i64>> = None;
    let whole = || group.iter().filter(|op| needs_whole_rows(**op));
    if whole().count() > MOST_WHOLE {
        return false;
    }
    for op in whole() {
        let Some(own) = rows_of(*op) else {
            return false;
        };
        if rows.get_or_insert_with(|| own.clone()) != &own {
            return false;
        }
    }
    let Some(rows) = rows.filter(|rows| !rows.is_empty()) else {
        return false;
    };
    group.iter().all(|op| {
        let inside = |value: &Value| value.def().is_some_and(|def| group.contains(&def));
        let inner: Vec<Value> = op.operands().into_iter().filter(inside).collect();
        op.result_count() == 1 && keeps_rows(*op, &inner, &rows)
    })
}

fn schedule(op: Op) -> Schedule {
    row_of(op).map_or(Schedule::Free, |row| row.schedule)
}

fn needs_whole_rows(op: Op) -> bool {
    schedule(op) != Schedule::Free
}

/// The dimensions of more than one element.
fn counted(shape: &[i64]) -> Vec<i64> {
    shape.iter().copied().filter(|dim| *dim != 1).collect()
}

/// The dimensions that number the rows of an operator that needs them whole: those before the ones
/// that it reduces, if these are the last ones.
fn rows_of(op: Op) -> Option<Vec<i64>> {
    let shape = op.operand(0).ty().shape();
    let attrs = Attrs::of(op);
    let reduced = if schedule(op) == Schedule::Normalize {
        vec![normalize_axis(attrs.int("axis").ok()?, shape.len()).ok()?]
    } else {
        let exclude = attrs.get("exclude").and_then(|value| value.as_bool());
        let exclude = exclude.unwrap_or(false);
        reduced_axes(&attrs.ints("axis").ok()?, exclude, shape.len()).ok()?
    };
    let first = *reduced.iter().find(|axis| shape[**axis] != 1)?;
    let is_last = (first..shape.len()).all(|dim| shape[dim] == 1 || reduced.contains(&dim));
    is_last.then(|| counted(&shape[..first]))
}

/// Whether a row of an operator's result needs the same row of the operands `inner` and nothing else
/// of them.
fn keeps_rows(op: Op, inner: &[Value], rows: &[i64]) -> bool {
    let shape = op.result(0).ty().shape();
    let has_rows = |shape: &[i64]| counted(shape).starts_with(rows);
    if !has_rows(&shape) {
        return false;
    }
    if needs_whole_rows(op) || is_view(op) {
        return inner.iter().all(|value| has_rows(&value.ty().shape()));
    }
    match pattern(op) {
        Some(Pattern::Elemwise | Pattern::Broadcast) => inner
            .iter()
            .all(|value| is_aligned(&value.ty().shape(), &shape, rows)),
        // What is read from memory may be read anywhere.
        Some(Pattern::Injective) => inner.is_empty(),
        _ => false,
    }
}

/// Whether a shape that is broadcast to `result` has the rows where that has them.
fn is_aligned(shape: &[i64], result: &[i64], rows: &[i64]) -> bool {
    let Some(missing) = result.len().checked_sub(shape.len()) else {
        return false;
    };
    let mut left = rows.len();
    let end = result.iter().position(|dim| {
        left -= usize::from(*dim != 1);
        left == 0
    });
    let Some(before) = end.and_then(|end| (end + 1).checked_sub(missing)) else {
        return false;
    };
    counted(&shape[..before]) == rows
}
