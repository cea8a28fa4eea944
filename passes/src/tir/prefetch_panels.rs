//! `prefetch-panels`: what the next tile reads is on its way while this one is computed.
//!
//! A tile of columns of a product reads a panel of the second operand, once for every tile of rows.
//! The first of these waits for memory; the others find the panel in the cache, and have time to fetch
//! the next one:
//!
//! ```mlir
//! tir.for %j = 0 to %columns {     // the panel is B[j, :, :]
//!   tir.for %i = 0 to %rows {
//!     tir.for %k = 0 to %depth {
//!       %b = vector.load %B[%j, %k, %c0]
//! ```
//! For every 16 iterations of `%k`, in a loop of their own, this asks for as many lines of `B[%j + 1]` as it takes
//! for the panel to be complete when the last tile of rows is. The same holds where one loop runs over tiles of columns and rows, fused: its
//! variable's quotient by the number of rows is `%j`.

use super::prefetch::{Near, element, extent, prefetch};
use crate::analysis::linear::{Linear, materialize, rewrite};
use relay_dialects::{
    index,
    ir::{Builder, Op, Value},
    pass::{Options, PassResult, PassSpec},
    tir::{AllocBuffer, For},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "prefetch-panels",
    summary: "Fetch what the next tile of a product reads while this one is computed",
    description: "In a nest of loops in which a vector is loaded anew for each iteration of a loop \
                  whose variable its address does not depend on, `memref.prefetch` fetches what the \
                  next iteration of the loop around that reads, some lines for every 16 iterations of the \
                  innermost loop, which becomes two. Panels of a few lines, or that do not fit the \
                  second cache, are left alone.",
    anchor: "func.func",
    options: &[],
    run,
};

/// Smaller panels are there as soon as one asks; of two larger ones, one would drive out the other of the
/// second cache.
const PANEL_BYTES: std::ops::Range<i64> = 4 << 10..768 << 10;

/// So many iterations of an innermost loop ask for lines together: a line of the next panel is wanted once for
/// all tiles that read this one, and asking for it in each iteration would cost as much as loading it.
const STRIP: i64 = 16;

fn run(func: Op, _options: &Options) -> PassResult {
    for innermost in For::all(func) {
        let is_innermost = For::all(innermost.op()).is_empty();
        let bytes: i64 = Panel::all(innermost).iter().map(Panel::bytes).sum();
        if is_innermost && PANEL_BYTES.contains(&bytes) {
            strip_mine(innermost);
            for panel in Panel::all(innermost) {
                panel.prefetch(innermost);
            }
        }
    }
    Ok(())
}

/// Makes two loops of a long innermost one, of which it becomes the inner, with [`STRIP`] iterations.
fn strip_mine(innermost: For) {
    let iterations = extent(innermost);
    if iterations <= STRIP || iterations % STRIP != 0 {
        return;
    }
    let b = Builder::before(innermost.op());
    let outer = For::serial(&b, 0, iterations / STRIP);
    if let Some(name) = innermost.name() {
        outer.set_name(&format!("{name}.outer"));
        innermost.set_name(&format!("{name}.inner"));
    }
    innermost.op().detach();
    outer.inside(&b).insert(innermost.op());
    innermost.set_bounds(0, STRIP);
    let variable = innermost.variable();
    let b = Builder::at_start(innermost.body(), b.loc, b.ctx);
    let before = index::scale(&b, outer.variable(), STRIP);
    let whole = b.binary("arith.addi", before, variable);
    variable.replace_all_uses_with(whole);
    if let Some(sum) = whole.def() {
        sum.set_operands(&[before, variable]);
    }
}

/// What one load reads of a panel.
struct Panel {
    load: Op,
    /// The number of the first element that the load reads, of all in the buffer.
    element: Linear,
    /// The loops that read the panel, innermost first, which lies without gaps in their order.
    inside: Vec<For>,
    /// What reads it anew.
    again: Again,
    /// The variable of the loop in which panels change.
    next: Value,
}

/// The iterations that read the same panel.
#[derive(Clone, Copy)]
enum Again {
    /// All those of a loop inside of the one in which panels change.
    Loop(For),
    /// So many that follow one another of the loop in which panels change.
    Every(i64),
}

impl Again {
    fn count(self) -> i64 {
        match self {
            Self::Loop(op) => extent(op),
            Self::Every(count) => count,
        }
    }

    /// By how much the variable of the loop in which panels change is greater for the next one.
    fn step(self) -> i64 {
        match self {
            Self::Loop(_) => 1,
            Self::Every(count) => count,
        }
    }

    /// How many of the iterations are done.
    fn done(self, b: &Builder, next: Value) -> Value {
        match self {
            Self::Loop(op) => op.variable(),
            Self::Every(count) => index::rem(b, next, count),
        }
    }
}

impl Panel {
    /// Those that an innermost loop reads, each once.
    fn all(innermost: For) -> Vec<Self> {
        let mut panels: Vec<Self> = Vec::new();
        for panel in innermost
            .op()
            .find_all("vector.load")
            .into_iter()
            .filter_map(Self::of)
        {
            if !panels.iter().any(|known| known.reads_same(&panel)) {
                panels.push(panel);
            }
        }
        panels
    }

    fn of(load: Op) -> Option<Self> {
        let buffer = load.operand(0);
        if AllocBuffer::making(buffer).is_some() {
            return None;
        }
        let mut loops = std::iter::successors(load.parent(), |op| op.parent())
            .take_while(|op| !op.is("func.func"))
            .filter_map(For::of);
        let is_read_by = |op: &For| {
            load.operands()[1..]
                .iter()
                .any(|value| index::depends_on(*value, op.variable()))
        };
        let mut inside = Vec::new();
        let (again, next) = loop {
            let op = loops.next()?;
            if !is_read_by(&op) {
                break (Again::Loop(op), loops.find(is_read_by)?.variable());
            }
            if let Some(count) = iterations_of_panel(load, op) {
                break (Again::Every(count), op.variable());
            }
            inside.push(op);
        };
        let panel = Self {
            load,
            element: element(load)?,
            inside,
            again,
            next,
        };
        panel.is_regular().then_some(panel)
    }

    /// Whether the place of an element is a sum of the inner loops' variables, whose ranges are constant,
    /// and of what does not depend on them; and each of the panels that follow one another is another.
    fn is_regular(&self) -> bool {
        let variables: Vec<Value> = self.inside.iter().map(|op| op.variable()).collect();
        let varies = |value: Value| variables.iter().any(|var| index::depends_on(value, *var));
        let mut terms = self.element.terms.iter();
        let is_plain = terms.all(|(term, _)| variables.contains(term) || !varies(*term));
        let from_zero = |op: &For| {
            op.constant_bounds()
                .is_some_and(|(low, high)| low == 0 && high > 1)
        };
        let again = match &self.again {
            Again::Loop(op) => from_zero(op),
            Again::Every(_) => true,
        };
        let panel = |number| place_at(self.load, self.next, self.again.step() * number);
        !self.inside.is_empty()
            && self.inside.iter().all(from_zero)
            && again
            && is_plain
            && self.has_no_gaps()
            && panel(0) != panel(1)
            && panel(1) != panel(2)
    }

    /// Whether an inner loop's iteration begins where the last one of the loop inside of it has ended.
    fn has_no_gaps(&self) -> bool {
        let mut stride = self.stride();
        let mut loops = self.inside.iter();
        loops.all(|op| {
            let begins = self.element.coefficient(op.variable()) == stride;
            stride *= extent(*op);
            begins
        })
    }

    /// The elements from one iteration of the innermost loop to the next one.
    fn stride(&self) -> i64 {
        let innermost = self.inside.first();
        innermost.map_or(0, |op| self.element.coefficient(op.variable()))
    }

    fn reads_same(&self, other: &Self) -> bool {
        self.load.operand(0) == other.load.operand(0)
            && self.element.clone().minus(&other.element) == Linear::default()
    }

    fn bytes(&self) -> i64 {
        let vector = self.load.result(0).ty();
        let each = vector.shape().iter().product::<i64>() * vector.element().byte_width() as i64;
        self.inside.iter().map(|op| extent(*op)).product::<i64>() * each
    }

    /// Over all iterations of `again`, each element of the next panel is asked for: before the innermost
    /// loop, for as many as it reads, if it is short.
    fn prefetch(&self, innermost: For) {
        let is_short = self.inside.first() == Some(&innermost) && extent(innermost) <= STRIP;
        let (b, inside, together) = if is_short {
            let iterations = extent(innermost);
            (
                Builder::before(innermost.op()),
                &self.inside[1..],
                iterations,
            )
        } else {
            let op = innermost.op();
            let b = Builder::at_start(innermost.body(), op.loc(), op.ctx());
            (b, &self.inside[..], 1)
        };
        let count: i64 = self.inside.iter().map(|op| extent(*op)).product();
        // The iterations done since the panel was begun, of `count` times those of `again`.
        let mut done = index::scale(&b, self.again.done(&b, self.next), count);
        let mut inner = together;
        for op in inside {
            done = index::add(&b, done, index::scale(&b, op.variable(), inner));
            inner *= extent(*op);
        }
        let first = self.next_panel(&b, innermost.op());
        let lines = index::ceil_div(together, self.again.count());
        for line in 0..lines {
            let so_far = index::add(&b, done, b.index(line * together / lines));
            let place = index::div(&b, so_far, self.again.count());
            let element = index::add(&b, first, index::scale(&b, place, self.stride()));
            prefetch(&b, self.load.operand(0), element, Near::Second);
        }
    }

    /// The first element of the next panel.
    fn next_panel(&self, b: &Builder, innermost: Op) -> Value {
        let step = b.index(self.again.step());
        let mut replaced = vec![(self.next, index::add(b, self.next, step))];
        let zero = b.index(0);
        replaced.extend(self.inside.iter().map(|op| (op.variable(), zero)));
        let mut first = self.element.clone();
        for (term, _) in &mut first.terms {
            *term = substitute(b, *term, &replaced, innermost);
        }
        materialize(b, &first)
    }
}

/// The subscripts of a load in an iteration of the loop of `variable`, all other variables being 0. None
/// if they are more than arithmetic.
fn place_at(load: Op, variable: Value, iteration: i64) -> Option<Vec<i64>> {
    let subscripts = load.operands().into_iter().skip(1);
    subscripts
        .map(|value| evaluate(value, variable, iteration))
        .collect()
}

/// How many iterations of a loop that follow one another load from the same place, if they are several
/// and equally many for the first two places.
fn iterations_of_panel(load: Op, op: For) -> Option<i64> {
    let place = |iteration| place_at(load, op.variable(), iteration);
    let first = place(0)?;
    let count = (1..extent(op)).find(|iteration| place(*iteration).as_ref() != Some(&first))?;
    let second = place(count)?;
    let as_many = (count..2 * count).all(|iteration| place(iteration).as_ref() == Some(&second));
    (count > 1 && as_many).then_some(count)
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

/// Index arithmetic with values in the place of others; what stands in the loop `inside` is written anew.
fn substitute(b: &Builder, value: Value, replaced: &[(Value, Value)], inside: Op) -> Value {
    let other = |value: Value| {
        let found = replaced.iter().find(|(known, _)| *known == value);
        found.map(|(_, other)| *other)
    };
    let depends = |op: Op| {
        let mut known = replaced.iter();
        op.parent() == Some(inside)
            || known.any(|(known, _)| index::depends_on(op.result(0), *known))
    };
    rewrite(b, value, &other, &depends)
}
