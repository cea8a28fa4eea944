//! The names of Python's that a pickle may have: nothing else is looked up, and none of them is called as Python would.

use super::element::{of_storage, static_name};
use crate::graph::error::Result;
use std::rc::Rc;

/// The names that a pickle may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Global {
    /// A class of TorchScript, by its whole name.
    Class(Rc<str>),
    /// A function of TorchScript that returns its first argument: a list, or a value of a type.
    Same,
    /// A class of devices.
    Device,
    /// A class of dictionaries.
    OrderedDict,
    /// A class of storages, by the name of its element type.
    Storage(&'static str),
    /// Storages whose element type the tensors say.
    UntypedStorage,
    /// An element type, by its name.
    DataType(&'static str),
    /// What makes a tensor of a typed storage.
    Rebuild,
    /// What makes a tensor of an untyped storage and an element type.
    RebuildTyped,
    /// What makes a parameter of a tensor.
    RebuildParameter,
    /// What makes a quantised tensor.
    RebuildQuantized,
    /// A tensor is quantised in one step.
    PerTensor,
    /// A tensor is quantised in a step for each subscript of an axis.
    PerChannel,
}

/// A name of Python's.
///
/// # Errors
/// If it is not allowed.
pub fn global(module: &str, name: &str) -> Result<Global> {
    let not_allowed = || format!("it names {module}.{name}, which is not allowed");
    match (module, name) {
        ("collections", "OrderedDict") => Ok(Global::OrderedDict),
        ("torch.storage", "UntypedStorage") => Ok(Global::UntypedStorage),
        ("torch._utils", "_rebuild_tensor_v2") => Ok(Global::Rebuild),
        ("torch._utils", "_rebuild_tensor_v3") => Ok(Global::RebuildTyped),
        ("torch._utils", "_rebuild_parameter") => Ok(Global::RebuildParameter),
        ("torch._utils", "_rebuild_qtensor") => Ok(Global::RebuildQuantized),
        ("torch", "per_tensor_affine") => Ok(Global::PerTensor),
        ("torch", "per_channel_affine") => Ok(Global::PerChannel),
        ("torch.jit._pickle", "restore_type_tag" | "build_intlist" | "build_doublelist")
        | ("torch.jit._pickle", "build_boollist" | "build_tensorlist") => Ok(Global::Same),
        ("torch", "device") => Ok(Global::Device),
        ("torch", class) => {
            let storage = of_storage(class).map(Global::Storage);
            let types = || static_name(class).map(Global::DataType);
            storage.or_else(types).ok_or_else(not_allowed)
        }
        _ => Err(not_allowed()),
    }
}
