//! Functions, and the modules that hold them.

use super::func;
use crate::ir::{Attr, Op, Type, Value};

impl Op {
    /// The function called `name` directly inside this module. Other symbols have names, too.
    pub fn function(self, name: &str) -> Option<Op> {
        self.lookup(name).filter(|op| op.is(func::Func::NAME))
    }

    /// The type of this function; `None` of an op of another kind, whose attribute of that name may hold anything.
    pub fn function_type(self) -> Option<Type> {
        let declared = self
            .is(func::Func::NAME)
            .then(|| self.attr("function_type"));
        declared
            .flatten()
            .and_then(Attr::as_type)
            .filter(|ty| ty.is_function())
    }

    /// The functions directly inside this module that have a body.
    pub fn functions(self) -> Vec<Op> {
        let ops = self.body().ops().into_iter();
        ops.filter(|op| op.is(func::Func::NAME) && op.block_in(0).is_some())
            .collect()
    }

    /// Adds a last parameter to this function, without attributes of its own; returns its value.
    pub fn add_parameter(self, ty: Type) -> Value {
        let argument = self.body().add_arg(ty);
        let arguments = self.body().args();
        let inputs: Vec<Type> = arguments.iter().map(|value| value.ty()).collect();
        let results = self.function_type().map(Type::results).unwrap_or_default();
        let function_type = Type::function(self.ctx(), &inputs, &results);
        self.set_attr("function_type", Attr::ty(function_type));
        if let Some(mut attrs) = self.attr("arg_attrs").and_then(Attr::as_array) {
            attrs.push(Attr::dict(self.ctx(), &[]));
            self.set_attr("arg_attrs", Attr::array(self.ctx(), &attrs));
        }
        argument
    }
}
