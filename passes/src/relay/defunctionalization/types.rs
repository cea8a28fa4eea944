//! What stands for types of functions, and for data types with functions inside.

use super::new_name;
use relay_dialects::{
    ir::{Attr, Block, Builder, Op, Type},
    names::relay,
    pass::{PassFailed, fail},
    relay::language::{adt::TypeDef, pattern::Pattern},
};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The most data types that take the place of others. Programs of people have dozens.
const INSTANCE_LIMIT: usize = 4096;

/// A function with its first arguments.
#[derive(Clone, PartialEq)]
pub struct Case {
    /// The function.
    pub callee: String,
    /// The types of the arguments.
    pub captured: Vec<Type>,
}

/// The data type that stands for functions of one type, and the function that applies its values.
#[derive(Clone)]
pub struct Family {
    /// The data type.
    pub name: String,
    /// The function.
    pub apply: String,
    /// What functions of the type take.
    pub params: Vec<Type>,
    /// What they give.
    pub result: Type,
    /// The functions that values stand for, each with its constructor.
    pub cases: Vec<(String, Case)>,
}

/// All types of a module that has no type parameters.
pub struct Types {
    module: Op,
    definitions: BTreeMap<String, TypeDef>,
    /// Data types with functions inside whose types depend on type parameters.
    split: HashSet<String>,
    /// Types of functions, in the order in which they are found.
    functions: Vec<Type>,
    families: HashMap<Type, Family>,
    /// Data types with their arguments, in the order in which they are found, and what stands for them.
    instances: Vec<(Type, String)>,
    names: Vec<String>,
}

impl Types {
    /// Those of a module.
    pub fn of(module: Op) -> Self {
        let all = TypeDef::all(module).into_iter();
        let definitions: BTreeMap<String, TypeDef> =
            all.map(|each| (each.name.clone(), each)).collect();
        Self {
            module,
            split: split(&definitions),
            definitions,
            functions: Vec::new(),
            families: HashMap::new(),
            instances: Vec::new(),
            names: Vec::new(),
        }
    }

    fn new_name(&mut self, name: &str) -> String {
        let name = new_name(self.module, &self.names, name);
        self.names.push(name.clone());
        name
    }

    /// What stands for functions of a type.
    pub fn family(&mut self, ty: Type) -> &mut Family {
        if !self.families.contains_key(&ty) {
            let (params, result) = ty.as_function().unwrap_or_else(|| (Vec::new(), ty));
            let number = self.functions.len();
            let name = self.new_name(&format!("Function{number}"));
            let apply = self.new_name(&format!("apply{number}"));
            self.functions.push(ty);
            let cases = Vec::new();
            let family = Family {
                name,
                apply,
                params,
                result,
                cases,
            };
            self.families.insert(ty, family);
        }
        self.families.get_mut(&ty).expect("it has been added")
    }

    /// The constructor for a function of a type.
    pub fn add_case(&mut self, ty: Type, case: Case) -> String {
        let cases = &mut self.family(ty).cases;
        if let Some((name, _)) = cases.iter().find(|(_, known)| *known == case) {
            return name.clone();
        }
        let mut name = format!("Of_{}", case.callee);
        while cases.iter().any(|(known, _)| *known == name) {
            name.push('_');
        }
        cases.push((name.clone(), case));
        name
    }

    /// What stands for a type.
    pub fn converted(&mut self, ty: Type) -> Type {
        if ty.is_tensor() {
            return ty;
        }
        if ty.as_function().is_some() {
            let name = self.family(ty).name.clone();
            return Type::adt(ty.ctx(), &name, &[]);
        }
        match ty.as_adt() {
            Some((name, _)) if self.split.contains(&name) => {
                let instance = self.instance(ty, &name);
                Type::adt(ty.ctx(), &instance, &[])
            }
            _ => self.parts_converted(ty),
        }
    }

    /// The same kind of type, made of what stands for its parts.
    pub fn parts_converted(&mut self, ty: Type) -> Type {
        let parts = ty.parts();
        let new: Vec<Type> = parts.iter().map(|part| self.converted(*part)).collect();
        if new == parts {
            return ty;
        }
        ty.with_parts(&new)
    }

    fn instance(&mut self, ty: Type, name: &str) -> String {
        if let Some((_, name)) = self.instances.iter().find(|(known, _)| *known == ty) {
            return name.clone();
        }
        let name = self.new_name(name);
        self.instances.push((ty, name.clone()));
        name
    }

    /// Names the constructor of a `relay.construct` by what its type becomes.
    pub fn rename_constructor(&mut self, op: Op) {
        let ty = self.converted(op.result(0).ty());
        let path = op.attr("constructor").and_then(Attr::as_nested_symbol);
        if let Some(((of, _), (_, name))) = ty.as_adt().zip(path) {
            op.set_attr("constructor", Attr::nested_symbol(op.ctx(), &of, &name));
        }
    }

    /// A pattern for values of a type, for what the type becomes.
    pub fn rename_pattern(&mut self, pattern: Pattern, ty: Type) -> Pattern {
        match pattern {
            Pattern::Wildcard | Pattern::Name(_) => pattern,
            Pattern::Tuple(fields) => {
                Pattern::Tuple(self.rename_all(fields, ty.fields().unwrap_or_default()))
            }
            Pattern::Constructor { of, name, fields } => {
                let definition = self.definitions.get(&of);
                let types = definition.and_then(|definition| {
                    let (_, arguments) = ty.as_adt()?;
                    Some(definition.fields(definition.tag(&name)?, &arguments))
                });
                let fields = self.rename_all(fields, types.unwrap_or_default());
                let of = self.converted(ty).as_adt().map_or(of, |(name, _)| name);
                Pattern::Constructor { of, name, fields }
            }
        }
    }

    fn rename_all(&mut self, patterns: Vec<Pattern>, types: Vec<Type>) -> Vec<Pattern> {
        let pairs = patterns.into_iter().zip(types);
        pairs
            .map(|(pattern, ty)| self.rename_pattern(pattern, ty))
            .collect()
    }

    /// Defines all that stands for something, in the place of what it stands for; gives the families, whose parts are
    /// converted.
    pub fn define(&mut self, module: Op) -> Result<Vec<Family>, PassFailed> {
        let kept: Vec<TypeDef> = (self.definitions.values())
            .filter(|definition| !self.split.contains(&definition.name))
            .cloned()
            .collect();
        for definition in kept {
            self.convert_definition(&definition);
        }
        let top = Builder::at_start(module.body(), module.loc(), module.ctx());
        // Each may name further ones.
        let (mut families, mut defined) = (Vec::new(), 0);
        while families.len() < self.functions.len() || defined < self.instances.len() {
            if self.functions.len() + self.instances.len() > INSTANCE_LIMIT {
                return fail(
                    module,
                    format!(
                        "has more than {INSTANCE_LIMIT} types of functions and of data with functions: does a data type hold \
                         itself with ever larger types?"
                    ),
                );
            }
            if let Some((ty, name)) = self.instances.get(defined).cloned() {
                self.define_instance(&top, ty, &name);
                defined += 1;
            } else {
                let family = self.family(self.functions[families.len()]).clone();
                families.push(self.define_family(&top, family));
            }
        }
        let split: Vec<Op> = (self.definitions.values())
            .filter(|definition| self.split.contains(&definition.name))
            .map(|definition| definition.op)
            .collect();
        split.into_iter().for_each(Op::erase);
        Ok(families)
    }

    fn convert_definition(&mut self, definition: &TypeDef) {
        let constructors = definition.op.body().ops().into_iter();
        for (op, constructor) in constructors.zip(&definition.constructors) {
            let fields = constructor.fields.iter();
            let fields: Vec<Type> = fields.map(|ty| self.converted(*ty)).collect();
            op.set_attr("fields", types(op, &fields));
        }
    }

    fn define_instance(&mut self, top: &Builder, ty: Type, name: &str) {
        let Some((of, arguments)) = ty.as_adt() else {
            return;
        };
        let definition = self.definitions[&of].clone();
        let constructors = definition.constructors.iter().enumerate();
        let constructors: Vec<(String, Vec<Type>)> = constructors
            .map(|(tag, constructor)| {
                let fields = definition.fields(tag, &arguments).into_iter();
                let fields = fields.map(|ty| self.converted(ty));
                (constructor.name.clone(), fields.collect())
            })
            .collect();
        self.define_type(&top.with_loc(definition.op.loc()), name, &constructors);
    }

    fn define_family(&mut self, top: &Builder, mut family: Family) -> Family {
        for ty in family.params.iter_mut().chain([&mut family.result]) {
            *ty = self.converted(*ty);
        }
        let mut constructors = Vec::new();
        for (name, case) in &mut family.cases {
            for ty in &mut case.captured {
                *ty = self.converted(*ty);
            }
            constructors.push((name.clone(), case.captured.clone()));
        }
        self.define_type(top, &family.name, &constructors);
        family
    }

    fn define_type(&self, top: &Builder, name: &str, constructors: &[(String, Vec<Type>)]) {
        let ctx = top.ctx;
        let body = Block::new(ctx, &[]);
        let b = Builder::at_end(body, top.loc, ctx);
        for (name, fields) in constructors {
            let name = ("sym_name", Attr::str(ctx, name));
            let fields = ("fields", types(self.module, fields));
            b.op(relay::CONSTRUCTOR, &[], &[], &[name, fields]);
        }
        let name = [("sym_name", Attr::str(ctx, name))];
        top.region_op(relay::TYPE_DEF, &[], &[], &name, &[Some(body)]);
    }
}

fn types(op: Op, types: &[Type]) -> Attr {
    let types: Vec<Attr> = types.iter().map(|ty| Attr::ty(*ty)).collect();
    Attr::array(op.ctx(), &types)
}

/// The data types with functions inside whose types depend on type parameters: one type cannot stand for those functions.
fn split(definitions: &BTreeMap<String, TypeDef>) -> HashSet<String> {
    let mut split: HashSet<String> = HashSet::new();
    loop {
        let depends = |ty: Type| ty.any_part(&mut |part| part.as_type_var().is_some());
        let is_split = |ty: Type| {
            let is_adt = || ty.as_adt().is_some_and(|(name, _)| split.contains(&name));
            (ty.is_function() || is_adt()) && depends(ty)
        };
        let holds = |definition: &&TypeDef| {
            let constructors = definition.constructors.iter();
            let mut fields = constructors.flat_map(|constructor| &constructor.fields);
            fields.any(|ty| ty.any_part(&mut |part| is_split(part)))
        };
        let found = definitions.values().filter(holds);
        let found: HashSet<String> = found.map(|each| each.name.clone()).collect();
        if found.len() == split.len() {
            return split;
        }
        split = found;
    }
}
