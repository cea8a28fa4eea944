//! Programs from numbers: each number is a choice. Where there are no more, what is simplest is chosen, so that fewer numbers
//! make a smaller program; that is how a failure becomes small.

use super::tree::{Expr, Type};

/// How deep expressions are.
const DEPTH: u32 = 5;

pub struct Maker<'c> {
    choices: std::slice::Iter<'c, u8>,
    next: u32,
    /// The variables that there are, with their types.
    scope: Vec<(u32, Type)>,
    /// The references, with the types of what they hold.
    places: Vec<(u32, Type)>,
}

impl<'c> Maker<'c> {
    /// From choices, for a function of an integer and two floats, which are variables 0 and 1.
    pub fn new(choices: &'c [u8]) -> Self {
        Self {
            choices: choices.iter(),
            next: 2,
            scope: vec![(0, Type::Int), (1, Type::Floats)],
            places: Vec::new(),
        }
    }

    /// A result's type, and a program that gives it.
    pub fn program(&mut self) -> (Type, Expr) {
        let ty = match self.choose(4) {
            0 => Type::Int,
            1 => Type::Bool,
            2 => Type::Floats,
            _ => Type::Pair(Box::new(Type::Int), Box::new(Type::Floats)),
        };
        let body = self.expr(&ty, DEPTH);
        (ty, body)
    }

    fn choose(&mut self, count: usize) -> usize {
        let choice = self.choices.next();
        choice.map_or(0, |choice| usize::from(*choice) % count)
    }

    fn fresh(&mut self) -> u32 {
        self.next += 1;
        self.next - 1
    }

    /// Any type, of a depth; with functions in it if that is said.
    fn ty(&mut self, depth: u32, functions: bool) -> Type {
        let count = match (depth, functions) {
            (0, _) => 3,
            (_, false) => 6,
            _ => 7,
        };
        let choice = self.choose(count);
        let mut inner = || Box::new(self.ty(depth.saturating_sub(1), functions));
        match choice {
            0 => Type::Int,
            1 => Type::Floats,
            2 => Type::Bool,
            3 => Type::List(inner()),
            4 => Type::Pair(inner(), inner()),
            5 => Type::Option(inner()),
            _ => Type::Function(inner(), inner()),
        }
    }

    /// An expression in which a new variable is known.
    fn with(&mut self, name: u32, known: &Type, ty: &Type, depth: u32) -> Box<Expr> {
        self.scope.push((name, known.clone()));
        let made = self.boxed(ty, depth);
        self.scope.pop();
        made
    }

    fn boxed(&mut self, ty: &Type, depth: u32) -> Box<Expr> {
        Box::new(self.expr(ty, depth))
    }

    /// An expression of a type.
    fn expr(&mut self, ty: &Type, depth: u32) -> Expr {
        if depth == 0 {
            return self.leaf(ty);
        }
        let below = depth - 1;
        match self.choose(14) {
            0 => self.leaf(ty),
            1..=3 => self.made(ty, below),
            4 => {
                let test = self.boxed(&Type::Bool, below);
                Expr::If(test, self.boxed(ty, below), self.boxed(ty, below))
            }
            5 => {
                let (name, known) = (self.fresh(), self.ty(2, true));
                let value = self.boxed(&known, below);
                Expr::Let(name, value, self.with(name, &known, ty, below))
            }
            6 => {
                let from = self.ty(1, true);
                let function = Type::Function(Box::new(from.clone()), Box::new(ty.clone()));
                Expr::Call(self.boxed(&function, below), self.boxed(&from, below))
            }
            7 => {
                let (other, index) = (self.ty(1, true), self.choose(2));
                let mut fields = [Box::new(other), Box::new(ty.clone())];
                if index == 0 {
                    fields.reverse();
                }
                let [a, b] = fields;
                Expr::Field(self.boxed(&Type::Pair(a, b), below), index)
            }
            8..=10 => self.matched(ty, below),
            11 => self.fold(ty, below),
            12 => self.reference(ty, below),
            _ => self.looped(ty, below),
        }
    }

    /// What needs nothing else.
    fn leaf(&mut self, ty: &Type) -> Expr {
        let has_type = |(_, known): &&(u32, Type)| known == ty;
        let mut fitting: Vec<Expr> = self
            .scope
            .iter()
            .filter(has_type)
            .map(|(name, _)| Expr::Var(*name))
            .collect();
        let places = self.places.iter().filter(has_type);
        fitting.extend(places.map(|(name, _)| Expr::Reading(*name)));
        let known = self.choose(fitting.len() + 1);
        if known < fitting.len() {
            return fitting.swap_remove(known);
        }
        match ty {
            Type::Int => Expr::Int(self.choose(16) as i32 - 4),
            Type::Bool => Expr::Bool(self.choose(2) == 1),
            Type::Floats => Expr::Var(1),
            Type::Pair(a, b) => Expr::Pair(Box::new(self.leaf(a)), Box::new(self.leaf(b))),
            Type::List(_) => Expr::Nil(self.fresh(), ty.clone()),
            Type::Option(_) => Expr::None(self.fresh(), ty.clone()),
            Type::Function(from, to) => {
                let name = self.fresh();
                Expr::Function(name, (**from).clone(), self.with(name, from, to, 0))
            }
        }
    }

    /// What makes a value of a type of its parts.
    fn made(&mut self, ty: &Type, depth: u32) -> Expr {
        match ty {
            Type::Int => self.operator(
                &["add", "subtract", "multiply", "maximum", "minimum"],
                &[],
                ty,
                depth,
            ),
            Type::Floats => self.operator(
                &["add", "subtract", "maximum", "minimum"],
                &["negative"],
                ty,
                depth,
            ),
            Type::Bool => match self.choose(3) {
                0 => self.operator(&["less", "equal"], &[], &Type::Int, depth),
                _ => self.operator(&["logical_and", "logical_or"], &["logical_not"], ty, depth),
            },
            Type::Pair(a, b) => Expr::Pair(self.boxed(a, depth), self.boxed(b, depth)),
            Type::List(of) if self.choose(3) == 2 => {
                let from = self.ty(1, false);
                let function = Type::Function(Box::new(from.clone()), of.clone());
                let list = Type::List(Box::new(from));
                Expr::Map(self.boxed(&function, depth), self.boxed(&list, depth))
            }
            Type::List(of) => Expr::Cons(self.boxed(of, depth), self.boxed(ty, depth)),
            Type::Option(of) => Expr::Some(self.boxed(of, depth)),
            Type::Function(from, to) => {
                let name = self.fresh();
                Expr::Function(name, (**from).clone(), self.with(name, from, to, depth))
            }
        }
    }

    fn operator(
        &mut self,
        of_two: &[&'static str],
        of_one: &[&'static str],
        on: &Type,
        depth: u32,
    ) -> Expr {
        let choice = self.choose(of_two.len() + of_one.len());
        match of_two.get(choice) {
            Some(name) => Expr::Op(name, vec![self.expr(on, depth), self.expr(on, depth)]),
            None => Expr::Op(of_one[choice - of_two.len()], vec![self.expr(on, depth)]),
        }
    }

    fn matched(&mut self, ty: &Type, depth: u32) -> Expr {
        let of = self.ty(1, true);
        let list = Type::List(Box::new(of.clone()));
        let (a, b) = (self.fresh(), self.fresh());
        match self.choose(4) {
            0 => {
                let value = self.boxed(&list, depth);
                let nil = self.boxed(ty, depth);
                self.scope.push((a, of));
                let cons = self.with(b, &list, ty, depth);
                self.scope.pop();
                Expr::MatchList(value, nil, a, b, cons)
            }
            1 => {
                let value = self.boxed(&list, depth);
                self.scope.push((a, of.clone()));
                let two = self.with(b, &of, ty, depth);
                self.scope.pop();
                Expr::MatchTwo(value, a, b, two, self.boxed(ty, depth))
            }
            2 => {
                let value = self.boxed(&Type::Option(Box::new(of.clone())), depth);
                let some = self.with(a, &of, ty, depth);
                Expr::MatchOption(value, a, some, self.boxed(ty, depth))
            }
            _ => {
                let other = self.ty(1, true);
                let pair = Type::Pair(Box::new(of.clone()), Box::new(other.clone()));
                let value = self.boxed(&pair, depth);
                self.scope.push((a, of));
                let body = self.with(b, &other, ty, depth);
                self.scope.pop();
                Expr::MatchPair(value, a, b, body)
            }
        }
    }

    fn fold(&mut self, ty: &Type, depth: u32) -> Expr {
        let each_ty = self.ty(1, true);
        let (sum, each) = (self.fresh(), self.fresh());
        let list = self.boxed(&Type::List(Box::new(each_ty.clone())), depth);
        let start = self.boxed(ty, depth);
        self.scope.push((sum, ty.clone()));
        let body = self.with(each, &each_ty, ty, depth);
        self.scope.pop();
        Expr::Foldl(sum, ty.clone(), each, each_ty, body, start, list)
    }

    /// A reference; to no function, which could hold the reference in turn.
    fn reference(&mut self, ty: &Type, depth: u32) -> Expr {
        let (name, bound) = (self.fresh(), self.fresh());
        let held = self.ty(1, false);
        let first = self.boxed(&held, depth);
        self.places.push((name, held.clone()));
        let second = self.boxed(&held, depth);
        self.places.pop();
        let place = Box::new(Expr::Reference(name, first, second));
        Expr::Let(bound, place, self.with(bound, &held, ty, depth))
    }

    fn looped(&mut self, ty: &Type, depth: u32) -> Expr {
        let (own, counter, state) = (self.fresh(), self.fresh(), self.fresh());
        let start = self.boxed(ty, depth);
        self.scope.push((counter, Type::Int));
        let body = self.with(state, ty, ty, depth);
        self.scope.pop();
        Expr::Loop {
            own,
            counter,
            state,
            ty: ty.clone(),
            body,
            times: self.choose(6) as u8,
            start,
            is_last: *ty != Type::Int || self.choose(2) == 0,
        }
    }
}
