//! Groups of operators behind transposes, and which of them move in front.

use super::super::convert_layout::{Layouts, reduction_axes, transpose_axes};
use petgraph::unionfind::UnionFind;
use relay_dialects::{
    ir::{Op, Value},
    names,
    relay::{Attrs, Pattern, build::constant, row::LayoutRule, row_of},
};
use std::collections::{HashMap, HashSet};

/// Groups of connected operators that work in any order of dimensions, and read transposes, constants and each other only. A group
/// moves as a whole or not at all.
#[derive(Default)]
pub struct Chains {
    /// Transposes, with the order of their results and that of their operands.
    sources: HashMap<Op, Layouts>,
    /// Operators that work in either order.
    members: HashSet<Op>,
    /// The transposes and operators of groups that move.
    moving: HashSet<Op>,
}

impl Chains {
    /// The groups of a function.
    pub fn of(function: Op) -> Self {
        let mut found = Self::default();
        let mut ops = Vec::new();
        let mut layouts = HashMap::new();
        function.walk(|op| {
            if found.visit(op, &mut layouts) {
                ops.push(op);
            }
        });
        found.decide(&ops, &layouts);
        found
    }

    /// The orders of a transpose that moves.
    pub fn source(&self, op: Op) -> Option<&Layouts> {
        let layouts = self.sources.get(&op)?;
        self.moving.contains(&op).then_some(layouts)
    }

    /// Whether an operator is in a group that moves.
    pub fn moves(&self, op: Op) -> bool {
        self.members.contains(&op) && self.moving.contains(&op)
    }

    /// Notes an operator if it belongs to a group, and the orders of its results.
    fn visit(&mut self, op: Op, layouts: &mut HashMap<Value, Layouts>) -> bool {
        if op.is(names::relay::TRANSPOSE) && constant(op.operand(0)).is_none() {
            let Some(own) = transposed(op) else {
                return false;
            };
            layouts.insert(op.result(0), own.clone());
            self.sources.insert(op, own);
            return true;
        }
        let Some(orders) = of_results(op, layouts) else {
            return false;
        };
        let results = op.results().into_iter().zip(orders);
        layouts.extend(results.filter_map(|(result, order)| Some((result, order?))));
        self.members.insert(op);
        true
    }

    /// Chooses the groups whose move lowers the number of transposed elements.
    fn decide(&mut self, ops: &[Op], layouts: &HashMap<Value, Layouts>) {
        let places: HashMap<Op, usize> = ops.iter().enumerate().map(|(at, op)| (*op, at)).collect();
        let mut groups = UnionFind::new(ops.len());
        for op in ops.iter().filter(|op| self.members.contains(op)) {
            let makers = op.operands().into_iter().filter_map(Value::def);
            for maker in makers.filter_map(|maker| places.get(&maker)) {
                groups.union(places[op], *maker);
            }
        }
        let mut gains = vec![0i64; ops.len()];
        for (at, op) in ops.iter().enumerate() {
            gains[groups.find(at)] += self.gain(*op, layouts);
        }
        let moving = ops.iter().enumerate();
        let moving = moving.filter(|(at, _)| gains[groups.find(*at)] > 0);
        self.moving = moving.map(|(_, op)| *op).collect();
    }

    /// By how many elements the move of its group lowers what is transposed of an operator's results.
    fn gain(&self, op: Op, layouts: &HashMap<Value, Layouts>) -> i64 {
        let is_source = self.sources.contains_key(&op);
        let gains = op.results().into_iter().map(|result| {
            let Some(order) = layouts.get(&result) else {
                return 0;
            };
            let size = elements(result);
            let mut is_read_as_it_is = false;
            let mut gain = 0;
            for user in result.users() {
                if user.is(names::relay::TRANSPOSE) {
                    let is_undone = order.places(&transpose_axes(user));
                    // simplify-expr merges a transpose of a transpose, whether the group moves or not.
                    if !is_source && is_undone.is_some_and(|axes| axes.is_sorted()) {
                        gain += size;
                    }
                } else if !self.members.contains(&user) {
                    is_read_as_it_is = true;
                }
            }
            match (is_source, is_read_as_it_is) {
                (true, false) => size,
                (true, true) => 0,
                (false, true) => gain - size,
                (false, false) => gain,
            }
        });
        gains.sum()
    }
}

/// The order of a transpose's result, and that of its operand.
fn transposed(op: Op) -> Option<Layouts> {
    let axes = transpose_axes(op);
    let letters: Vec<char> = ('A'..='Z').take(axes.len()).collect();
    let named = |axis: &i64| letters.get(usize::try_from(*axis).ok()?).copied();
    (letters.len() == axes.len()).then_some(())?;
    Some(Layouts {
        from: axes.iter().map(named).collect::<Option<_>>()?,
        to: letters.iter().collect(),
    })
}

/// The orders of an operator's results, in its model and where no transpose is before it. `None` if it does not work there, or if an
/// operand would be transposed for it.
fn of_results(op: Op, layouts: &HashMap<Value, Layouts>) -> Option<Vec<Option<Layouts>>> {
    let row = row_of(op)?;
    let operands = op.operands();
    let order = operands.iter().find_map(|value| layouts.get(value))?;
    let is_data = |value: &Value| layouts.get(value) == Some(order);
    let is_number = |value: &Value| value.ty().shape().iter().all(|extent| *extent == 1);
    let is_small = |value: &Value| constant(*value).is_some() || is_number(value);
    let (first, rest) = operands.split_first()?;
    let kept = match row.layout {
        LayoutRule::Elementwise => operands.len() == 1 && is_data(first),
        LayoutRule::Broadcasting { .. } => operands.iter().all(|value| {
            let fits = value.ty().shape().len() <= order.rank();
            fits && (is_data(value) || is_small(value))
        }),
        LayoutRule::Concatenate => operands.iter().all(is_data),
        LayoutRule::Pad | LayoutRule::Slice => is_data(first) && rest.iter().all(is_small),
        _ if row.pattern == Pattern::CommReduce => {
            return (is_data(first) && rest.is_empty())
                .then(|| reduced(op, order))
                .flatten();
        }
        _ => false,
    };
    kept.then(|| vec![Some(order.clone()); op.result_count()])
}

/// The orders of the results of a reduction.
fn reduced(op: Op, order: &Layouts) -> Option<Vec<Option<Layouts>>> {
    let axes = reduction_axes(op, order.rank())?;
    Some(vec![match Attrs::of(op).bool("keepdims").ok()? {
        true => Some(order.clone()),
        false => order.without(&axes),
    }])
}

/// The number of elements; an extent that is open counts as one.
fn elements(value: Value) -> i64 {
    let extents = value.ty().shape().into_iter().map(|extent| extent.max(1));
    extents.fold(1, i64::saturating_mul)
}
