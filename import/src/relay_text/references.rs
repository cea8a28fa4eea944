//! The names that a definition refers to.

use super::syntax::{Call, Definition, Expr, Function, Kind, Match, Pattern, Sequence, Step, Type};

/// What a definition refers to: functions with their `@`, types, constructors and operators without.
pub fn references(definition: &Definition) -> Vec<String> {
    let mut found = References(Vec::new());
    match definition {
        Definition::Function(_, function) => found.function(function),
        Definition::Data(data) => {
            let fields = data.constructors.iter().flat_map(|each| &each.fields);
            fields.for_each(|ty| found.ty(ty));
        }
        Definition::Opaque(_) => {}
    }
    found.0
}

/// The names that a definition defines, written in the same way.
pub fn defined(definition: &Definition) -> Vec<String> {
    match definition {
        Definition::Function(name, _) => vec![format!("@{name}")],
        Definition::Opaque(data) => vec![data.name.clone()],
        Definition::Data(data) => {
            let constructors = data.constructors.iter().map(|each| each.name.clone());
            [data.name.clone()]
                .into_iter()
                .chain(constructors)
                .collect()
        }
    }
}

struct References(Vec<String>);

impl References {
    fn function(&mut self, function: &Function) {
        for param in &function.params {
            param.ty.iter().for_each(|ty| self.ty(ty));
        }
        function.result.iter().for_each(|ty| self.ty(ty));
        self.sequence(&function.body);
    }

    fn sequence(&mut self, sequence: &Sequence) {
        for step in &sequence.steps {
            match step {
                Step::Let(_, ty, value) => {
                    ty.iter().for_each(|ty| self.ty(ty));
                    self.expr(value);
                }
                Step::Free(_, ty) => ty.iter().for_each(|ty| self.ty(ty)),
                Step::Bind(_, value) | Step::Effect(value) => self.expr(value),
            }
        }
        self.expr(&sequence.value);
    }

    fn sequences(&mut self, sequences: &[Sequence]) {
        sequences
            .iter()
            .for_each(|sequence| self.sequence(sequence));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Number(_) | Kind::Bool(_) | Kind::Meta(_) | Kind::Local(_) | Kind::Graph(_) => {}
            Kind::Global(name) => self.0.push(format!("@{name}")),
            Kind::Named(name) => self.0.push(name.clone()),
            Kind::Function(function) => self.function(function),
            Kind::If(parts) => self.sequences(&parts[..]),
            Kind::Match(written) => self.matching(written),
            Kind::RefCreate(value) | Kind::RefRead(value) | Kind::Block(value) => {
                self.sequence(value);
            }
            Kind::RefWrite(parts) => self.sequences(&parts[..]),
            Kind::Tuple(fields) => self.sequences(fields),
            Kind::Project(tuple, _) => self.expr(tuple),
            Kind::Call(call) => self.call(call),
            Kind::Infix(_, operands) => operands.iter().for_each(|operand| self.expr(operand)),
        }
    }

    fn call(&mut self, call: &Call) {
        self.expr(&call.callee);
        call.arguments
            .iter()
            .for_each(|argument| self.expr(argument));
    }

    fn matching(&mut self, written: &Match) {
        self.expr(&written.value);
        for (pattern, arm) in &written.arms {
            self.pattern(pattern);
            self.sequence(arm);
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Wildcard => {}
            Pattern::Variable(_, ty) => ty.iter().for_each(|ty| self.ty(ty)),
            Pattern::Tuple(parts) => parts.iter().for_each(|part| self.pattern(part)),
            Pattern::Constructor(name, parts) => {
                self.0.push(name.clone());
                parts.iter().for_each(|part| self.pattern(part));
            }
        }
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Incomplete | Type::Tensor(..) => {}
            Type::Tuple(fields) => fields.iter().for_each(|field| self.ty(field)),
            Type::Function(_, params, result) => {
                params.iter().for_each(|param| self.ty(param));
                self.ty(result);
            }
            Type::Ref(inner) => self.ty(inner),
            Type::Named(name, arguments) => {
                self.0.push(name.clone());
                arguments.iter().for_each(|argument| self.ty(argument));
            }
        }
    }
}
