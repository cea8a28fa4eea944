//! `quantize-annotate`: marks the operands that are to be quantised.

use crate::graph::{
    kept::Kept,
    simulated::{Product, Simulated, behind, products},
};
use relay_dialects::{
    attrs,
    ir::{Attr, Builder, Op, Value},
    ops::func,
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};
use std::collections::{HashMap, HashSet};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "quantize-annotate",
    summary: "mark the operands of products that are to be quantised",
    description: include_str!("quantize_annotate.md"),
    anchor: func::Func::NAME,
    options: &[
        OptionSpec {
            name: "keep",
            summary: "products that stay float: nodes or operators with the wildcards * and ?, a line for each",
            default: Default::Str(""),
        },
        OptionSpec {
            name: "keep-first",
            summary: "leave the first product float, which reads the model's input",
            default: Default::Bool(false),
        },
        OptionSpec {
            name: "keep-last",
            summary: "leave the last product float, which decides the output",
            default: Default::Bool(false),
        },
    ],
    run,
};

fn run(function: Op, options: &Options) -> PassResult {
    let kept = match Kept::of(options.str("keep")) {
        Ok(kept) => kept,
        Err(reason) => return fail(function, reason),
    };
    let all = products(function);
    let last = all.len().saturating_sub(1);
    let is_kept = |number: usize, product: &Product| {
        (number == 0 && options.bool("keep-first"))
            || (number == last && options.bool("keep-last"))
            || kept.fits(product.op, vec![product.name.clone()])
    };
    let mut marks = Marks::default();
    for (number, product) in all.iter().enumerate() {
        if !is_kept(number, product) {
            marks.add(product);
        }
    }
    Ok(())
}

/// The marks that were made. A tensor that several products read has one.
#[derive(Default)]
struct Marks {
    of_value: HashMap<Value, Value>,
    names: HashSet<String>,
}

impl Marks {
    fn add(&mut self, product: &Product) {
        let op = product.op;
        let (data, weight) = (op.operand(0), op.operand(1));
        if Simulated::of(data).is_some() || Simulated::of(weight).is_some() {
            return;
        }
        let b = Builder::before(op);
        let mark = match self.of_value.get(&data) {
            Some(mark) => *mark,
            None => {
                let name = self.name(data, &product.name);
                let mark = Simulated::data(&behind(data, op), data, &name);
                self.of_value.insert(data, mark);
                mark
            }
        };
        op.set_operand(0, mark);
        op.set_operand(1, Simulated::weight(&b, weight, product.outputs));
    }

    /// The name of a tensor: that of its node, or the input's; of a tensor without a name, that of the product that reads it.
    fn name(&mut self, value: Value, reader: &str) -> String {
        let own = match value.def() {
            Some(op) => Some(op.loc().names().join(" + ")),
            None => input_name(value),
        };
        let own = own.filter(|name| !name.is_empty());
        let mut name = own.unwrap_or_else(|| format!("data of {reader}"));
        while !self.names.insert(name.clone()) {
            name.push('\'');
        }
        name
    }
}

/// The name of a function's argument.
fn input_name(value: Value) -> Option<String> {
    let function = value.owner_block()?.parent()?;
    let all = function.attr("arg_attrs").and_then(Attr::as_array)?;
    all.get(value.number())?.get(attrs::NAME)?.as_str()
}
