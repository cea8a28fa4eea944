//! Names of dimensions that are arithmetic on other names: `past + seq`.

use relay_dialects::dim::Dim;
use std::collections::BTreeSet;

/// How deep parentheses and signs may nest. Files may hold anything.
const MAX_DEPTH: usize = 64;

/// An expression on the names of dimensions.
#[derive(Debug, PartialEq)]
pub enum Expression<'t> {
    /// A number.
    Number(i64),
    /// A name.
    Name(&'t str),
    /// Two operands and what is between them.
    Infix(Infix, Box<Self>, Box<Self>),
}

/// What stands between two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Infix {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `//`, which rounds down.
    FloorDivide,
}

impl<'t> Expression<'t> {
    /// Reads an expression; `None` if the text is not one as a whole.
    pub fn parse(text: &'t str) -> Option<Self> {
        let mut reader = Reader {
            rest: text.trim_start(),
            depth: 0,
        };
        let read = reader.sum()?;
        reader.rest.is_empty().then_some(read)
    }

    /// The names in it.
    pub fn names(&self) -> BTreeSet<&'t str> {
        match self {
            Self::Number(_) => BTreeSet::new(),
            Self::Name(name) => BTreeSet::from([*name]),
            Self::Infix(_, lhs, rhs) => lhs.names().union(&rhs.names()).copied().collect(),
        }
    }

    /// Its value, where `size` says what names stand for. `None` if `size` does not know a name, if 64 bits do not
    /// hold a result, or if a divisor is 0.
    pub fn value(&self, size: &impl Fn(&str) -> Option<i64>) -> Option<i64> {
        let (infix, lhs, rhs) = match self {
            Self::Number(number) => return Some(*number),
            Self::Name(name) => return size(name),
            Self::Infix(infix, lhs, rhs) => (infix, lhs.value(size)?, rhs.value(size)?),
        };
        match infix {
            Infix::Add => lhs.checked_add(rhs),
            Infix::Subtract => lhs.checked_sub(rhs),
            Infix::Multiply => lhs.checked_mul(rhs),
            Infix::FloorDivide => {
                let quotient = lhs.checked_div(rhs)?;
                let is_between = lhs % rhs != 0 && (lhs < 0) != (rhs < 0);
                Some(quotient - i64::from(is_between))
            }
        }
    }
}

impl Expression<'_> {
    /// As [`Expression::value`], where names may stand for forms.
    pub fn dim(&self, dim: &impl Fn(&str) -> Option<Dim>) -> Option<Dim> {
        let size = |name: &str| dim(name)?.known();
        if let Some(value) = self.value(&size) {
            return Some(Dim::Known(value));
        }
        let (infix, lhs, rhs) = match self {
            Self::Number(number) => return Some(Dim::Known(*number)),
            Self::Name(name) => return dim(name),
            Self::Infix(infix, lhs, rhs) => (infix, lhs.dim(dim)?, rhs.dim(dim)?),
        };
        let result = match infix {
            Infix::Add => lhs.plus(rhs),
            Infix::Subtract => lhs.minus(rhs),
            Infix::Multiply => lhs.times(rhs),
            Infix::FloorDivide => lhs.floor_div(rhs),
        };
        result.ok()
    }
}

/// What is left to read.
struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl<'t> Reader<'t> {
    /// Takes this text, if it stands here, and the spaces after it.
    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text).map(str::trim_start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<Expression<'t>> {
        let mut sum = self.product()?;
        loop {
            let infix = match () {
                () if self.take("+") => Infix::Add,
                () if self.take("-") => Infix::Subtract,
                () => return Some(sum),
            };
            sum = Expression::Infix(infix, Box::new(sum), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Option<Expression<'t>> {
        let mut product = self.operand()?;
        loop {
            let infix = match () {
                () if self.take("*") => Infix::Multiply,
                () if self.take("//") => Infix::FloorDivide,
                () => return Some(product),
            };
            product = Expression::Infix(infix, Box::new(product), Box::new(self.operand()?));
        }
    }

    /// A number, a name, an operand with a sign, or an expression in parentheses.
    fn operand(&mut self) -> Option<Expression<'t>> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let read = if self.take("-") {
            let operand = Box::new(self.operand()?);
            Expression::Infix(Infix::Subtract, Box::new(Expression::Number(0)), operand)
        } else if self.take("(") {
            let inner = self.sum()?;
            self.take(")").then_some(inner)?
        } else {
            self.word()?
        };
        self.depth -= 1;
        Some(read)
    }

    fn word(&mut self) -> Option<Expression<'t>> {
        let is_part = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
        let end = self.rest.find(|letter| !is_part(letter));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        match word.chars().next()? {
            '0'..='9' => word.parse().ok().map(Expression::Number),
            _ => Some(Expression::Name(word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<i64> {
        let size = |name: &str| match name {
            "past" => Some(3),
            "s0" => Some(-7),
            "seq.len_1" => Some(4),
            _ => None,
        };
        Expression::parse(text)?.value(&size)
    }

    #[test]
    fn values_are_those_of_the_arithmetic() {
        for (text, expected) in [
            ("past + seq.len_1", 7),
            ("past+seq.len_1", 7),
            ("past - seq.len_1 - 1", -2),
            ("past - (seq.len_1 - 1)", 0),
            ("2*past + 3 * seq.len_1", 18),
            ("2*(past + 3) * seq.len_1", 48),
            ("(seq.len_1 - 1) // 2 + 1", 2),
            ("s0 // 2", -4),
            ("s0 // -2", 3),
            ("-past + 10", 7),
            (" ( past ) ", 3),
            ("12", 12),
        ] {
            assert_eq!(value(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_arithmetic_has_no_value() {
        let deep = "(".repeat(100_000);
        for text in [
            "",
            "?",
            "sequence length",
            "past +",
            "past ** 2",
            "past / 2",
            "(past",
            "past)",
            "Max(1, past)",
            "past // 0",
            "past * 9223372036854775807",
            "9223372036854775808",
            "nobody + 1",
            &deep,
        ] {
            assert_eq!(value(text), None, "{text}");
        }
    }
}
