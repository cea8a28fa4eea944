//! Types with unknown parts, and what makes two of them one.

use relay_dialects::ir::{Ctx, DYNAMIC, Loc, Op, Type};
use std::collections::HashMap;

/// A type whose parts may be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term(usize);

/// What is known of a term.
#[derive(Clone, Debug)]
enum Node {
    /// Nothing.
    Open,
    /// It is another term.
    Same(Term),
    /// All of it.
    Known(Type),
    /// A type of the kind of the first one with these parts.
    Made(Type, Vec<Term>),
}

/// Terms, and for each the place from which it is known.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<(Node, Option<Loc>)>,
    /// Whether something became known since this was last set to false.
    pub changed: bool,
}

/// Two types that cannot be one.
#[derive(Debug)]
pub struct Conflict {
    /// What the types are, and whence they are known.
    pub sides: [(Type, Option<Loc>); 2],
    /// Why not, where it is not plain from the two.
    pub because: Option<&'static str>,
}

const INFINITE: &str = "the type would contain itself";

impl Terms {
    fn push(&mut self, node: Node, from: Option<Loc>) -> Term {
        self.nodes.push((node, from));
        Term(self.nodes.len() - 1)
    }

    /// An unknown type.
    pub fn open(&mut self) -> Term {
        self.push(Node::Open, None)
    }

    /// A type with its unknown parts. `from` is where it stands.
    pub fn of(&mut self, ty: Type, from: Loc) -> Term {
        self.instance(ty, &HashMap::new(), from)
    }

    /// The same, with terms for type parameters.
    pub fn instance(&mut self, ty: Type, params: &HashMap<String, Term>, from: Loc) -> Term {
        if ty.is_incomplete() {
            return self.open();
        }
        if let Some(term) = ty.as_type_var().and_then(|name| params.get(&name)) {
            return *term;
        }
        let is_open = ty.any_part(&mut |part| {
            let name = part.as_type_var();
            part.is_incomplete() || name.is_some_and(|name| params.contains_key(&name))
        });
        if !is_open {
            return self.push(Node::Known(ty), Some(from));
        }
        let parts = ty.parts().into_iter();
        let parts = parts
            .map(|part| self.instance(part, params, from))
            .collect();
        self.push(Node::Made(ty, parts), Some(from))
    }

    /// A type of the kind of `like` with these parts.
    pub fn made(&mut self, like: Type, parts: Vec<Term>, from: Loc) -> Term {
        self.push(Node::Made(like, parts), Some(from))
    }

    /// A function type.
    pub fn function(&mut self, parameters: &[Term], result: Term, from: Op) -> Term {
        let open = Type::incomplete(from.ctx());
        let like = Type::function(from.ctx(), &vec![open; parameters.len()], &[open]);
        let from = from.loc();
        self.made(like, [parameters, &[result]].concat(), from)
    }

    /// The term that stands for all that are the same as this one.
    fn root(&mut self, term: Term) -> Term {
        let mut root = term;
        while let Node::Same(next) = self.nodes[root.0].0 {
            root = next;
        }
        // The way is short the next time.
        let mut at = term;
        while let Node::Same(next) = self.nodes[at.0].0 {
            self.nodes[at.0].0 = Node::Same(root);
            at = next;
        }
        root
    }

    /// What is known of a type; what is not is incomplete.
    pub fn ty(&mut self, term: Term, ctx: Ctx) -> Type {
        let root = self.root(term);
        match self.nodes[root.0].0.clone() {
            Node::Known(ty) => ty,
            Node::Made(like, parts) => {
                let parts: Vec<Type> = parts.iter().map(|part| self.ty(*part, ctx)).collect();
                like.with_parts(&parts)
            }
            Node::Open | Node::Same(_) => Type::incomplete(ctx),
        }
    }

    /// The place from which a type is known.
    pub fn origin(&mut self, term: Term) -> Option<Loc> {
        let root = self.root(term);
        self.nodes[root.0].1
    }

    /// Field `index` of a tuple; none while the tuple is unknown, and if it has no such field.
    pub fn part(&mut self, tuple: Term, index: i64, from: Loc) -> Option<Term> {
        let index = usize::try_from(index).ok()?;
        let root = self.root(tuple);
        match self.nodes[root.0].0.clone() {
            Node::Known(ty) => {
                let field = ty.fields()?.get(index).copied()?;
                Some(self.of(field, from))
            }
            Node::Made(like, parts) => {
                like.fields()?;
                parts.get(index).copied()
            }
            Node::Open | Node::Same(_) => None,
        }
    }

    /// Makes two types one.
    ///
    /// # Errors
    /// The parts that cannot be.
    pub fn unify(&mut self, a: Term, b: Term, ctx: Ctx) -> Result<(), Conflict> {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return Ok(());
        }
        match (self.nodes[a.0].0.clone(), self.nodes[b.0].0.clone()) {
            (Node::Open, _) => self.bind(a, b, ctx),
            (_, Node::Open) => self.bind(b, a, ctx),
            (Node::Known(x), Node::Known(y)) => self.join(a, b, x, y),
            (Node::Known(ty), Node::Made(like, parts)) => {
                self.unify_parts(b, (like, &parts), a, ty, ctx)
            }
            (Node::Made(like, parts), Node::Known(ty)) => {
                self.unify_parts(a, (like, &parts), b, ty, ctx)
            }
            (Node::Made(x, of_x), Node::Made(y, of_y)) => {
                if !is_alike(x, y) {
                    return Err(self.conflict(a, b, ctx));
                }
                self.changed = true;
                self.nodes[a.0].0 = Node::Same(b);
                let mut pairs = of_x.into_iter().zip(of_y);
                pairs.try_for_each(|(x, y)| self.unify(x, y, ctx))
            }
            (Node::Same(_), _) | (_, Node::Same(_)) => Ok(()),
        }
    }

    /// Makes an unknown type the same as another.
    fn bind(&mut self, open: Term, to: Term, ctx: Ctx) -> Result<(), Conflict> {
        if self.contains(to, open) {
            let because = Some(INFINITE);
            return Err(Conflict {
                because,
                ..self.conflict(open, to, ctx)
            });
        }
        self.changed = true;
        self.nodes[open.0].0 = Node::Same(to);
        Ok(())
    }

    fn contains(&mut self, term: Term, inner: Term) -> bool {
        let root = self.root(term);
        match self.nodes[root.0].0.clone() {
            Node::Made(_, parts) => parts.into_iter().any(|part| self.contains(part, inner)),
            _ => root == inner,
        }
    }

    /// Makes two known types one: where one of them has an unknown dimension, so has that.
    fn join(&mut self, a: Term, b: Term, x: Type, y: Type) -> Result<(), Conflict> {
        if x != y {
            let both = join(x, y).ok_or_else(|| self.conflict(a, b, x.ctx()))?;
            self.changed |= both != y;
            self.nodes[b.0].0 = Node::Known(both);
        }
        self.nodes[a.0].0 = Node::Same(b);
        Ok(())
    }

    /// Makes a type with unknown parts one with a known one.
    fn unify_parts(
        &mut self,
        made: Term,
        (like, parts): (Type, &[Term]),
        known: Term,
        ty: Type,
        ctx: Ctx,
    ) -> Result<(), Conflict> {
        if !is_alike(like, ty) {
            return Err(self.conflict(made, known, ctx));
        }
        let from = self.nodes[known.0].1;
        for (part, ty) in parts.iter().zip(ty.parts()) {
            let ty = self.push(Node::Known(ty), from);
            self.unify(*part, ty, ctx)?;
        }
        Ok(())
    }

    fn conflict(&mut self, a: Term, b: Term, ctx: Ctx) -> Conflict {
        let side = |terms: &mut Self, term: Term| (terms.ty(term, ctx), terms.nodes[term.0].1);
        Conflict {
            sides: [side(self, a), side(self, b)],
            because: None,
        }
    }
}

/// Whether two types have the same kind, attributes, and number of parts.
fn is_alike(x: Type, y: Type) -> bool {
    let opened = |ty: Type| {
        let open = Type::incomplete(ty.ctx());
        let parts = vec![open; ty.parts().len()];
        match parts.is_empty() || ty.is_tensor() {
            true => ty,
            false => ty.with_parts(&parts),
        }
    };
    opened(x) == opened(y)
}

/// The type that values of two types have; none if they have nothing in common.
fn join(x: Type, y: Type) -> Option<Type> {
    if x == y {
        return Some(x);
    }
    if !x.is_compatible(y) {
        return None;
    }
    if x.is_tensor() {
        let dims = x.shape().into_iter().zip(y.shape());
        let dims: Vec<i64> = dims
            .map(|(a, b)| if a == b { a } else { DYNAMIC })
            .collect();
        return Some(Type::tensor(&dims, x.element()));
    }
    let parts = x.parts().into_iter().zip(y.parts());
    let parts = parts
        .map(|(x, y)| join(x, y))
        .collect::<Option<Vec<Type>>>()?;
    Some(x.with_parts(&parts))
}

/// Terms for what type parameters stand for.
pub fn fresh(terms: &mut Terms, names: &[String]) -> HashMap<String, Term> {
    let pair = |name: &String| (name.clone(), terms.open());
    names.iter().map(pair).collect()
}
