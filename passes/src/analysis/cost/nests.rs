//! The stores of a kernel, the loops around them, and what each of them reads.

use relay_dialects::{
    ir::{Op, Value},
    ops::{arith, math, memref, scf},
    tir::{AllocBuffer, For, LoopKind, Scope},
};
use relay_loops::analysis::{
    loops::trips,
    quasi_affine::{Form, Term},
};
use std::collections::HashSet;

/// The bytes of a line of the cache.
pub const LINE: f64 = relay_topi::LINE_BYTES as f64;

/// A store with all that it needs.
pub struct Nest {
    /// The loops around it, the outermost first.
    pub loops: Vec<Loop>,
    /// What it writes, and then what it reads.
    pub accesses: Vec<Access>,
    /// The operations for an element, by their place in [`OPERATIONS`].
    pub operations: [f64; OPERATIONS.len()],
    /// How many of the loops are around the allocation of what it writes; none if that is a parameter.
    pub allocated_in: Option<usize>,
}

/// A loop.
#[derive(Clone, Copy)]
pub struct Loop {
    /// Its iterations.
    pub extent: f64,
    /// How it runs.
    pub kind: LoopKind,
    variable: Value,
}

impl Loop {
    /// Whether both are the same loop.
    pub fn is(&self, other: &Self) -> bool {
        self.variable == other.variable
    }
}

/// A read or write of a buffer.
pub struct Access {
    /// The buffer.
    pub buffer: Value,
    /// Where it lies.
    pub scope: Scope,
    /// Whether it writes.
    pub is_store: bool,
    /// The bytes of an element.
    pub width: f64,
    shape: Vec<i64>,
    subscripts: Vec<Form>,
    place: Option<Form>,
}

/// The operations that are told apart, and the names of ops that are such.
pub const OPERATIONS: [(&str, &[&str]); 12] = [
    ("float additions", &[arith::AddF::NAME, arith::SubF::NAME]),
    ("float products", &[arith::MulF::NAME]),
    ("float divisions", &[arith::DivF::NAME, arith::RemF::NAME]),
    (
        "float comparisons",
        &[
            arith::CmpF::NAME,
            arith::MaximumF::NAME,
            arith::MinimumF::NAME,
            arith::MaxNumF::NAME,
            arith::MinNumF::NAME,
        ],
    ),
    ("functions", &[math::PREFIX]),
    (
        "conversions",
        &[
            arith::ExtF::NAME,
            arith::TruncF::NAME,
            arith::SIToFP::NAME,
            arith::UIToFP::NAME,
            arith::FPToSI::NAME,
            arith::FPToUI::NAME,
            arith::ExtSI::NAME,
            arith::ExtUI::NAME,
            arith::TruncI::NAME,
            arith::IndexCast::NAME,
            arith::Bitcast::NAME,
        ],
    ),
    ("integer additions", &[arith::AddI::NAME, arith::SubI::NAME]),
    ("integer products", &[arith::MulI::NAME]),
    (
        "integer divisions",
        &[
            arith::DivSI::NAME,
            arith::DivUI::NAME,
            arith::RemSI::NAME,
            arith::RemUI::NAME,
            arith::FloorDivSI::NAME,
        ],
    ),
    (
        "integer comparisons",
        &[
            arith::CmpI::NAME,
            arith::MaxSI::NAME,
            arith::MinSI::NAME,
            arith::MaxUI::NAME,
            arith::MinUI::NAME,
        ],
    ),
    ("selections", &[arith::Select::NAME, scf::If::NAME]),
    (
        "bit operations",
        &[
            arith::AndI::NAME,
            arith::OrI::NAME,
            arith::XOrI::NAME,
            arith::ShLI::NAME,
            arith::ShRSI::NAME,
            arith::ShRUI::NAME,
        ],
    ),
];

/// The nests of a kernel, in the order of their stores.
pub fn nests(kernel: Op) -> Vec<Nest> {
    kernel
        .find_all(memref::Store::NAME)
        .into_iter()
        .map(Nest::of)
        .collect()
}

impl Nest {
    fn of(store: Op) -> Self {
        let mut around: Vec<For> = For::around(store).collect();
        around.reverse();
        let mut accesses = vec![Access::of(store, true)];
        let mut operations = [0.0; OPERATIONS.len()];
        for op in needed(store) {
            if op.is(memref::Load::NAME) {
                accesses.push(Access::of(op, false));
            } else if let Some(place) = operation(op) {
                operations[place] += 1.0;
            }
        }
        let allocation = AllocBuffer::making(store.operand(1));
        let outside = |alloc: AllocBuffer| For::around(alloc.op()).count();
        let loop_of = |found: &For| Loop {
            extent: trips(*found) as f64,
            kind: found.kind(),
            variable: found.variable(),
        };
        Self {
            loops: around.iter().map(loop_of).collect(),
            accesses,
            operations,
            allocated_in: allocation.map(outside),
        }
    }

    /// How often the store runs.
    pub fn iterations(&self) -> f64 {
        iterations(&self.loops)
    }

    /// The operations on floats of all its runs.
    pub fn flops(&self) -> f64 {
        let of_element: f64 = self.operations[..5].iter().sum();
        of_element * self.iterations()
    }

    /// The bytes of different elements that the loops from a depth on touch; accesses of one buffer are taken to touch the same.
    pub fn bytes_inside(&self, depth: usize) -> f64 {
        let inner = &self.loops[depth..];
        let mut most: Vec<(Value, f64)> = Vec::new();
        for access in &self.accesses {
            let bytes = access.bytes(inner);
            match most.iter_mut().find(|(buffer, _)| *buffer == access.buffer) {
                Some((_, known)) => *known = known.max(bytes),
                None => most.push((access.buffer, bytes)),
            }
        }
        most.into_iter().map(|(_, bytes)| bytes).sum()
    }

    /// Whether different iterations of a loop add to the same element.
    pub fn reduces(&self, of: &Loop) -> bool {
        self.accesses
            .first()
            .is_some_and(|store| !store.depends_on(of))
    }
}

/// The iterations of loops in one another.
pub fn iterations(loops: &[Loop]) -> f64 {
    loops.iter().map(|of| of.extent).product()
}

impl Access {
    fn of(op: Op, is_store: bool) -> Self {
        let at = usize::from(is_store);
        let buffer = op.operand(at);
        let subscripts = &op.operands()[at + 1..];
        let shape = buffer.ty().shape();
        Self {
            buffer,
            scope: Scope::of_buffer(buffer.ty()).unwrap_or(Scope::Global),
            is_store,
            width: buffer.ty().element().byte_width() as f64,
            place: Form::of_element(subscripts, &shape),
            subscripts: subscripts.iter().map(|it| Form::of(*it)).collect(),
            shape,
        }
    }

    /// The bytes of the whole buffer.
    pub fn whole_bytes(&self) -> f64 {
        let elements: f64 = self.shape.iter().map(|dim| *dim as f64).product();
        self.width * elements
    }

    /// Whether a loop changes which element it is.
    pub fn depends_on(&self, of: &Loop) -> bool {
        self.subscripts
            .iter()
            .any(|form| form.values().contains(&of.variable))
    }

    /// The elements between two iterations of a loop.
    pub fn stride(&self, of: &Loop) -> f64 {
        let place = self.place.as_ref();
        place.map_or(0.0, |place| stride(place, of.variable).abs())
    }

    /// Of each dimension, the number of places that some loops touch.
    fn counts(&self, loops: &[Loop]) -> Vec<f64> {
        let dims = self.subscripts.iter().zip(&self.shape);
        dims.map(|(form, dim)| count(form, loops).min((*dim).max(1) as f64))
            .collect()
    }

    /// The different elements that some loops touch.
    pub fn elements(&self, loops: &[Loop]) -> f64 {
        self.counts(loops).iter().product()
    }

    /// Their bytes.
    pub fn bytes(&self, loops: &[Loop]) -> f64 {
        self.width * self.elements(loops)
    }

    /// The lines of the cache that they lie in. Buffers begin with a line.
    pub fn lines(&self, loops: &[Loop]) -> f64 {
        let mut run = self.width;
        let mut runs = 1.0;
        let mut is_whole = true;
        let counts = self.counts(loops);
        for ((form, dim), count) in self.subscripts.iter().zip(&self.shape).zip(&counts).rev() {
            if is_whole {
                let dim = (*dim).max(1) as f64;
                let span = span(form, loops).min(dim);
                run *= span;
                is_whole = span == dim;
            } else {
                runs *= count;
            }
        }
        runs * (run / LINE).ceil()
    }
}

/// The difference that one iteration of a loop makes in a form.
fn stride(form: &Form, variable: Value) -> f64 {
    let of_term = |(term, coefficient): &(Term, i64)| {
        let step = match term {
            Term::Value(value) => f64::from(u8::from(*value == variable)),
            Term::Quotient(form, divisor) => stride(form, variable) / *divisor as f64,
        };
        step * *coefficient as f64
    };
    form.terms.iter().map(of_term).sum()
}

/// The length of the interval that a form goes through in some loops.
fn span(form: &Form, loops: &[Loop]) -> f64 {
    let of_term = |(term, coefficient): &(Term, i64)| {
        let steps = match term {
            Term::Value(value) => {
                let own = loops.iter().find(|it| it.variable == *value);
                own.map_or(0.0, |of| of.extent - 1.0)
            }
            Term::Quotient(form, divisor) => ((span(form, loops) - 1.0) / *divisor as f64).ceil(),
        };
        steps * coefficient.abs() as f64
    };
    1.0 + form.terms.iter().map(of_term).sum::<f64>()
}

/// The most different values of a form in some loops.
fn count(form: &Form, loops: &[Loop]) -> f64 {
    let values = form.values();
    let own = loops.iter().filter(|it| values.contains(&it.variable));
    let combinations: f64 = own.map(|of| of.extent).product();
    combinations.min(span(form, loops)).max(1.0)
}

/// The ops that a store needs, besides loops: those that make its operands, in branches too.
fn needed(store: Op) -> Vec<Op> {
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut open = vec![store];
    while let Some(op) = open.pop() {
        let mut read = op.operands();
        for region in op.regions() {
            let blocks = region.blocks().into_iter();
            let yielded = blocks.filter_map(|block| block.terminator());
            read.extend(yielded.flat_map(Op::operands));
        }
        for made in read.into_iter().filter_map(Value::def) {
            if For::of(made).is_none() && seen.insert(made) {
                found.push(made);
                open.push(made);
            }
        }
    }
    found
}

/// Which of [`OPERATIONS`] an op is. Arithmetic on indices is none: little of it is left in machine code.
fn operation(op: Op) -> Option<usize> {
    if op.results().iter().any(|result| result.ty().is_index()) {
        return None;
    }
    let name = op.name();
    let is_it =
        |known: &&'static str| name == *known || (known.ends_with('.') && name.starts_with(known));
    let mut all = OPERATIONS.iter();
    all.position(|(_, names)| names.iter().any(is_it))
}
