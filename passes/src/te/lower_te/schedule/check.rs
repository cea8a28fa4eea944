//! What can only be said once all primitives are known: whether each stage is computed where all
//! that read it find it.

use super::{Attach, AxisId, Body, Illegal, Schedule, Stage, StageId, apply::position};
use relay_dialects::tir::{LoopKind, Scope};
use relay_dialects::{
    ir::{Op, Value},
    names,
};
use std::collections::BTreeSet;

/// What is said of an axis that later primitives have made others of.
const NO_LOOP: &str = "the axis is no longer a loop: it was split or fused";

/// Checks a schedule as a whole.
///
/// # Errors
/// The primitive that cannot be carried out.
pub(super) fn check(schedule: &Schedule, func: Op) -> Result<(), Illegal> {
    let end = func.body().terminator();
    let returned = end.map(Op::operands).unwrap_or_default();
    let readers = readers(schedule);
    for (id, readers) in readers.iter().enumerate() {
        check_place(schedule, id, &returned, readers)?;
        check_guards(schedule, id)?;
        check_scope(schedule, id)?;
        check_skip(schedule, id)?;
        check_buffer(schedule, id, &returned)?;
        check_prefetches(schedule, id)?;
        check_form(schedule, id)?;
    }
    Ok(())
}

/// The stages with loops of their own that read each stage, also by way of inlined ones.
fn readers(schedule: &Schedule) -> Vec<Vec<StageId>> {
    let mut readers: Vec<Vec<StageId>> = vec![Vec::new(); schedule.stages.len()];
    for &id in schedule.order.iter().rev() {
        // The readers of an inlined stage are known: they come later.
        let at: Vec<StageId> = match schedule.stages[id].attach {
            Attach::Inline => readers[id].clone(),
            _ => vec![id],
        };
        let sources: BTreeSet<StageId> = schedule.reads(id).into_iter().collect();
        for source in sources {
            readers[source].extend(&at);
            // Once each, or a chain of inlined stages that read one tensor twice doubles them.
            readers[source].sort_unstable();
            readers[source].dedup();
        }
    }
    readers
}

/// Whether the flags of iterations that are left out are computed in them, and in order.
fn check_skip(schedule: &Schedule, id: StageId) -> Result<(), Illegal> {
    let Some(skip) = schedule.stages[id].skip else {
        return Ok(());
    };
    let (stage, flags) = (&schedule.stages[id], &schedule.stages[skip.flags]);
    let illegal = |reason: String| {
        Err(Illegal {
            op: skip.op,
            reason,
        })
    };
    if !stage.leaf.contains(&skip.axis) {
        return illegal(NO_LOOP.into());
    }
    let here = Attach::At {
        parent: id,
        axis: skip.axis,
    };
    if flags.attach != here {
        return illegal(format!(
            "the flags '{}' are not computed in that loop: place them there by te.compute_at",
            flags.name
        ));
    }
    if schedule.axes[skip.axis].kind != LoopKind::Serial {
        return illegal("the iterations of that loop have no order".into());
    }
    let is_shared = |other: &Stage| other.attach == here && other.buffering.is_some();
    match schedule.stages.iter().find(|other| is_shared(other)) {
        Some(other) => illegal(format!(
            "iterations of that loop share a buffer of stage '{}', so that none can be left out",
            other.name
        )),
        None => Ok(()),
    }
}

fn check_place(
    schedule: &Schedule,
    id: StageId,
    returned: &[Value],
    readers: &[StageId],
) -> Result<(), Illegal> {
    let stage = &schedule.stages[id];
    let Some(op) = stage.attach_op else {
        return Ok(());
    };
    let name = &stage.name;
    let illegal = |reason: String| Err(Illegal { op, reason });
    if stage.attach == Attach::Root {
        return Ok(());
    }
    if stage.tensors.iter().any(|tensor| returned.contains(tensor)) {
        return illegal(format!(
            "stage '{name}' is a result and must be computed at the root"
        ));
    }
    let Attach::At { parent, axis } = stage.attach else {
        return Ok(());
    };
    let parent_stage = &schedule.stages[parent];
    if parent_stage.attach == Attach::Inline {
        return illegal(format!(
            "stage '{}' is inlined and has no loops",
            parent_stage.name
        ));
    }
    if !parent_stage.leaf.contains(&axis) {
        return illegal(NO_LOOP.into());
    }
    if readers.is_empty() {
        return illegal(format!("nothing in that loop reads stage '{name}'"));
    }
    let outside = readers
        .iter()
        .find(|reader| !is_inside(schedule, **reader, parent, axis));
    match outside {
        Some(reader) => illegal(format!(
            "stage '{name}' is also read outside of that loop, by '{}'",
            schedule.stages[*reader].name
        )),
        None => Ok(()),
    }
}

/// A condition guards the stages that read what it guards: all of them add products with it.
fn check_guards(schedule: &Schedule, id: StageId) -> Result<(), Illegal> {
    let stage = &schedule.stages[id];
    let Some(op) = stage.attach_op.filter(|_| stage.guards) else {
        return Ok(());
    };
    let mut readers = schedule.stages.iter().enumerate();
    let other = readers.find(|(reader, known)| {
        let sums = |tensor: &Value| {
            let compute = known.compute().filter(|_| known.tensorize.is_none());
            compute.is_some_and(|compute| compute.sums_products_with(*tensor))
        };
        schedule.reads(*reader).contains(&id) && !stage.tensors.iter().all(sums)
    });
    match other {
        Some((_, reader)) => Err(Illegal {
            op,
            reason: format!(
                "'{}', which reads stage '{}', does not sum products with it element by element",
                reader.name, stage.name
            ),
        }),
        None => Ok(()),
    }
}

/// Whether a stage's loops stand inside the loop `axis` of `parent`, or are those of `parent`.
fn is_inside(schedule: &Schedule, id: StageId, parent: StageId, axis: AxisId) -> bool {
    let mut at = id;
    while at != parent {
        let Attach::At {
            parent: next,
            axis: inner,
        } = schedule.stages[at].attach
        else {
            return false;
        };
        let leaf = &schedule.stages[next].leaf;
        if next == parent {
            return leaf.contains(&inner) && position(leaf, inner) >= position(leaf, axis);
        }
        at = next;
    }
    true
}

/// Memory that all threads share cannot be had anew in each iteration of a loop. Memory that the threads of a block share is
/// had anew in each block, and all of them fill it.
fn check_scope(schedule: &Schedule, id: StageId) -> Result<(), Illegal> {
    let stage = &schedule.stages[id];
    let name = &stage.name;
    let is_inside = matches!(stage.attach, Attach::At { .. });
    let reason = match stage.scope {
        Some((Scope::Global, _)) if is_inside => {
            format!("stage '{name}' is computed inside a loop, where its scope is local")
        }
        Some((Scope::Shared, _)) if !is_inside => format!(
            "stage '{name}' is computed at the root, and the threads of a block share what is computed inside a loop \
             that is bound to blocks"
        ),
        Some((Scope::Fragment, _)) if !is_inside => format!(
            "stage '{name}' is computed at the root, and the lanes of a warp share what is computed inside a loop that is \
             bound to threads"
        ),
        _ => return check_threads(schedule, id),
    };
    let (_, op) = stage.scope.as_ref().expect("the scope was named");
    Err(Illegal { op: *op, reason })
}

/// A stage that each thread computes a part of, inside the loops of another one, is one that threads share.
fn check_threads(schedule: &Schedule, id: StageId) -> Result<(), Illegal> {
    let stage = &schedule.stages[id];
    let is_inside = matches!(stage.attach, Attach::At { .. });
    if !is_inside || matches!(stage.scope(), Scope::Shared | Scope::Fragment) {
        return Ok(());
    }
    let bound = stage.leaf.iter().find_map(|axis| {
        let axis = &schedule.axes[*axis];
        let thread = axis.thread.filter(|thread| thread.is_of_block())?;
        Some((axis.kind_op?, thread))
    });
    match bound {
        Some((op, thread)) => Err(Illegal {
            op,
            reason: format!(
                "a thread along {thread} would compute its part of stage '{}' alone, which is in its own memory; \
                 te.set_scope makes the stage shared",
                stage.name
            ),
        }),
        None => Ok(()),
    }
}

/// A result's buffer is the caller's; only what is computed in a loop is computed ahead.
fn check_buffer(schedule: &Schedule, id: StageId, returned: &[Value]) -> Result<(), Illegal> {
    let stage = &schedule.stages[id];
    let layout = stage.layout.as_ref().map(|(_, op)| *op);
    let is_result = stage.tensors.iter().any(|tensor| returned.contains(tensor));
    if let Some(op) = layout.or(stage.aligns.first().map(|align| align.op))
        && is_result
    {
        let reason = format!(
            "stage '{}' is a result, whose layout is that of its type",
            stage.name
        );
        return Err(Illegal { op, reason });
    }
    if let (true, Some((scope, op))) = (is_result, &stage.scope)
        && *scope != Scope::Global
    {
        let reason = format!(
            "stage '{}' is a result, whose memory is the caller's; te.cache_write computes it in \
             another scope",
            stage.name
        );
        return Err(Illegal { op: *op, reason });
    }
    match (stage.buffering, stage.attach) {
        (None, _) | (_, Attach::At { .. }) => {}
        (Some((_, op)), _) => {
            let reason = format!("stage '{}' is not computed inside a loop", stage.name);
            return Err(Illegal { op, reason });
        }
    }
    let prefetches = stage.prefetches.iter().map(|known| (known.axis, known.op));
    let tensorized = stage.tensorize.iter().map(|known| (known.axis, known.op));
    let mut on_loops = prefetches.chain(tensorized);
    match on_loops.find(|(axis, _)| !stage.leaf.contains(axis)) {
        Some((_, op)) => Err(Illegal {
            op,
            reason: NO_LOOP.into(),
        }),
        None => Ok(()),
    }
}

/// The loop over which requests are spread stands inside the other.
fn check_prefetches(schedule: &Schedule, id: StageId) -> Result<(), Illegal> {
    for prefetch in &schedule.stages[id].prefetches {
        let Some((stage, over)) = prefetch.over else {
            continue;
        };
        let illegal = |reason: &str| Illegal {
            op: prefetch.op,
            reason: reason.into(),
        };
        let leaf = &schedule.stages[stage].leaf;
        if !leaf.contains(&over) {
            return Err(illegal(NO_LOOP));
        }
        let is_further_in = stage != id || position(leaf, over) > position(leaf, prefetch.axis);
        if !is_further_in || !is_inside(schedule, stage, id, prefetch.axis) {
            return Err(illegal(
                "the loop over which requests are spread does not stand inside that of the axis",
            ));
        }
    }
    Ok(())
}

/// Scans and loop programs are computed at the root; what a loop program reads or fills lies in memory
/// as a whole, as it was made.
fn check_form(schedule: &Schedule, id: StageId) -> Result<(), Illegal> {
    let stage = &schedule.stages[id];
    let name = &stage.name;
    let (form, whole) = match stage.body {
        Body::Scan(_) => (names::te::SCAN, vec![]),
        Body::Extern(_) => (names::te::EXTERN, [&[id], &schedule.reads(id)[..]].concat()),
        _ => return Ok(()),
    };
    if let (Some(op), true) = (stage.attach_op, stage.attach != Attach::Root) {
        let reason = format!("stage '{name}' is a {form}, which is computed at the root");
        return Err(Illegal { op, reason });
    }
    for other in whole {
        let other = &schedule.stages[other];
        let layout = other.layout.as_ref().map(|(_, op)| *op);
        let moved = other.attach_op.filter(|_| other.attach != Attach::Root);
        let op = layout
            .or(moved)
            .or(other.aligns.first().map(|align| align.op));
        if let Some(op) = op {
            let reason = format!(
                "stage '{}' is memory of the loop program '{name}', which takes it as a whole",
                other.name
            );
            return Err(Illegal { op, reason });
        }
    }
    Ok(())
}
