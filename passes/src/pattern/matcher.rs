//! Where a pattern matches.
//!
//! The matcher goes on with the rest of the pattern each time that a part matches, and takes the next way if the rest
//! does not: orders of a commutative operator's operands, alternatives, associations of products and quotients. The
//! ways are tried in TVM's order, which itself stays with the first way of a part that matches.

use super::{
    Datum, Pattern, Subject,
    dominance::leads_only_to,
    language::Kind,
    subject::{function, has_attr, is_call, is_commutative, is_parameter, is_same, taken_from},
};
use relay_dialects::{
    ir::{Op, Value},
    names,
    relay::build::{constant, splat},
};
use std::collections::HashSet;

/// What the nodes of a pattern are bound to.
#[derive(Default)]
pub struct Match {
    entries: Vec<Entry>,
    /// Whether nodes are on the path of a domination, where one may match often.
    is_fuzzy: bool,
    /// How many nodes were tried.
    steps: usize,
}

/// A match that takes more steps is given up: a sum of n operands has 2^n orders.
const MAX_STEPS: usize = 1 << 20;

/// A step of a match, in the order of matching.
enum Entry {
    /// A node is bound.
    Bound {
        pattern: Pattern,
        subject: Subject,
        is_fuzzy: bool,
    },
    /// The op belongs to the match, and no node is bound to it: products and quotients were associated anew.
    Inside(Op),
}

/// What is to be done when a part has matched: whether the rest matches, too.
type Rest<'a> = &'a mut dyn FnMut(&mut Match) -> bool;

/// Matches a pattern with a part of the graph; `accept` may refuse a match, and is then shown the next one.
pub fn match_at(
    pattern: &Pattern,
    subject: Subject,
    accept: impl FnMut(&Match) -> bool,
) -> Option<Match> {
    let mut accept = accept;
    let mut state = Match::default();
    state
        .visit(pattern, subject, &mut |state| accept(state))
        .then_some(state)
}

impl Match {
    /// What a node is bound to; `None` on a branch that was not taken. On the path of a domination, the first of several.
    pub fn get(&self, wanted: &Pattern) -> Option<Subject> {
        self.all(wanted).next()
    }

    /// The value that a node is bound to.
    pub fn value(&self, wanted: &Pattern) -> Option<Value> {
        self.get(wanted)?.value()
    }

    /// All that a node is bound to: several only on the path of a domination.
    pub fn all(&self, wanted: &Pattern) -> impl Iterator<Item = Subject> {
        self.entries.iter().filter_map(move |entry| match entry {
            Entry::Bound {
                pattern, subject, ..
            } if pattern.is(wanted) => Some(*subject),
            _ => None,
        })
    }

    /// The ops that the pattern itself names: calls, tuples, their fields, `if`, each once, in the order of matching.
    pub fn ops(&self) -> Vec<Op> {
        let mut ops = Vec::new();
        for entry in &self.entries {
            let op = match entry {
                Entry::Inside(op) => Some(*op),
                Entry::Bound {
                    pattern, subject, ..
                } => named_op(pattern, *subject),
            };
            ops.extend(op.filter(|op| !ops.contains(op)));
        }
        ops
    }

    /// The constants that the pattern asks for as such, each once.
    pub fn constants(&self) -> Vec<Value> {
        let mut found = Vec::new();
        for entry in &self.entries {
            if let Entry::Bound {
                pattern,
                subject: Subject::Value(value),
                ..
            } = entry
                && matches!(pattern.kind(), Kind::Constant(_))
                && !found.contains(value)
            {
                found.push(*value);
            }
        }
        found
    }

    fn bound(&self, wanted: &Pattern) -> Option<Subject> {
        self.entries.iter().find_map(|entry| match entry {
            Entry::Bound {
                pattern,
                subject,
                is_fuzzy: false,
            } if pattern.is(wanted) => Some(*subject),
            _ => None,
        })
    }

    /// Matches, binds, and goes on; leaves no trace if that fails.
    fn visit(&mut self, pattern: &Pattern, subject: Subject, rest: Rest<'_>) -> bool {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return false;
        }
        if !self.is_fuzzy
            && let Some(bound) = self.bound(pattern)
        {
            return bound.is(subject) && rest(self);
        }
        let before = self.entries.len();
        let done = self.visit_kind(pattern, subject, &mut |state| {
            let mark = state.entries.len();
            let is_fuzzy = state.is_fuzzy;
            let pattern = pattern.clone();
            state.entries.push(Entry::Bound {
                pattern,
                subject,
                is_fuzzy,
            });
            let done = rest(state);
            if !done {
                state.entries.truncate(mark);
            }
            done
        });
        if !done {
            self.entries.truncate(before);
        }
        done
    }

    /// Matches in the first way that there is.
    fn visit_once(&mut self, pattern: &Pattern, value: Value) -> bool {
        self.visit(pattern, Subject::Value(value), &mut |_| true)
    }

    /// As [`visit_once`](Self::visit_once), of a node that may be bound often.
    fn visit_fuzzy(&mut self, pattern: &Pattern, value: Value) -> bool {
        let outer = std::mem::replace(&mut self.is_fuzzy, true);
        let done = self.visit_once(pattern, value);
        self.is_fuzzy = outer;
        done
    }

    fn visit_kind(&mut self, pattern: &Pattern, subject: Subject, rest: Rest<'_>) -> bool {
        match pattern.kind() {
            Kind::Wildcard => rest(self),
            Kind::Op(name) => matches!(subject, Subject::Callee(op) if op.is(name)) && rest(self),
            Kind::Call { callee, args } => self.visit_call(callee, args.as_deref(), subject, rest),
            Kind::Function { params, body } => {
                self.visit_function(params.as_deref(), body, subject, rest)
            }
            Kind::Alt(first, second) => {
                self.visit(first, subject, rest) || self.visit(second, subject, rest)
            }
            Kind::Attrs(inner, attrs) => {
                let has = |(name, value): &(String, Datum)| has_attr(subject, name, value);
                attrs.iter().all(has) && self.visit(inner, subject, rest)
            }
            Kind::Dominates {
                parent,
                path,
                child,
            } => self.visit(child, subject, &mut |state| {
                let before = state.entries.len();
                let done = state.dominates(parent, path, subject) && rest(state);
                if !done {
                    state.entries.truncate(before);
                }
                done
            }),
            _ => subject
                .value()
                .is_some_and(|value| self.visit_value(pattern, value, rest)),
        }
    }

    /// The kinds that match nothing but values.
    fn visit_value(&mut self, pattern: &Pattern, value: Value, rest: Rest<'_>) -> bool {
        let subject = Subject::Value(value);
        match pattern.kind() {
            Kind::Expr(expected) => is_same(*expected, value) && rest(self),
            Kind::Var(name) => is_parameter(value, name) && rest(self),
            Kind::Constant(None) => constant(value).is_some() && rest(self),
            Kind::Constant(number) => splat(value) == *number && rest(self),
            Kind::Type(inner, text) => {
                value.ty().to_string() == *text && self.visit(inner, subject, rest)
            }
            Kind::Shape(inner, shape) => {
                let is_of = value.ty().is_tensor() && shape.is(&Datum::dims(&value.ty().shape()));
                is_of && self.visit(inner, subject, rest)
            }
            Kind::DataType(inner, element) => {
                let is_of =
                    value.ty().is_tensor() && value.ty().element() == element.ty(value.ctx());
                is_of && self.visit(inner, subject, rest)
            }
            Kind::Tuple(fields) => {
                let tuple = value.def_of(names::relay::TUPLE);
                tuple.is_some_and(|op| self.visit_operands(op, fields.as_deref(), rest))
            }
            Kind::TupleGetItem { tuple, index } => {
                taken_from(value, *index).is_some_and(|source| self.visit(tuple, source, rest))
            }
            Kind::If {
                condition,
                then,
                other,
            } => self.visit_if([condition, then, other], value, rest),
            // The others are matched above.
            _ => false,
        }
    }

    fn visit_if(&mut self, parts: [&Pattern; 3], value: Value, rest: Rest<'_>) -> bool {
        let Some(op) = value.def_of(names::relay::IF) else {
            return false;
        };
        let yielded = |region| {
            let end = op.block_in(region).and_then(|block| block.terminator())?;
            Some(end.operand(value.number()))
        };
        let (Some(then), Some(other)) = (yielded(0), yielded(1)) else {
            return false;
        };
        self.visit_all(
            &parts.map(Clone::clone),
            &[op.operand(0), then, other],
            rest,
        )
    }

    fn visit_call(
        &mut self,
        callee: &Pattern,
        args: Option<&[Pattern]>,
        subject: Subject,
        rest: Rest<'_>,
    ) -> bool {
        let Some(op) = subject.op() else {
            return false;
        };
        let called = Subject::Callee(op);
        // Most patterns name an operator, and most ops are others.
        let is_other = matches!(callee.kind(), Kind::Op(name) if !op.is(name));
        let direct = !is_other
            && is_call(op)
            && self.visit(callee, called, &mut |state| {
                state.visit_operands(op, args, rest)
            });
        direct || args.is_some_and(|args| self.visit_associated(callee, args, op, rest))
    }

    /// The operands of a call, in both orders if its operator is commutative.
    fn visit_operands(&mut self, op: Op, args: Option<&[Pattern]>, rest: Rest<'_>) -> bool {
        let Some(args) = args else { return rest(self) };
        let operands = op.operands();
        if self.visit_all(args, &operands, rest) {
            return true;
        }
        let [first, second] = args else { return false };
        let swapped = [second.clone(), first.clone()];
        is_commutative(op) && self.visit_all(&swapped, &operands, rest)
    }

    fn visit_all(&mut self, patterns: &[Pattern], values: &[Value], rest: Rest<'_>) -> bool {
        if patterns.len() != values.len() {
            return false;
        }
        let ([pattern, patterns @ ..], [value, values @ ..]) = (patterns, values) else {
            return rest(self);
        };
        self.visit(pattern, Subject::Value(*value), &mut |state| {
            state.visit_all(patterns, values, rest)
        })
    }

    /// (a * b) / c where the graph has a * (b / c), and the other way round.
    fn visit_associated(
        &mut self,
        callee: &Pattern,
        args: &[Pattern],
        op: Op,
        rest: Rest<'_>,
    ) -> bool {
        use names::relay::{DIVIDE, MULTIPLY};
        let [first, second] = args else { return false };
        if is_named(callee, DIVIDE) && op.is(MULTIPLY) {
            let Some((a, b)) = operands_of(first, MULTIPLY) else {
                return false;
            };
            return [0, 1].into_iter().any(|side| {
                let quotient = op.operand(side).def_of(DIVIDE);
                quotient.is_some_and(|quotient| {
                    let values = [
                        op.operand(1 - side),
                        quotient.operand(0),
                        quotient.operand(1),
                    ];
                    [[b, a], [a, b]].into_iter().any(|[factor, dividend]| {
                        let parts = [factor.clone(), dividend.clone(), second.clone()];
                        self.visit_inside(quotient, &parts, &values, rest)
                    })
                })
            });
        }
        if !is_named(callee, MULTIPLY) || !op.is(DIVIDE) {
            return false;
        }
        let Some(product) = op.operand(0).def_of(MULTIPLY) else {
            return false;
        };
        [(first, second), (second, first)]
            .into_iter()
            .any(|(quotient, factor)| {
                let Some((a, b)) = operands_of(quotient, DIVIDE) else {
                    return false;
                };
                [0, 1].into_iter().any(|side| {
                    let values = [
                        product.operand(side),
                        product.operand(1 - side),
                        op.operand(1),
                    ];
                    let parts = [a.clone(), factor.clone(), b.clone()];
                    self.visit_inside(product, &parts, &values, rest)
                })
            })
    }

    /// Matches values, and takes an op into the match that no node is bound to.
    fn visit_inside(
        &mut self,
        op: Op,
        patterns: &[Pattern],
        values: &[Value],
        rest: Rest<'_>,
    ) -> bool {
        self.visit_all(patterns, values, &mut |state| {
            let before = state.entries.len();
            state.entries.push(Entry::Inside(op));
            let done = rest(state);
            if !done {
                state.entries.truncate(before);
            }
            done
        })
    }

    /// Whether each way upwards from the child is a path that ends in the one parent, and whatever is computed of the
    /// parent is read on the way to the child only.
    fn dominates(&mut self, parent: &Pattern, path: &Pattern, child: Subject) -> bool {
        let Some(child) = child.op() else {
            return false;
        };
        let mut seen = HashSet::new();
        let mut open: Vec<Value> = child.operands();
        if open.is_empty() {
            return false;
        }
        while let Some(value) = open.pop() {
            if !seen.insert(value) || self.visit_once(parent, value) {
                continue;
            }
            let above = value.def().map(Op::operands).unwrap_or_default();
            // A way that ends in anything but the parent is none.
            if above.is_empty() || !self.visit_fuzzy(path, value) {
                return false;
            }
            open.extend(above);
        }
        let parent = self.get(parent);
        parent.is_some_and(|parent| leads_only_to(parent, child))
    }

    fn visit_function(
        &mut self,
        params: Option<&[Pattern]>,
        body: &Pattern,
        subject: Subject,
        rest: Rest<'_>,
    ) -> bool {
        let Subject::Callee(call) = subject else {
            return false;
        };
        let Some(block) = function(call).and_then(|function| function.block_in(0)) else {
            return false;
        };
        let returned = block.terminator().map(Op::operands).unwrap_or_default();
        let visit_body: Rest<'_> = &mut |state| match (body.kind(), &returned[..]) {
            (_, [value]) => state.visit(body, Subject::Value(*value), rest),
            (Kind::Tuple(Some(fields)), values) => state.visit_all(fields, values, rest),
            _ => false,
        };
        match params {
            Some(params) => self.visit_all(params, &block.args(), visit_body),
            None => visit_body(self),
        }
    }
}

/// The op that a node names: not what a wildcard or a constant happens to be bound to.
fn named_op(pattern: &Pattern, subject: Subject) -> Option<Op> {
    match (pattern.kind(), subject) {
        (Kind::Call { .. }, _) => subject.op(),
        (Kind::Tuple(_) | Kind::If { .. }, Subject::Value(value)) => value.def(),
        // A result of an op of several is no op of its own.
        (Kind::TupleGetItem { .. }, Subject::Value(value)) => value.def_of(names::relay::TUPLE_GET),
        _ => None,
    }
}

pub(super) fn is_named(callee: &Pattern, name: &str) -> bool {
    matches!(callee.kind(), Kind::Op(known) if known == name)
}

/// The two operands of a pattern that is a call of this operator.
pub(super) fn operands_of<'a>(
    pattern: &'a Pattern,
    name: &str,
) -> Option<(&'a Pattern, &'a Pattern)> {
    match pattern.kind() {
        Kind::Call {
            callee,
            args: Some(args),
        } if is_named(callee, name) => match &args[..] {
            [first, second] => Some((first, second)),
            _ => None,
        },
        _ => None,
    }
}
