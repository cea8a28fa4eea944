//! A part of a model: what computes some of its tensors from others.

use crate::exposed::{Exposed, set_results};
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
    pub ops: Vec<Op>,
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
        let inputs = exposed.inputs();
        let (mut ops, mut reads) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        for op in exposed.ops().into_iter().rev() {
            if !op.results().iter().any(|result| needed.contains(result)) {
                continue;
            }
            for operand in op.operands() {
                let name = match (given.get(&operand), operand.def()) {
                    (Some(name), _) => name,
                    (None, None) => &inputs[operand.number()].name,
                    (None, Some(_)) => {
                        needed.insert(operand);
                        continue;
                    }
                };
                if known.insert(operand) {
                    reads.push((operand, name.clone()));
                }
            }
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

    /// The names of the tensors that it reads.
    pub fn reads(&self) -> impl Iterator<Item = &String> {
        self.reads.iter().map(|(_, name)| name)
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
        let mut computed = HashMap::new();
        for op in &self.ops {
            let operands: Vec<Value> = op
                .operands()
                .iter()
                .map(|value| given.get(value).unwrap_or_else(|| &computed[value]))
                .copied()
                .collect();
            let copy = inside.insert(op.clone_detached());
            copy.set_operands(&operands);
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
