//! The frame of an imported module: `@main` with its inputs and outputs by name, and what is declared of sizes.

use super::{
    builder::GraphBuilder,
    diagnostics::{self, Diagnostics},
    error::Result,
    literal,
    options::Options,
    port::Input,
    signature::Signature,
    state::donations,
    value::Value,
    weights::Replacements,
};
use crate::error::ImportError;
use melior::{
    Context,
    ir::{Location, Module},
};
use relay_dialects::{
    ir::{Attr, Builder, Ctx, Loc, Op, Point, Type, Value as IrValue},
    ops::func,
    symbols::{Condition, Symbol, set_conditions, set_symbols},
};
use std::{
    collections::{HashMap, HashSet},
    path::Path,
    rc::Rc,
};

/// The outputs of `@main` with their names.
pub type Outputs = Vec<(String, IrValue)>;

/// The values of a model's inputs by name: arguments of `@main`, and the constants that [options](Options::values) give.
pub type Given = HashMap<String, Value>;

/// What a module is made for.
pub struct Entry<'m> {
    /// The model's file.
    pub path: &'m Path,
    /// The name of the graph.
    pub name: &'m str,
    /// The model's inputs.
    pub signature: &'m Signature,
    /// How it is imported.
    pub options: &'m Options,
}

impl Entry<'_> {
    /// Makes a module whose `@main` takes the inputs. `write` writes the function's body: it gets the values of the inputs, and says what
    /// is returned.
    ///
    /// # Errors
    /// What `write` finds wrong, or what is wrong with the inputs or with the module.
    pub fn import<'c>(
        &self,
        context: &'c Context,
        write: impl FnOnce(&mut GraphBuilder, Given) -> Result<Outputs, Vec<ImportError>>,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        diagnostics::collect(context, |diagnostics| {
            self.build(context, diagnostics, write)
        })
    }

    fn build<'c>(
        &self,
        context: &'c Context,
        diagnostics: &Diagnostics,
        write: impl FnOnce(&mut GraphBuilder, Given) -> Result<Outputs, Vec<ImportError>>,
    ) -> Result<Module<'c>, Vec<ImportError>> {
        let one = |reason| vec![self.wrong(reason)];
        let ctx = Ctx::of(context);
        let (inputs, mut symbols) = self.signature.inputs(self.options).map_err(one)?;
        let types = inputs.iter();
        let types: Vec<Type> = types
            .map(|input| Type::tensor_of(&input.dims, input.element.ty(ctx)))
            .collect();
        let module = Module::new(Location::unknown(context));
        let top = Builder {
            ctx,
            loc: Loc::name(ctx, self.name),
            point: Point::End(Op::of_module(&module).body()),
        };
        let func = top.func("main", &types, &[], &[]);
        let body = func.body();
        let mut builder = GraphBuilder::new(
            ctx,
            body,
            Rc::clone(diagnostics),
            Replacements::new(&self.options.weights),
        );
        let given = self.given(&mut builder, &inputs, &body.args());
        let outputs = write(&mut builder, given.map_err(one)?)?;
        builder.weights().note_kept(self.path);
        self.check_outputs(&outputs).map_err(one)?;
        let donations = donations(ctx, &inputs, &self.signature.states, &outputs);
        let arg_attrs = inputs.iter().zip(donations);
        let arg_attrs = arg_attrs.map(|(input, donation)| attributes(ctx, &input.name, donation));
        let arg_attrs: Vec<Attr> = arg_attrs.collect();
        let (names, results): (Vec<String>, Vec<IrValue>) = outputs.into_iter().unzip();
        func::Return::build(&Builder::at_end(body, top.loc, ctx), &results);
        let result_types: Vec<Type> = results.iter().map(|value| value.ty()).collect();
        let function_type = Type::function(ctx, &types, &result_types);
        func.set_attr("function_type", Attr::ty(function_type));
        let res_attrs: Vec<Attr> = names
            .iter()
            .map(|name| attributes(ctx, name, None))
            .collect();
        func.set_attr("arg_attrs", Attr::array(ctx, &arg_attrs));
        func.set_attr("res_attrs", Attr::array(ctx, &res_attrs));
        symbols.extend(builder.computed_symbols(func));
        declare(Op::of_module(&module), &symbols, builder.conditions());
        if !Op::of_module(&module).verify() {
            let messages = diagnostics.borrow().join("; ");
            return Err(one(format!("the imported module is not valid: {messages}")));
        }
        Ok(module)
    }

    /// The values of the inputs that the module takes, and of those that become constants.
    fn given(&self, b: &mut GraphBuilder, inputs: &[Input], args: &[IrValue]) -> Result<Given> {
        let mut given = Given::new();
        for (input, arg) in inputs.iter().zip(args) {
            b.note_symbols(*arg);
            given.insert(input.name.clone(), Value::computed(*arg)?);
        }
        for (name, known) in &self.options.values {
            given.insert(name.clone(), Value::known(known.clone(), name));
        }
        for (name, text) in &self.options.literals {
            let mut ports = self.signature.ports.iter();
            if let Some(port) = ports.find(|port| port.name == *name) {
                given.insert(
                    name.clone(),
                    Value::known(literal::of_port(port, text)?, name),
                );
            }
        }
        given.extend(b.weights().inputs(&self.signature.ports)?);
        Ok(given)
    }

    fn check_outputs(&self, outputs: &Outputs) -> Result<()> {
        let mut names = HashSet::new();
        let mut outputs_again = outputs.iter();
        if let Some((twice, _)) = outputs_again.find(|(name, _)| !names.insert(name.as_str())) {
            return Err(format!("two outputs are called '{twice}'"));
        }
        match outputs.is_empty() {
            true => Err("the model returns no tensors".into()),
            false => Ok(()),
        }
    }

    fn wrong(&self, reason: String) -> ImportError {
        ImportError::Model {
            path: self.path.into(),
            reason,
        }
    }
}

/// Adds what nodes compute to the outputs, by name: for [`Options::expose`]. Constants are left out, and names that an output has already.
pub fn expose(
    b: &GraphBuilder,
    outputs: &mut Outputs,
    computed: impl IntoIterator<Item = (String, Value)>,
) -> Result<()> {
    let names = outputs.iter().map(|(name, _)| name.clone());
    let mut names: HashSet<String> = names.collect();
    for (name, value) in computed {
        if value.constant().is_none() && names.insert(name.clone()) {
            outputs.push((name, b.materialize(&value)?));
        }
    }
    Ok(())
}

/// Says which symbols and conditions a module has, if it has any.
fn declare(module: Op, symbols: &[Symbol], conditions: &[Condition]) {
    if !symbols.is_empty() {
        set_symbols(module, symbols);
    }
    if !conditions.is_empty() {
        set_conditions(module, conditions);
    }
}

/// The attributes of an argument or a result of a function: what it is called, and another one.
fn attributes(ctx: Ctx, name: &str, other: Option<(&'static str, Attr)>) -> Attr {
    let name = (relay_dialects::attrs::NAME, Attr::str(ctx, name));
    let attrs: Vec<(&str, Attr)> = std::iter::once(name).chain(other).collect();
    Attr::dict(ctx, &attrs)
}
