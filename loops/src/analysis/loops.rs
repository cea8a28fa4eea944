//! Which loops a kernel has, in short, and what they say of those inside.

use relay_dialects::{
    index,
    ir::{Block, Op},
    ops::scf,
    tir::{For, LoopKind},
};
use relay_machine::{MatrixUnit, units::UNITS};

/// The most nests of loops that are written out.
const NESTS: usize = 3;

/// The loops of a kernel of `tir.for` as a text for people: of each nest, the loops around the innermost body
/// with most work, outermost first. `parallel 56, 4, 64, 3, 3, unroll 14, vector 16` is a convolution of which
/// threads share 56 rows, with a register tile of 14 by 16. The last loop of `parallel 24, 4, amx 24 x 4` has 24
/// steps of 4 products of AMX tiles.
pub fn describe(kernel: Op) -> String {
    let mut nests = nests(kernel.body());
    // Nests with most work first; equal ones in their order.
    nests.sort_by(|a, b| b.steps.total_cmp(&a.steps));
    let more = nests.len().saturating_sub(NESTS);
    let shown = nests.iter().take(NESTS).map(|nest| nest.loops.join(", "));
    let mut text = shown.collect::<Vec<_>>().join("; ");
    if more > 0 {
        text += &format!("; {more} more");
    }
    text
}

/// Loops in one another.
struct Nest {
    /// Each loop, outermost first.
    loops: Vec<String>,
    /// How often the innermost body runs.
    steps: f64,
}

/// The nests that begin in a block.
fn nests(block: Block) -> Vec<Nest> {
    let mut found = Vec::new();
    for op in block.ops() {
        if let Some(op) = For::of(op) {
            found.push(nest(op));
        } else if let Some(nest) = tiles(op) {
            found.push(nest);
        } else {
            let regions = op
                .regions()
                .into_iter()
                .filter_map(|region| region.first_block());
            found.extend(regions.flat_map(nests));
        }
    }
    found
}

/// The text for a loop of products of AMX tiles, or for a loop of such loops.
fn tiles(op: Op) -> Option<Nest> {
    if !op.is(scf::For::NAME) {
        return None;
    }
    if let Some(inner) = op.body().ops().into_iter().find_map(tiles) {
        let steps = extent(op)?;
        return Some(Nest {
            loops: [vec![steps.to_string()], inner.loops].concat(),
            steps: steps as f64 * inner.steps,
        });
    }
    let products: Vec<_> = op.body().ops().into_iter().filter_map(unit).collect();
    let first = products.first()?;
    let (steps, count) = (extent(op)?, products.len());
    let multiply_adds = first.rows * first.columns * first.depth;
    Some(Nest {
        loops: vec![format!(
            "{} {steps} x {count}",
            first.instructions.to_lowercase()
        )],
        steps: (steps * multiply_adds) as f64 * count as f64,
    })
}

/// The matrix unit whose instruction an op is.
fn unit(op: Op) -> Option<&'static MatrixUnit> {
    UNITS.iter().find(|unit| op.is(unit.op))
}

/// The number of iterations of an `scf.for`.
fn extent(op: Op) -> Option<i64> {
    let bounds = [op.operand(0), op.operand(1)].map(index::constant);
    match bounds {
        [Some(low), Some(high)] => Some(high.saturating_sub(low)),
        _ => None,
    }
}

fn nest(op: For) -> Nest {
    let extent = op.extent();
    let kind = match op.kind() {
        LoopKind::Serial => "",
        LoopKind::Unrolled => "unroll ",
        LoopKind::Vectorized => "vector ",
        other => &format!("{other} "),
    };
    let text = extent.map_or_else(|| "?".into(), |extent| extent.to_string());
    let inner = nests(op.body())
        .into_iter()
        .max_by(|a, b| a.steps.total_cmp(&b.steps));
    let (inner_loops, inner_steps) =
        inner.map_or((Vec::new(), 1.0), |nest| (nest.loops, nest.steps));
    Nest {
        loops: [vec![format!("{kind}{text}")], inner_loops].concat(),
        steps: extent.unwrap_or(1) as f64 * inner_steps,
    }
}

/// What the nearest loop around a loop, or itself, says under a name.
pub fn around(op: Op, name: &str) -> Option<i64> {
    std::iter::successors(Some(op), |op| op.parent()).find_map(|op| op.attr(name)?.as_i64())
}

/// The iterations of a loop; more than any limit where its bounds are not constants.
pub fn trips(found: For) -> i64 {
    found.extent().unwrap_or(i64::from(i32::MAX))
}
