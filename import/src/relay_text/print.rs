//! From trees to text, as TVM's printer lays it out. What is read again is the same tree.

use super::{
    parse::VERSION,
    syntax::{
        AttrValue, Attribute, Call, DataType, Definition, Dim, Expr, Function, Kind, Match, Meta,
        Param, Pattern, Program, Sequence, Step, Type, is_element,
    },
};
use std::fmt::{self, Display, Formatter, Write};

/// How far a line inside braces stands in.
const INDENT: &str = "  ";

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "#[version = \"{VERSION}\"]")?;
        for (number, definition) in self.definitions.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            writeln!(f, "{separator}{definition}")?;
        }
        match &self.metadata {
            Some(json) => writeln!(f, "\n#[metadata]\n{json}"),
            None => Ok(()),
        }
    }
}

impl Display for Definition {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Function(name, function) => {
                write!(f, "def @{name}")?;
                Printer { f, level: 0 }.function(function)
            }
            Self::Data(data) => write!(f, "{data}"),
            Self::Opaque(data) => {
                let params = in_brackets(&data.type_params);
                write!(f, "extern type {}{params}", data.name)
            }
        }
    }
}

impl Display for DataType {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let params = in_brackets(&self.type_params);
        write!(f, "type {}{params} {{", self.name)?;
        for constructor in &self.constructors {
            write!(f, "\n{INDENT}{}", constructor.name)?;
            if !constructor.fields.is_empty() {
                write!(f, "({})", joined(&constructor.fields))?;
            }
            f.write_char(',')?;
        }
        f.write_str("\n}")
    }
}

impl Display for Sequence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer { f, level: 0 }.sequence(self)
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer { f, level: 0 }.expr(self)
    }
}

impl Display for Attribute {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Printer { f, level: 0 }.attribute(self)
    }
}

/// Writes what has lines, each of them so far in as it is nested.
struct Printer<'p, 'f> {
    f: &'p mut Formatter<'f>,
    level: usize,
}

impl Printer<'_, '_> {
    fn text(&mut self, text: impl Display) -> fmt::Result {
        write!(self.f, "{text}")
    }

    fn line(&mut self) -> fmt::Result {
        self.f.write_char('\n')?;
        (0..self.level).try_for_each(|_| self.f.write_str(INDENT))
    }

    /// Something between two signs, on lines of its own.
    fn nested(
        &mut self,
        [open, close]: [char; 2],
        inside: impl FnOnce(&mut Self) -> fmt::Result,
    ) -> fmt::Result {
        self.text(open)?;
        self.level += 1;
        self.line()?;
        inside(self)?;
        self.level -= 1;
        self.line()?;
        self.text(close)
    }

    /// Some parts, with commas between them.
    fn list<T>(
        &mut self,
        parts: impl IntoIterator<Item = T>,
        mut part: impl FnMut(&mut Self, T) -> fmt::Result,
    ) -> fmt::Result {
        for (number, each) in parts.into_iter().enumerate() {
            if number > 0 {
                self.text(", ")?;
            }
            part(self, each)?;
        }
        Ok(())
    }

    /// From its type parameters on.
    fn function(&mut self, function: &Function) -> fmt::Result {
        self.text(in_brackets(&function.type_params))?;
        self.text('(')?;
        self.list(&function.params, Self::param)?;
        if !function.params.is_empty() && !function.attributes.is_empty() {
            self.text(", ")?;
        }
        self.list(&function.attributes, Self::attribute)?;
        self.text(')')?;
        if let Some(result) = &function.result {
            self.text(format_args!(" -> {result}"))?;
        }
        self.text(' ')?;
        self.body(&function.body)
    }

    fn param(&mut self, param: &Param) -> fmt::Result {
        self.text(format_args!("%{}", param.name))?;
        if let Some(device) = &param.device {
            self.text(" {")?;
            self.attribute(device)?;
            self.text('}')?;
        }
        self.text(annotation(param.ty.as_ref()))
    }

    fn body(&mut self, body: &Sequence) -> fmt::Result {
        self.nested(['{', '}'], |p| p.sequence(body))
    }

    fn sequence(&mut self, sequence: &Sequence) -> fmt::Result {
        for step in &sequence.steps {
            self.step(step)?;
            self.text(';')?;
            self.line()?;
        }
        self.expr(&sequence.value)
    }

    fn step(&mut self, step: &Step) -> fmt::Result {
        match step {
            Step::Let(name, ty, value) => {
                self.text(format_args!("let %{name}{} = ", annotation(ty.as_ref())))?;
                self.expr(value)
            }
            Step::Bind(number, value) => {
                self.text(format_args!("%{number} = "))?;
                self.expr(value)
            }
            Step::Free(name, ty) => {
                self.text(format_args!("free_var %{name}{}", annotation(ty.as_ref())))
            }
            Step::Effect(value) => self.expr(value),
        }
    }

    /// A sequence where its steps need parentheses around them.
    fn bare(&mut self, sequence: &Sequence) -> fmt::Result {
        match sequence.steps.is_empty() {
            true => self.expr(&sequence.value),
            false => self.nested(['(', ')'], |p| p.sequence(sequence)),
        }
    }

    fn expr(&mut self, expr: &Expr) -> fmt::Result {
        match &expr.kind {
            Kind::Number(number) => self.text(number),
            Kind::Bool(value) => self.text(if *value { "True" } else { "False" }),
            Kind::Meta(meta) => self.text(meta),
            Kind::Local(name) => self.text(format_args!("%{name}")),
            Kind::Graph(number) => self.text(format_args!("%{number}")),
            Kind::Global(name) => self.text(format_args!("@{name}")),
            Kind::Named(name) => self.text(name),
            Kind::Function(function) => {
                self.text("fn ")?;
                self.function(function)
            }
            Kind::If(parts) => {
                let [condition, yes, no] = &**parts;
                self.text("if (")?;
                self.bare(condition)?;
                self.text(") ")?;
                self.body(yes)?;
                self.text(" else ")?;
                self.body(no)
            }
            Kind::Match(found) => self.match_(found),
            Kind::RefCreate(value) => self.applied("ref", [&**value]),
            Kind::RefRead(value) => self.applied("ref_read", [&**value]),
            Kind::RefWrite(parts) => self.applied("ref_write", parts.iter()),
            Kind::Tuple(fields) if fields.len() == 1 => {
                self.text('(')?;
                self.bare(&fields[0])?;
                self.text(",)")
            }
            Kind::Tuple(fields) => self.applied("", fields),
            Kind::Project(tuple, index) => {
                self.callee(tuple)?;
                self.text(format_args!(".{index}"))
            }
            Kind::Call(call) => self.call(call),
            Kind::Infix(infix, operands) => {
                let [lhs, rhs] = &**operands;
                let (sign, _, closeness) = infix.facts();
                // What binds as closely is read from left to right.
                self.operand(lhs, closeness)?;
                self.text(format_args!(" {sign} "))?;
                self.operand(rhs, closeness + 1)
            }
            Kind::Block(sequence) => self.nested(['(', ')'], |p| p.sequence(sequence)),
        }
    }

    /// A name, and sequences in parentheses.
    fn applied<'s>(
        &mut self,
        name: &str,
        to: impl IntoIterator<Item = &'s Sequence>,
    ) -> fmt::Result {
        self.text(format_args!("{name}("))?;
        self.list(to, Self::bare)?;
        self.text(')')
    }

    fn match_(&mut self, found: &Match) -> fmt::Result {
        let partial = if found.partial { "?" } else { "" };
        self.text(format_args!("match{partial} ("))?;
        self.expr(&found.value)?;
        if found.arms.is_empty() {
            return self.text(") {}");
        }
        self.text(") ")?;
        self.nested(['{', '}'], |p| {
            for (number, (pattern, value)) in found.arms.iter().enumerate() {
                if number > 0 {
                    p.line()?;
                }
                p.text(format_args!("{pattern} => "))?;
                p.body(value)?;
                p.text(',')?;
            }
            Ok(())
        })
    }

    fn call(&mut self, call: &Call) -> fmt::Result {
        self.callee(&call.callee)?;
        self.text('(')?;
        self.list(&call.arguments, Self::expr)?;
        if !call.arguments.is_empty() && !call.attributes.is_empty() {
            self.text(", ")?;
        }
        self.list(&call.attributes, Self::attribute)?;
        self.text(')')
    }

    fn attribute(&mut self, attribute: &Attribute) -> fmt::Result {
        self.text(format_args!("{}=", attribute.name))?;
        self.value(&attribute.value)
    }

    fn value(&mut self, value: &AttrValue) -> fmt::Result {
        match value {
            AttrValue::Text(text) => self.text(format_args!("\"{text}\"")),
            AttrValue::List(values) => {
                self.text('[')?;
                self.list(values, Self::value)?;
                self.text(']')
            }
            AttrValue::Nothing => self.text("None"),
            AttrValue::Expr(value) => self.expr(value),
        }
    }

    /// What is called, or has fields: in parentheses where less of it would be taken.
    fn callee(&mut self, expr: &Expr) -> fmt::Result {
        self.enclosed(expr, matches!(expr.kind, Kind::Infix(..) | Kind::Number(_)))
    }

    /// An operand of an infix operator: in parentheses where others would be taken first.
    fn operand(&mut self, expr: &Expr, closeness: u8) -> fmt::Result {
        let is_looser = matches!(&expr.kind, Kind::Infix(infix, _) if infix.facts().2 < closeness);
        self.enclosed(expr, is_looser)
    }

    fn enclosed(&mut self, expr: &Expr, is_enclosed: bool) -> fmt::Result {
        if !is_enclosed {
            return self.expr(expr);
        }
        self.text('(')?;
        self.expr(expr)?;
        self.text(')')
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wildcard => f.write_char('_'),
            Self::Variable(name, ty) => write!(f, "%{name}{}", annotation(ty.as_ref())),
            Self::Tuple(fields) => write!(f, "({})", joined(fields)),
            Self::Constructor(name, fields) if fields.is_empty() => f.write_str(name),
            Self::Constructor(name, fields) => write!(f, "{name}({})", joined(fields)),
        }
    }
}

impl Display for Meta {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "meta[{}][{}]", self.key, self.index)
    }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Incomplete => f.write_char('_'),
            Self::Tensor(dims, element) if dims.is_empty() && is_element(element) => {
                f.write_str(element)
            }
            Self::Tensor(dims, element) => write!(f, "Tensor[({}), {element}]", joined(dims)),
            Self::Tuple(fields) => {
                let comma = if fields.len() == 1 { "," } else { "" };
                write!(f, "({}{comma})", joined(fields))
            }
            Self::Function(params, arguments, result) => {
                let params = in_brackets(params);
                write!(f, "fn {params}({}) -> {result}", joined(arguments))
            }
            Self::Ref(value) => write!(f, "ref({value})"),
            Self::Named(name, args) if args.is_empty() => f.write_str(name),
            Self::Named(name, args) => write!(f, "{name}[{}]", joined(args)),
        }
    }
}

impl Display for Dim {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_char('?'),
            Self::Known(extent) => write!(f, "{extent}"),
            Self::Meta(meta) => write!(f, "{meta}"),
        }
    }
}

fn joined<T: Display>(parts: &[T]) -> String {
    let parts: Vec<String> = parts.iter().map(T::to_string).collect();
    parts.join(", ")
}

fn in_brackets(names: &[String]) -> String {
    match names.is_empty() {
        true => String::new(),
        false => format!("[{}]", names.join(", ")),
    }
}

fn annotation(ty: Option<&Type>) -> String {
    ty.map_or_else(String::new, |ty| format!(": {ty}"))
}
