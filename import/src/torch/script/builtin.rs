//! Operators on numbers, texts, lists and what is known of tensors: they write nothing.

use super::{
    eval::{Evaluator, items_of},
    operator::{Arguments, scalar_type, script_type},
    value::{Val, are_equal},
};
use crate::{
    graph::{
        constant::{Const, Numbers},
        error::Result,
    },
    torch::{
        element,
        item::{Item, Number},
        promote::{DEFAULT, of_number, promoted},
    },
};
use relay_dialects::dim::{self, Dim};

impl<'g> Evaluator<'g, '_> {
    /// The result of an operator that writes nothing; none if it is another one.
    ///
    /// # Errors
    /// What is wrong with its arguments.
    pub fn builtin(&mut self, name: &str, arguments: &Arguments<'g>) -> Result<Option<Val<'g>>> {
        let Some(own) = own(name) else {
            return Ok(None);
        };
        let places = &arguments.places[..];
        if matches!((own, places), ("tensor" | "as_tensor" | "scalar_tensor", [value, ..]) if !value.is_tensor())
        {
            return self.tensor_of(arguments).map(Some);
        }
        if let Some(value) = self.of_tensor(own, places)? {
            return Ok(Some(value));
        }
        if let Some(value) = self.of_anything(own, places)? {
            return Ok(Some(value));
        }
        if places.iter().any(Val::is_tensor) {
            return Ok(None);
        }
        if let Some(value) = self.of_collection(own, places)? {
            return Ok(Some(value));
        }
        let is_number = |value: &Val<'g>| matches!(value, Val::Number(_));
        match !places.is_empty() && places.iter().all(is_number) && is_arithmetic(own) {
            true => self.arithmetic(own, places).map(Some),
            false => Ok(None),
        }
    }

    /// What is known of a tensor.
    fn of_tensor(&mut self, own: &str, places: &[Val<'g>]) -> Result<Option<Val<'g>>> {
        if places.is_empty() {
            return Ok(None);
        }
        let (x, is_complex) = match &places[0] {
            Val::Tensor(name) => match self.converter.find(name)? {
                // What is asked of shapes is the same for both parts.
                Item::Complex(numbers) => (numbers.real, true),
                _ => (self.value_of(&places[0])?, false),
            },
            _ => return Ok(None),
        };
        let size = |dim: Dim| match dim.known() {
            Some(number) => Val::int(number),
            None => Val::Number(Number::Computed(Item::Dim(dim))),
        };
        Ok(Some(match (own, places) {
            ("size" | "shape", [_]) => Val::list(x.dims().iter().copied().map(size).collect()),
            ("size", [_, Val::Number(Number::Int(axis))]) => size(x.dims()[x.axis(*axis)?]),
            ("dim" | "ndim" | "ndimension", [_]) => Val::int(x.rank() as i64),
            ("_shape_as_tensor", [_]) => {
                let sizes = self.b().sizes(x.dims());
                self.tensor(sizes)
            }
            ("numel", [_]) => size(dim::product(x.dims())?),
            ("len", [_]) => size(*x.dims().first().ok_or("a number has no length")?),
            ("dtype", [_]) => {
                let number = element::number_of(x.element());
                let number = match is_complex {
                    true => number.and_then(element::complex_of),
                    false => number,
                };
                let number = number.and_then(script_type);
                Val::int(number.ok_or("its element type has no number in PyTorch")?)
            }
            ("is_floating_point", [_]) => Val::bool(x.element().is_float() && !is_complex),
            ("is_complex", [_]) => Val::bool(is_complex),
            ("is_cuda" | "is_quantized" | "is_mkldnn" | "is_sparse", [_])
            | ("is_mps" | "is_xla" | "is_meta" | "is_nested" | "requires_grad", [_])
            | ("is_xpu" | "is_vulkan" | "is_ipu" | "is_maia", [_]) => Val::bool(false),
            ("is_contiguous" | "is_leaf", _) => Val::bool(true),
            ("device", [_]) => Val::Other("a device"),
            ("layout", [_]) => Val::int(0),
            ("data" | "requires_grad_", _) => places[0].clone(),
            ("Int" | "Float" | "Bool" | "int" | "float" | "bool" | "IntImplicit", [_])
            | ("FloatImplicit" | "ScalarImplicit" | "item", [_]) => {
                let ty = own.trim_end_matches("Implicit");
                if own == "item" {
                    return Ok(None);
                }
                self.scalar(&places[0], ty)?
            }
            ("tolist", _) => return Err("lists of a tensor's elements are not supported".into()),
            _ => return Ok(None),
        }))
    }

    /// What takes values of any kind.
    fn of_anything(&mut self, own: &str, places: &[Val<'g>]) -> Result<Option<Val<'g>>> {
        let raised = |places: &[Val<'g>]| match places.first() {
            Some(Val::Text(text)) => format!("the model raises an error for these shapes: {text}"),
            _ => "the model raises an error for these shapes".into(),
        };
        Ok(Some(match (own, places) {
            ("__is__", [lhs, rhs]) => Val::bool(matches!((lhs, rhs), (Val::None, Val::None))),
            ("__isnot__", [lhs, rhs]) => Val::bool(!matches!((lhs, rhs), (Val::None, Val::None))),
            ("RaiseException", places) => return Err(raised(places)),
            ("unchecked_unwrap_optional" | "_unwrap_optional", [Val::None]) => {
                return Err("it needs a value, which is None".into());
            }
            ("unchecked_unwrap_optional" | "_unwrap_optional", [value]) => value.clone(),
            ("warn" | "print" | "Print" | "manual_seed" | "is_grad_enabled", _)
            | ("_assert" | "_assert_async" | "set_grad_enabled", _)
            | ("_record_function_enter" | "_record_function_enter_new", _)
            | ("_record_function_exit", _) => Val::bool(false),
            ("is_scripting" | "is_autocast_enabled" | "is_tracing", _) => {
                Val::bool(own == "is_scripting")
            }
            ("device", _) if !places.first().is_some_and(Val::is_tensor) => Val::Other("a device"),
            ("NumToTensor", [Val::Number(number)]) => {
                let element = crate::torch::promote::of_number(number);
                let value = number.cast(self.b(), element)?;
                self.tensor(value)
            }
            ("append", [Val::List(items), item]) => {
                self.check_unguarded()?;
                items.borrow_mut().push(item.clone());
                places[0].clone()
            }
            ("list", [value]) if !value.is_tensor() => Val::list(items_of(value)?),
            ("_set_item", [of, key, value]) => {
                self.set_item(of, key, value.clone())?;
                of.clone()
            }
            ("insert", [Val::List(items), Val::Number(Number::Int(at)), item]) => {
                self.check_unguarded()?;
                let length = items.borrow().len() as i64;
                let at = if *at < 0 { at + length } else { *at }.clamp(0, length);
                items.borrow_mut().insert(at as usize, item.clone());
                Val::None
            }
            ("__contains__", [Val::List(items), item]) if !item.is_tensor() => {
                let found = contains(&items.borrow(), item)?;
                Val::bool(found)
            }
            ("__contains__", [Val::Dict(items), item]) => {
                let keys: Vec<Val<'g>> =
                    items.borrow().iter().map(|(key, _)| key.clone()).collect();
                Val::bool(contains(&keys, item)?)
            }
            ("get", [Val::Dict(_), key, rest @ ..]) => match self.item(&places[0], key) {
                Ok(value) => value,
                Err(_) => rest.first().cloned().unwrap_or(Val::None),
            },
            _ => return Ok(None),
        }))
    }

    /// A tensor of a number, or of lists of numbers.
    fn tensor_of(&mut self, arguments: &Arguments<'g>) -> Result<Val<'g>> {
        let mut numbers = Vec::new();
        let mut shape = Vec::new();
        flatten(&arguments.places[0], 0, &mut shape, &mut numbers)?;
        let mut elements = numbers.iter().map(of_number);
        let first = elements.next().unwrap_or(DEFAULT);
        let own = elements.fold(first, promoted);
        let mut named = arguments.named.iter();
        let element = match named.find(|(name, _)| *name == "dtype") {
            Some((_, Val::Number(Number::Int(number)))) => {
                element::of_number(scalar_type(*number))?
            }
            _ => own,
        };
        let known: Option<Vec<f64>> = numbers.iter().map(Number::known).collect();
        let ints: Option<Vec<i64>> = numbers
            .iter()
            .map(|number| match number {
                Number::Int(number) => Some(*number),
                _ => None,
            })
            .collect();
        let value = match (ints, known) {
            (Some(ints), _) => self
                .b()
                .known(Const::new(element, shape, &Numbers::ints(&ints))),
            (None, Some(floats)) => {
                self.b()
                    .known(Const::new(element, shape, &Numbers::Floats(floats)))
            }
            (None, None) => {
                let mut parts = Vec::new();
                for number in &numbers {
                    let part = number.cast(self.b(), element)?;
                    parts.push(self.b().reshape(&part, &[1])?);
                }
                let flat = self.b().concatenate(&parts, 0)?;
                self.b().reshape(&flat, &shape)?
            }
        };
        Ok(self.tensor(value))
    }

    /// Whether a value is true; none if data decide.
    ///
    /// # Errors
    /// If it is lost.
    pub fn truth(&mut self, value: &Val<'g>) -> Result<Option<bool>> {
        match value {
            Val::Number(number @ Number::Computed(_)) => {
                Ok(number.known().map(|number| number != 0.0))
            }
            Val::Number(number) => Ok(number.known().map(|number| number != 0.0)),
            Val::None => Ok(Some(false)),
            Val::Lost => Err(super::eval::LOST.into()),
            other => Err(format!("{} is no condition", other.kind())),
        }
    }

    /// Arithmetic on numbers.
    ///
    /// # Errors
    /// If it has no result.
    pub fn arithmetic(&mut self, own: &str, values: &[Val<'g>]) -> Result<Val<'g>> {
        let numbers: Option<Vec<&Number>> = values
            .iter()
            .map(|value| match value {
                Val::Number(number) => Some(number),
                _ => None,
            })
            .collect();
        let numbers = numbers.ok_or_else(|| format!("'{own}' takes numbers"))?;
        if !numbers
            .iter()
            .any(|number| matches!(number, Number::Computed(_)))
        {
            let result = super::number::compute(own, &numbers)?;
            return Ok(Val::Number(result));
        }
        let target = match own {
            "Int" | "int" => return self.scalar(&values[0], "int"),
            "Float" | "float" => return self.scalar(&values[0], "float"),
            "Bool" | "bool" => return self.scalar(&values[0], "bool"),
            "Scalar" => return Ok(values[0].clone()),
            "floor" | "ceil" | "sqrt" => format!("math.{own}"),
            "max" | "min" => format!("torch.sym_{own}"),
            "div" => "_operator.truediv".into(),
            "remainder" => "_operator.mod".into(),
            "__not__" => "torch.sym_not".into(),
            "__and__" => "_operator.and_".into(),
            "__or__" => "_operator.or_".into(),
            other => format!("_operator.{other}"),
        };
        self.operate(&target, values)
    }
}

/// The operators that write nothing, beside arithmetic, for some kinds of arguments or for all.
const NAMES: &[&str] = &[
    "FloatImplicit",
    "IntImplicit",
    "NumToTensor",
    "Print",
    "RaiseException",
    "ScalarImplicit",
    "__contains__",
    "__getitem__",
    "__is__",
    "__isnot__",
    "__range_length",
    "_assert",
    "_assert_async",
    "_record_function_enter",
    "_record_function_enter_new",
    "_record_function_exit",
    "_set_item",
    "_shape_as_tensor",
    "_unwrap_optional",
    "add_",
    "append",
    "as_tensor",
    "clear",
    "copy",
    "data",
    "device",
    "dict",
    "dim",
    "dtype",
    "enumerate",
    "extend",
    "format",
    "get",
    "insert",
    "is_autocast_enabled",
    "is_complex",
    "is_contiguous",
    "is_cuda",
    "is_floating_point",
    "is_grad_enabled",
    "is_ipu",
    "is_leaf",
    "is_maia",
    "is_meta",
    "is_mkldnn",
    "is_mps",
    "is_nested",
    "is_quantized",
    "is_scripting",
    "is_sparse",
    "is_tracing",
    "is_vulkan",
    "is_xla",
    "is_xpu",
    "items",
    "join",
    "keys",
    "layout",
    "len",
    "list",
    "manual_seed",
    "ndim",
    "ndimension",
    "numel",
    "percentFormat",
    "pop",
    "print",
    "range",
    "requires_grad",
    "requires_grad_",
    "reverse",
    "scalar_tensor",
    "set_grad_enabled",
    "shape",
    "size",
    "slice",
    "str",
    "sum",
    "tensor",
    "tolist",
    "unchecked_unwrap_optional",
    "values",
    "warn",
];

/// Whether an operator writes nothing for some kinds of arguments.
pub fn is_builtin(name: &str) -> bool {
    own(name).is_some()
}

/// The name of such an operator in its namespace.
fn own(name: &str) -> Option<&str> {
    let (namespace, own) = name.split_once("::")?;
    let is_known = NAMES.contains(&own) || is_arithmetic(own);
    (is_known && matches!(namespace, "aten" | "prim" | "profiler")).then_some(own)
}

fn is_arithmetic(own: &str) -> bool {
    super::number::NAMES.contains(&own)
}

/// The most numbers that lists may make a tensor of: lists in each other may be the same one.
const MOST_NUMBERS: usize = 1 << 22;

/// The numbers of lists in lists, and how many there are on each level.
fn flatten(
    value: &Val<'_>,
    depth: usize,
    shape: &mut Vec<i64>,
    numbers: &mut Vec<Number>,
) -> Result<()> {
    match value {
        Val::Number(_) if numbers.len() >= MOST_NUMBERS => Err(format!(
            "a tensor is made of more than {MOST_NUMBERS} numbers"
        )),
        Val::Number(number) if depth == shape.len() => {
            numbers.push(number.clone());
            Ok(())
        }
        Val::List(items) if depth < 16 => {
            let items = items.borrow();
            let length = items.len() as i64;
            if depth == shape.len() && numbers.is_empty() {
                shape.push(length);
            }
            if shape.get(depth) != Some(&length) {
                return Err("lists of a tensor have different lengths".into());
            }
            items
                .iter()
                .try_for_each(|item| flatten(item, depth + 1, shape, numbers))
        }
        other => Err(format!("a tensor is made of {}", other.kind())),
    }
}

fn contains<'g>(items: &[Val<'g>], item: &Val<'g>) -> Result<bool> {
    let mut unknown = false;
    for other in items {
        match are_equal(other, item) {
            Some(true) => return Ok(true),
            Some(false) => {}
            None => unknown = true,
        }
    }
    match unknown {
        true => Err("whether a list has an item depends on data".into()),
        false => Ok(false),
    }
}
