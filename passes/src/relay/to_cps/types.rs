//! The types of functions that hand on what they give.

use relay_dialects::{
    ir::{Attr, Op, Type},
    relay::language::{adt::TypeDef, type_params},
};
use std::collections::HashSet;

/// How types change.
pub struct Types {
    /// The type of what a program gives in the end: a type parameter of all functions.
    pub answer: Type,
    /// Its name.
    pub name: String,
    /// The data types with functions inside, which depend on the answer.
    dependent: HashSet<String>,
}

impl Types {
    /// Those of a module.
    pub fn of(module: Op) -> Self {
        let mut taken: HashSet<String> = HashSet::new();
        let functions = module.functions().into_iter().flat_map(type_params);
        taken.extend(functions);
        let definitions = TypeDef::all(module);
        taken.extend(definitions.iter().flat_map(|each| each.params.clone()));
        let mut name = "answer".to_owned();
        while taken.contains(&name) {
            name.push('_');
        }
        Self {
            answer: Type::type_var(module.ctx(), &name),
            name,
            dependent: dependent(&definitions),
        }
    }

    /// The type of a value afterwards: functions take one more argument, a function of their result.
    pub fn converted(&self, ty: Type) -> Type {
        if ty.is_tensor() {
            return ty;
        }
        let ctx = ty.ctx();
        let all = |types: Vec<Type>| -> Vec<Type> {
            types.into_iter().map(|ty| self.converted(ty)).collect()
        };
        if ty.is_function() {
            let next = Type::function(ctx, &all(ty.results()), &[self.answer]);
            return Type::function(
                ctx,
                &[all(ty.inputs()), vec![next]].concat(),
                &[self.answer],
            );
        }
        if let Some((name, arguments)) = ty.as_adt() {
            let mut arguments = all(arguments);
            if self.dependent.contains(&name) {
                arguments.push(self.answer);
            }
            return Type::adt(ctx, &name, &arguments);
        }
        let parts = ty.parts();
        if parts.is_empty() {
            ty
        } else {
            ty.with_parts(&all(parts))
        }
    }

    /// Changes the data types of a module: those with functions inside get the answer as a type parameter.
    pub fn convert_definitions(&self, module: Op) {
        for definition in TypeDef::all(module) {
            let ctx = module.ctx();
            let constructors = definition.op.body().ops().into_iter();
            for (op, constructor) in constructors.zip(&definition.constructors) {
                let fields = constructor.fields.iter();
                let fields: Vec<Attr> = fields.map(|ty| Attr::ty(self.converted(*ty))).collect();
                op.set_attr("fields", Attr::array(ctx, &fields));
            }
            if self.dependent.contains(&definition.name) {
                let params = definition.params.iter().chain([&self.name]);
                let params: Vec<Attr> = params.map(|name| Attr::str(ctx, name)).collect();
                definition
                    .op
                    .set_attr("type_params", Attr::array(ctx, &params));
            }
        }
    }
}

/// The data types with a field that is made of functions, or of other such data types.
fn dependent(definitions: &[TypeDef]) -> HashSet<String> {
    let mut found: HashSet<String> = HashSet::new();
    loop {
        let depends = |ty: &Type| {
            ty.any_part(&mut |part| {
                let is_adt = || part.as_adt().is_some_and(|(name, _)| found.contains(&name));
                part.is_function() || is_adt()
            })
        };
        let holds = |definition: &&TypeDef| {
            let mut constructors = definition.constructors.iter();
            constructors.any(|constructor| constructor.fields.iter().any(depends))
        };
        let all = definitions.iter().filter(holds);
        let all: HashSet<String> = all.map(|definition| definition.name.clone()).collect();
        if all.len() == found.len() {
            return found;
        }
        found = all;
    }
}
