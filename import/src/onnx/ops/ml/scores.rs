//! What becomes of the scores of a model: probabilities, and the label of the class with the greatest score.

use super::super::reduce::{along, arg_along};
use crate::{
    graph::{attr::Param, builder::GraphBuilder, constant::Const, error::Result, value::Value},
    onnx::node::Node,
};
use relay_dialects::element::Element;

/// How scores become what a node returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transform {
    /// As they are.
    Nothing,
    /// By the logistic function.
    Logistic,
    /// By a softmax of a row.
    Softmax,
    /// By a softmax of the scores of a row that are not 0.
    SoftmaxZero,
}

impl Transform {
    /// That of a name.
    pub fn named(name: &str) -> Result<Self> {
        match name {
            "NONE" => Ok(Self::Nothing),
            "LOGISTIC" => Ok(Self::Logistic),
            "SOFTMAX" => Ok(Self::Softmax),
            "SOFTMAX_ZERO" => Ok(Self::SoftmaxZero),
            other => Err(format!(
                "attribute 'post_transform' is '{other}'; NONE, LOGISTIC, SOFTMAX and SOFTMAX_ZERO are supported"
            )),
        }
    }

    /// That of a node's attribute.
    pub fn read(n: &Node<'_>) -> Result<Self> {
        Self::named(&n.attr_str_or("post_transform", "NONE")?)
    }

    /// The rows of scores transformed.
    pub fn of(self, b: &mut GraphBuilder, scores: &Value) -> Result<Value> {
        match self {
            Self::Nothing => Ok(scores.clone()),
            Self::Logistic => b.unary("sigmoid", scores),
            Self::Softmax => {
                let attrs = [("axis", Param::Int(1))];
                b.op("nn.softmax", std::slice::from_ref(scores), &attrs)
            }
            Self::SoftmaxZero => softmax_of_others(b, scores),
        }
    }
}

/// The softmax of the scores of a row that are not 0; those that are stay.
fn softmax_of_others(b: &mut GraphBuilder, scores: &Value) -> Result<Value> {
    let greatest = along(b, "max", scores, (&[1], true))?;
    let shifted = b.binary("subtract", scores, &greatest)?;
    let exp = b.unary("exp", &shifted)?;
    let is_zero = b.with_scalar("equal", scores, 0.0)?;
    let zero = b.scalar(scores.element(), 0.0);
    let exp = b.op("where", &[is_zero.clone(), zero.clone(), exp], &[])?;
    let sum = along(b, "sum", &exp, (&[1], true))?;
    let shares = b.binary("divide", &exp, &sum)?;
    b.op("where", &[is_zero, zero, shares], &[])
}

/// The labels of a classifier's classes.
pub struct Labels {
    numbers: Option<Vec<i64>>,
    /// How many classes there are.
    pub count: usize,
}

impl Labels {
    /// Reads the labels from the attributes `<prefix>strings` and that of integers.
    pub fn read(n: &Node<'_>, ints: &str, strings: &str) -> Result<Self> {
        match (n.attr_ints(ints)?, n.attr_strings(strings)?) {
            (_, Some(strings)) if !strings.is_empty() => {
                if n.has_output(0) {
                    return Err(
                        "the labels of the classes are strings, which are not supported as an output; give the model \
                         integers as labels, or remove the output of labels"
                            .into(),
                    );
                }
                Ok(Self {
                    numbers: None,
                    count: strings.len(),
                })
            }
            (Some(ints), _) if !ints.is_empty() => Ok(Self {
                count: ints.len(),
                numbers: Some(ints),
            }),
            _ => Err("the labels of the classes are missing".into()),
        }
    }

    /// The label of the class with the greatest score of each row, the first of equal ones.
    pub fn of_greatest(&self, b: &mut GraphBuilder, scores: &Value) -> Result<Value> {
        let place = arg_along(b, "argmax", scores, (1, false), false)?;
        self.at(b, &place)
    }

    /// The second label where a condition of a row holds, else the first.
    pub fn of_two(&self, b: &mut GraphBuilder, is_second: &Value) -> Result<Value> {
        let place = b.cast(is_second, Element::I64)?;
        self.at(b, &place)
    }

    /// The labels at places; without numbers, the places, which nobody reads.
    fn at(&self, b: &mut GraphBuilder, places: &Value) -> Result<Value> {
        match &self.numbers {
            Some(numbers) => {
                let labels = b.known(Const::ints(numbers));
                b.taken(&labels, places, 0)
            }
            None => b.cast(places, Element::I64),
        }
    }
}
