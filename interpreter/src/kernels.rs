//! Operators, each compiled on its own.

use crate::{InterpreterError, error::place};
use relay_codegen::evaluate;
use relay_dialects::{
    ir::{Attr, Builder, Ctx, Loc, Op, Point, Type, Value},
    names::relay,
    ops::func,
    relay::infer,
};
use relay_runtime::{DType, Instance, Model, Session, Tensor};
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// The most bytes of a constant operand that stays in the program: an operator may have to know its elements.
const KEPT_BYTES: i64 = 64;

/// What a tensor is, but for its elements.
type Form = (DType, Vec<i64>);

/// A kernel that is loaded, and the operands that it takes: the others are constants in it.
#[derive(Clone)]
struct Kernel {
    instance: Rc<RefCell<Instance>>,
    given: Rc<[usize]>,
}

/// The operators that were compiled so far.
#[derive(Default)]
pub struct Kernels {
    /// By what they are, as text.
    compiled: HashMap<String, Kernel>,
    /// By the op, and what its operands were.
    by_op: HashMap<Op, Vec<(Vec<Form>, Kernel)>>,
}

impl Kernels {
    /// Runs an operator on tensors.
    ///
    /// # Errors
    /// If it cannot be compiled for their shapes, or run.
    pub(crate) fn run(
        &mut self,
        op: Op,
        operands: &[Rc<Tensor>],
    ) -> Result<Vec<Rc<Tensor>>, InterpreterError> {
        let form = |tensor: &Rc<Tensor>| (tensor.dtype(), tensor.shape().to_vec());
        let forms: Vec<Form> = operands.iter().map(form).collect();
        let known = self.by_op.get(&op).into_iter().flatten();
        let kernel = match known
            .into_iter()
            .find(|(of, _)| *of == forms)
            .map(|(_, kernel)| kernel.clone())
        {
            Some(kernel) => kernel,
            None => {
                let kernel = self.compiled(op, operands)?;
                let all = self.by_op.entry(op).or_default();
                all.push((forms, kernel.clone()));
                kernel
            }
        };
        let given: Vec<&Tensor> = kernel
            .given
            .iter()
            .map(|index| &*operands[*index])
            .collect();
        let results = kernel.instance.borrow_mut().run(&given)?;
        Ok(results.into_iter().map(Rc::new).collect())
    }

    /// The kernel of an operator, which may be the same as that of another op.
    fn compiled(&mut self, op: Op, operands: &[Rc<Tensor>]) -> Result<Kernel, InterpreterError> {
        let is_kept = |value: &Value| {
            value.ty().byte_count() <= KEPT_BYTES && value.def_of(relay::CONSTANT).is_some()
        };
        let kept: Vec<Option<Op>> = (op.operands().iter())
            .map(|value| is_kept(value).then(|| value.def()).flatten())
            .collect();
        let types = types(op.ctx(), operands);
        let key = key(op, &types, &kept);
        if let Some(kernel) = self.compiled.get(&key) {
            return Ok(kernel.clone());
        }
        let instance = compile(op, &types, &kept)?.instance(1)?;
        let given = (0..kept.len()).filter(|index| kept[*index].is_none());
        let kernel = Kernel {
            instance: Rc::new(RefCell::new(instance)),
            given: given.collect(),
        };
        self.compiled.insert(key, kernel.clone());
        Ok(kernel)
    }
}

/// The types that tensors have.
fn types(ctx: Ctx, tensors: &[Rc<Tensor>]) -> Vec<Type> {
    let of = |tensor: &Rc<Tensor>| {
        let element = Type::parse(ctx, tensor.dtype().name());
        Type::tensor(
            tensor.shape(),
            element.unwrap_or_else(|| Type::incomplete(ctx)),
        )
    };
    tensors.iter().map(of).collect()
}

/// What an operator's program depends on.
fn key(op: Op, types: &[Type], kept: &[Option<Op>]) -> String {
    let attrs = Attr::dict(op.ctx(), &relay_dialects::ir::named(&op.attrs()));
    let constants = kept.iter().map(|kept| kept.and_then(|op| op.attr("value")));
    let constants: Vec<Option<Attr>> = constants.collect();
    format!("{}{attrs}{types:?}{constants:?}", op.name())
}

fn compile(op: Op, types: &[Type], kept: &[Option<Op>]) -> Result<Model, InterpreterError> {
    let ctx = op.ctx();
    let attrs = op.attrs();
    let attrs = relay_dialects::ir::named(&attrs);
    let results = infer(ctx, &op.name(), types, Attr::dict(ctx, &attrs));
    let results = results.map_err(|reason| InterpreterError::Op {
        place: place(op),
        name: op.name(),
        reason,
    })?;
    let given: Vec<Type> = (types.iter().zip(kept))
        .filter(|(_, kept)| kept.is_none())
        .map(|(ty, _)| *ty)
        .collect();
    tracing::debug!("compiling {} of {types:?}", op.name());
    let program = |module: Op| {
        let loc = Loc::unknown(ctx);
        let top = Builder {
            ctx,
            loc,
            point: Point::End(module.body()),
        };
        let function = top.func("main", &given, &results, &[]);
        let body = function.body();
        let b = Builder::at_end(body, loc, ctx);
        let mut arguments = body.args().into_iter();
        let operands: Vec<Value> = kept
            .iter()
            .filter_map(|kept| match kept {
                Some(constant) => Some(b.insert(constant.clone_detached()).result(0)),
                None => arguments.next(),
            })
            .collect();
        let made = b.op(&op.name(), &operands, &results, &attrs);
        func::Return::build(&b, &made.results());
    };
    evaluate::load(ctx, program).map_err(|source| InterpreterError::Compile {
        place: place(op),
        source,
    })
}
