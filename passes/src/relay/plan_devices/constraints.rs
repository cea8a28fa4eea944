//! Which values lie on one device, and on which, by what each op says.

use super::{
    domains::{Cause, Conflict, Domain, Domains},
    is_primitive, ops_in, planned,
};
use relay_dialects::{
    attrs::{PARAM_DEVICES, VIRTUAL_DEVICE},
    ir::{Attr, Op, Type, Value},
    names::relay,
    ops::func,
    pass::{PassFailed, PassResult, fail},
    relay::{
        VirtualDevice,
        device::{DeviceCopy, OnDevice, of_attr},
        language::itself,
        row_of,
    },
};
use std::collections::HashMap;

/// The domains of a function of the module.
#[derive(Clone, Debug)]
pub struct Signature {
    /// Its parameters.
    pub params: Vec<Domain>,
    /// Its result; several lie together.
    pub result: Domain,
}

/// The domains of a module's values.
pub struct Constraints {
    /// The module.
    pub module: Op,
    /// All of them.
    pub domains: Domains,
    host: VirtualDevice,
    values: HashMap<Value, Domain>,
    /// Uses of values that may lie on another device at each use.
    uses: HashMap<(Op, usize), Domain>,
    signatures: HashMap<String, Signature>,
}

/// Whether values of a type may be copied: a copy of a function or a reference would be another one.
fn is_copyable(ty: Type) -> bool {
    !ty.any_part(&mut |part| part.is_function() || part.as_reference().is_some())
}

/// Whether a value may lie on another device at each of its uses: a constant, or one that may be copied on its way there.
pub fn floats(value: Value) -> bool {
    let mark = value.def().and_then(OnDevice::of);
    let is_boundary = mark.is_some_and(|mark| !mark.constrains_result);
    value.def_of(relay::CONSTANT).is_some() || (is_boundary && is_copyable(value.ty()))
}

impl Constraints {
    /// What the ops of a module say. Shapes lie on `host`.
    ///
    /// # Errors
    /// Values that have to lie on two devices, and that nothing allows to copy.
    pub fn of(module: Op, host: &VirtualDevice) -> Result<Self, PassFailed> {
        let mut constraints = Self {
            module,
            domains: Domains::new(module.loc()),
            host: host.clone(),
            values: HashMap::new(),
            uses: HashMap::new(),
            signatures: HashMap::new(),
        };
        let functions = module.body().ops().into_iter();
        for function in functions.filter(|op| op.is(func::Func::NAME)) {
            constraints.declare(function)?;
        }
        for function in planned(module) {
            for op in ops_in(function) {
                constraints.visit(op)?;
            }
        }
        Ok(constraints)
    }

    /// The domain of a value.
    pub fn of_value(&mut self, value: Value) -> Domain {
        if let Some(domain) = self.values.get(&value) {
            return *domain;
        }
        let domain = self.domains.of_type(value.ty());
        self.values.insert(value, domain);
        domain
    }

    /// The domain of an operand.
    pub fn of_use(&mut self, op: Op, index: usize) -> Domain {
        let value = op.operand(index);
        if !floats(value) {
            return self.of_value(value);
        }
        if let Some(domain) = self.uses.get(&(op, index)) {
            return *domain;
        }
        let domain = self.domains.of_type(value.ty());
        self.uses.insert((op, index), domain);
        domain
    }

    /// The domains of a function of the module.
    pub fn signature(&self, function: Op) -> Option<Signature> {
        self.signatures.get(&function.symbol()?).cloned()
    }

    /// Makes two domains one, or says at `op` why that cannot be.
    fn same(&mut self, op: Op, what: &str, one: Domain, other: Domain) -> PassResult {
        let unified = self.domains.unify(one, other);
        unified.map_err(|conflict| report(op, what, &conflict))
    }

    /// Puts values on a device; of functions, their results.
    fn put(&mut self, op: Op, domain: Domain, device: &VirtualDevice, cause: Cause) -> PassResult {
        let mut place = domain;
        while let Some((_, result)) = self.domains.parts(place) {
            place = result;
        }
        let device = self.domains.device(device, cause);
        self.same(op, "this value", place, device)
    }

    /// Makes a function of the module known.
    fn declare(&mut self, function: Op) -> PassResult {
        let name = function.symbol().unwrap_or_default();
        let ty = function.function_type();
        let (inputs, results) = ty.map(|ty| (ty.inputs(), ty.results())).unwrap_or_default();
        let params: Vec<Domain> = inputs.iter().map(|ty| self.domains.of_type(*ty)).collect();
        let result = match results[..] {
            [ty] => self.domains.of_type(ty),
            _ => self.domains.open(),
        };
        if let Some(body) = function.block_in(0) {
            self.values
                .extend(body.args().into_iter().zip(params.clone()));
        }
        let attrs = function
            .attr("arg_attrs")
            .and_then(Attr::as_array)
            .unwrap_or_default();
        for (index, (param, attrs)) in params.iter().zip(attrs).enumerate() {
            let text = format!("parameter {index} of @{name} is declared there");
            self.declared(function, *param, attrs.get(VIRTUAL_DEVICE), text)?;
        }
        let text = format!("the result of @{name} is declared there");
        self.declared(function, result, function.attr(VIRTUAL_DEVICE), text)?;
        self.signatures.insert(name, Signature { params, result });
        Ok(())
    }

    /// Puts values on the device that an attribute holds, if there is one.
    fn declared(
        &mut self,
        function: Op,
        domain: Domain,
        attr: Option<Attr>,
        text: String,
    ) -> PassResult {
        let device = match attr.map(of_attr).transpose() {
            Ok(device) => device.unwrap_or_default(),
            Err(reason) => {
                return fail(
                    function,
                    format!("has a wrong '{VIRTUAL_DEVICE}': {reason}"),
                );
            }
        };
        if device.is_unconstrained() {
            return Ok(());
        }
        let loc = function.loc();
        self.put(function, domain, &device, Cause { loc, text })
    }

    fn visit(&mut self, op: Op) -> PassResult {
        match op.name().as_str() {
            func::Call::NAME => self.direct_call(op),
            func::Return::NAME => self.returned(op),
            relay::CALL => self.call(op),
            relay::GLOBAL | relay::CLOSURE => self.global(op),
            relay::FN => self.closure(op),
            relay::INSTANTIATE => {
                let (generic, result) = (self.of_use(op, 0), self.of_value(op.result(0)));
                self.same(
                    op,
                    "the function at this use and elsewhere",
                    generic,
                    result,
                )
            }
            relay::IF => {
                self.together(op)?;
                self.yielded(op)
            }
            relay::MATCH => {
                let matched = self.of_use(op, 0);
                let arms = op.regions().into_iter().filter_map(|arm| arm.first_block());
                for name in arms.flat_map(|arm| arm.args()) {
                    let name = self.of_value(name);
                    self.same(op, "the value that is matched and its parts", matched, name)?;
                }
                self.together(op)?;
                self.yielded(op)
            }
            relay::ON_DEVICE => self.mark(op),
            relay::DEVICE_COPY => self.copy(op),
            // Each of its uses has a device of its own.
            relay::CONSTANT => Ok(()),
            // Whoever yields has to do with it.
            relay::YIELD => Ok(()),
            _ => self.together(op),
        }
    }

    /// An op whose operands and results lie on one device. Those that say shapes lie on the host.
    fn together(&mut self, op: Op) -> PassResult {
        let what = "its operands and its results";
        let shapes = row_of(op).map_or(&[][..], |row| row.shape_operands);
        let gives_shape = op.is(relay::SHAPE_OF);
        let own = self.domains.open();
        for index in 0..op.operand_count() {
            let operand = self.of_use(op, index);
            match shapes.contains(&index) {
                true => self.on_host(op, operand, "read")?,
                false => self.same(op, what, own, operand)?,
            }
        }
        for result in op.results() {
            let result = self.of_value(result);
            match gives_shape {
                true => self.on_host(op, result, "computed")?,
                false => self.same(op, what, own, result)?,
            }
        }
        Ok(())
    }

    fn on_host(&mut self, op: Op, shape: Domain, done: &str) -> PassResult {
        let host = self.host.clone();
        let text = format!("shapes are {done} on the host");
        let loc = op.loc();
        self.put(op, shape, &host, Cause { loc, text })
    }

    /// What regions yield are the results of their op.
    fn yielded(&mut self, op: Op) -> PassResult {
        let regions = op
            .regions()
            .into_iter()
            .filter_map(|region| region.first_block());
        for end in regions.filter_map(|block| block.terminator()) {
            for (index, result) in op
                .results()
                .into_iter()
                .enumerate()
                .take(end.operand_count())
            {
                let (given, result) = (self.of_use(end, index), self.of_value(result));
                self.same(end, "what the regions yield", given, result)?;
            }
        }
        Ok(())
    }

    fn mark(&mut self, op: Op) -> PassResult {
        let Some(mark) = OnDevice::of(op) else {
            return Ok(());
        };
        let cause = |what: &str| Cause {
            loc: op.loc(),
            text: format!("this relay.on_device constrains its {what}"),
        };
        let body = self.of_use(op, 0);
        if mark.constrains_body {
            self.put(op, body, &mark.device, cause("operand"))?;
        }
        if floats(op.result(0)) {
            return Ok(());
        }
        let result = self.of_value(op.result(0));
        if mark.constrains_result {
            self.put(op, result, &mark.device, cause("result"))?;
        }
        match is_copyable(op.result(0).ty()) {
            true => Ok(()),
            false => self.same(
                op,
                "its operand and its result, which cannot be copied,",
                body,
                result,
            ),
        }
    }

    fn copy(&mut self, op: Op) -> PassResult {
        let Some(copy) = DeviceCopy::of(op) else {
            return Ok(());
        };
        let cause = |does: &str| Cause {
            loc: op.loc(),
            text: format!("this relay.device_copy {does} it there"),
        };
        let (from, to) = (self.of_use(op, 0), self.of_value(op.result(0)));
        self.put(op, from, &copy.from, cause("reads"))?;
        self.put(op, to, &copy.to, cause("writes"))?;
        match is_copyable(op.result(0).ty()) {
            true => Ok(()),
            false => self.same(
                op,
                "its operand and its result, which cannot be copied,",
                from,
                to,
            ),
        }
    }

    /// The parameters and the result of what an op makes or calls, if that is a function.
    pub fn function_at(&mut self, op: Op) -> Option<(Vec<Domain>, Domain)> {
        let value = match op.name().as_str() {
            relay::CALL => self.of_use(op, 0),
            relay::FN => self.of_value(op.result(0)),
            func::Call::NAME => {
                let (_, Signature { params, result }) = self.callee(op)?;
                return Some((params, result));
            }
            _ => return None,
        };
        self.domains.parts(value)
    }

    fn callee(&self, op: Op) -> Option<(String, Signature)> {
        let name = op.attr("callee").and_then(Attr::as_symbol)?;
        let signature = self.signatures.get(&name)?.clone();
        Some((name, signature))
    }

    fn direct_call(&mut self, op: Op) -> PassResult {
        let Some((name, signature)) = self.callee(op) else {
            return self.together(op);
        };
        for (index, param) in signature.params.into_iter().enumerate() {
            let argument = self.of_use(op, index);
            let what = format!("argument {index} and the parameter of @{name}");
            self.same(op, &what, argument, param)?;
        }
        for result in op.results() {
            let result = self.of_value(result);
            let what = format!("its result and that of @{name}");
            self.same(op, &what, result, signature.result)?;
        }
        Ok(())
    }

    fn returned(&mut self, op: Op) -> PassResult {
        let function = op.ancestor(func::Func::NAME);
        let Some(signature) = function.and_then(|function| self.signature(function)) else {
            return Ok(());
        };
        for index in 0..op.operand_count() {
            if !function.is_some_and(|function| function.has_attr(VIRTUAL_DEVICE)) {
                self.stay(op, index)?;
            }
            let value = self.of_use(op, index);
            self.same(
                op,
                "what is returned and the function's result",
                value,
                signature.result,
            )?;
        }
        Ok(())
    }

    /// What a function gives and is said to lie on a device stays there, if nothing else is said of the function: whoever calls
    /// it may copy it.
    fn stay(&mut self, end: Op, index: usize) -> PassResult {
        let mark = end.operand(index).def().and_then(OnDevice::of);
        let Some(mark) = mark.filter(OnDevice::is_normal) else {
            return Ok(());
        };
        let cause = Cause {
            loc: mark.op.loc(),
            text: "this relay.on_device constrains the result of a function".into(),
        };
        let value = self.of_use(end, index);
        self.put(end, value, &mark.device, cause)
    }

    /// A function of the module that is a value, perhaps with its first arguments.
    fn global(&mut self, op: Op) -> PassResult {
        let Some((name, signature)) = self.callee(op) else {
            return Ok(());
        };
        let count = op.operand_count().min(signature.params.len());
        let (first, rest) = signature.params.split_at(count);
        for (index, param) in first.iter().enumerate() {
            let captured = self.of_use(op, index);
            let what = format!("captured value {index} and the parameter of @{name}");
            self.same(op, &what, captured, *param)?;
        }
        let function = self.domains.function(rest.to_vec(), signature.result);
        let value = self.of_value(op.result(0));
        self.same(
            op,
            &format!("parameters and results of @{name} at this use and elsewhere"),
            value,
            function,
        )
    }

    fn closure(&mut self, op: Op) -> PassResult {
        let value = self.of_value(op.result(0));
        let Some((params, result)) = self.domains.parts(value) else {
            return Ok(());
        };
        let devices = op
            .attr(PARAM_DEVICES)
            .and_then(Attr::as_array)
            .unwrap_or_default();
        for (index, (param, device)) in params.iter().zip(devices).enumerate() {
            let text = format!("parameter {index} of this function is declared there");
            self.declared(op, *param, Some(device), text)?;
        }
        let text = "the result of this function is declared there".into();
        self.declared(op, result, op.attr(VIRTUAL_DEVICE), text)?;
        if is_primitive(op) {
            return Ok(());
        }
        let own = itself(op);
        if let Some(own) = own {
            let own = self.of_value(own);
            self.same(op, "the function and its name for itself", own, value)?;
        }
        let args = op
            .body()
            .args()
            .into_iter()
            .skip(usize::from(own.is_some()));
        for (arg, param) in args.zip(params) {
            let arg = self.of_value(arg);
            self.same(op, "a parameter at its uses and at calls", arg, param)?;
        }
        let Some(end) = op
            .body()
            .terminator()
            .filter(|end| end.operand_count() == 1)
        else {
            return Ok(());
        };
        if !op.has_attr(VIRTUAL_DEVICE) {
            self.stay(end, 0)?;
        }
        let given = self.of_use(end, 0);
        self.same(
            end,
            "what is yielded and the function's result",
            given,
            result,
        )
    }

    fn call(&mut self, op: Op) -> PassResult {
        let arguments = (1..op.operand_count())
            .map(|index| self.of_use(op, index))
            .collect();
        let result = self.of_value(op.result(0));
        let implied = self.domains.function(arguments, result);
        let callee = self.of_use(op, 0);
        self.same(
            op,
            "its arguments and its result as the function's parameters and its result",
            callee,
            implied,
        )
    }
}

/// Says what has to lie on two devices, and why on each.
fn report(op: Op, what: &str, conflict: &Conflict) -> PassFailed {
    let message = format!(
        "needs {what} on one device, and nothing allows a copy: put relay.on_device where a value may be copied"
    );
    let [one, other] = &conflict.devices;
    let [first, second] = &conflict.causes;
    let notes = [
        (first.loc, format!("needed on {one} because {}", first.text)),
        (
            second.loc,
            format!("but on {other} because {}", second.text),
        ),
    ];
    op.emit_error_with_notes(&message, &notes);
    PassFailed
}
