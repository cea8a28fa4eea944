//! Types that are written, and definitions of data types.

use super::{Reader, Result};
use crate::relay_text::{
    element,
    syntax::{Constructor, DataType, Definition, Dim, Type as Written},
};
use relay_dialects::{
    ir::{Attr, Block, DYNAMIC, Op, Type},
    names::relay,
    relay::language::adt::TypeDef,
};
use std::ops::Range;

/// A type parameter of what is being read.
pub(super) struct TypeParam {
    /// The name that is written.
    written: String,
    /// The name in the module. Functions in each other have different ones.
    pub(super) name: String,
}

impl Reader<'_> {
    /// Makes type parameters known. One hides another of the same name.
    pub(super) fn declare_type_params(&mut self, names: &[String]) {
        for written in names {
            let other = (1..).map(|number| format!("{written}_{number}"));
            let mut candidates = [written.clone()].into_iter().chain(other);
            let is_taken = |name: &String| self.type_params.iter().any(|param| param.name == *name);
            if let Some(name) = candidates.find(|name| !is_taken(name)) {
                let written = written.clone();
                self.type_params.push(TypeParam { written, name });
            }
        }
    }

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
        let mut params = self.type_params.iter().rev();
        if let Some(param) = params.find(|param| arguments.is_empty() && param.written == name) {
            return Ok(Type::type_var(self.ctx, &param.name));
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
        let (Definition::Data(data) | Definition::Opaque(data)) = definition else {
            return Ok(());
        };
        let name = &data.name;
        match self.types.insert(name.clone(), data.type_params.len()) {
            None => Ok(()),
            Some(_) => {
                let message = format!("the type {name} is defined twice");
                Err(self.error(&data.place.0, message))
            }
        }
    }

    /// Makes the op of a data type. One that is `extern` has no constructors.
    pub(super) fn define_type(&mut self, module: Op, definition: &Definition) -> Result<()> {
        let (Definition::Data(data) | Definition::Opaque(data)) = definition else {
            return Ok(());
        };
        let body = Block::new(self.ctx, &[]);
        self.constructors(body, data)?;
        let mut attrs = vec![("sym_name", Attr::str(self.ctx, &data.name))];
        if !data.type_params.is_empty() {
            attrs.push(("type_params", self.texts(&data.type_params)));
        }
        let b = self.builder(module.body(), &data.place.0);
        let op = b.region_op(relay::TYPE_DEF, &[], &[], &attrs, &[Some(body)]);
        let made = TypeDef::of(op);
        for (tag, Constructor { name, place, .. }) in data.constructors.iter().enumerate() {
            let before = self.constructors.insert(name.clone(), (made.clone(), tag));
            if before.is_some() {
                let message = format!("the constructor {name} is defined twice");
                return Err(self.error(&place.0, message));
            }
        }
        Ok(())
    }

    fn constructors(&mut self, body: Block, data: &DataType) -> Result<()> {
        self.type_params.clear();
        self.declare_type_params(&data.type_params);
        for constructor in &data.constructors {
            let place = &constructor.place.0;
            let fields = self.all_written(&constructor.fields, place)?;
            let fields: Vec<Attr> = fields.into_iter().map(Attr::ty).collect();
            let attrs = [
                ("sym_name", Attr::str(self.ctx, &constructor.name)),
                ("fields", Attr::array(self.ctx, &fields)),
            ];
            self.builder(body, place)
                .op(relay::CONSTRUCTOR, &[], &[], &attrs);
        }
        self.type_params.clear();
        Ok(())
    }
}
