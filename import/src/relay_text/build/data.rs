//! Values of data types, matches and references.

use super::{Reader, Result};
use crate::relay_text::syntax::{Match, Pattern as Written, Sequence};
use relay_dialects::{
    ir::{Attr, Block, Builder, Type, Value},
    names::relay,
    relay::language::pattern::Pattern,
};
use std::ops::Range;

impl Reader<'_> {
    /// A value that a constructor makes.
    pub(super) fn construct(
        &self,
        b: Builder,
        name: &str,
        fields: &[Value],
        span: &Range<usize>,
    ) -> Result<Value> {
        let (definition, tag) = &self.constructors[name];
        let types: Vec<Type> = fields.iter().map(|value| value.ty()).collect();
        let ty = definition.made(*tag, &types);
        let ty = ty.map_err(|message| self.error(span, message))?;
        let path = Attr::nested_symbol(self.ctx, &definition.name, name);
        let op = b.op(relay::CONSTRUCT, fields, &[ty], &[("constructor", path)]);
        Ok(op.result(0))
    }

    /// A constructor as a value: without fields a value of its type, with fields a function.
    pub(super) fn constructor(
        &self,
        block: Block,
        name: &str,
        span: &Range<usize>,
    ) -> Result<Value> {
        let (definition, tag) = &self.constructors[name];
        let fields = &definition.constructors[*tag].fields;
        if fields.is_empty() {
            return self.construct(self.builder(block, span), name, &[], span);
        }
        let unknown = definition.params.clone();
        let types: Vec<Type> = (fields.iter())
            .map(|ty| ty.instantiate(&unknown, &Default::default()))
            .collect();
        let body = Block::new(self.ctx, &types);
        let made = self.construct(self.builder(body, span), name, &body.args(), span)?;
        Ok(self.function_of(block, body, made, span))
    }

    /// A function of a body that gives a value.
    pub(super) fn function_of(
        &self,
        block: Block,
        body: Block,
        value: Value,
        span: &Range<usize>,
    ) -> Value {
        self.builder(body, span)
            .op(relay::YIELD, &[value], &[], &[]);
        let params: Vec<Type> = body.args().iter().map(|param| param.ty()).collect();
        let ty = Type::function(self.ctx, &params, &[value.ty()]);
        let b = self.builder(block, span);
        b.region_op(relay::FN, &[], &[ty], &[], &[Some(body)])
            .result(0)
    }

    /// A match.
    pub(super) fn matching(
        &mut self,
        block: Block,
        written: &Match,
        span: &Range<usize>,
    ) -> Result<Value> {
        let value = self.expr(block, &written.value)?;
        let mut result = Type::incomplete(self.ctx);
        let (mut patterns, mut arms) = (Vec::new(), Vec::new());
        for (pattern, body) in &written.arms {
            let mut names = Vec::new();
            let span = &written.value.span;
            let pattern = self.pattern(pattern, value.ty(), &mut names, span)?;
            patterns.push(pattern.to_attr(self.ctx));
            let types: Vec<Type> = names.iter().map(|(_, ty)| *ty).collect();
            let arm = Block::at(self.builder(block, span).loc, &types);
            let names = names.into_iter().map(|(name, _)| name);
            self.scopes.push(names.zip(arm.args()).collect());
            let yielded = self.sequence(arm, body);
            self.scopes.pop();
            let yielded = yielded?;
            self.builder(arm, &body.value.span)
                .op(relay::YIELD, &[yielded], &[], &[]);
            if result.has_incomplete() {
                result = yielded.ty();
            }
            arms.push(Some(arm));
        }
        let mut attrs = vec![("patterns", Attr::array(self.ctx, &patterns))];
        if written.partial {
            attrs.push(("partial", Attr::unit(self.ctx)));
        }
        let b = self.builder(block, span);
        let op = b.region_op(relay::MATCH, &[value], &[result], &attrs, &arms);
        Ok(op.result(0))
    }

    /// A pattern for values of a type; adds the names in it with what is known of their types.
    fn pattern(
        &self,
        written: &Written,
        ty: Type,
        names: &mut Vec<(String, Type)>,
        span: &Range<usize>,
    ) -> Result<Pattern> {
        let unknown = Type::incomplete(self.ctx);
        let (parts, types) = match written {
            Written::Wildcard => return Ok(Pattern::Wildcard),
            Written::Variable(name, annotation) => {
                let annotated = self.written(annotation.as_ref(), span)?;
                if !annotated.is_compatible(ty) {
                    let message = format!("%{name} is {annotated}, but stands for {ty}");
                    return Err(self.error(span, message));
                }
                let ty = if ty.has_incomplete() { annotated } else { ty };
                names.push((format!("%{name}"), ty));
                return Ok(Pattern::Name(name.clone()));
            }
            Written::Tuple(parts) => (parts, ty.fields()),
            Written::Constructor(name, parts) => {
                let Some((definition, tag)) = self.constructors.get(name) else {
                    let message = format!("there is no constructor {name}; a name is %{name}");
                    return Err(self.error(span, message));
                };
                let adt = ty.as_adt().filter(|(known, _)| *known == definition.name);
                let fields = match adt {
                    Some((_, arguments)) => Some(definition.fields(*tag, &arguments)),
                    None if !ty.is_incomplete() => {
                        let message = format!("{name} makes no {ty}");
                        return Err(self.error(span, message));
                    }
                    None => None,
                };
                (parts, fields)
            }
        };
        let types = types.unwrap_or_else(|| vec![unknown; parts.len()]);
        if types.len() != parts.len() {
            let (has, given) = (types.len(), parts.len());
            let message = format!("a pattern takes {given} fields of a value with {has}");
            return Err(self.error(span, message));
        }
        let fields = parts.iter().zip(types);
        let fields = fields.map(|(part, ty)| self.pattern(part, ty, names, span));
        let fields = fields.collect::<Result<Vec<Pattern>>>()?;
        Ok(match written {
            Written::Constructor(name, _) => Pattern::Constructor {
                of: self.constructors[name].0.name.clone(),
                name: name.clone(),
                fields,
            },
            _ => Pattern::Tuple(fields),
        })
    }

    pub(super) fn ref_create(
        &mut self,
        block: Block,
        value: &Sequence,
        span: &Range<usize>,
    ) -> Result<Value> {
        let value = self.sequence(block, value)?;
        let ty = Type::reference(value.ty());
        let b = self.builder(block, span);
        Ok(b.op(relay::REF_CREATE, &[value], &[ty], &[]).result(0))
    }

    pub(super) fn ref_read(
        &mut self,
        block: Block,
        reference: &Sequence,
        span: &Range<usize>,
    ) -> Result<Value> {
        let reference = self.sequence(block, reference)?;
        let ty = reference.ty().as_reference();
        let ty = ty.unwrap_or(Type::incomplete(self.ctx));
        let b = self.builder(block, span);
        self.referring(reference, span)?;
        Ok(b.op(relay::REF_READ, &[reference], &[ty], &[]).result(0))
    }

    pub(super) fn ref_write(
        &mut self,
        block: Block,
        [reference, value]: &[Sequence; 2],
        span: &Range<usize>,
    ) -> Result<Value> {
        let reference = self.sequence(block, reference)?;
        let value = self.sequence(block, value)?;
        self.referring(reference, span)?;
        let unit = Type::tuple(self.ctx, &[]);
        let b = self.builder(block, span);
        let op = b.op(relay::REF_WRITE, &[reference, value], &[unit], &[]);
        Ok(op.result(0))
    }

    fn referring(&self, value: Value, span: &Range<usize>) -> Result<()> {
        let ty = value.ty();
        match ty.is_incomplete() || ty.as_reference().is_some() {
            true => Ok(()),
            false => Err(self.error(span, format!("expected a reference, not {ty}"))),
        }
    }
}
