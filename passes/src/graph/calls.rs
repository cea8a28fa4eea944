//! Functions that call each other: who calls whom, and bodies in the place of calls.

use petgraph::{algo::tarjan_scc, graphmap::DiGraphMap, visit::Dfs};
use relay_dialects::{
    attrs,
    ir::{Attr, Builder, Op, Type, Value},
    names,
    ops::func,
};
use relay_loops::copying::remap;
use std::collections::{HashMap, HashSet};

/// The functions of a module, and which of them name which others.
pub struct CallGraph {
    /// All `func.func` ops directly inside of the module.
    functions: Vec<Op>,
    /// From a name to its place among the functions.
    places: HashMap<String, usize>,
    /// An edge goes from a function to each that it names: most of all, in calls.
    edges: DiGraphMap<usize, ()>,
}

impl CallGraph {
    /// The functions of `module` as they are now.
    pub fn of(module: Op) -> Self {
        let ops = module.body().ops().into_iter();
        let functions: Vec<Op> = ops.filter(|op| op.is(func::Func::NAME)).collect();
        let names = functions.iter().map(|function| function.symbol());
        let places: HashMap<String, usize> = names
            .enumerate()
            .filter_map(|(place, name)| Some((name?, place)))
            .collect();
        let mut edges = DiGraphMap::new();
        for (from, function) in functions.iter().enumerate() {
            edges.add_node(from);
            for name in symbols_in(*function) {
                if let Some(to) = places.get(&name) {
                    edges.add_edge(from, *to, ());
                }
            }
        }
        Self {
            functions,
            places,
            edges,
        }
    }

    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<Op> {
        let place = self.places.get(name)?;
        Some(self.functions[*place])
    }

    /// All functions, each after those that it names, but for recursive ones, which no order serves. With each
    /// function stands whether it is recursive.
    fn callees_first(&self) -> Vec<(Op, bool)> {
        let mut order = Vec::new();
        for component in tarjan_scc(&self.edges) {
            for place in &component {
                let is_recursive = component.len() > 1 || self.edges.contains_edge(*place, *place);
                order.push((self.functions[*place], is_recursive));
            }
        }
        order
    }

    /// The functions that call themselves, be it through others.
    pub fn recursive(&self) -> impl Iterator<Item = Op> {
        let all = self.callees_first().into_iter();
        all.filter(|(_, is_recursive)| *is_recursive)
            .map(|(function, _)| function)
    }

    /// The functions that one names, in textual order.
    pub fn named_by(&self, function: Op) -> Vec<Op> {
        let place = self.functions.iter().position(|known| *known == function);
        let named = place
            .into_iter()
            .flat_map(|place| self.edges.neighbors(place));
        let mut places: Vec<usize> = named.collect();
        places.sort_unstable();
        places
            .into_iter()
            .map(|place| self.functions[place])
            .collect()
    }

    /// Another function that names one.
    pub fn namer_of(&self, function: Op) -> Option<Op> {
        let others = self.functions.iter().filter(|other| **other != function);
        others
            .copied()
            .find(|other| self.named_by(*other).contains(&function))
    }

    /// All functions of the module, in textual order.
    pub fn functions(&self) -> &[Op] {
        &self.functions
    }

    /// The functions that none of `entries` reaches, in textual order.
    pub fn unreached(&self, entries: &[Op]) -> Vec<Op> {
        let mut reached = HashSet::new();
        for place in (0..self.functions.len()).filter(|at| entries.contains(&self.functions[*at])) {
            let mut walk = Dfs::new(&self.edges, place);
            while let Some(next) = walk.next(&self.edges) {
                reached.insert(next);
            }
        }
        let rest = (0..self.functions.len()).filter(|place| !reached.contains(place));
        rest.map(|place| self.functions[place]).collect()
    }
}

/// Every name that `op` and what is inside refer to.
fn symbols_in(op: Op) -> HashSet<String> {
    let mut names = HashSet::new();
    op.walk(|inner| {
        let attrs = inner.attrs().into_iter().map(|(_, attr)| attr);
        attrs.for_each(|attr| collect_symbols(attr, &mut names));
    });
    names
}

fn collect_symbols(attr: Attr, names: &mut HashSet<String>) {
    names.extend(attr.as_symbol());
    for element in attr.as_array().unwrap_or_default() {
        collect_symbols(element, names);
    }
}

/// Whether nothing outside of the module can call a function.
fn is_private(function: Op) -> bool {
    let visibility = function.attr("sym_visibility");
    visibility.is_some_and(|visibility| visibility.is_str("private"))
}

/// Whether a function's body is one list of ops, which can stand wherever the function is called.
fn has_one_block(function: Op) -> bool {
    let regions = function.regions();
    regions.len() == 1 && regions[0].blocks().len() == 1
}

/// Whether a function is what `fuse-ops` makes.
pub fn is_primitive(function: Op) -> bool {
    function.has_attr(attrs::PRIMITIVE)
}

/// Puts the bodies of those functions for which `wanted` holds in the place of all calls of them, where they [have
/// one block](has_one_block) and are not recursive. Those of them that are private then, and that nothing names any
/// more, go.
pub fn inline_all(module: Op, wanted: impl Fn(Op) -> bool) {
    let graph = CallGraph::of(module);
    let mut bodies: HashSet<Op> = HashSet::new();
    let mut inlined = HashSet::new();
    for (function, is_recursive) in graph.callees_first() {
        for call in Call::all_in(function) {
            let callee = graph.function(&call.callee);
            if let Some(callee) = callee.filter(|callee| bodies.contains(callee))
                && call.fits(callee)
            {
                call.inline(callee);
                inlined.insert(callee);
            }
        }
        // The types inside of a function with type parameters are not those of a call.
        let is_generic = function.has_attr(attrs::TYPE_PARAMS);
        if wanted(function) && has_one_block(function) && !is_recursive && !is_generic {
            bodies.insert(function);
        }
    }
    erase_unnamed(module, &inlined);
}

/// A call of a function of the module: by its name, or of the value that is the function.
struct Call {
    op: Op,
    callee: String,
    /// The op that makes a value of the function, which is the call's first operand then.
    value: Option<Op>,
}

impl Call {
    /// All calls inside of `op`.
    fn all_in(op: Op) -> Vec<Self> {
        let mut calls = Vec::new();
        op.walk(|inner| calls.extend(Self::of(inner)));
        calls
    }

    fn of(op: Op) -> Option<Self> {
        let name = |op: Op| op.attr("callee").and_then(Attr::as_symbol);
        if op.is(func::Call::NAME) {
            return Some(Self {
                op,
                callee: name(op)?,
                value: None,
            });
        }
        if !op.is(names::relay::CALL) {
            return None;
        }
        let value = op.operand(0).def_of(names::relay::GLOBAL)?;
        Some(Self {
            op,
            callee: name(value)?,
            value: Some(value),
        })
    }

    /// The arguments as they are now: other calls that have been inlined may have changed them.
    fn arguments(&self) -> Vec<Value> {
        let own = usize::from(self.value.is_some());
        self.op.operands().split_off(own)
    }

    /// Whether the types are those of the function: a call may know another dimension than that does.
    fn fits(&self, function: Op) -> bool {
        let types = |values: &[Value]| values.iter().map(|value| value.ty()).collect::<Vec<Type>>();
        let returned = function.body().terminator().map(Op::operands);
        types(&self.arguments()) == types(&function.body().args())
            && types(&self.op.results()) == types(&returned.unwrap_or_default())
    }

    /// Puts the body of `function` in the place of the call. The ops keep their locations.
    fn inline(&self, function: Op) {
        let builder = Builder::before(self.op);
        let body = function.body();
        let arguments = self.arguments();
        let mut map: HashMap<Value, Value> = body.args().into_iter().zip(arguments).collect();
        let end = body.terminator();
        for op in body.ops().into_iter().filter(|op| Some(*op) != end) {
            let copy = builder.insert(op.clone_detached());
            remap(copy, &map);
            map.extend(op.results().into_iter().zip(copy.results()));
        }
        let returned = end.map(Op::operands).unwrap_or_default();
        let values: Vec<Value> = returned.iter().map(|value| map[value]).collect();
        self.op.replace_with(&values);
        if let Some(value) = self.value.filter(|value| !value.is_used()) {
            value.erase();
        }
    }
}

/// Erases those of `functions` that are private and that nothing names any more.
pub fn erase_unnamed(module: Op, functions: &HashSet<Op>) {
    // A function that is erased names others no longer.
    loop {
        let named = symbols_in(module);
        let is_named = |function: &Op| function.symbol().is_some_and(|name| named.contains(&name));
        let inside = module.body().ops().into_iter();
        let dead: Vec<Op> = inside
            .filter(|op| functions.contains(op) && is_private(*op) && !is_named(op))
            .collect();
        if dead.is_empty() {
            return;
        }
        dead.into_iter().for_each(Op::erase);
    }
}
