//! The machine: calls that are under way, and what each knows.

use crate::{
    InterpreterError, Kernels, Value,
    error::{cannot, place},
    extents,
    loops::Loop,
    matching,
    value::{Data, Function},
};
use relay_dialects::{
    ir::{self, Attr, Block, Op},
    names::relay,
    ops::{func, scf},
    relay::{is_operator, language::pattern::Pattern},
};
use relay_runtime::{DType, Tensor};
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// Runs `@main` of a module whose types are all known. Its results are one value, a tuple if there are several.
///
/// # Errors
/// See [`InterpreterError`].
pub fn run(
    module: Op,
    kernels: &mut Kernels,
    arguments: Vec<Value>,
) -> Result<Value, InterpreterError> {
    let main = module
        .function("main")
        .filter(|main| main.block_in(0).is_some());
    let main = main.ok_or(InterpreterError::NoEntry)?;
    let expected = main.body().args().len();
    if arguments.len() != expected {
        let given = arguments.len();
        return Err(InterpreterError::Arguments { expected, given });
    }
    let mut machine = Machine {
        module,
        kernels,
        calls: Vec::new(),
        blocks: HashMap::new(),
        done: None,
    };
    let entry = Function {
        op: main,
        around: HashMap::new(),
        first: Vec::new(),
    };
    machine.enter(&Rc::new(entry), arguments, None);
    loop {
        if let Some(value) = machine.done.take() {
            return Ok(value);
        }
        machine.step()?;
    }
}

/// The most calls that are under way at one time. Each takes about a kilobyte.
const MOST_CALLS: usize = 1 << 20;

/// A function that is being run.
struct Call {
    known: HashMap<ir::Value, Value>,
    /// The blocks that are being run, the innermost last, each with the number of its next op.
    blocks: Vec<(Rc<[Op]>, usize)>,
    /// The loops that are under way, the innermost last.
    loops: Vec<Loop>,
    /// The call in the caller whose results this gives.
    site: Option<Op>,
}

struct Machine<'k> {
    module: Op,
    kernels: &'k mut Kernels,
    calls: Vec<Call>,
    /// The ops of blocks.
    blocks: HashMap<Block, Rc<[Op]>>,
    /// The result of the entry.
    done: Option<Value>,
}

impl Machine<'_> {
    fn ops(&mut self, block: Block) -> Rc<[Op]> {
        let ops = self.blocks.entry(block);
        Rc::clone(ops.or_insert_with(|| block.ops().into()))
    }

    /// Begins to run a function.
    fn enter(&mut self, function: &Rc<Function>, arguments: Vec<Value>, site: Option<Op>) {
        let body = function.op.body();
        let mut known = function.around.clone();
        let itself = function.op.has_attr("recursive") && function.op.is(relay::FN);
        let own = itself.then(|| Value::Function(Rc::clone(function)));
        let first = function.first.iter().cloned();
        let values = own.into_iter().chain(first).chain(arguments);
        known.extend(body.args().into_iter().zip(values));
        let ops = self.ops(body);
        self.calls.push(Call {
            known,
            blocks: vec![(ops, 0)],
            loops: Vec::new(),
            site,
        });
    }

    /// Runs the next op.
    fn step(&mut self) -> Result<(), InterpreterError> {
        let Some(call) = self.calls.last_mut() else {
            return Err(InterpreterError::NoEntry);
        };
        let Some((ops, next)) = call.blocks.last_mut() else {
            return Err(InterpreterError::NoEntry);
        };
        let op = ops[*next];
        *next += 1;
        match op.name().as_str() {
            func::Return::NAME | relay::YIELD | scf::Yield::NAME => self.leave(op),
            func::Call::NAME => self.call_global(op),
            relay::CALL => self.call(op),
            relay::GLOBAL | relay::CLOSURE => {
                let first = self.operands(op);
                let function = self.global(op, first)?;
                self.set(op, vec![Value::Function(function)]);
                Ok(())
            }
            relay::FN => {
                let around = self.calls.last().map(|call| call.known.clone());
                let function = Function {
                    op,
                    around: captured(op, &around.unwrap_or_default()),
                    first: Vec::new(),
                };
                self.set(op, vec![Value::Function(Rc::new(function))]);
                Ok(())
            }
            // Values carry their types, and where they lie is no part of what they are.
            relay::INSTANTIATE | relay::ON_DEVICE | relay::DEVICE_COPY => {
                let same = self.operands(op);
                self.set(op, same);
                Ok(())
            }
            relay::IF | scf::If::NAME => self.branch(op),
            relay::MATCH => self.take_apart(op),
            relay::SCAN | relay::WHILE => self.repeat(op),
            _ => {
                let operands = self.operands(op);
                let value = match op.name().as_str() {
                    relay::CONSTANT => vec![constant(op)?],
                    relay::TUPLE => vec![Value::Tuple(operands.into())],
                    relay::TUPLE_GET => vec![field(op, &operands)?],
                    relay::CONSTRUCT => vec![construct(op, operands)?],
                    relay::REF_CREATE | relay::REF_READ | relay::REF_WRITE => {
                        vec![refer(op, operands)?]
                    }
                    _ if is_operator(op) => self.operator(op, &operands)?,
                    _ if extents::knows(op) => vec![self.extent(op, operands)?],
                    _ => return Err(cannot(op, "it is no op of relay")),
                };
                self.set(op, value);
                Ok(())
            }
        }
    }

    fn value(&self, value: ir::Value) -> Option<Value> {
        self.calls.last()?.known.get(&value).cloned()
    }

    fn operands(&self, op: Op) -> Vec<Value> {
        let operands = op.operands().into_iter();
        operands.filter_map(|value| self.value(value)).collect()
    }

    /// Notes the results of an op.
    fn set(&mut self, op: Op, values: Vec<Value>) {
        if let Some(call) = self.calls.last_mut() {
            call.known.extend(op.results().into_iter().zip(values));
        }
    }

    /// Ends a block: of a region, or of a function.
    fn leave(&mut self, end: Op) -> Result<(), InterpreterError> {
        let values = self.operands(end);
        let Some(call) = self.calls.last_mut() else {
            return Err(InterpreterError::NoEntry);
        };
        call.blocks.pop();
        if !call.blocks.is_empty() {
            let is_step = call
                .loops
                .last()
                .is_some_and(|inner| end.parent() == Some(inner.op));
            if let Some(mut step) = is_step.then(|| call.loops.pop()).flatten() {
                step.take(values)?;
                return self.go_on(step);
            }
            if let Some(parent) = end.parent() {
                self.set(parent, values);
            }
            return Ok(());
        }
        let site = call.site;
        self.calls.pop();
        match site {
            Some(site) => self.set(site, values),
            None => {
                let one = values.len() == 1;
                let tuple = Value::Tuple(values.clone().into());
                self.done = values.into_iter().next().filter(|_| one).or(Some(tuple));
            }
        }
        Ok(())
    }

    /// The function that an op names, with its first arguments.
    fn global(&self, op: Op, first: Vec<Value>) -> Result<Rc<Function>, InterpreterError> {
        let name = op.attr("callee").and_then(Attr::as_symbol);
        let function = name.and_then(|name| self.module.lookup(&name));
        let function = function.filter(|function| function.block_in(0).is_some());
        let op = function.ok_or_else(|| cannot(op, "its function has no body"))?;
        let around = HashMap::new();
        Ok(Rc::new(Function { op, around, first }))
    }

    fn call_global(&mut self, op: Op) -> Result<(), InterpreterError> {
        let function = self.global(op, Vec::new())?;
        let arguments = self.operands(op);
        self.begin(op, &function, arguments)
    }

    fn call(&mut self, op: Op) -> Result<(), InterpreterError> {
        let mut operands = self.operands(op);
        let Value::Function(function) = operands.remove(0) else {
            return Err(cannot(op, "what it calls is no function"));
        };
        self.begin(op, &function, operands)
    }

    /// Begins a call. If nothing is left to do behind it, the function gives its results to the caller of this one.
    fn begin(
        &mut self,
        op: Op,
        function: &Rc<Function>,
        arguments: Vec<Value>,
    ) -> Result<(), InterpreterError> {
        let mut site = Some(op);
        if self.is_last(op) {
            site = self.calls.pop().and_then(|call| call.site);
        }
        let calls = self.calls.len();
        if calls >= MOST_CALLS {
            let place = place(op);
            return Err(InterpreterError::TooDeep { place, calls });
        }
        self.enter(function, arguments, site);
        Ok(())
    }

    /// Whether the results of a call are those of the function, with nothing in between.
    fn is_last(&self, op: Op) -> bool {
        let Some(call) = self.calls.last() else {
            return false;
        };
        let mut results = op.results();
        for (ops, next) in call.blocks.iter().rev() {
            let end = ops[*next];
            let is_end = [func::Return::NAME, relay::YIELD, scf::Yield::NAME]
                .iter()
                .any(|name| end.is(name));
            let is_step = end
                .parent()
                .is_some_and(|parent| parent.is(relay::SCAN) || parent.is(relay::WHILE));
            if !is_end || is_step || end.operands() != results {
                return false;
            }
            results = end.parent().map(Op::results).unwrap_or_default();
        }
        true
    }

    /// Begins to run a region of an op.
    fn begin_region(&mut self, block: Block, arguments: Vec<Value>) {
        let ops = self.ops(block);
        if let Some(call) = self.calls.last_mut() {
            call.known.extend(block.args().into_iter().zip(arguments));
            call.blocks.push((ops, 0));
        }
    }

    fn repeat(&mut self, op: Op) -> Result<(), InterpreterError> {
        let begun = Loop::begin(op, self.operands(op))?;
        self.go_on(begun)
    }

    /// Begins the next step of a loop, or ends the loop.
    fn go_on(&mut self, step: Loop) -> Result<(), InterpreterError> {
        let op = step.op;
        if !step.goes_on() {
            let results = step.results()?;
            self.set(op, results);
            return Ok(());
        }
        let body = op
            .block_in(0)
            .ok_or_else(|| cannot(op, "it has no region"))?;
        let arguments = step.arguments()?;
        if let Some(call) = self.calls.last_mut() {
            call.loops.push(step);
        }
        self.begin_region(body, arguments);
        Ok(())
    }

    fn branch(&mut self, op: Op) -> Result<(), InterpreterError> {
        let condition = self.tensors(op, &self.operands(op))?;
        let is_true = condition[0].bytes().first().is_some_and(|byte| *byte != 0);
        let region = op.block_in(usize::from(!is_true));
        let region = region.ok_or_else(|| cannot(op, "it has no such region"))?;
        self.begin_region(region, Vec::new());
        Ok(())
    }

    fn take_apart(&mut self, op: Op) -> Result<(), InterpreterError> {
        let value = self.operands(op).remove(0);
        let patterns = op.attr("patterns").and_then(Attr::as_array);
        let patterns = patterns.unwrap_or_default().into_iter();
        for (index, pattern) in patterns.enumerate() {
            let pattern = Pattern::of(pattern).ok_or_else(|| cannot(op, "it has no pattern"))?;
            if let Some(names) = matching::bind(&pattern, &value) {
                let arm = op.block_in(index);
                let arm = arm.ok_or_else(|| cannot(op, "it has no such arm"))?;
                self.begin_region(arm, names);
                return Ok(());
            }
        }
        Err(InterpreterError::NoArm {
            place: place(op),
            value: value.to_string(),
        })
    }

    fn tensors(&self, op: Op, values: &[Value]) -> Result<Vec<Rc<Tensor>>, InterpreterError> {
        let tensors = values.iter().map(|value| match value {
            Value::Tensor(tensor) => Ok(Rc::clone(tensor)),
            _ => Err(cannot(op, "an operand is no tensor")),
        });
        tensors.collect()
    }

    /// What an op that deals with extents gives. One with a region has to yield one value for all elements.
    fn extent(&self, op: Op, mut operands: Vec<Value>) -> Result<Value, InterpreterError> {
        if let Some(end) = op.block_in(0).and_then(Block::terminator) {
            let yielded = self.operands(end);
            if yielded.len() != end.operand_count() {
                return Err(cannot(
                    op,
                    "it computes an element of its own for each place",
                ));
            }
            operands.extend(yielded);
        }
        let tensors = self.tensors(op, &operands)?;
        extents::run(op, &tensors).map(Value::Tensor)
    }

    fn operator(&mut self, op: Op, operands: &[Value]) -> Result<Vec<Value>, InterpreterError> {
        let tensors = self.tensors(op, operands)?;
        let results = self.kernels.run(op, &tensors)?;
        Ok(results.into_iter().map(Value::Tensor).collect())
    }
}

/// What a closure reads of the values around it.
fn captured(closure: Op, known: &HashMap<ir::Value, Value>) -> HashMap<ir::Value, Value> {
    let mut captured = HashMap::new();
    closure.walk(|op| {
        for value in op.operands() {
            if let Some(found) = known.get(&value) {
                captured.insert(value, found.clone());
            }
        }
    });
    captured
}

fn constant(op: Op) -> Result<Value, InterpreterError> {
    let ty = op.result(0).ty();
    let dtype = DType::parse(&ty.element().to_string());
    let attr = op.attr("value");
    let tensor = attr.zip(dtype).and_then(|(attr, dtype)| {
        let tensor = attr.read(|bytes| Tensor::from_bytes(dtype, &ty.shape(), bytes));
        tensor.flatten()
    });
    let tensor = tensor.ok_or_else(|| cannot(op, "there are no bytes for it"))?;
    Ok(Value::Tensor(Rc::new(tensor)))
}

fn field(op: Op, operands: &[Value]) -> Result<Value, InterpreterError> {
    let index = op.attr("index").and_then(Attr::as_i64).unwrap_or_default();
    let field = match operands {
        [Value::Tuple(fields)] => fields.get(index as usize).cloned(),
        _ => None,
    };
    field.ok_or_else(|| cannot(op, "there is no such field"))
}

fn construct(op: Op, fields: Vec<Value>) -> Result<Value, InterpreterError> {
    let path = op.attr("constructor").and_then(Attr::as_nested_symbol);
    let (of, constructor) = path.ok_or_else(|| cannot(op, "it names no constructor"))?;
    Ok(Value::Data(Rc::new(Data {
        of,
        constructor,
        fields,
    })))
}

fn refer(op: Op, operands: Vec<Value>) -> Result<Value, InterpreterError> {
    let mut operands = operands.into_iter();
    match (operands.next(), operands.next()) {
        (Some(value), None) if op.is(relay::REF_CREATE) => {
            Ok(Value::Reference(Rc::new(RefCell::new(value))))
        }
        (Some(Value::Reference(place)), None) => Ok(place.borrow().clone()),
        (Some(Value::Reference(place)), Some(value)) => {
            *place.borrow_mut() = value;
            Ok(Value::Tuple(Rc::new([])))
        }
        _ => Err(cannot(op, "it has no reference")),
    }
}
