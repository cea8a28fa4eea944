//! Symbols whose values a graph computes, and the outputs that have them as dimensions.

use super::Graph;
use relay_dialects::{
    attrs::{CHECKS, DEFINED_BY, DEFINES},
    dim::Dim,
    ir::{Attr, Builder, Op, Type, Value},
    ops::{arith, memref},
    pass::{PassResult, fail},
    relay::language::DimOf,
    symbols::{GO_ON, UNBOUNDED, define_name, output_name},
};
use relay_loops::buffers::buffer_type;

/// What is said of a type with a symbol that has no value.
pub(super) fn no_value(ty: Type) -> String {
    format!(
        "makes {ty}, of which a symbol is no extent of an input, and nothing before computes it"
    )
}

impl Graph {
    /// Whether all symbols in a type have values.
    pub(super) fn knows(&self, ty: Type) -> bool {
        let symbols = ty.dims().into_iter().flat_map(Dim::symbols);
        let mut symbols = symbols.map(|name| self.symbols.get(name));
        symbols.all(|value| value.is_some())
    }

    /// Notes the buffer of an output.
    pub(super) fn set_output(&mut self, place: usize, buffer: Value) {
        self.outputs[place] = Some(buffer);
        let value = self.returned[place];
        // A result that nothing else stands for is computed in its place.
        if self
            .returned
            .iter()
            .filter(|other| **other == value)
            .count()
            == 1
        {
            self.destinations.insert(value, buffer);
        }
    }

    /// Reads the value of a symbol, and has the runtime check it. It makes the outputs whose sizes are known then.
    pub(super) fn define(&mut self, b: &Builder, op: Op) -> PassResult {
        let Some(dim) = DimOf::of(op) else {
            return fail(op, "is not valid");
        };
        if self.symbols.get(&dim.symbol).is_some() {
            return fail(
                op,
                format!("'{}' has a value already: give it another name", dim.symbol),
            );
        }
        let size = self.buffer(op, op.operand(0))?;
        let number = memref::Load::build(b, size, &[]);
        let bounds = [dim.least, dim.most.unwrap_or(Dim::Known(UNBOUNDED))];
        let [Some(least), Some(most)] = bounds.map(|bound| self.symbols.value(b, bound)) else {
            return fail(op, "has a bound of symbols without values");
        };
        let [least, most] =
            [least, most].map(|bound| arith::IndexCast::build(b, Type::int(b.ctx, 64), bound));
        let function = self.declare_definition(op, &dim.symbol);
        let call = b.call(&function, &[number, least, most], &[Type::index(b.ctx)]);
        call.set_attr(DEFINES, Attr::str(b.ctx, &dim.symbol));
        self.symbols.define(&dim.symbol, call.result(0));
        // Nothing that the graph returns has a symbol of a branch or a loop.
        match self.is_nested {
            true => Ok(()),
            false => self.make_outputs(b),
        }
    }

    /// Has the graph end behind a branch or a loop that computed a wrong value.
    pub(super) fn check(&self, b: &Builder) {
        let call = self.ask(b);
        call.set_attr(CHECKS, Attr::unit(b.ctx));
    }

    /// Whether a step computed no wrong value.
    pub(super) fn goes_on(&self, b: &Builder) -> Value {
        let answer = self.ask(b).result(0);
        arith::CmpI::build(b, arith::CmpIPredicate::Sge, answer, b.index(0))
    }

    /// Asks the runtime whether the graph may go on.
    fn ask(&self, b: &Builder) -> Op {
        let index = Type::index(b.ctx);
        if self.module.lookup(GO_ON).is_none() {
            let top = Builder::at_end(self.module.body(), b.loc, b.ctx);
            top.declare(GO_ON, &[], &[index]);
        }
        b.call(GO_ON, &[], &[index])
    }

    /// Declares the function that checks the value of a symbol.
    fn declare_definition(&mut self, op: Op, symbol: &str) -> String {
        let (module, ctx) = (self.module, op.ctx());
        let name = define_name(self.defined);
        self.defined += 1;
        let number = Type::int(ctx, 64);
        let declared = Builder::at_end(module.body(), op.loc(), ctx).declare(
            &name,
            &[number; 3],
            &[Type::index(ctx)],
        );
        let nodes = op.loc().names().join(" + ");
        declared.set_attr(DEFINES, Attr::str(ctx, symbol));
        declared.set_attr(DEFINED_BY, Attr::str(ctx, &nodes));
        name
    }

    /// Takes memory for each output that has no buffer, if the values of its symbols are known now.
    fn make_outputs(&mut self, b: &Builder) -> PassResult {
        for place in 0..self.outputs.len() {
            let value = self.returned[place];
            if self.outputs[place].is_some() || !self.knows(value.ty()) {
                continue;
            }
            let ty = buffer_type(value.ty());
            let pointer = Type::memref(&[], ty.element());
            let name = output_name(place);
            let top = Builder::at_end(self.module.body(), b.loc, b.ctx);
            top.declare(&name, &[], &[pointer]);
            let memory = b.call(&name, &[], &[pointer]).result(0);
            let view = self.symbols.view(b, memory, ty, &value.ty().dims());
            let Some(view) = view else {
                return fail(self.lowered, no_value(value.ty()));
            };
            self.set_output(place, view);
        }
        Ok(())
    }
}
