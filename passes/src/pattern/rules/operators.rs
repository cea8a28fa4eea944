//! What rules have to know of operators: names, operands, attributes and what these hold.

use super::{
    super::Datum,
    functions::Form,
    syntax::{Refused, Span, Word},
};
use relay_dialects::{
    Element,
    declared::no_attribute,
    ir::{Attr, Block, Builder, Ctx, Loc, Op, Type},
    relay::{ops::rows, row},
    signatures::{self, Holds},
    similar::suggestion,
};

/// The full name of an operator.
pub(super) fn full_name(name: &str) -> Option<String> {
    let full = match name.strip_prefix("relay.") {
        Some(_) => name.to_string(),
        None => format!("relay.{name}"),
    };
    row(&full).map(|_| full)
}

/// Says that there is no operator of this name, and which one was probably meant.
pub(super) fn unknown(name: &Word) -> Refused {
    let meant = suggestion(&name.text, rows().map(|row| row.name));
    let message = format!("there is no operator '{}'{meant}", name.text);
    name.span.wrong(message)
}

/// An operator's name without the dialect.
fn short(operator: &str) -> &str {
    operator.strip_prefix("relay.").unwrap_or(operator)
}

/// Refuses a number of operands that an operator does not take.
pub(super) fn check_operands(operator: &str, count: usize, span: Span) -> Result<(), Refused> {
    use signatures::Operands::{AtLeast, Exactly};
    let Some(signature) = signatures::find(operator) else {
        return Ok(());
    };
    let wanted = match signature.operands {
        operands if operands.allow(count) => return Ok(()),
        Exactly(1) => "one operand".to_string(),
        Exactly(count) => format!("{count} operands"),
        AtLeast(count) => format!("{count} operands or more"),
    };
    span.refuse(format!("'{}' takes {wanted}, not {count}", short(operator)))
}

/// What an operator's attribute of that name holds; refuses what there is not.
pub(super) fn attr(operator: &str, attr: &str, span: Span) -> Result<Holds, Refused> {
    let holds = signatures::find(operator).and_then(|signature| signature.attr(attr));
    let missing = || {
        let missing = no_attribute(operator, attr);
        span.wrong(format!("'{}' {missing}", short(operator)))
    };
    holds.ok_or_else(missing)
}

/// Whether an attribute of this kind can hold this.
pub(super) fn takes(holds: Holds, datum: &Datum) -> bool {
    match holds {
        Holds::Bool => matches!(datum, Datum::Bool(_)),
        Holds::Int => matches!(datum, Datum::Int(_)),
        Holds::Float => datum.number().is_some(),
        Holds::Ints => matches!(datum, Datum::List(_)),
        Holds::Text => matches!(datum, Datum::Text(_)),
        Holds::Type => matches!(datum, Datum::Element(_)),
        Holds::Floats | Holds::Other => false,
    }
}

/// The form of what an attribute of this kind holds.
pub(super) fn form(holds: Holds) -> Form {
    match holds {
        Holds::Bool => Form::Bool,
        Holds::Int | Holds::Float => Form::Number,
        Holds::Ints => Form::List,
        Holds::Text => Form::Text,
        Holds::Floats | Holds::Type | Holds::Other => Form::Any,
    }
}

/// What messages call what an attribute holds.
pub(super) fn text(holds: Holds) -> &'static str {
    match holds {
        Holds::Bool => "a boolean",
        Holds::Int => "a whole number",
        Holds::Float => "a number",
        Holds::Ints => "a list of whole numbers",
        Holds::Floats => "a list of numbers",
        Holds::Text => "a text",
        Holds::Type => "an element type",
        Holds::Other => "what rules cannot write",
    }
}

/// The attribute that holds this; `None` if it is of another kind.
pub(super) fn to_attr(holds: Holds, ctx: Ctx, datum: &Datum) -> Option<Attr> {
    match (holds, datum.number()) {
        (Holds::Float, Some(number)) => Some(Attr::f64(ctx, number)),
        _ if takes(holds, datum) => datum.to_attr(ctx),
        _ => None,
    }
}

/// An attribute of this kind.
fn sample(holds: Holds, ctx: Ctx) -> Attr {
    match holds {
        Holds::Bool => Attr::bool(ctx, true),
        Holds::Int => Attr::i64(ctx, 1),
        Holds::Float => Attr::f64(ctx, 1.0),
        Holds::Ints => Attr::ints(ctx, &[1]),
        Holds::Floats => Attr::floats(ctx, &[1.0]),
        Holds::Text => Attr::str(ctx, ""),
        Holds::Type => Attr::ty(Element::F32.ty(ctx)),
        Holds::Other => Attr::unit(ctx),
    }
}

/// A place for ops that belong to no program: MLIR is asked by them what it thinks of an operator.
pub(super) struct Probe {
    scratch: Op,
}

impl Probe {
    /// `around` is an op of the context with a body.
    pub(super) fn new(around: Op) -> Self {
        let ctx = around.ctx();
        let builder = Builder::at_end(around.body(), Loc::unknown(ctx), ctx);
        let block = Block::new(ctx, &[]);
        let scratch = builder.module(None, block);
        scratch.detach();
        Self { scratch }
    }

    /// Whether an operator has all attributes that it needs; otherwise MLIR says at `loc` which one is missing.
    pub(super) fn is_whole(
        &self,
        operator: &str,
        operands: usize,
        attrs: &[(&str, Holds)],
        loc: Loc,
    ) -> bool {
        let ctx = self.scratch.ctx();
        // Type relations ask nothing of operands whose types are yet to be inferred.
        let types = vec![Type::incomplete(ctx); operands];
        let block = Block::new(ctx, &types);
        let around = Builder::at_end(self.scratch.body(), loc, ctx);
        let around = around.module(None, block);
        let attrs = attrs.iter();
        let attrs: Vec<_> = attrs
            .map(|(name, holds)| (*name, sample(*holds, ctx)))
            .collect();
        let builder = Builder::at_end(block, loc, ctx);
        let op = builder.op(operator, &block.args(), &[Type::incomplete(ctx)], &attrs);
        let is_whole = operands == 0 || op.verify();
        around.erase();
        is_whole
    }
}

impl Drop for Probe {
    fn drop(&mut self) {
        self.scratch.erase();
    }
}
