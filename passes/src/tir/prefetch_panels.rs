//! `prefetch-panels`: what the next tile reads is on its way while this one is computed.
//!
//! A tile of columns of a product reads a panel of the second operand, once for every tile of rows.
//! The first of these waits for memory; the others find the panel in the cache, and have time to fetch
//! the next one:
//!
//! ```mlir
//! tir.for %c0 to %columns {        // the panel is B[j, :, :]
//!   tir.for %c0 to %rows {
//!     tir.for %c0 to %depth {
//!       %b = vector.load %B[%j, %k, %c0]
//! ```
//! In each iteration this asks for an element of `B[%j + 1]`, so that the panel is complete when the
//! last tile of rows is.

use crate::analysis::linear::{Linear, depends_on, linear, loop_bounds, materialize, rewrite};
use relay_dialects::{
    index,
    ir::{Attr, Builder, Op, Value},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "prefetch-panels",
    summary: "Fetch what the next tile of a product reads while this one is computed",
    description: "In a nest of loops in which a vector is loaded anew for each iteration of a loop \
                  whose variable its address does not depend on, `memref.prefetch` fetches what the \
                  next iteration of the loop around that reads. Panels that fit the first cache, \
                  or do not fit the second, are left alone.",
    anchor: "func.func",
    options: &[],
    run,
};

/// Panels of fewer bytes stay in the first cache; of two larger ones, one would drive out the other of the
/// second.
const PANEL_BYTES: std::ops::Range<i64> = 24 << 10..768 << 10;

fn run(func: Op, _options: &Options) -> PassResult {
    for innermost in func.find_all("tir.for") {
        if !innermost.find_all("tir.for").is_empty() {
            continue;
        }
        let mut panels: Vec<Panel> = Vec::new();
        for load in innermost.find_all("vector.load") {
            if let Some(panel) = Panel::of(load)
                && !panels.iter().any(|known| known.reads_same(&panel))
            {
                panels.push(panel);
            }
        }
        let bytes: i64 = panels.iter().map(Panel::bytes).sum();
        if PANEL_BYTES.contains(&bytes) {
            let b = Builder::at_start(innermost.body(), innermost.loc(), innermost.ctx());
            panels.iter().for_each(|panel| panel.prefetch(&b));
        }
    }
    Ok(())
}

/// What one load reads of a panel.
struct Panel {
    load: Op,
    /// The load's subscripts.
    subscripts: Vec<Linear>,
    /// The loops that read the panel, innermost first.
    inside: Vec<Op>,
    /// The loop that reads it anew in each iteration.
    again: Op,
    /// The variable of the loop whose next iteration reads the next panel.
    next: Value,
}

impl Panel {
    fn of(load: Op) -> Option<Self> {
        let buffer = load.operand(0);
        if buffer.def_of("tir.alloc_buffer").is_some() {
            return None;
        }
        let subscripts: Vec<Linear> = load.operands()[1..].iter().map(|v| linear(*v)).collect();
        let mut loops = std::iter::successors(load.parent(), |op| op.parent())
            .take_while(|op| !op.is("func.func"))
            .filter(|op| op.is("tir.for"));
        let is_read_by = |op: &Op| {
            load.operands()[1..]
                .iter()
                .any(|value| depends_on(*value, op.body().arg(0)))
        };
        let mut inside = Vec::new();
        let again = loops.by_ref().find(|op| {
            let reads = is_read_by(op);
            if reads {
                inside.push(*op);
            }
            !reads
        })?;
        let next = loops.find(is_read_by)?.body().arg(0);
        let panel = Self {
            load,
            subscripts,
            inside,
            again,
            next,
        };
        panel.is_regular().then_some(panel)
    }

    /// Whether all subscripts are sums of the inner loops' variables, whose ranges are constant, and of
    /// what does not depend on them; and each iteration of the loop around reads another panel.
    fn is_regular(&self) -> bool {
        let variables: Vec<Value> = self.inside.iter().map(|op| op.body().arg(0)).collect();
        let varies = |value: Value| variables.iter().any(|var| depends_on(value, *var));
        let is_plain = |form: &Linear| {
            let mut terms = form.terms.iter();
            terms.all(|(term, _)| variables.contains(term) || !varies(*term))
        };
        let from_zero = |op: &Op| loop_bounds(*op).is_some_and(|(low, high)| low == 0 && high > 1);
        !self.inside.is_empty()
            && self.inside.iter().chain([&self.again]).all(from_zero)
            && self.subscripts.iter().all(is_plain)
            && self.panel_at(0) != self.panel_at(1)
            && self.panel_at(1) != self.panel_at(2)
    }

    /// The subscripts of the first element of the panel that an iteration of the loop around reads, all
    /// other variables being 0. None if they are more than arithmetic.
    fn panel_at(&self, iteration: i64) -> Option<Vec<i64>> {
        let subscripts = self.load.operands().into_iter().skip(1);
        subscripts
            .map(|value| evaluate(value, self.next, iteration))
            .collect()
    }

    fn reads_same(&self, other: &Self) -> bool {
        let is_zero = |form: Linear| form == Linear::default();
        self.load.operand(0) == other.load.operand(0)
            && self
                .subscripts
                .iter()
                .zip(&other.subscripts)
                .all(|(a, b)| is_zero(a.clone().minus(b)))
    }

    fn bytes(&self) -> i64 {
        let vector = self.load.result(0).ty();
        let each = vector.shape().iter().product::<i64>() * vector.element().byte_width() as i64;
        self.inside.iter().map(|op| extent(*op)).product::<i64>() * each
    }

    /// Over all iterations of `again`, each element of the next panel is asked for.
    fn prefetch(&self, b: &Builder) {
        let count: i64 = self.inside.iter().map(|op| extent(*op)).product();
        // The iterations done since the panel was begun, of `count` times those of `again`.
        let mut done = index::scale(b, self.again.body().arg(0), count);
        let mut inner = 1;
        for op in &self.inside {
            done = index::add(b, done, index::scale(b, op.body().arg(0), inner));
            inner *= extent(*op);
        }
        let mut place = index::div(b, done, extent(self.again));
        let mut replaced: Vec<(Value, Value)> = Vec::new();
        for op in &self.inside {
            let extent = extent(*op);
            replaced.push((op.body().arg(0), index::rem(b, place, extent)));
            place = index::div(b, place, extent);
        }
        replaced.push((self.next, index::add(b, self.next, b.index(1))));
        let mut operands = vec![self.load.operand(0)];
        operands.extend(self.subscripts.iter().map(|form| {
            let mut form = form.clone();
            for (term, _) in &mut form.terms {
                *term = substitute(b, *term, &replaced);
            }
            materialize(b, &form)
        }));
        let attrs = [
            ("isWrite", Attr::bool(b.ctx, false)),
            (
                "localityHint",
                Attr::int(relay_dialects::ir::Type::int(b.ctx, 32), 2),
            ),
            ("isDataCache", Attr::bool(b.ctx, true)),
        ];
        b.op("memref.prefetch", &operands, &[], &attrs);
    }
}

/// What index arithmetic comes to where `variable` is `at` and every other loop's variable is 0.
fn evaluate(value: Value, variable: Value, at: i64) -> Option<i64> {
    if value == variable {
        return Some(at);
    }
    let Some(op) = value.def() else {
        return Some(0);
    };
    if let Some(number) = index::constant(value) {
        return Some(number);
    }
    let side = |number: usize| evaluate(op.operand(number), variable, at);
    match op.name().as_str() {
        "arith.addi" => side(0)?.checked_add(side(1)?),
        "arith.subi" => side(0)?.checked_sub(side(1)?),
        "arith.muli" => side(0)?.checked_mul(side(1)?),
        "arith.divsi" => side(0)?.checked_div(side(1)?),
        "arith.remsi" => side(0)?.checked_rem(side(1)?),
        "arith.minsi" => Some(side(0)?.min(side(1)?)),
        "arith.maxsi" => Some(side(0)?.max(side(1)?)),
        _ => None,
    }
}

/// Index arithmetic with values in the place of others.
fn substitute(b: &Builder, value: Value, replaced: &[(Value, Value)]) -> Value {
    let other = |value: Value| {
        let found = replaced.iter().find(|(known, _)| *known == value);
        found.map(|(_, other)| *other)
    };
    let depends = |op: Op| {
        let mut known = replaced.iter();
        known.any(|(known, _)| depends_on(op.result(0), *known))
    };
    rewrite(b, value, &other, &depends)
}

fn extent(op: Op) -> i64 {
    loop_bounds(op).map_or(0, |(low, high)| high - low)
}
