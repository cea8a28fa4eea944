//! Types that are written, and definitions of data types.

use super::{Reader, Result};
use crate::relay_text::{
    element,
    syntax::{DataType, Definition, Dim, Type as Written},
};
use relay_dialects::{
    ir::{Attr, Block, DYNAMIC, Op, Type},
    names::relay,
    relay::language::adt::TypeDef,
};
use std::ops::Range;

impl Reader<'_> {
    /// The type that is written; incomplete if none is.
    pub(super) fn written(&self, ty: Option<&Written>, span: &Range<usize>) -> Result<Type> {
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
                Ok(Type::tuple(self.ctx, &self.all_written(fields, span)?))
            }
            Some(Written::Function(names, params, result)) => {
                if !names.is_empty() {
                    return self.missing(span, "values of types with type parameters of their own");
                }
                let params = self.all_written(params, span)?;
                let result = self.written(Some(result), span)?;
                Ok(Type::function(self.ctx, &params, &[result]))
            }
            Some(Written::Ref(inner)) => Ok(Type::reference(self.written(Some(inner), span)?)),
            Some(Written::Named(name, arguments)) => self.named_type(name, arguments, span),
        }
    }

    fn all_written(&self, types: &[Written], span: &Range<usize>) -> Result<Vec<Type>> {
        let types = types.iter();
        types.map(|ty| self.written(Some(ty), span)).collect()
    }

    /// A type parameter, or a data type with its arguments.
    fn named_type(&self, name: &str, arguments: &[Written], span: &Range<usize>) -> Result<Type> {
        if arguments.is_empty() && self.type_params.iter().any(|param| param == name) {
            return Ok(Type::type_var(self.ctx, name));
        }
        let Some(params) = self.types.get(name) else {
            return Err(self.error(span, format!("there is no type {name}")));
        };
        if *params != arguments.len() {
            let given = arguments.len();
            let message = format!("{name} has {params} type parameters, but is given {given}");
            return Err(self.error(span, message));
        }
        let arguments = self.all_written(arguments, span)?;
        Ok(Type::adt(self.ctx, name, &arguments))
    }

    /// Makes the name of a data type known.
    pub(super) fn declare_type(&mut self, definition: &Definition) -> Result<()> {
        let (name, params) = match definition {
            Definition::Function(..) => return Ok(()),
            Definition::Data(data) => (&data.name, data.type_params.len()),
            Definition::Opaque(name) => (name, 0),
        };
        match self.types.insert(name.clone(), params) {
            None => Ok(()),
            Some(_) => Err(self.error(&(0..0), format!("the type {name} is defined twice"))),
        }
    }

    /// Makes the op of a data type. One that is `extern` has no constructors.
    pub(super) fn define_type(&mut self, module: Op, definition: &Definition) -> Result<()> {
        let (name, params) = match definition {
            Definition::Function(..) => return Ok(()),
            Definition::Data(data) => (&data.name, &data.type_params[..]),
            Definition::Opaque(name) => (name, &[][..]),
        };
        let body = Block::new(self.ctx, &[]);
        if let Definition::Data(data) = definition {
            self.constructors(body, data)?;
        }
        let texts: Vec<Attr> = (params.iter())
            .map(|name| Attr::str(self.ctx, name))
            .collect();
        let mut attrs = vec![("sym_name", Attr::str(self.ctx, name))];
        if !texts.is_empty() {
            attrs.push(("type_params", Attr::array(self.ctx, &texts)));
        }
        let b = self.builder(module.body(), &(0..0));
        let op = b.region_op(relay::TYPE_DEF, &[], &[], &attrs, &[Some(body)]);
        let made = TypeDef::of(op);
        for (tag, constructor) in made.constructors.iter().enumerate() {
            let name = constructor.name.clone();
            let before = self.constructors.insert(name.clone(), (made.clone(), tag));
            if before.is_some() {
                let message = format!("the constructor {name} is defined twice");
                return Err(self.error(&(0..0), message));
            }
        }
        Ok(())
    }

    fn constructors(&mut self, body: Block, data: &DataType) -> Result<()> {
        self.type_params.clone_from(&data.type_params);
        for constructor in &data.constructors {
            let fields = self.all_written(&constructor.fields, &(0..0))?;
            let fields: Vec<Attr> = fields.into_iter().map(Attr::ty).collect();
            let attrs = [
                ("sym_name", Attr::str(self.ctx, &constructor.name)),
                ("fields", Attr::array(self.ctx, &fields)),
            ];
            self.builder(body, &(0..0))
                .op(relay::CONSTRUCTOR, &[], &[], &attrs);
        }
        self.type_params.clear();
        Ok(())
    }
}
