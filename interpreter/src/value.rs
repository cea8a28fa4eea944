//! What programs compute.

use half::{bf16, f16};
use relay_dialects::{Element, ir};
use relay_runtime::{DType, Tensor};
use std::{cell::RefCell, collections::HashMap, fmt, mem, rc::Rc};

/// A value. Copies are one value.
#[derive(Clone)]
pub enum Value {
    /// A tensor.
    Tensor(Rc<Tensor>),
    /// A tuple.
    Tuple(Rc<[Value]>),
    /// What a constructor made.
    Data(Rc<Data>),
    /// A function.
    Function(Rc<Function>),
    /// A place that holds a value.
    Reference(Rc<RefCell<Value>>),
}

/// What a constructor made.
pub struct Data {
    /// The type.
    pub of: String,
    /// The constructor.
    pub constructor: String,
    /// The fields.
    pub fields: Vec<Value>,
}

/// A function with what it sees.
pub struct Function {
    /// The `relay.fn` or `func.func`.
    pub(crate) op: ir::Op,
    /// The values around it.
    pub(crate) around: HashMap<ir::Value, Value>,
    /// Its first arguments, if it was made with some.
    pub(crate) first: Vec<Value>,
}

impl Value {
    /// The tensors in a tuple, or in tuples in it, in order; `None` where something else is in it.
    pub fn tensors(&self) -> Option<Vec<Rc<Tensor>>> {
        match self {
            Self::Tensor(tensor) => Some(vec![Rc::clone(tensor)]),
            Self::Tuple(fields) => {
                let fields = fields.iter().map(Self::tensors);
                Some(fields.collect::<Option<Vec<_>>>()?.concat())
            }
            Self::Data(_) | Self::Function(_) | Self::Reference(_) => None,
        }
    }

    fn take_parts(&mut self, open: &mut Vec<Value>) {
        match self {
            Self::Data(data) => {
                if let Some(data) = Rc::get_mut(data) {
                    open.append(&mut data.fields);
                }
            }
            Self::Function(function) => {
                if let Some(function) = Rc::get_mut(function) {
                    open.extend(mem::take(&mut function.around).into_values());
                    open.append(&mut function.first);
                }
            }
            Self::Tensor(_) | Self::Tuple(_) | Self::Reference(_) => {}
        }
    }
}

/// A list of a million elements is dropped without as deep a recursion.
impl Drop for Data {
    fn drop(&mut self) {
        let mut open = mem::take(&mut self.fields);
        while let Some(mut value) = open.pop() {
            value.take_parts(&mut open);
        }
    }
}

/// As programs write it: tensors by their numbers, data by its constructors.
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The parts that are still to be printed, the next one last; texts stand between them.
        let mut open: Vec<Part<'_>> = vec![Part::Value(self)];
        while let Some(part) = open.pop() {
            match part {
                Part::Text(text) => formatter.write_str(text)?,
                Part::Value(Self::Tensor(tensor)) => write_tensor(formatter, tensor)?,
                Part::Value(Self::Function(_)) => formatter.write_str("<function>")?,
                Part::Value(Self::Reference(_)) => formatter.write_str("<reference>")?,
                Part::Value(Self::Tuple(fields)) => {
                    let end = if fields.len() == 1 { ",)" } else { ")" };
                    formatter.write_str("(")?;
                    push_all(&mut open, fields, end);
                }
                Part::Value(Self::Data(data)) => {
                    formatter.write_str(&data.constructor)?;
                    if !data.fields.is_empty() {
                        formatter.write_str("(")?;
                        push_all(&mut open, &data.fields, ")");
                    }
                }
            }
        }
        Ok(())
    }
}

enum Part<'v> {
    Value(&'v Value),
    Text(&'static str),
}

fn push_all<'v>(open: &mut Vec<Part<'v>>, fields: &'v [Value], end: &'static str) {
    open.push(Part::Text(end));
    for (index, field) in fields.iter().enumerate().rev() {
        open.push(Part::Value(field));
        if index > 0 {
            open.push(Part::Text(", "));
        }
    }
}

/// The most numbers of a tensor that are printed.
const PRINTED: usize = 16;

fn write_tensor(formatter: &mut fmt::Formatter<'_>, tensor: &Tensor) -> fmt::Result {
    let numbers = numbers(tensor);
    if tensor.shape().is_empty() {
        return formatter.write_str(numbers.first().map_or("", String::as_str));
    }
    let shown = &numbers[..numbers.len().min(PRINTED)];
    let more = if shown.len() < numbers.len() {
        ", ..."
    } else {
        ""
    };
    let dims: Vec<String> = tensor.shape().iter().map(i64::to_string).collect();
    let (dims, shown) = (dims.join("x"), shown.join(", "));
    write!(
        formatter,
        "tensor<{dims}x{}>[{shown}{more}]",
        tensor.dtype()
    )
}

/// The first elements of a tensor, and one more, as text.
fn numbers(tensor: &Tensor) -> Vec<String> {
    fn texts<T: relay_runtime::Element + ToString>(tensor: &Tensor) -> Vec<String> {
        let all = tensor.as_slice::<T>().unwrap_or_default().iter();
        all.take(PRINTED + 1).map(T::to_string).collect()
    }
    match tensor.dtype() {
        DType::Bool => {
            let bytes = tensor.bytes().iter().take(PRINTED + 1);
            bytes.map(|byte| (*byte != 0).to_string()).collect()
        }
        DType::I8 => texts::<i8>(tensor),
        DType::I16 => texts::<i16>(tensor),
        DType::I32 => texts::<i32>(tensor),
        DType::I64 => texts::<i64>(tensor),
        DType::U8 => texts::<u8>(tensor),
        DType::U16 => texts::<u16>(tensor),
        DType::U32 => texts::<u32>(tensor),
        DType::U64 => texts::<u64>(tensor),
        DType::F64 => texts::<f64>(tensor),
        DType::F16 => texts::<f16>(tensor),
        DType::BF16 => texts::<bf16>(tensor),
        DType::F32 => texts::<f32>(tensor),
        stored => {
            let bytes = tensor.bytes().iter().take(PRINTED + 1);
            bytes.map(|byte| stored_number(stored, *byte)).collect()
        }
    }
}

/// An element that is the low bits of a byte, as text.
fn stored_number(dtype: DType, byte: u8) -> String {
    let Some(element) = Element::parse(dtype.name()) else {
        return byte.to_string();
    };
    match element.minifloat() {
        Some(format) => format.decode(byte).to_string(),
        None => element.small_integer(byte).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor<T: relay_runtime::Element>(shape: &[i64], values: &[T]) -> Value {
        let tensor = Tensor::from_slice(shape, values);
        Value::Tensor(Rc::new(tensor.unwrap_or_else(|| panic!("no {shape:?}"))))
    }

    #[test]
    fn values_are_printed_as_programs_write_them() {
        let half = tensor(&[], &[f16::from_f32(1.5)]);
        let numbers = tensor(&[2, 2], &[1, 2, 3, 4_i32]);
        let none = tensor::<f32>(&[0], &[]);
        let many = tensor(&[17], &[0_i64; 17]);
        let pair = |fields: Vec<Value>| Value::Tuple(fields.into());
        let data = |constructor: &str, fields: Vec<Value>| {
            let (of, constructor) = ("List".into(), constructor.into());
            Value::Data(Rc::new(Data {
                of,
                constructor,
                fields,
            }))
        };
        let list = data("Cons", vec![half, data("Nil", vec![])]);
        assert_eq!(pair(vec![list]).to_string(), "(Cons(1.5, Nil),)");
        let both = pair(vec![numbers, none]);
        assert_eq!(
            both.to_string(),
            "(tensor<2x2xi32>[1, 2, 3, 4], tensor<0xf32>[])"
        );
        assert_eq!(pair(vec![]).to_string(), "()");
        assert!(many.to_string().ends_with("0, ...]"), "{many}");
    }

    #[test]
    fn long_lists_are_printed_and_dropped() {
        let mut list = tensor(&[], &[true as u8]);
        for _ in 0..1_000_000 {
            let (of, constructor) = ("List".into(), "More".into());
            let fields = vec![list];
            list = Value::Data(Rc::new(Data {
                of,
                constructor,
                fields,
            }));
        }
        assert_eq!(list.to_string().len(), 1 + 6 * 1_000_000);
    }
}
