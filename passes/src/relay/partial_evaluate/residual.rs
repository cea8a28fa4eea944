//! The program that is left.

use super::{
    state::Machine,
    value::{Form, Function, Known, Partial},
};
use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Type, Value, named},
    names::relay,
    pass::{PassFailed, fail},
};

impl Machine<'_> {
    /// Makes ops at the end of the block that is being written.
    pub fn builder(&self) -> Builder {
        let block = self.scopes.last().copied();
        Builder::at_end(
            block.unwrap_or_else(|| self.module.body()),
            self.loc,
            self.module.ctx(),
        )
    }

    /// The value in the new program; it is made here if it is not there yet.
    pub fn residual(&mut self, value: &Partial) -> Result<Value, PassFailed> {
        if let Some(made) = value.residual.get().filter(|made| self.is_visible(*made)) {
            return Ok(made);
        }
        let made = match &value.form {
            Form::Unknown | Form::Reference(_) => {
                return fail(
                    self.module,
                    "has a value that is used where it is not known: this is an error of partial-evaluate",
                );
            }
            Form::Constant | Form::Computed(..) => self.residual_constant(value)?,
            Form::Tuple(fields) => {
                let fields = self.residuals(fields)?;
                self.builder().value(relay::TUPLE, &fields, value.ty, &[])
            }
            Form::Data(constructor, fields) => {
                let fields = self.residuals(fields)?;
                let constructor = [("constructor", *constructor)];
                let b = self.builder();
                b.value(relay::CONSTRUCT, &fields, value.ty, &constructor)
            }
            Form::Function(function) if function.op.is(relay::FN) => {
                self.residual_closure(value, function)?
            }
            Form::Function(function) => {
                let first = self.residuals(&function.first)?;
                let name = if first.is_empty() {
                    relay::GLOBAL
                } else {
                    relay::CLOSURE
                };
                let callee = function.op.symbol().unwrap_or_default();
                let callee = [("callee", Attr::symbol(self.module.ctx(), &callee))];
                self.builder().value(name, &first, value.ty, &callee)
            }
        };
        value.residual.set(Some(made));
        Ok(made)
    }

    /// The values in the new program.
    pub fn residuals(&mut self, values: &[Partial]) -> Result<Vec<Value>, PassFailed> {
        values.iter().map(|value| self.residual(value)).collect()
    }

    /// Whether a value may be used where ops are written now: all that is written comes behind what there is.
    fn is_visible(&self, value: Value) -> bool {
        let block = match value.def() {
            Some(op) => op.block(),
            None => value.owner_block(),
        };
        block.is_some_and(|block| self.scopes.contains(&block))
    }

    fn residual_constant(&mut self, value: &Partial) -> Result<Value, PassFailed> {
        if let Some(elements) = value.elements.get() {
            let elements = [("value", *elements)];
            return Ok(self
                .builder()
                .value(relay::CONSTANT, &[], value.ty, &elements));
        }
        match &value.form {
            Form::Computed(op, operands) => Ok(self.copy(*op, operands)?.result(0)),
            _ => fail(self.module, "has a constant without elements"),
        }
    }

    /// An op of the program that is read, on values of the new one.
    pub fn copy(&mut self, op: Op, operands: &[Partial]) -> Result<Op, PassFailed> {
        let operands = self.residuals(operands)?;
        let copy = self.builder().insert(op.clone_detached());
        copy.set_operands(&operands);
        Ok(copy)
    }

    /// A function with what is known of its body where nothing is known of its arguments.
    fn residual_closure(
        &mut self,
        value: &Partial,
        function: &Function,
    ) -> Result<Value, PassFailed> {
        let op = function.op;
        let mut known: Known = function.around.iter().cloned().collect();
        let (block, mut arguments) = self.block_like(op.body(), &mut known);
        if op.has_attr("recursive") {
            let itself = arguments.remove(0);
            let of_itself = self.node(value.ty, Form::Function(function.clone()));
            of_itself.residual.set(itself.residual.get());
            known.insert(op.body().arg(0), of_itself);
        }
        // The body runs when the function is called: what places hold then is not known here.
        let outside = self.forget_places();
        let entered = self.enter(function, &arguments)?;
        // A function that makes another one like itself would be written without end.
        let is_idle = self.is_idle;
        self.is_idle |= entered.is_none();
        self.scopes.push(block);
        let results = self.run_block(op.body(), &mut known)?;
        let results = self.residuals(&results)?;
        self.builder().op(relay::YIELD, &results, &[], &[]);
        self.scopes.pop();
        self.is_idle = is_idle;
        if let Some(outer) = entered {
            self.leave(op, outer);
        }
        self.restore_places(outside);
        let attrs = op.attrs();
        let made =
            self.builder()
                .region_op(relay::FN, &[], &[value.ty], &named(&attrs), &[Some(block)]);
        Ok(made.result(0))
    }

    /// A new block with the arguments of one that is read, of which nothing is known.
    pub fn block_like(&mut self, block: Block, known: &mut Known) -> (Block, Vec<Partial>) {
        let types: Vec<Type> = block.args().iter().map(|value| value.ty()).collect();
        let new = Block::at(self.loc, &types);
        let pairs = block.args().into_iter().zip(new.args());
        let arguments = pairs.map(|(old, new)| {
            let argument = self.unknown(new);
            known.insert(old, argument.clone());
            argument
        });
        let arguments = arguments.collect();
        (new, arguments)
    }

    /// An op that chooses between blocks, each evaluated as if it were chosen.
    pub fn residual_choice(
        &mut self,
        op: Op,
        chooses_by: &Partial,
        known: &mut Known,
    ) -> Result<(), PassFailed> {
        let operand = self.residual(chooses_by)?;
        let mut blocks = Vec::new();
        let mut changes = false;
        for region in op.regions() {
            let Some(old) = region.first_block() else {
                return fail(op, "has a region without a block");
            };
            let (new, _) = self.block_like(old, known);
            let before = self.begin_branch();
            self.scopes.push(new);
            let results = self.run_block(old, known)?;
            let results = self.residuals(&results)?;
            self.builder().op(relay::YIELD, &results, &[], &[]);
            self.scopes.pop();
            changes |= self.end_branch(before);
            blocks.push(Some(new));
        }
        if changes {
            self.forget();
        }
        let types: Vec<Type> = op.results().iter().map(|value| value.ty()).collect();
        let attrs = op.attrs();
        let b = self.builder().with_loc(op.loc());
        let made = b.region_op(&op.name(), &[operand], &types, &named(&attrs), &blocks);
        self.bind_unknown(op, made, known);
        Ok(())
    }
}
