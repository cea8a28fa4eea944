//! A part of a model: what computes some of its tensors from others.

use crate::exposed::{Exposed, Tensors, set_results};
use melior::{
    Context,
    ir::{Location, Module},
};
use relay_dialects::{
    ir::{Attr, Builder, Ctx, Loc, Op, Point, Type, Value},
    ops::func,
};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Places of tensors among those of a model.
pub type Places = BTreeSet<usize>;

/// The operators between the tensors that are given and those that are wanted.
#[derive(Debug)]
pub struct Part {
    /// Its operators, in the model's order.
    ops: Vec<Op>,
    /// The tensors that it reads, with their names: the model's inputs, and tensors that are given.
    reads: Vec<(Value, String)>,
    /// The tensors that it computes, with their names.
    results: Vec<(String, Value)>,
}

impl Part {
    /// The part that computes the tensors at the places `wanted`, and reads those at the places `given` instead of
    /// what computes them. A tensor may be both: then its readers read the one that is given.
    pub fn new(exposed: &Exposed<'_>, given: &Places, wanted: &Places) -> Self {
        let value = |place: &usize| {
            let tensor = &exposed.tensors[*place];
            Some((exposed.value(tensor)?, tensor.port.name.clone()))
        };
        let given: HashMap<Value, String> = given.iter().filter_map(value).collect();
        // A result without an operator is one of the model's inputs.
        let results: Vec<(String, Value)> = wanted
            .iter()
            .filter_map(value)
            .filter(|(value, _)| value.def().is_some())
            .map(|(value, name)| (name, value))
            .collect();
        let mut needed: HashSet<Value> = results.iter().map(|(_, value)| *value).collect();
        let names = exposed.inputs().into_iter().map(|port| port.name);
        let inputs: HashMap<Value, String> = exposed.arguments().into_iter().zip(names).collect();
        let (mut ops, mut reads) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for op in exposed.ops().into_iter().rev() {
            if !op.results().iter().any(|result| needed.contains(result)) {
                continue;
            }
            op.walk(|inner| {
                for operand in inner.operands() {
                    match given.get(&operand).or_else(|| inputs.get(&operand)) {
                        Some(name) if known.insert(operand) => reads.push((operand, name.clone())),
                        Some(_) => {}
                        None => {
                            needed.insert(operand);
                        }
                    }
                }
            });
            ops.push(op);
        }
        ops.reverse();
        reads.reverse();
        Self {
            ops,
            reads,
            results,
        }
    }

    /// Whether an operator of it is of this kind, or one inside of another.
    pub fn has(&self, is_of_kind: impl Fn(Op) -> bool) -> bool {
        let mut found = false;
        for op in &self.ops {
            op.walk(|inner| found |= is_of_kind(inner));
        }
        found
    }

    /// The names of the tensors that it reads.
    fn reads(&self) -> impl Iterator<Item = &String> {
        self.reads.iter().map(|(_, name)| name)
    }

    /// The tensors that it reads, as they are expected to be.
    pub fn inputs(&self, inputs: &Tensors, expected: &Tensors) -> Tensors {
        let tensors = self.reads().filter_map(|name| {
            let tensor = expected.get(name).or_else(|| inputs.get(name))?;
            Some((name.clone(), tensor.clone()))
        });
        tensors.collect()
    }

    /// A module whose `@main` computes the part.
    pub fn module<'c>(&self, context: &'c Context) -> Module<'c> {
        let ctx = Ctx::of(context);
        let module = Module::new(Location::unknown(context));
        let top = Builder {
            ctx,
            loc: Loc::unknown(ctx),
            point: Point::End(Op::of_module(&module).body()),
        };
        let types: Vec<Type> = self.reads.iter().map(|(value, _)| value.ty()).collect();
        let main = top.func("main", &types, &[], &[]);
        let inside = Builder::at_end(main.body(), top.loc, ctx);
        let given: HashMap<Value, Value> = self
            .reads
            .iter()
            .map(|(value, _)| *value)
            .zip(main.body().args())
            .collect();
        let mut computed: HashMap<Value, Value> = HashMap::new();
        for op in &self.ops {
            let copy = inside.insert(op.clone_detached());
            copy.walk(|inner| {
                for (index, operand) in inner.operands().into_iter().enumerate() {
                    // Regions have values of their own, too.
                    let outer = given.get(&operand).or_else(|| computed.get(&operand));
                    if let Some(value) = outer {
                        inner.set_operand(index, *value);
                    }
                }
            });
            computed.extend(op.results().into_iter().zip(copy.results()));
        }
        let results = self.results.iter().map(|(_, value)| computed[value]);
        func::Return::build(&inside, &results.collect::<Vec<_>>());
        let named: Vec<Attr> = self
            .reads
            .iter()
            .map(|(_, name)| {
                Attr::dict(ctx, &[(relay_dialects::attrs::NAME, Attr::str(ctx, name))])
            })
            .collect();
        main.set_attr("arg_attrs", Attr::array(ctx, &named));
        let types: Vec<(String, Type)> = self
            .results
            .iter()
            .map(|(name, value)| (name.clone(), value.ty()))
            .collect();
        set_results(main, &types);
        module
    }
}

/// What `place` is computed of, behind tensors that are good.
pub fn before(place: usize, good: &Places, operands: &[Vec<usize>]) -> Places {
    let mut found = Places::new();
    let mut open = vec![place];
    while let Some(place) = open.pop() {
        for &operand in &operands[place] {
            if !good.contains(&operand) && found.insert(operand) {
                open.push(operand);
            }
        }
    }
    found
}
