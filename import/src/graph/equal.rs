//! Dimensions that must be equal.

use super::{builder::GraphBuilder, error::Result, request::Request, value::Value};
use relay_dialects::{
    dim::{self, Dim, Equation},
    element::Element,
    ir::{Attr, Builder, Op},
    names::relay,
    relay::build::{extents, make},
    symbols::Condition,
};

impl GraphBuilder {
    /// Notes that two dimensions must be equal when the model runs, if nothing else says it: no operator that the current node becomes.
    /// Dimensions that the model computes are compared once it has computed them.
    ///
    /// # Errors
    /// If they are not.
    pub fn equate(&mut self, lhs: Dim, rhs: Dim) -> Result<()> {
        let (unified, equations) = dim::noted(|| dim::unify(lhs, rhs));
        unified.ok_or_else(|| format!("{lhs} and {rhs} are not equal"))?;
        for (lhs, rhs) in equations {
            if self.is_computed((lhs, rhs)) || self.is_guarded() {
                self.compare(lhs, rhs)?;
                continue;
            }
            let node = self.node().to_owned();
            self.note_condition(Condition { lhs, rhs, node });
        }
        Ok(())
    }

    /// Has the model check when it runs that a number, an i64 of rank 0, is equal to a dimension. In a branch it checks that if it takes
    /// the branch.
    ///
    /// # Errors
    /// If the number is nothing that the model computes outside of branches.
    pub fn check_equal(&mut self, number: &Value, dim: Dim, base: &str) -> Result<()> {
        self.check((number, None), dim, base).map(drop)
    }

    /// As [`GraphBuilder::check_equal`], of a number that is the value of a form. Says whether the two are equal outside of the step, too, that
    /// is being written.
    fn check(&mut self, (number, of): (&Value, Option<Dim>), dim: Dim, base: &str) -> Result<bool> {
        let ir = self.materialize(number)?;
        let guards = self.guards().clone();
        let mut read = vec![ir];
        for (condition, _) in &guards {
            read.push(self.materialize(condition)?);
        }
        if !read.iter().all(|value| self.is_in_root(*value)) {
            if self.is_in_step() {
                self.define_within(number, base, (Some(dim), Some(dim)), None)?;
                return Ok(false);
            }
            let what = of.map_or("a size".into(), |of| of.to_string());
            return Err(format!(
                "a branch compares {what} with {dim}; only sizes that the graph around it computes are compared"
            ));
        }
        self.in_root(|b| {
            b.define_within(number, base, (Some(dim), Some(dim)), of)?;
            Ok(true)
        })
    }

    /// A number, or `otherwise` in a branch that is not taken.
    pub(super) fn where_taken(&mut self, number: &Value, otherwise: Dim) -> Result<Value> {
        let mut number = number.clone();
        for (condition, taken_if) in self.guards().clone() {
            let otherwise = self.size(Element::I64, otherwise)?;
            let choices = match taken_if {
                true => [condition, number, otherwise],
                false => [condition, otherwise, number],
            };
            number = self.op("where", &choices, &[])?;
        }
        Ok(number)
    }

    /// Whether a branch is being written whose condition is known outside of branches and loops.
    fn is_guarded(&mut self) -> bool {
        let guards = self.guards().clone();
        let in_root = |(condition, _): &(Value, bool)| {
            (condition.ir()).is_none_or(|condition| self.is_in_root(condition))
        };
        !guards.is_empty() && guards.iter().all(in_root)
    }

    /// Makes an op. Where its type relation takes extents to be equal that may differ because the model computes them, the model compares
    /// them before, and the op reads views in which they are one form. So it does in a branch, which may not be taken.
    pub(super) fn made(&mut self, request: Request) -> Result<Op> {
        let (op, equations) = self.inferred(&request)?;
        if equations.is_empty() {
            return Ok(op);
        }
        op.erase();
        for (lhs, rhs) in &equations {
            let compared = self.compare(*lhs, *rhs);
            compared.map_err(|_| may_differ(&request.name, (*lhs, *rhs)))?;
        }
        // Once the numbers of elements have been compared, a view does what a reshape does.
        if request.name == "reshape" {
            let name = "view_as".to_owned();
            return Ok(self.inferred(&Request { name, ..request })?.0);
        }
        let viewed = self.viewed(request, &equations);
        let (op, left) = self.inferred(&viewed)?;
        // An operator may still take an extent to be in a range: that has been compared.
        match left.iter().find(|equation| !equations.contains(equation)) {
            None => Ok(op),
            Some(equation) => {
                op.erase();
                Err(may_differ(&viewed.name, *equation))
            }
        }
    }

    /// Makes an op, and says which extents it takes to be equal that the model computes.
    fn inferred(&mut self, request: &Request) -> Result<(Op, Vec<Equation>)> {
        let attrs: Vec<(&str, Attr)> = (request.attrs.iter())
            .map(|(name, attr)| (name.as_str(), *attr))
            .collect();
        self.clear_diagnostics();
        let builder = Builder::at_end(self.block(), self.loc(), self.ctx());
        let name = format!("relay.{}", request.name);
        let (made, mut equations) =
            dim::noted(|| builder.inferred(&name, &request.operands, &attrs));
        let is_guarded = self.is_guarded();
        equations.retain(|equation| is_guarded || self.is_computed(*equation));
        let made = made.ok_or_else(|| {
            let types = request.operands.iter().map(|value| value.ty().to_string());
            let types: Vec<String> = types.collect();
            format!("{name} of ({}): {}", types.join(", "), self.said())
        });
        Ok((made?, equations))
    }

    /// An op on views of its operands, in which extents that are equal are one form.
    fn viewed(&self, request: Request, equations: &[Equation]) -> Request {
        let has =
            |dim: Dim| (request.operands.iter()).any(|value| value.ty().dims().contains(&dim));
        let replaced = |mut dim: Dim| {
            for (lhs, rhs) in equations {
                // The form that no operand has is one of an attribute.
                let (from, to) = match lhs.is_known() || !has(*lhs) {
                    true => (rhs, lhs),
                    false => (lhs, rhs),
                };
                dim = if dim == *from && !from.is_known() {
                    *to
                } else {
                    dim
                };
            }
            dim
        };
        let builder = Builder::at_end(self.block(), self.loc(), self.ctx());
        let operands = request.operands.iter().map(|&value| {
            let dims = value.ty().dims();
            let new: Vec<Dim> = dims.iter().map(|dim| replaced(*dim)).collect();
            let attrs = [("newshape", extents(self.ctx(), &new))];
            match new == dims {
                true => value,
                false => make(&builder, relay::VIEW_AS, &[value], &attrs),
            }
        });
        Request {
            operands: operands.collect(),
            ..request.clone()
        }
    }

    /// Has the model compare two dimensions of which it computes one.
    fn compare(&mut self, lhs: Dim, rhs: Dim) -> Result<()> {
        if self.has_compared((lhs, rhs)) {
            return Ok(());
        }
        let number = self.size(Element::I64, lhs)?;
        let is_lasting = self.check((&number, Some(lhs)), rhs, "extent")?;
        if self.guards().is_empty() && is_lasting {
            self.note_compared((lhs, rhs));
        }
        Ok(())
    }
}

fn may_differ(name: &str, (lhs, rhs): Equation) -> String {
    format!(
        "relay.{name} takes equal extents for {lhs} and {rhs} in a branch or a step of a loop, and the model computes one of them: \
         only the graph around it can compare them"
    )
}
