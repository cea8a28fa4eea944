//! Attributes of nodes.

use super::{
    element::{element, part},
    proto::{Attr, List, Shape, Tensor, Value},
};
use crate::graph::error::Result;
use relay_dialects::{element::Element, relay::ops::window::LARGEST};
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
    rc::Rc,
};

/// Attributes that say nothing of what is computed: the types and numbers of inputs, which these say themselves, and how and where
/// a node runs.
const NEEDLESS: &[&str] = &[
    "Index",
    "N",
    "T",
    "T1",
    "T2",
    "TI",
    "Tarr",
    "Targmax",
    "Taxis",
    "Tb",
    "Tblock_shape",
    "Tcond",
    "Tcrops",
    "Tdim",
    "Tdense",
    "Tidx",
    "Tin",
    "Tindex",
    "Tindices",
    "Tk",
    "Tlabel",
    "Tlen",
    "Tmultiples",
    "Tnumsegments",
    "Tout",
    "Tpaddings",
    "Tparams",
    "Tperm",
    "Tsegmentids",
    "Tshift",
    "Tshape",
    "Tsplits",
    "Tx",
    "Ty",
    "U",
    "T_threshold",
    "Tcomplex",
    "Treal",
    "bad_indices_policy",
    "config",
    "config_proto",
    "container",
    "debug_name",
    "executor_type",
    "grad_a",
    "grad_b",
    "grad_x",
    "grad_y",
    "is_constant",
    "output_shapes",
    "parallel_iterations",
    "stateful",
    "use_cudnn_on_gpu",
    "validate_indices",
];

/// The attributes of a node, and which of them were read. Copies note together what was read.
#[derive(Clone)]
pub struct Attrs<'m> {
    given: &'m BTreeMap<String, Attr>,
    read: Rc<RefCell<HashSet<&'m str>>>,
}

/// Readers of one kind of attribute.
macro_rules! readers {
    ($($(#[$doc:meta])* $name:ident: $ty:ty, $what:literal, $pattern:pat => $result:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Errors
        /// If it is of another kind.
        pub fn $name(&self, name: &str) -> Result<Option<$ty>> {
            match self.value(name) {
                None => Ok(None),
                Some($pattern) => Ok(Some($result)),
                Some(_) => Err(format!(concat!("attribute '{}' is no ", $what), name)),
            }
        }
    )*};
}

impl<'m> Attrs<'m> {
    /// Those of a node.
    pub fn new(given: &'m BTreeMap<String, Attr>) -> Self {
        Self {
            given,
            read: Rc::default(),
        }
    }

    fn value(&self, name: &str) -> Option<&'m Value> {
        let (name, attr) = self.given.get_key_value(name)?;
        self.read.borrow_mut().insert(name);
        attr.value.as_ref()
    }

    readers! {
        /// An integer.
        optional_int: i64, "integer", Value::I(number) => *number;
        /// A float.
        optional_float: f64, "float", Value::F(number) => f64::from(*number);
        /// Whether something holds.
        optional_flag: bool, "boolean", Value::B(flag) => *flag;
        /// The number of an element type.
        ty: i32, "type", Value::Type(number) => *number;
        /// A shape.
        shape: &'m Shape, "shape", Value::Shape(shape) => shape;
        /// A tensor.
        tensor: &'m Tensor, "tensor", Value::Tensor(tensor) => tensor;
        /// The name of a function.
        function: &'m str, "function", Value::Func(function) => function.name.as_str();
        /// A list.
        list: &'m List, "list", Value::List(list) => list;
        /// A text.
        text: &'m [u8], "text", Value::S(text) => text.as_ref();
    }

    /// An integer, or what it is by default.
    pub fn int(&self, name: &str, default: i64) -> Result<i64> {
        Ok(self.optional_int(name)?.unwrap_or(default))
    }

    /// A whole number from 1 on, or what it is by default.
    pub fn positive(&self, name: &str, default: i64) -> Result<i64> {
        let number = self.int(name, default)?;
        match (1..=LARGEST).contains(&number) {
            true => Ok(number),
            false => Err(format!(
                "attribute '{name}' is {number}, which is out of range"
            )),
        }
    }

    /// A float, or what it is by default.
    pub fn float(&self, name: &str, default: f64) -> Result<f64> {
        Ok(self.optional_float(name)?.unwrap_or(default))
    }

    /// Whether something holds, or whether it does by default.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        Ok(self.optional_flag(name)?.unwrap_or(default))
    }

    /// A text, or what it is by default.
    pub fn text_or(&self, name: &str, default: &'m str) -> Result<&'m str> {
        match self.text(name)? {
            None => Ok(default),
            Some(text) => {
                std::str::from_utf8(text).map_err(|_| format!("attribute '{name}' is no text"))
            }
        }
    }

    /// A list of integers; an empty one if it is not given.
    pub fn ints(&self, name: &str) -> Result<&'m [i64]> {
        Ok(self.list(name)?.map_or(&[], |list| &list.i))
    }

    /// An element type, or what it is by default.
    pub fn element(&self, name: &str, default: Element) -> Result<Element> {
        // What is asked for complex numbers is written for each of their parts.
        self.ty(name)?
            .map_or(Ok(default), |ty| part(ty).map_or_else(|| element(ty), Ok))
    }

    /// A function that has to be there.
    pub fn required_function(&self, name: &str) -> Result<&'m str> {
        let missing = || format!("attribute '{name}' is missing");
        self.function(name)?.ok_or_else(missing)
    }

    /// Notes that attributes change nothing here.
    pub fn ignore(&self, names: &[&str]) {
        for name in names {
            self.value(name);
        }
    }

    /// Fails if there are attributes that nothing has read.
    pub fn check(&self) -> Result<()> {
        let read = self.read.borrow();
        let mut names = self.given.keys().map(String::as_str);
        let unread = names.find(|name| {
            !read.contains(name) && !name.starts_with('_') && !NEEDLESS.contains(name)
        });
        match unread {
            Some(name) => Err(format!("attribute '{name}' is not supported")),
            None => Ok(()),
        }
    }
}
