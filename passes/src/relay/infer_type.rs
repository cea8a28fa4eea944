//! `infer-type`: finds the types that a module leaves open.

use relay_dialects::{
    ir::{Attr, Op, Type, Value, named},
    names,
    pass::{Options, PassFailed, PassResult, PassSpec, fail},
    relay::{self, is_operator},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "infer-type",
    summary: "replace !relay.incomplete by the types that follow from the type relations",
    description: include_str!("infer_type.md"),
    anchor: "builtin.module",
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    loop {
        let mut solver = Solver {
            module,
            changed: false,
            result: Ok(()),
        };
        module.walk(|op| solver.visit(op));
        solver.result?;
        if !solver.changed {
            break;
        }
    }
    let open = module.find(|op| {
        let arguments = op
            .regions()
            .into_iter()
            .flat_map(|region| region.blocks())
            .flat_map(|block| block.args());
        op.results().into_iter().chain(arguments).any(is_open)
    });
    open.map_or(Ok(()), |op| {
        fail(
            op,
            "has a type that cannot be inferred: annotate its operands or arguments",
        )
    })
}

fn is_open(value: Value) -> bool {
    value.ty().is_incomplete()
}

struct Solver {
    module: Op,
    changed: bool,
    result: PassResult,
}

impl Solver {
    fn visit(&mut self, op: Op) {
        if self.result.is_err() {
            return;
        }
        match op.name().as_str() {
            "func.func" => self.function(op),
            "func.call" => self.call(op),
            names::relay::IF => self.branches(op),
            // Its types are those of the call that it was.
            names::relay::CALL_LOWERED => {}
            _ if is_operator(op) => self.result = self.operator(op),
            _ => {}
        }
    }

    fn set(&mut self, value: Value, ty: Type) {
        if is_open(value) && !ty.is_incomplete() {
            value.set_ty(ty);
            self.changed = true;
        }
    }

    fn operator(&mut self, op: Op) -> Result<(), PassFailed> {
        if !op.results().into_iter().any(is_open) {
            return Ok(());
        }
        let attrs = op.attrs();
        let operands: Vec<Type> = op.operands().iter().map(|value| value.ty()).collect();
        match relay::infer(
            op.ctx(),
            &op.name(),
            &operands,
            Attr::dict(op.ctx(), &named(&attrs)),
        ) {
            Ok(types) => op
                .results()
                .into_iter()
                .zip(types)
                .for_each(|(result, ty)| self.set(result, ty)),
            Err(message) => return fail(op, message),
        }
        Ok(())
    }

    /// The results of an `if` are what its regions yield.
    fn branches(&mut self, op: Op) {
        for index in 0..op.regions().len() {
            let Some(end) = op.block_in(index).and_then(|block| block.terminator()) else {
                continue;
            };
            for (result, yielded) in op.results().into_iter().zip(end.operands()) {
                self.set(result, yielded.ty());
            }
        }
    }

    /// The results of a call are those of the function, whose arguments may follow from the call.
    fn call(&mut self, op: Op) {
        let callee = op.attr("callee").and_then(Attr::as_symbol);
        let Some(function) = callee.and_then(|name| self.module.lookup(&name)) else {
            return;
        };
        if let Some(body) = function.block_in(0) {
            for (argument, operand) in body.args().into_iter().zip(op.operands()) {
                self.set(argument, operand.ty());
            }
        }
        let types = function
            .attr("function_type")
            .and_then(Attr::as_type)
            .map(Type::results);
        for (result, ty) in op.results().into_iter().zip(types.unwrap_or_default()) {
            self.set(result, ty);
        }
    }

    /// The function's own type follows its arguments and what it returns.
    fn function(&mut self, op: Op) {
        let Some(body) = op.block_in(0) else { return };
        let Some(end) = body.terminator() else { return };
        let types =
            |values: Vec<Value>| values.iter().map(|value| value.ty()).collect::<Vec<Type>>();
        let ty = Type::function(op.ctx(), &types(body.args()), &types(end.operands()));
        if op.attr("function_type").and_then(Attr::as_type) != Some(ty) {
            op.set_attr("function_type", Attr::ty(ty));
            self.changed = true;
        }
    }
}
