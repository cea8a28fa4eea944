//! What programs mean, computed in the plainest way: it shares nothing with the compiler.

use super::tree::Expr;
use std::{cell::RefCell, rc::Rc};

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    Int(i32),
    Bool(bool),
    Floats([f32; 2]),
    Pair(Rc<(Value, Value)>),
    List(Rc<Vec<Value>>),
    Option(Option<Rc<Value>>),
    Function(u32, Rc<Expr>, Names),
    Reference(Rc<RefCell<Value>>),
}

/// What variables stand for.
#[derive(Clone, Debug, Default)]
pub struct Names(Option<Rc<(u32, Value, Names)>>);

impl Names {
    pub fn with(&self, name: u32, value: Value) -> Self {
        Self(Some(Rc::new((name, value, self.clone()))))
    }

    fn get(&self, wanted: u32) -> Value {
        let mut names = self;
        loop {
            let Some(known) = &names.0 else {
                panic!("%v{wanted} is bound nowhere");
            };
            let (name, value, others) = &**known;
            if *name == wanted {
                return value.clone();
            }
            names = others;
        }
    }
}

impl Value {
    fn int(&self) -> i32 {
        match self {
            Self::Int(value) => *value,
            other => panic!("{other:?} is no integer"),
        }
    }

    fn is_true(&self) -> bool {
        match self {
            Self::Bool(value) => *value,
            other => panic!("{other:?} is no truth"),
        }
    }

    fn list(&self) -> &[Value] {
        match self {
            Self::List(values) => values,
            other => panic!("{other:?} is no list"),
        }
    }

    fn pair(&self) -> &(Value, Value) {
        match self {
            Self::Pair(pair) => pair,
            other => panic!("{other:?} is no pair"),
        }
    }
}

/// The value of an expression.
pub fn value(expr: &Expr, names: &Names) -> Value {
    match expr {
        Expr::Int(value) => Value::Int(*value),
        Expr::Bool(value) => Value::Bool(*value),
        Expr::Var(name) => names.get(*name),
        Expr::Op(name, operands) => {
            let operands: Vec<Value> = operands.iter().map(|each| value(each, names)).collect();
            operator(name, &operands)
        }
        Expr::If(test, yes, no) => {
            let branch = if value(test, names).is_true() {
                yes
            } else {
                no
            };
            value(branch, names)
        }
        Expr::Let(name, bound, body) => {
            let bound = value(bound, names);
            value(body, &names.with(*name, bound))
        }
        Expr::Pair(a, b) => Value::Pair(Rc::new((value(a, names), value(b, names)))),
        Expr::Field(pair, index) => {
            let pair = value(pair, names);
            let (a, b) = pair.pair();
            if *index == 0 { a.clone() } else { b.clone() }
        }
        Expr::Function(name, _, body) => {
            Value::Function(*name, Rc::new((**body).clone()), names.clone())
        }
        Expr::Call(function, argument) => {
            let function = value(function, names);
            call(&function, value(argument, names))
        }
        Expr::Nil(..) => Value::List(Rc::default()),
        Expr::Cons(first, rest) => {
            let first = value(first, names);
            let rest = value(rest, names);
            Value::List(Rc::new([&[first], rest.list()].concat()))
        }
        Expr::None(..) => Value::Option(None),
        Expr::Some(inner) => Value::Option(Some(Rc::new(value(inner, names)))),
        _ => compound(expr, names),
    }
}

fn compound(expr: &Expr, names: &Names) -> Value {
    match expr {
        Expr::MatchList(list, nil, first, rest, cons) => match value(list, names).list() {
            [] => value(nil, names),
            [head, tail @ ..] => {
                let names = names.with(*first, head.clone());
                value(
                    cons,
                    &names.with(*rest, Value::List(Rc::new(tail.to_vec()))),
                )
            }
        },
        Expr::MatchTwo(list, first, second, two, other) => match value(list, names).list() {
            [a, b, ..] => {
                let names = names.with(*first, a.clone());
                value(two, &names.with(*second, b.clone()))
            }
            _ => value(other, names),
        },
        Expr::MatchOption(option, name, some, none) => match value(option, names) {
            Value::Option(Some(inner)) => value(some, &names.with(*name, (*inner).clone())),
            _ => value(none, names),
        },
        Expr::MatchPair(pair, a, b, body) => {
            let pair = value(pair, names);
            let (first, second) = pair.pair().clone();
            value(body, &names.with(*a, first).with(*b, second))
        }
        _ => repeated(expr, names),
    }
}

/// What runs something for each element, or with memory.
fn repeated(expr: &Expr, names: &Names) -> Value {
    match expr {
        Expr::Map(function, list) => {
            let function = value(function, names);
            let list = value(list, names);
            let each = list.list().iter().map(|each| call(&function, each.clone()));
            Value::List(Rc::new(each.collect()))
        }
        Expr::Foldl(sum, _, each, _, body, start, list) => {
            let mut total = value(start, names);
            for element in value(list, names).list() {
                let names = names.with(*sum, total).with(*each, element.clone());
                total = value(body, &names);
            }
            total
        }
        Expr::Reference(name, first, second) => {
            let place = Rc::new(RefCell::new(value(first, names)));
            let written = value(
                second,
                &names.with(*name, Value::Reference(Rc::clone(&place))),
            );
            *place.borrow_mut() = written;
            place.borrow().clone()
        }
        Expr::Reading(name) => match names.get(*name) {
            Value::Reference(place) => place.borrow().clone(),
            other => panic!("{other:?} is no reference"),
        },
        Expr::Loop {
            counter,
            state,
            body,
            times,
            start,
            is_last,
            ..
        } => {
            let mut now = value(start, names);
            let mut added = 0_i32;
            for left in (1..=i32::from(*times)).rev() {
                let inside = names.with(*counter, Value::Int(left));
                now = value(body, &inside.with(*state, now));
                added = added.wrapping_add(left);
            }
            if *is_last {
                now
            } else {
                Value::Int(now.int().wrapping_add(added))
            }
        }
        _ => panic!("{expr:?} has no meaning"),
    }
}

fn call(function: &Value, argument: Value) -> Value {
    match function {
        Value::Function(name, body, names) => value(body, &names.with(*name, argument)),
        other => panic!("{other:?} is no function"),
    }
}

fn operator(name: &str, operands: &[Value]) -> Value {
    match operands {
        [Value::Int(a)] => Value::Int(match name {
            "negative" => a.wrapping_neg(),
            _ => panic!("{name} of an integer"),
        }),
        [Value::Bool(a)] => Value::Bool(!a),
        [Value::Floats(a)] => Value::Floats(a.map(|each| -each)),
        [Value::Int(a), Value::Int(b)] => match name {
            "add" => Value::Int(a.wrapping_add(*b)),
            "subtract" => Value::Int(a.wrapping_sub(*b)),
            "multiply" => Value::Int(a.wrapping_mul(*b)),
            "maximum" => Value::Int(*a.max(b)),
            "minimum" => Value::Int(*a.min(b)),
            "less" => Value::Bool(a < b),
            "equal" => Value::Bool(a == b),
            _ => panic!("{name} of integers"),
        },
        [Value::Bool(a), Value::Bool(b)] => match name {
            "logical_and" => Value::Bool(*a && *b),
            "logical_or" => Value::Bool(*a || *b),
            _ => panic!("{name} of truths"),
        },
        [Value::Floats(a), Value::Floats(b)] => {
            let both: fn(f32, f32) -> f32 = match name {
                "add" => |a, b| a + b,
                "subtract" => |a, b| a - b,
                "maximum" => f32::max,
                "minimum" => f32::min,
                _ => panic!("{name} of floats"),
            };
            Value::Floats([both(a[0], b[0]), both(a[1], b[1])])
        }
        _ => panic!("{name} of {operands:?}"),
    }
}
