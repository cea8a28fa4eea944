//! Algebraic data types: what a module defines, and values of theirs.

use crate::{
    ir::{Attr, Bindings, Op, Type},
    names::relay,
};

/// An algebraic data type, as a module defines it.
#[derive(Clone, Debug)]
pub struct TypeDef {
    /// The op that defines it.
    pub op: Op,
    /// Its name.
    pub name: String,
    /// The names of its type parameters.
    pub params: Vec<String>,
    /// Its constructors; the place of one is its tag.
    pub constructors: Vec<Constructor>,
}

/// A constructor of an algebraic data type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// Its name.
    pub name: String,
    /// The types of its fields, which may hold the type parameters.
    pub fields: Vec<Type>,
}

impl TypeDef {
    /// The definition of `name` in a module.
    pub fn find(module: Op, name: &str) -> Option<Self> {
        let op = module.lookup(name)?;
        op.is(relay::TYPE_DEF).then(|| Self::of(op))
    }

    /// All definitions of a module, in order.
    pub fn all(module: Op) -> Vec<Self> {
        let ops = module.body().ops().into_iter();
        ops.filter(|op| op.is(relay::TYPE_DEF))
            .map(Self::of)
            .collect()
    }

    /// What a `relay.type_def` says.
    pub fn of(op: Op) -> Self {
        let params = op.attr("type_params").and_then(Attr::as_texts);
        let constructor = |op: Op| Constructor {
            name: op.symbol().unwrap_or_default(),
            fields: op.attr("fields").map(types).unwrap_or_default(),
        };
        Self {
            op,
            name: op.symbol().unwrap_or_default(),
            params: params.unwrap_or_default(),
            constructors: op.body().ops().into_iter().map(constructor).collect(),
        }
    }

    /// The type itself: with its own parameters as arguments.
    pub fn ty(&self) -> Type {
        let ctx = self.op.ctx();
        let params: Vec<Type> = (self.params.iter())
            .map(|name| Type::type_var(ctx, name))
            .collect();
        Type::adt(ctx, &self.name, &params)
    }

    /// The tag of a constructor.
    pub fn tag(&self, constructor: &str) -> Option<usize> {
        let mut names = self.constructors.iter();
        names.position(|each| each.name == constructor)
    }

    /// What the type parameters stand for, where the type has these arguments.
    pub fn bindings(&self, arguments: &[Type]) -> Bindings {
        let names = self.params.iter().cloned();
        names.zip(arguments.iter().copied()).collect()
    }

    /// The type of what a constructor makes of fields of these types; what they do not say of it is incomplete.
    ///
    /// # Errors
    /// If the constructor does not take them.
    pub fn made(&self, tag: usize, given: &[Type]) -> Result<Type, String> {
        let Constructor { name, fields } = &self.constructors[tag];
        if fields.len() != given.len() {
            let (has, given) = (fields.len(), given.len());
            return Err(format!("@{name} has {has} fields, but is given {given}"));
        }
        let mut bindings = Bindings::new();
        for (index, (field, given)) in fields.iter().zip(given).enumerate() {
            if !field.matches(*given, &self.params, &mut bindings) {
                let field = field.substitute(&bindings);
                return Err(format!(
                    "field {index} of @{name} is {field}, but is given {given}"
                ));
            }
        }
        Ok(self.ty().instantiate(&self.params, &bindings))
    }

    /// The types of a constructor's fields, where the type has these arguments.
    pub fn fields(&self, tag: usize, arguments: &[Type]) -> Vec<Type> {
        let bindings = self.bindings(arguments);
        let fields = self.constructors[tag].fields.iter();
        fields.map(|ty| ty.substitute(&bindings)).collect()
    }
}

fn types(list: Attr) -> Vec<Type> {
    let types = list.as_array().unwrap_or_default();
    types.into_iter().filter_map(Attr::as_type).collect()
}

/// Checks `relay.type_def`.
pub(super) fn verify(op: Op) -> Result<(), String> {
    if let Some(other) = (op.body().ops().into_iter()).find(|op| !op.is(relay::CONSTRUCTOR)) {
        return Err(format!("holds a {}, no constructor (C1)", other.name()));
    }
    let definition = TypeDef::of(op);
    for (index, name) in definition.params.iter().enumerate() {
        if definition.params[..index].contains(name) {
            return Err(format!("has two type parameters \"{name}\" (C2)"));
        }
    }
    for constructor in &definition.constructors {
        let mut unknown = None;
        for field in &constructor.fields {
            field.any_part(&mut |ty| {
                let name = ty.as_type_var();
                unknown = name.filter(|name| !definition.params.contains(name));
                unknown.is_some()
            });
            if let Some(name) = unknown {
                return Err(format!(
                    "a field of @{} has the type variable \"{name}\", which is no type parameter (C2)",
                    constructor.name
                ));
            }
        }
    }
    Ok(())
}

/// The definition and the tag that `@List::@Cons` names.
///
/// # Errors
/// If there is no such type or constructor.
pub fn constructor(module: Op, path: Attr) -> Result<(TypeDef, usize), String> {
    let (outer, inner) = path
        .as_nested_symbol()
        .ok_or_else(|| format!("{path} names no constructor; expected such as @List::@Cons"))?;
    let definition = TypeDef::find(module, &outer)
        .ok_or_else(|| format!("there is no relay.type_def @{outer}"))?;
    let tag = definition
        .tag(&inner)
        .ok_or_else(|| format!("@{outer} has no constructor @{inner}"))?;
    Ok((definition, tag))
}

/// Checks `relay.construct`.
pub(super) fn verify_construct(op: Op, module: Op) -> Result<(), String> {
    let path = op
        .attr("constructor")
        .ok_or("requires attribute 'constructor'")?;
    let (definition, tag) = constructor(module, path).map_err(|message| message + " (C1)")?;
    let given: Vec<Type> = op.operands().iter().map(|value| value.ty()).collect();
    let declared = &definition.constructors[tag].fields;
    if given.len() != declared.len() {
        return Err(format!(
            "has {} operands, but {path} has {} fields (C2)",
            given.len(),
            declared.len()
        ));
    }
    let mut bindings = Bindings::new();
    let (own, ty) = (definition.ty(), op.result(0).ty());
    if !own.matches(ty, &definition.params, &mut bindings) {
        return Err(format!("gives {ty}, but {path} gives {own} (C2)"));
    }
    for (index, (field, given)) in declared.iter().zip(given).enumerate() {
        if !field.matches(given, &definition.params, &mut bindings) {
            let field = field.substitute(&bindings);
            return Err(format!(
                "operand {index} is {given}, but the field of {path} is {field} (C2)"
            ));
        }
    }
    Ok(())
}
