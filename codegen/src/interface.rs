//! What a library needs to know of a lowered module beside its code.

use crate::weights::Weights;
use relay_dialects::ir::Type;

/// On a kernel: it may be called with an output in the place of an input.
pub(crate) const IN_PLACE: &str = "tir.in_place";

/// On a function: it runs a range of a parallel loop's iterations.
pub(crate) const PARALLEL_BODY: &str = "tir.parallel_body";

/// A tensor that the caller hands over.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name in the model.
    pub name: String,
    /// Its type, a memref.
    pub ty: Type,
}

/// What the library needs to know of a module beside its code.
#[derive(Debug)]
pub struct Interface {
    /// The inputs.
    pub inputs: Vec<Port>,
    /// The outputs.
    pub outputs: Vec<Port>,
    /// The bytes of the arena.
    pub arena_bytes: u64,
    /// All constants.
    pub weights: Weights,
    /// Functions that run a range of a parallel loop's iterations.
    pub parallel_bodies: Vec<String>,
    /// Functions whose pointer arguments do not alias.
    pub kernels: Vec<String>,
    /// The calls of kernels in order.
    pub nodes: Vec<Node>,
    /// Whether kernels multiply tiles.
    pub tiles: bool,
}

/// A call of a kernel.
#[derive(Clone, Debug)]
pub struct Node {
    /// The nodes of the model that it computes.
    pub name: String,
    /// The kernel.
    pub kernel: String,
    /// The symbol of the kernel's function.
    pub symbol: String,
    /// The floating-point operations that it takes.
    pub flops: u64,
}
