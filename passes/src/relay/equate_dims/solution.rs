//! What stands for symbols and factors of forms if pairs of forms are equal.

use relay_dialects::{
    dim::{Dim, Factor, unify},
    ir::Type,
    symbols::Condition,
};
use std::collections::HashMap;

/// What stands for symbols, and for the least and greatest of forms. Forms of which it says nothing are left.
#[derive(Default)]
pub struct Solution {
    symbols: HashMap<&'static str, Dim>,
    factors: HashMap<Factor, Dim>,
}

impl Solution {
    /// What follows from conditions. Of two symbols, the one that `order` has first stands for both.
    ///
    /// # Errors
    /// If no values of symbols meet all conditions, or 64 bits do not hold a number.
    pub fn of(conditions: &[Condition], order: &[&str]) -> Result<Self, String> {
        let mut solution = Self::default();
        for condition in conditions {
            let pair = solution.sides(condition)?;
            let place = |name: &str| order.iter().position(|known| *known == name);
            let found = pair.into_iter().zip([pair[1], pair[0]]);
            let found = found.filter_map(|(side, other)| {
                let name = alone(side)?;
                (!other.symbols().contains(&name)).then_some((name, other))
            });
            // A number stands for a symbol, and so does a form: nothing else can be left out.
            let last = found.max_by_key(|(name, other)| (alone(*other).is_none(), place(name)));
            if let Some((name, other)) = last {
                solution.set_symbol(name, other)?;
            }
        }
        for condition in conditions {
            let [lhs, rhs] = solution.sides(condition)?;
            solution.set_factor(lhs, rhs);
        }
        Ok(solution)
    }

    /// The sides of a condition as this has them, which may be equal.
    fn sides(&self, condition: &Condition) -> Result<[Dim; 2], String> {
        let sides = [self.dim(condition.lhs)?, self.dim(condition.rhs)?];
        match unify(sides[0], sides[1]) {
            Some(_) => Ok(sides),
            None => Err(format!(
                "'{}' takes the dimensions {} and {} to be equal; by what others take, they are {} and {}",
                condition.node, condition.lhs, condition.rhs, sides[0], sides[1]
            )),
        }
    }

    fn set_symbol(&mut self, name: &'static str, dim: Dim) -> Result<(), String> {
        for known in self.symbols.values_mut() {
            *known = known.replace(&|other| match other == name {
                true => dim,
                false => Dim::symbol(other),
            })?;
        }
        self.symbols.insert(name, dim);
        Ok(())
    }

    /// If one side is the least or the greatest of two forms, and the other side one of them or a number, that stands for it.
    fn set_factor(&mut self, lhs: Dim, rhs: Dim) {
        for (side, other) in [(lhs, rhs), (rhs, lhs)] {
            let (Dim::Open(form), false) = (side, lhs == rhs) else {
                continue;
            };
            if let Some(factor @ (Factor::Min(one, two) | Factor::Max(one, two))) = form.alone()
                && (other.is_known() || [one, two].map(Dim::of_form).contains(&other))
            {
                self.factors.insert(factor, other);
            }
        }
    }

    /// What stands for a dimension.
    ///
    /// # Errors
    /// If 64 bits do not hold a number.
    pub fn dim(&self, dim: Dim) -> Result<Dim, String> {
        let dim = dim.rewrite(&|factor| match factor {
            Factor::Symbol(name) => self.symbols.get(name).copied(),
            _ => None,
        })?;
        match self.factors.is_empty() {
            true => Ok(dim),
            false => dim.rewrite(&|factor| self.factors.get(&factor).copied()),
        }
    }

    /// What stands for a type.
    ///
    /// # Errors
    /// If 64 bits do not hold a number.
    pub fn ty(&self, ty: Type) -> Result<Type, String> {
        if ty.is_tensor() {
            let dims = ty.dims();
            let new: Vec<Dim> =
                (dims.iter().map(|dim| self.dim(*dim))).collect::<Result<_, _>>()?;
            return Ok(match new == dims {
                true => ty,
                false => Type::tensor_of(&new, ty.element()),
            });
        }
        let parts = ty.parts();
        let new: Vec<Type> = (parts.iter().map(|part| self.ty(*part))).collect::<Result<_, _>>()?;
        Ok(match new == parts {
            true => ty,
            false => ty.with_parts(&new),
        })
    }
}

/// The symbol that a dimension is.
fn alone(dim: Dim) -> Option<&'static str> {
    match dim {
        Dim::Open(form) => form.symbol_alone(),
        Dim::Known(_) | Dim::Unknown => None,
    }
}
