//! Values of inputs as a user writes them: `16000`, `0.5`, `true`, `none`, `[1, 2]`.

use super::{
    constant::{Const, Numbers},
    error::Result,
    port::{Dimension, Port, shape_text},
};
use relay_dialects::element::Element;

/// How deep lists may lie in others.
const DEEPEST: usize = 16;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// `none`.
    None,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A number with a point or an exponent, `inf` or `nan`.
    Float(f64),
    /// Another word.
    Text(String),
    /// `[...]`.
    List(Vec<Literal>),
}

impl Literal {
    /// Reads a value.
    ///
    /// # Errors
    /// If brackets do not match, or lists lie too deep in each other.
    pub fn parse(text: &str) -> Result<Self> {
        Self::parse_at(text.trim(), 0).map_err(|reason| format!("'{text}' is no value: {reason}"))
    }

    fn parse_at(text: &str, depth: usize) -> Result<Self> {
        if depth > DEEPEST {
            return Err(format!("more than {DEEPEST} lists lie in each other"));
        }
        let Some(inner) = text.strip_prefix('[') else {
            return Ok(Self::of_word(text));
        };
        let inner = inner.strip_suffix(']').ok_or("a list ends with ']'")?;
        let items = items(inner)?.into_iter();
        let items = items.map(|item| Self::parse_at(item, depth + 1));
        Ok(Self::List(items.collect::<Result<_>>()?))
    }

    fn of_word(word: &str) -> Self {
        match word {
            "none" | "None" => Self::None,
            "true" | "True" => Self::Bool(true),
            "false" | "False" => Self::Bool(false),
            word => match (word.parse(), word.parse()) {
                (Ok(number), _) => Self::Int(number),
                (_, Ok(number)) => Self::Float(number),
                _ => Self::Text(word.into()),
            },
        }
    }

    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Bool(_) => "a boolean",
            Self::Int(_) => "an integer",
            Self::Float(_) => "a float",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
        }
    }

    /// The element type of the tensor that PyTorch makes of it.
    pub fn element(&self) -> Element {
        let mut leaves = Vec::new();
        self.leaves(&mut leaves);
        let has = |is: fn(&&Literal) -> bool| leaves.iter().any(is);
        match () {
            () if has(|leaf| matches!(leaf, Self::Float(_))) => Element::F32,
            () if has(|leaf| matches!(leaf, Self::Int(_))) => Element::I64,
            () if has(|leaf| matches!(leaf, Self::Bool(_))) => Element::Bool,
            () => Element::F32,
        }
    }

    /// The extents of a tensor of it. Lists beside each other are as long as the first.
    pub fn shape(&self) -> Vec<i64> {
        match self {
            Self::List(items) => {
                let inner = items.first().map(Self::shape).unwrap_or_default();
                std::iter::once(items.len() as i64).chain(inner).collect()
            }
            _ => Vec::new(),
        }
    }

    /// A tensor of an element type.
    ///
    /// # Errors
    /// If it has other numbers than the type, or lists of several lengths.
    pub fn tensor(&self, element: Element) -> Result<Const> {
        let shape = self.shape();
        if !self.is_of_shape(&shape) {
            return Err("its lists are of several lengths".into());
        }
        let mut leaves = Vec::new();
        self.leaves(&mut leaves);
        let leaves = leaves.into_iter();
        let numbers = match element.kind() {
            _ if element.is_float() => Numbers::Floats(
                leaves
                    .map(|leaf| leaf.float(element))
                    .collect::<Result<_>>()?,
            ),
            _ if element == Element::Bool || element.is_integer() => Numbers::Ints(
                leaves
                    .map(|leaf| leaf.int(element))
                    .collect::<Result<_>>()?,
            ),
            _ => return Err(format!("values of {element} cannot be written")),
        };
        Ok(Const::new(element, shape, &numbers))
    }

    fn is_of_shape(&self, shape: &[i64]) -> bool {
        match (self, shape.split_first()) {
            (Self::List(items), Some((count, inner))) => {
                items.len() as i64 == *count && items.iter().all(|item| item.is_of_shape(inner))
            }
            (Self::List(_), None) | (_, Some(_)) => false,
            (_, None) => true,
        }
    }

    fn leaves<'l>(&'l self, leaves: &mut Vec<&'l Self>) {
        match self {
            Self::List(items) => items.iter().for_each(|item| item.leaves(leaves)),
            leaf => leaves.push(leaf),
        }
    }

    fn float(&self, element: Element) -> Result<f64> {
        match self {
            Self::Float(number) => Ok(*number),
            Self::Int(number) => Ok(*number as f64),
            other => Err(format!(
                "it holds {} in the place of {element}",
                other.kind()
            )),
        }
    }

    fn int(&self, element: Element) -> Result<i128> {
        let number = match self {
            Self::Bool(flag) if element == Element::Bool => i128::from(*flag),
            Self::Int(number) => i128::from(*number),
            other => {
                return Err(format!(
                    "it holds {} in the place of {element}",
                    other.kind()
                ));
            }
        };
        // The greatest i64 is no f64: what is below 2^63 is in range.
        match (number as f64) < element.least() || (number as f64) > element.greatest() + 0.5 {
            true => Err(format!("{number} is no {element}")),
            false => Ok(number),
        }
    }
}

/// The parts of a list: what is between commas outside of inner brackets.
fn items(text: &str) -> Result<Vec<&str>> {
    let (mut items, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (place, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' => depth = depth.checked_sub(1).ok_or("brackets do not match")?,
            ',' if depth == 0 => {
                items.push(text[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err("brackets do not match".into());
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        items.push(last);
    }
    Ok(items)
}

/// The constant that an input becomes.
///
/// # Errors
/// If the text is no value of the input's type.
pub fn of_port(port: &Port, text: &str) -> Result<Const> {
    let wrong = |reason: String| {
        let name = &port.name;
        format!("value '{text}' of input '{name}' ({}): {reason}", port.text)
    };
    let element = port.element.clone().map_err(wrong)?;
    let known = Literal::parse(text).and_then(|literal| literal.tensor(element));
    let known = known.map_err(wrong)?;
    let Some(dims) = &port.dims else {
        return Ok(known);
    };
    let mut pairs = dims.iter().zip(&known.shape);
    let is_allowed =
        |(dim, size): (&Dimension, &i64)| !matches!(dim, Dimension::Known(known) if known != size);
    match dims.len() == known.shape.len() && pairs.all(is_allowed) {
        true => Ok(known),
        false => Err(wrong(format!(
            "its shape is {:?}, that of the input {}",
            known.shape,
            shape_text(dims)
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_numbers_truths_or_texts() {
        for (text, expected) in [
            ("16000", Literal::Int(16000)),
            ("-1", Literal::Int(-1)),
            ("1e-3", Literal::Float(0.001)),
            ("inf", Literal::Float(f64::INFINITY)),
            ("True", Literal::Bool(true)),
            ("none", Literal::None),
            ("mean", Literal::Text("mean".into())),
            ("[]", Literal::List(Vec::new())),
            (
                "[1, [2.5]]",
                Literal::List(vec![
                    Literal::Int(1),
                    Literal::List(vec![Literal::Float(2.5)]),
                ]),
            ),
        ] {
            assert_eq!(Literal::parse(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn tensors_have_the_type_and_shape_that_are_written() {
        let matrix = Literal::parse("[[1, 2, 3], [4, 5, 6]]").expect("a value");
        assert_eq!(matrix.element(), Element::I64);
        let known = matrix.tensor(Element::F32).expect("a tensor");
        assert_eq!(known.shape, [2, 3]);
        assert_eq!(known.to_floats(), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let greatest = Literal::Int(i64::MAX)
            .tensor(Element::I64)
            .expect("a tensor");
        assert_eq!(greatest.to_ints(), Some(vec![i64::MAX]));
    }

    #[test]
    fn what_is_no_value_of_a_type_is_refused() {
        let said = |text: &str, element| {
            let tensor = Literal::parse(text).and_then(|literal| literal.tensor(element));
            tensor.map(drop).expect_err("no value of the type")
        };
        assert!(said("[1, 2", Element::F32).contains("']'"));
        assert!(said("[1], 2]", Element::F32).contains("do not match"));
        assert!(said("[[1], 2]", Element::F32).contains("several lengths"));
        assert!(said("1.5", Element::I64).contains("a float in the place of i64"));
        assert!(said("300", Element::U8).contains("300 is no"));
        assert!(said("fast", Element::F32).contains("a text in the place"));
        assert!(said(&"[".repeat(40), Element::F32).contains("']'"));
        let deep = format!("{}{}", "[".repeat(40), "]".repeat(40));
        assert!(said(&deep, Element::F32).contains("lie in each other"));
    }
}
