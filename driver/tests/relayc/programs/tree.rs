//! Programs as trees, and their text.

use std::fmt;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Int,
    Bool,
    /// Two floats.
    Floats,
    Pair(Box<Type>, Box<Type>),
    List(Box<Type>),
    Option(Box<Type>),
    /// A function of one argument.
    Function(Box<Type>, Box<Type>),
}

/// An expression. Variables are numbers, each bound once.
#[derive(Clone, Debug)]
pub enum Expr {
    Int(i32),
    Bool(bool),
    Var(u32),
    /// An operator of Relay's on numbers of one kind.
    Op(&'static str, Vec<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    Let(u32, Box<Expr>, Box<Expr>),
    Pair(Box<Expr>, Box<Expr>),
    Field(Box<Expr>, usize),
    /// A closure.
    Function(u32, Type, Box<Expr>),
    Call(Box<Expr>, Box<Expr>),
    /// An empty list by a name, which has its type.
    Nil(u32, Type),
    Cons(Box<Expr>, Box<Expr>),
    /// As above.
    None(u32, Type),
    Some(Box<Expr>),
    /// Of an empty list, and of one with a first element and a rest.
    MatchList(Box<Expr>, Box<Expr>, u32, u32, Box<Expr>),
    /// Of a list of at least two elements, and of any other.
    MatchTwo(Box<Expr>, u32, u32, Box<Expr>, Box<Expr>),
    /// Of an option.
    MatchOption(Box<Expr>, u32, Box<Expr>, Box<Expr>),
    /// Of a pair.
    MatchPair(Box<Expr>, u32, u32, Box<Expr>),
    /// `map(closure, list)`, `foldl(closure of pairs, start, list)`.
    Map(Box<Expr>, Box<Expr>),
    /// The closure's accumulator and element, its body, the start and the list.
    Foldl(u32, Type, u32, Type, Box<Expr>, Box<Expr>, Box<Expr>),
    /// A reference to the first expression, which the second one is written to while the reference is the variable; then what
    /// the reference holds. `Reading` reads it.
    Reference(u32, Box<Expr>, Box<Expr>),
    Reading(u32),
    /// A function that calls itself a number of times: the counter, the state with its type, what becomes of the state, how
    /// often, and the state at first. If it is no tail call, the result is added to the counter.
    Loop {
        own: u32,
        counter: u32,
        state: u32,
        ty: Type,
        body: Box<Expr>,
        times: u8,
        start: Box<Expr>,
        is_last: bool,
    },
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int => write!(formatter, "int32"),
            Self::Bool => write!(formatter, "bool"),
            Self::Floats => write!(formatter, "Tensor[(2), float32]"),
            Self::Pair(a, b) => write!(formatter, "({a}, {b})"),
            Self::List(of) => write!(formatter, "List[{of}]"),
            Self::Option(of) => write!(formatter, "Option[{of}]"),
            Self::Function(from, to) => write!(formatter, "fn ({from}) -> {to}"),
        }
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) if *value < 0 => {
                write!(formatter, "subtract(0, {})", value.unsigned_abs())
            }
            Self::Int(value) => write!(formatter, "{value}"),
            Self::Bool(value) => write!(formatter, "{}", if *value { "True" } else { "False" }),
            Self::Var(name) => write!(formatter, "%v{name}"),
            Self::Op(name, operands) => {
                let operands: Vec<String> = operands.iter().map(Self::to_string).collect();
                write!(formatter, "{name}({})", operands.join(", "))
            }
            Self::If(test, yes, no) => {
                write!(formatter, "(if ({test}) {{ {yes} }} else {{ {no} }})")
            }
            Self::Let(name, value, body) => {
                write!(formatter, "(let %v{name} = {value};\n{body})")
            }
            Self::Pair(a, b) => write!(formatter, "({a}, {b})"),
            Self::Field(pair, index) => write!(formatter, "{pair}.{index}"),
            Self::Function(name, ty, body) => {
                write!(formatter, "(fn (%v{name}: {ty}) {{ {body} }})")
            }
            Self::Call(function, argument) => write!(formatter, "{function}({argument})"),
            Self::Nil(name, ty) => write!(formatter, "(let %v{name}: {ty} = Nil;\n%v{name})"),
            Self::Cons(first, rest) => write!(formatter, "Cons({first}, {rest})"),
            Self::None(name, ty) => write!(formatter, "(let %v{name}: {ty} = None;\n%v{name})"),
            Self::Some(value) => write!(formatter, "Some({value})"),
            _ => self.write_matches(formatter),
        }
    }
}

impl Expr {
    fn write_matches(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::MatchList(list, nil, first, rest, cons) => write!(
                formatter,
                "(match ({list}) {{ Nil => {{ {nil} }}, Cons(%v{first}, %v{rest}) => {{ {cons} }}, }})"
            ),
            Self::MatchTwo(list, first, second, two, other) => write!(
                formatter,
                "(match ({list}) {{ Cons(%v{first}, Cons(%v{second}, _)) => {{ {two} }}, _ => {{ {other} }}, }})"
            ),
            Self::MatchOption(option, name, some, none) => write!(
                formatter,
                "(match ({option}) {{ Some(%v{name}) => {{ {some} }}, None => {{ {none} }}, }})"
            ),
            Self::MatchPair(pair, a, b, body) => {
                write!(
                    formatter,
                    "(match ({pair}) {{ (%v{a}, %v{b}) => {{ {body} }}, }})"
                )
            }
            Self::Map(function, list) => write!(formatter, "@map({function}, {list})"),
            Self::Foldl(sum, sum_ty, each, each_ty, body, start, list) => write!(
                formatter,
                "@foldl(fn (%v{sum}: {sum_ty}, %v{each}: {each_ty}) {{ {body} }}, {start}, {list})"
            ),
            Self::Reference(name, first, second) => write!(
                formatter,
                "(let %v{name} = ref({first});\nlet %w{name} = ref_write(%v{name}, {second});\nref_read(%v{name}))"
            ),
            Self::Reading(name) => write!(formatter, "ref_read(%v{name})"),
            Self::Loop {
                own,
                counter,
                state,
                ty,
                body,
                times,
                start,
                is_last,
            } => {
                let again = format!("%v{own}(subtract(%v{counter}, 1), {body})");
                let again = if *is_last {
                    again
                } else {
                    format!("add(%v{counter}, {again})")
                };
                write!(
                    formatter,
                    "(let %v{own}: fn (int32, {ty}) -> {ty} = fn (%v{counter}: int32, %v{state}: {ty}) -> {ty} {{\n\
                     if (less_equal(%v{counter}, 0)) {{ %v{state} }} else {{ {again} }} }};\n%v{own}({times}, {start}))"
                )
            }
            _ => Ok(()),
        }
    }
}
