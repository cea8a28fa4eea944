//! Which elements of its buffers a kernel of `tir` loops reads and writes, as far as its subscripts prove it.

use super::quasi_affine::{Form, Term};
use relay_dialects::{
    ir::{Op, Value},
    names::tir,
    ops::{arith, func, math, memref, scf, vector},
    tir::{AllocBuffer, For},
};

/// A read or write of a kernel's parameter.
struct Access {
    op: Op,
    /// The parameter's number.
    parameter: usize,
    /// The element, or the first of a vector.
    place: Form,
    /// How many elements.
    lanes: i64,
    is_store: bool,
}

/// An input that a kernel copies as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The input's parameter.
    pub input: usize,
    /// Where it begins in the output, in elements.
    pub offset: i64,
}

/// A kernel that only puts its inputs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copies {
    /// The output's parameter.
    pub output: usize,
    /// The inputs in the order in which they lie in the output, without gaps.
    pub parts: Vec<Part>,
}

/// All accesses of a kernel. `None` if a parameter is used in another way than by loads and stores, or another
/// op has effects.
fn accesses(kernel: Op) -> Option<Vec<Access>> {
    let parameters = kernel.body().args();
    let mut found = Vec::new();
    let mut is_known = true;
    kernel.walk(|op| {
        if op == kernel || !is_known || is_hint(op) {
            return;
        }
        let buffers: Vec<(usize, usize)> = op
            .operands()
            .iter()
            .enumerate()
            .filter_map(|(at, value)| {
                let parameter = parameters.iter().position(|known| known == value)?;
                Some((at, parameter))
            })
            .collect();
        match (access_kind(op), buffers.as_slice()) {
            (Some((buffer, is_store)), [(at, parameter)]) if *at == buffer => {
                let shape = parameters[*parameter].ty().shape();
                let place = Form::of_element(&op.operands()[buffer + 1..], &shape);
                let Some(place) = place else {
                    is_known = false;
                    return;
                };
                let value = if is_store {
                    op.operand(0)
                } else {
                    op.result(0)
                };
                found.push(Access {
                    op,
                    parameter: *parameter,
                    place,
                    lanes: if value.ty().is_vector() {
                        value.ty().count()
                    } else {
                        1
                    },
                    is_store,
                });
            }
            (_, []) => is_known = !has_effects(op),
            _ => is_known = false,
        }
    });
    is_known.then_some(found)
}

/// Whether an op is only a hint of what is read soon: it has no effect on any element.
pub fn is_hint(op: Op) -> bool {
    let is_view = op.is(memref::ReinterpretCast::NAME);
    op.is(memref::Prefetch::NAME) || (is_view && op.result(0).users().into_iter().all(is_hint))
}

/// The number of the operand that is the buffer of a load or store, and whether the op stores.
fn access_kind(op: Op) -> Option<(usize, bool)> {
    match op.name().as_str() {
        memref::Load::NAME | vector::Load::NAME => Some((0, false)),
        memref::Store::NAME | vector::Store::NAME => Some((1, true)),
        _ => None,
    }
}

/// Whether an op that touches no parameter may have other effects than loads, stores and arithmetic have.
fn has_effects(op: Op) -> bool {
    let name = op.name();
    let is_plain = [arith::PREFIX, math::PREFIX, vector::PREFIX]
        .iter()
        .any(|dialect| name.starts_with(dialect));
    let is_known = [
        For::NAME,
        scf::If::NAME,
        scf::Yield::NAME,
        func::Return::NAME,
        memref::Load::NAME,
        memref::Store::NAME,
        AllocBuffer::NAME,
        tir::DOT_BYTES,
    ];
    !is_plain && !is_known.contains(&name.as_str())
}

/// The copies that a kernel makes, if it does nothing else: each element that it stores is one of an input, at
/// the same distance for all elements of that input, and the inputs fill the output.
pub fn copies(kernel: Op) -> Option<Copies> {
    let accesses = accesses(kernel)?;
    let stores: Vec<&Access> = accesses.iter().filter(|access| access.is_store).collect();
    let output = stores.first()?.parameter;
    let mut parts: Vec<Part> = Vec::new();
    for store in stores {
        if store.parameter != output {
            return None;
        }
        let mut sources = Vec::new();
        collect_sources(store.op.operand(0), &mut sources)?;
        for source in sources {
            let load = accesses.iter().find(|access| access.op == source)?;
            let offset = store.place.distance(&load.place)?;
            let part = Part {
                input: load.parameter,
                offset,
            };
            match parts.iter().find(|known| known.input == part.input) {
                Some(known) if *known != part => return None,
                Some(_) => {}
                None => parts.push(part),
            }
        }
    }
    let size = |parameter: usize| kernel.body().arg(parameter).ty().count();
    parts.sort_by_key(|part| part.offset);
    let mut end = 0;
    for part in &parts {
        if part.input == output || part.offset != end {
            return None;
        }
        end = size(part.input).checked_add(end)?;
    }
    (end == size(output)).then_some(Copies { output, parts })
}

/// The loads that a value may come from, on one path or another; `None` if it may come from anything else.
fn collect_sources(value: Value, sources: &mut Vec<Op>) -> Option<()> {
    let op = value.def()?;
    if let Some((_, false)) = access_kind(op) {
        sources.push(op);
        return Some(());
    }
    if !op.is(scf::If::NAME) {
        return None;
    }
    let number = value.number();
    for region in op.regions() {
        let yielded = region.first_block()?.terminator()?.operands();
        collect_sources(*yielded.get(number)?, sources)?;
    }
    Some(())
}

/// The pairs of an input and an output that may be one buffer: each element of the output is written once, after
/// all reads of the input's element in the same place.
pub fn in_place(kernel: Op) -> Vec<(usize, usize)> {
    let Some(accesses) = accesses(kernel) else {
        return Vec::new();
    };
    let of = |parameter: usize| {
        accesses
            .iter()
            .filter(move |access| access.parameter == parameter)
    };
    let parameters = kernel.body().args();
    let mut pairs = Vec::new();
    for (output, buffer) in parameters.iter().enumerate() {
        let writes: Vec<&Access> = of(output).collect();
        let [store] = writes.as_slice() else { continue };
        if !store.is_store || !writes_once(store) {
            continue;
        }
        for (input, other) in parameters.iter().enumerate() {
            let is_read = of(input).count() > 0;
            let is_before = |load: &Access| {
                !load.is_store
                    && load.lanes == store.lanes
                    && load.place.distance(&store.place) == Some(0)
                    && runs_before(load.op, store.op)
            };
            let is_alike = other.ty().is_memref()
                && other.ty().count() == buffer.ty().count()
                && other.ty().element().byte_width() == buffer.ty().element().byte_width();
            if input != output && is_alike && is_read && of(input).all(is_before) {
                pairs.push((input, output));
            }
        }
    }
    pairs
}

/// Whether `first` runs before `second` in each iteration of the loops around `second`.
fn runs_before(first: Op, second: Op) -> bool {
    let block = second.block();
    std::iter::successors(Some(first), |op| op.parent())
        .find(|op| op.block() == block)
        .is_some_and(|ancestor| ancestor != second && ancestor.is_before(second))
}

/// Whether no two iterations of the loops around a store touch the same element.
fn writes_once(store: &Access) -> bool {
    let mut variables = Vec::new();
    for op in std::iter::successors(store.op.parent(), |op| op.parent()) {
        if let Some(op) = For::of(op) {
            let Some(extent) = op.extent() else {
                return false;
            };
            variables.push((op.variable(), extent));
        } else if !op.is(scf::If::NAME) {
            break;
        }
    }
    // Whether the terms form the digits of a number, the last digit first: each coefficient is greater than the
    // greatest sum of the terms before it.
    let mut digits = Vec::new();
    for (term, coefficient) in &store.place.terms {
        let Term::Value(value) = term else {
            return false;
        };
        let Some(at) = variables.iter().position(|(known, _)| known == value) else {
            return false;
        };
        digits.push((*coefficient, variables.swap_remove(at).1));
    }
    if variables.iter().any(|(_, extent)| *extent > 1) {
        return false;
    }
    digits.sort_unstable();
    let mut reach = store.lanes;
    digits.into_iter().all(|(coefficient, extent)| {
        let is_apart = coefficient >= reach;
        reach = coefficient.saturating_mul(extent - 1).saturating_add(reach);
        is_apart
    })
}
