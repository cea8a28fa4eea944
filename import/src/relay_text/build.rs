//! From trees to modules of the relay dialect.
//!
//! A function becomes a `func.func`, and a name the value that it is bound to: `let` and `%0 =` say the same here. Types that
//! are not written are `!relay.incomplete`, for `infer-type` to find.

use super::{
    element,
    operators::{self, OF_TUPLES},
    parse::{TextError, parse},
    syntax::{
        Call, Definition, Dim, Expr, Function, Kind, Number, Program, Sequence, Step,
        Type as Written,
    },
};
use crate::graph::diagnostics::{self, Diagnostics};
use melior::{
    Context,
    ir::{Location, Module},
};
use relay_dialects::{
    element::Element,
    ir::{Attr, Block, Builder, Ctx, DYNAMIC, Loc, Op, Point, Type, Value},
    names,
    relay::row,
};
use std::{collections::HashMap, ops::Range};

type Result<T> = std::result::Result<T, TextError>;

/// Reads a text into a module.
///
/// # Errors
/// The first place that does not read, or that names something that is not there; also what is of the language and not yet of
/// the dialect: closures, data types, references and metadata.
pub fn import<'c>(context: &'c Context, text: &str, file: &str) -> Result<Module<'c>> {
    let in_file = |error: TextError| error.in_file(file);
    let program = parse(text).map_err(in_file)?;
    let module = Module::new(Location::unknown(context));
    let ends = text.match_indices('\n').map(|(end, _)| end + 1);
    let result = diagnostics::collect(context, |diagnostics| {
        let mut reader = Reader {
            ctx: Ctx::of(context),
            text,
            file,
            lines: [0].into_iter().chain(ends).collect(),
            functions: HashMap::new(),
            scopes: Vec::new(),
            diagnostics,
        };
        reader.program(Op::of_module(&module), &program)
    });
    result.map(|()| module).map_err(in_file)
}

/// What is known where the text is being read.
struct Reader<'t> {
    ctx: Ctx,
    text: &'t str,
    file: &'t str,
    /// Where each line begins, in bytes.
    lines: Vec<usize>,
    /// The types of functions: those of their parameters and that of the result.
    functions: HashMap<String, (Vec<Type>, Type)>,
    /// What names stand for, the innermost scope last.
    scopes: Vec<HashMap<String, Value>>,
    diagnostics: &'t Diagnostics,
}

impl Reader<'_> {
    fn error(&self, span: &Range<usize>, message: impl Into<String>) -> TextError {
        TextError::at(self.text, span, message)
    }

    /// An error about a construct that the dialect does not have yet.
    fn missing<T>(&self, span: &Range<usize>, what: &str) -> Result<T> {
        Err(self.error(span, format!("{what} cannot be read into modules yet")))
    }

    fn program(&mut self, module: Op, program: &Program) -> Result<()> {
        let functions = program
            .definitions
            .iter()
            .map(|definition| match definition {
                Definition::Function(name, function) => Ok((name, function)),
                Definition::Data(_) | Definition::Opaque(_) => self.missing(&(0..0), "data types"),
            })
            .collect::<Result<Vec<_>>>()?;
        for (name, function) in &functions {
            let span = &function.body.value.span;
            let params = function.params.iter();
            let params = params.map(|param| self.written(param.ty.as_ref(), span));
            let params = params.collect::<Result<Vec<Type>>>()?;
            let result = self.written(function.result.as_ref(), span)?;
            let before = self.functions.insert((*name).clone(), (params, result));
            if before.is_some() {
                return Err(self.error(span, format!("@{name} is defined twice")));
            }
        }
        for (name, function) in functions {
            self.function(module, name, function)?;
        }
        match module.verify() {
            true => Ok(()),
            false => Err(self.error(&(0..0), self.diagnostics.borrow().join("; "))),
        }
    }

    fn function(&mut self, module: Op, name: &str, function: &Function) -> Result<()> {
        let span = &function.body.value.span;
        if !function.type_params.is_empty() {
            return self.missing(span, "type parameters");
        }
        if !function.attributes.is_empty() {
            return self.missing(span, "attributes of functions");
        }
        let (types, result) = self.functions[name].clone();
        let top = self.builder(module.body(), span);
        let func = top.func(name, &types, &[], &[]);
        let body = func.body();
        let params = function.params.iter();
        let names = params.clone().map(|param| format!("%{}", param.name));
        self.scopes = vec![names.zip(body.args()).collect()];
        let value = self.sequence(body, &function.body)?;
        self.builder(body, span)
            .op("func.return", &[value], &[], &[]);
        let result = if result.is_incomplete() {
            value.ty()
        } else {
            result
        };
        func.set_attr(
            "function_type",
            Attr::ty(Type::function(self.ctx, &types, &[result])),
        );
        let of_param = |name: &str| {
            let name = Attr::str(self.ctx, name);
            Attr::dict(self.ctx, &[(relay_dialects::attrs::NAME, name)])
        };
        let named: Vec<Attr> = params.map(|param| of_param(&param.name)).collect();
        func.set_attr("arg_attrs", Attr::array(self.ctx, &named));
        self.functions.insert(name.into(), (types, result));
        Ok(())
    }

    /// At the end of a block, with the location of some bytes.
    fn builder(&self, block: Block, span: &Range<usize>) -> Builder {
        let line = self.lines.partition_point(|begin| *begin <= span.start);
        let column = self.text[self.lines[line - 1]..span.start].chars().count() + 1;
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Builder {
            ctx: self.ctx,
            loc: Loc::file(self.ctx, self.file, small(line), small(column)),
            point: Point::End(block),
        }
    }

    fn written(&self, ty: Option<&Written>, span: &Range<usize>) -> Result<Type> {
        match ty {
            None | Some(Written::Incomplete) => Ok(Type::incomplete(self.ctx)),
            Some(Written::Tensor(dims, name)) => {
                let element = element::parse(name)
                    .ok_or_else(|| self.error(span, format!("there are no tensors of {name}")))?;
                let dims = dims.iter().map(|dim| match dim {
                    Dim::Unknown => Ok(DYNAMIC),
                    Dim::Known(extent) => Ok(*extent),
                    Dim::Meta(_) => self.missing(span, "metadata"),
                });
                let shape = dims.collect::<Result<Vec<i64>>>()?;
                Ok(Type::tensor(&shape, element.ty(self.ctx)))
            }
            Some(Written::Tuple(fields)) => {
                let fields = fields.iter().map(|field| self.written(Some(field), span));
                Ok(Type::tuple(
                    self.ctx,
                    &fields.collect::<Result<Vec<Type>>>()?,
                ))
            }
            Some(ty) => self.missing(span, &format!("types such as {ty}")),
        }
    }

    /// The value of a sequence, in a scope of its own.
    fn sequence(&mut self, block: Block, sequence: &Sequence) -> Result<Value> {
        self.scopes.push(HashMap::new());
        for step in &sequence.steps {
            let (name, value) = match step {
                Step::Let(name, _, value) => (format!("%{name}"), value),
                Step::Bind(number, value) => (format!("%{number}"), value),
                Step::Effect(value) => (String::new(), value),
                Step::Free(name, _) => {
                    let span = &sequence.value.span;
                    return Err(self.error(
                        span,
                        format!("%{name} is free: give the function a parameter"),
                    ));
                }
            };
            let value = self.expr(block, value)?;
            self.scopes
                .last_mut()
                .map(|scope| scope.insert(name, value));
        }
        let value = self.expr(block, &sequence.value);
        self.scopes.pop();
        value
    }

    fn expr(&mut self, block: Block, expr: &Expr) -> Result<Value> {
        let span = &expr.span;
        let b = self.builder(block, span);
        match &expr.kind {
            Kind::Number(Number::Int(value, bits)) => {
                let element = element::parse(&format!("int{bits}"));
                self.scalar(b, element, |ty| Attr::int(ty, *value), span)
            }
            Kind::Number(Number::Float(value, bits)) => {
                let element = element::parse(&format!("float{bits}"));
                self.scalar(b, element, |ty| Attr::float(ty, *value), span)
            }
            Kind::Bool(value) => self.scalar(
                b,
                Some(Element::Bool),
                |ty| Attr::int(ty, i64::from(*value)),
                span,
            ),
            Kind::Local(name) => self.name(&format!("%{name}"), span),
            Kind::Graph(number) => self.name(&format!("%{number}"), span),
            Kind::Tuple(fields) => {
                let fields = fields.iter().map(|field| self.sequence(block, field));
                let fields = fields.collect::<Result<Vec<Value>>>()?;
                self.made(b, names::relay::TUPLE, &fields, &[], span)
                    .map(|op| op.result(0))
            }
            Kind::Project(tuple, index) => {
                let tuple = self.expr(block, tuple)?;
                self.field(b, tuple, *index, span)
            }
            Kind::Infix(infix, operands) => {
                let operands = operands.iter().map(|operand| self.expr(block, operand));
                let operands = operands.collect::<Result<Vec<Value>>>()?;
                let name = format!("relay.{}", infix.facts().1);
                self.made(b, &name, &operands, &[], span)
                    .map(|op| op.result(0))
            }
            Kind::If(parts) => self.branches(block, parts, span),
            Kind::Block(sequence) => self.sequence(block, sequence),
            Kind::Call(call) => self.call(block, call, span),
            Kind::Meta(_) => self.missing(span, "metadata"),
            Kind::Global(_) | Kind::Function(_) => self.missing(span, "functions as values"),
            Kind::Named(name) => self.missing(span, &format!("`{name}` as a value")),
            Kind::Match(_) => self.missing(span, "data types"),
            Kind::RefCreate(_) | Kind::RefRead(_) | Kind::RefWrite(_) => {
                self.missing(span, "references")
            }
        }
    }

    fn name(&self, name: &str, span: &Range<usize>) -> Result<Value> {
        let mut scopes = self.scopes.iter().rev();
        let found = scopes.find_map(|scope| scope.get(name));
        found
            .copied()
            .ok_or_else(|| self.error(span, format!("nothing is called {name} here")))
    }

    fn scalar(
        &self,
        b: Builder,
        element: Option<Element>,
        number: impl FnOnce(Type) -> Attr,
        span: &Range<usize>,
    ) -> Result<Value> {
        let element =
            element.ok_or_else(|| self.error(span, "there are no tensors of such numbers"))?;
        let element = element.ty(self.ctx);
        let value = Attr::splat(Type::tensor(&[], element), number(element));
        let op = self.made(b, names::relay::CONSTANT, &[], &[("value", value)], span)?;
        Ok(op.result(0))
    }

    /// An op whose types follow from its operands.
    fn made(
        &self,
        b: Builder,
        name: &str,
        operands: &[Value],
        attrs: &[(&str, Attr)],
        span: &Range<usize>,
    ) -> Result<Op> {
        self.diagnostics.borrow_mut().clear();
        let made = b.inferred(name, operands, attrs);
        made.ok_or_else(|| self.error(span, self.diagnostics.borrow().join("; ")))
    }

    fn field(&self, b: Builder, tuple: Value, index: u32, span: &Range<usize>) -> Result<Value> {
        let fields = tuple.def_of(names::relay::TUPLE).map(Op::operands);
        if let Some(field) = fields.and_then(|fields| fields.get(index as usize).copied()) {
            return Ok(field);
        }
        let index = [("index", Attr::i64(self.ctx, index.into()))];
        let op = self.made(b, names::relay::TUPLE_GET, &[tuple], &index, span)?;
        Ok(op.result(0))
    }

    fn branches(
        &mut self,
        block: Block,
        [condition, yes, no]: &[Sequence; 3],
        span: &Range<usize>,
    ) -> Result<Value> {
        let condition = self.sequence(block, condition)?;
        let mut ty = Type::incomplete(self.ctx);
        let mut blocks = Vec::new();
        for branch in [yes, no] {
            let inner = Block::new(self.ctx, &[]);
            let value = self.sequence(inner, branch)?;
            self.builder(inner, &branch.value.span)
                .op(names::relay::YIELD, &[value], &[], &[]);
            if ty.is_incomplete() {
                ty = value.ty();
            }
            blocks.push(Some(inner));
        }
        let b = self.builder(block, span);
        let op = b.region_op(names::relay::IF, &[condition], &[ty], &[], &blocks);
        Ok(op.result(0))
    }

    fn call(&mut self, block: Block, call: &Call, span: &Range<usize>) -> Result<Value> {
        let arguments = call
            .arguments
            .iter()
            .map(|argument| self.expr(block, argument));
        let arguments = arguments.collect::<Result<Vec<Value>>>()?;
        let b = self.builder(block, span);
        match &call.callee.kind {
            Kind::Named(name) => self.operator(b, name, arguments, call, span),
            Kind::Global(name) => self.global(b, name, &arguments, &call.callee.span),
            _ => self.missing(&call.callee.span, "calls of values"),
        }
    }

    fn global(
        &self,
        b: Builder,
        name: &str,
        arguments: &[Value],
        span: &Range<usize>,
    ) -> Result<Value> {
        let Some((params, result)) = self.functions.get(name) else {
            return Err(self.error(span, format!("there is no function @{name}")));
        };
        // MLIR compares the types of a call with those of the function.
        if params.iter().any(|ty| ty.is_incomplete()) || result.is_incomplete() {
            let message = format!(
                "@{name} is called: write the types of its parameters, and that of its result if it is defined later"
            );
            return Err(self.error(span, message));
        }
        Ok(b.call(name, arguments, &[*result]).result(0))
    }

    fn operator(
        &self,
        b: Builder,
        name: &str,
        mut operands: Vec<Value>,
        call: &Call,
        span: &Range<usize>,
    ) -> Result<Value> {
        let full = format!("relay.{name}");
        if row(&full).is_none() {
            let span = &call.callee.span;
            return Err(self.error(span, format!("there is no operator `{name}`")));
        }
        if let (true, [tuple]) = (OF_TUPLES.contains(&name), &operands[..]) {
            operands = self.fields(b, *tuple, span)?;
        }
        let fail = |reason: String| self.error(span, reason);
        let attrs =
            operators::attributes(self.ctx, name, &operands, &call.attributes).map_err(fail)?;
        let named: Vec<(&str, Attr)> = attrs
            .iter()
            .map(|(name, attr)| (name.as_str(), *attr))
            .collect();
        let op = self.made(b, &full, &operands, &named, span)?;
        if let Some(attr) = op.foreign_attr() {
            return Err(fail(format!("`{name}` has no attribute {attr}")));
        }
        operators::check(op, &call.attributes).map_err(fail)?;
        let results = match name {
            // Inference gives the statistics back as they are.
            "nn.batch_norm" => [&op.results()[..], &operands[3..]].concat(),
            "split" => op.results(),
            _ => return Ok(op.result(0)),
        };
        self.made(b, names::relay::TUPLE, &results, &[], span)
            .map(|op| op.result(0))
    }

    /// All fields of a tuple.
    fn fields(&self, b: Builder, tuple: Value, span: &Range<usize>) -> Result<Vec<Value>> {
        let fields = tuple.ty().fields();
        let count = fields
            .ok_or_else(|| self.error(span, "expected a tuple of known fields"))?
            .len();
        (0..count as u32)
            .map(|index| self.field(b, tuple, index, span))
            .collect()
    }
}
