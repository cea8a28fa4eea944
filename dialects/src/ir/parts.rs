//! Types by their parts: tuples, functions, data types, references and type parameters.

use super::{Attr, Ctx, DYNAMIC, Type, to_string};
use crate::ffi;
use mlir_sys::{MlirAttribute, MlirType};
use std::{collections::HashMap, ffi::c_void};

/// The types of the relay dialect, as they are written after its name.
const INCOMPLETE: &str = "incomplete";
const ADT: &str = "adt";
const REF: &str = "ref";
const TYPE_VAR: &str = "type_var";

/// What type parameters stand for, by their names.
pub type Bindings = HashMap<String, Type>;

/// Making.
impl Type {
    /// `!relay.incomplete`.
    pub fn incomplete(ctx: Ctx) -> Self {
        Self::of_text(ctx, &format!("!relay.{INCOMPLETE}"))
    }

    /// `!relay.adt<@name, arguments>`: an algebraic data type.
    pub fn adt(ctx: Ctx, name: &str, arguments: &[Type]) -> Self {
        let place = ", none".repeat(arguments.len());
        let name = Attr::symbol(ctx, name);
        Self::of_text(ctx, &format!("!relay.{ADT}<{name}{place}>")).with_parts(arguments)
    }

    /// `!relay.ref<value>`: a place that holds a value.
    pub fn reference(value: Type) -> Self {
        Self::of_text(value.ctx(), &format!("!relay.{REF}<none>")).with_parts(&[value])
    }

    /// `!relay.type_var<"name">`: a type parameter.
    pub fn type_var(ctx: Ctx, name: &str) -> Self {
        let name = Attr::str(ctx, name);
        Self::of_text(ctx, &format!("!relay.{TYPE_VAR}<{name}>"))
    }

    fn of_text(ctx: Ctx, text: &str) -> Self {
        Self::parse(ctx, text).expect("the relay dialect is loaded")
    }
}

/// Reading.
impl Type {
    /// Whether it is `!relay.incomplete`.
    pub fn is_incomplete(self) -> bool {
        self.is_of_relay(INCOMPLETE)
    }

    /// Whether it is a type of the relay dialect.
    fn is_of_relay(self, name: &str) -> bool {
        self.kind().strip_prefix("relay.") == Some(name)
    }

    /// The kind of type: `builtin.tuple`.
    pub fn kind(self) -> String {
        // SAFETY: MLIR gave out the type, and keeps the name of its kind.
        to_string(unsafe { ffi::relayTypeName(self.0) })
    }

    /// The types that this one is made of, in order, without what those are made of.
    pub fn parts(self) -> Vec<Type> {
        self.all_parts().1
    }

    fn all_parts(self) -> (Vec<Attr>, Vec<Type>) {
        unsafe extern "C" fn attribute(sink: *mut c_void, part: MlirAttribute) {
            // SAFETY: the sink is the one below.
            unsafe { (*sink.cast::<(Vec<Attr>, Vec<Type>)>()).0.push(Attr(part)) }
        }
        unsafe extern "C" fn ty(sink: *mut c_void, part: MlirType) {
            // SAFETY: the sink is the one below.
            unsafe { (*sink.cast::<(Vec<Attr>, Vec<Type>)>()).1.push(Type(part)) }
        }
        let mut parts = (Vec::new(), Vec::new());
        // SAFETY: both functions write to what they are given here, while this call lasts.
        unsafe { ffi::relayTypeParts(self.0, (&raw mut parts).cast(), attribute, ty) };
        parts
    }

    /// The same kind of type made of other types, as many as before.
    #[must_use]
    pub fn with_parts(self, parts: &[Type]) -> Self {
        let raw: Vec<MlirType> = parts.iter().map(|part| part.0).collect();
        // SAFETY: MLIR gave out all of these types.
        Self(unsafe { ffi::relayTypeWithParts(self.0, raw.as_ptr(), raw.len() as isize) })
    }

    /// The definition's name and the arguments of an algebraic data type.
    pub fn as_adt(self) -> Option<(String, Vec<Type>)> {
        if !self.is_of_relay(ADT) {
            return None;
        }
        let (attrs, parts) = self.all_parts();
        Some((attrs.first()?.as_symbol()?, parts))
    }

    /// What a reference refers to.
    pub fn as_reference(self) -> Option<Type> {
        self.is_of_relay(REF)
            .then(|| self.parts().first().copied())
            .flatten()
    }

    /// The name of a type parameter.
    pub fn as_type_var(self) -> Option<String> {
        if !self.is_of_relay(TYPE_VAR) {
            return None;
        }
        self.all_parts().0.first()?.as_str()
    }

    /// The parameters and the result of a function type with one result.
    pub fn as_function(self) -> Option<(Vec<Type>, Type)> {
        if !self.is_function() {
            return None;
        }
        match self.results()[..] {
            [result] => Some((self.inputs(), result)),
            _ => None,
        }
    }

    /// Whether something is true of the type, or of one that it is made of.
    pub fn any_part(self, holds: &mut impl FnMut(Type) -> bool) -> bool {
        holds(self) || (!self.is_tensor() && self.parts().into_iter().any(|ty| ty.any_part(holds)))
    }

    /// Whether inference has yet to find it, or a part of it.
    pub fn has_incomplete(self) -> bool {
        self.any_part(&mut Type::is_incomplete)
    }
}

/// Comparing and replacing.
impl Type {
    /// The type with types for its type parameters; those without one stay.
    #[must_use]
    pub fn substitute(self, bindings: &Bindings) -> Self {
        if let Some(name) = self.as_type_var() {
            return bindings.get(&name).copied().unwrap_or(self);
        }
        if bindings.is_empty() || self.is_tensor() {
            return self;
        }
        let parts = self.parts();
        let replaced: Vec<Type> = parts.iter().map(|ty| ty.substitute(bindings)).collect();
        match replaced == parts {
            true => self,
            false => self.with_parts(&replaced),
        }
    }

    /// The type with types for all type parameters in `open`; those without one become incomplete.
    #[must_use]
    pub fn instantiate(self, open: &[String], bindings: &Bindings) -> Self {
        let unknown = Self::incomplete(self.ctx());
        let bound = |name: &String| bindings.get(name).copied().unwrap_or(unknown);
        let all = open.iter().map(|name| (name.clone(), bound(name)));
        self.substitute(&all.collect())
    }

    /// Whether a value of one type may stand for one of the other: the types are equal, but for dimensions that are
    /// unknown on one side and for what inference has yet to find.
    pub fn is_compatible(self, other: Type) -> bool {
        self.matches(other, &[], &mut Bindings::new())
    }

    /// Whether some dimension of a tensor in this type is open.
    pub fn has_open_dims(self) -> bool {
        self.any_part(&mut |part| part.is_tensor() && !part.is_static())
    }

    /// Whether this type is another one, or says more of the dimensions that are open in that one.
    pub fn refines(self, other: Type) -> bool {
        if self == other {
            return true;
        }
        if self.is_tensor() && other.is_tensor() {
            let (shape, others) = (self.shape(), other.shape());
            let mut pairs = shape.iter().zip(&others);
            return self.element() == other.element()
                && shape.len() == others.len()
                && pairs.all(|(own, other)| own == other || *other == DYNAMIC);
        }
        let (parts, others) = (self.parts(), other.parts());
        self.is_compatible(other)
            && !parts.is_empty()
            && (parts.into_iter().zip(others)).all(|(part, other)| part.refines(other))
    }

    /// Whether this type is [compatible](Self::is_compatible) with another one if the type parameters in `open`
    /// stand for something: `bindings` says for what, and is added to.
    pub fn matches(self, other: Type, open: &[String], bindings: &mut Bindings) -> bool {
        if self == other && open.is_empty() || self.is_incomplete() || other.is_incomplete() {
            return true;
        }
        if let Some(name) = self.as_type_var().filter(|name| open.contains(name)) {
            return match bindings.get(&name) {
                Some(bound) => bound.is_compatible(other),
                None => bindings.insert(name, other).is_none(),
            };
        }
        if self.is_tensor() && other.is_tensor() {
            return self.element() == other.element() && is_same(&self.shape(), &other.shape());
        }
        let ((attrs, parts), (others_attrs, others)) = (self.all_parts(), other.all_parts());
        if parts.is_empty() && others.is_empty() {
            return self == other;
        }
        let inputs = |ty: Type| ty.is_function().then(|| ty.inputs().len());
        self.kind() == other.kind()
            && attrs == others_attrs
            && parts.len() == others.len()
            && inputs(self) == inputs(other)
            && parts
                .into_iter()
                .zip(others)
                .all(|(part, other)| part.matches(other, open, bindings))
    }
}

/// Whether two shapes are the same as far as they are known.
fn is_same(shape: &[i64], other: &[i64]) -> bool {
    let mut pairs = shape.iter().zip(other);
    shape.len() == other.len() && pairs.all(|(a, b)| a == b || *a == DYNAMIC || *b == DYNAMIC)
}

#[cfg(all(test, feature = "dialects"))]
mod tests {
    use super::*;

    fn parse(ctx: Ctx, text: &str) -> Type {
        Type::parse(ctx, text).unwrap_or_else(|| panic!("{text} is no type"))
    }

    #[test]
    fn types_are_made_and_read() {
        let context = crate::context();
        let ctx = Ctx::of(&context);
        let scalar = parse(ctx, "tensor<f32>");
        let list = Type::adt(ctx, "List", &[scalar]);
        assert_eq!(list, parse(ctx, "!relay.adt<@List, tensor<f32>>"));
        assert_eq!(list.as_adt(), Some(("List".into(), vec![scalar])));
        let nat = Type::adt(ctx, "Nat", &[]);
        assert_eq!(nat.as_adt(), Some(("Nat".into(), vec![])));
        assert_eq!(Type::reference(list).as_reference(), Some(list));
        let variable = Type::type_var(ctx, "a b");
        assert_eq!(variable.as_type_var(), Some("a b".into()));
        assert_eq!(scalar.as_type_var(), None);
        assert_eq!(
            Type::function(ctx, &[list], &[nat]).as_function(),
            Some((vec![list], nat))
        );
        assert_eq!(Type::function(ctx, &[list], &[]).as_function(), None);
    }

    #[test]
    fn type_parameters_are_found_and_replaced() {
        let context = crate::context();
        let ctx = Ctx::of(&context);
        let declared = parse(
            ctx,
            "((!relay.type_var<\"A\">) -> !relay.type_var<\"B\">, !relay.type_var<\"A\">) -> tuple<!relay.type_var<\"B\">>",
        );
        let used = parse(
            ctx,
            "((tensor<f32>) -> tuple<>, tensor<f32>) -> tuple<tuple<>>",
        );
        let open = ["A".to_owned(), "B".to_owned()];
        let mut bindings = Bindings::new();
        assert!(declared.matches(used, &open, &mut bindings));
        assert_eq!(declared.substitute(&bindings), used);
        let other = parse(
            ctx,
            "((tensor<f32>) -> tuple<>, tensor<i32>) -> tuple<tuple<>>",
        );
        assert!(!declared.matches(other, &open, &mut Bindings::new()));
        assert!(!declared.is_compatible(used));
    }

    #[test]
    fn unknown_dimensions_go_with_any() {
        let context = crate::context();
        let ctx = Ctx::of(&context);
        let compatible = |a, b| parse(ctx, a).is_compatible(parse(ctx, b));
        assert!(compatible("tensor<?x3xf32>", "tensor<2x3xf32>"));
        assert!(compatible("tuple<tensor<2xf32>>", "tuple<tensor<?xf32>>"));
        assert!(compatible(
            "tuple<tensor<2xf32>>",
            "tuple<!relay.incomplete>"
        ));
        assert!(!compatible("tensor<?x3xf32>", "tensor<2x4xf32>"));
        assert!(!compatible("tensor<?xf32>", "tensor<2x4xf32>"));
        assert!(!compatible("tensor<2xf32>", "tensor<2xi32>"));
        assert!(!compatible("!relay.adt<@A>", "!relay.adt<@B>"));
        assert!(!compatible("tuple<>", "tuple<tuple<>>"));
        assert!(!compatible("(tuple<>) -> ()", "() -> tuple<>"));
    }
}
