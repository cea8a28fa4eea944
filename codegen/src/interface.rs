//! What a library needs to know of a lowered module beside its code.

use crate::{image::Image, weights::Weights};
use relay_dialects::{
    Element,
    dim::Dim,
    ir::{Op, Type},
    symbols::{Condition, Symbol},
    tir::{self, KernelKind},
};
use relay_runtime::{DType, program::Program};

/// On a function: it runs a range of a parallel loop's iterations.
pub(crate) const PARALLEL_BODY: &str = relay_dialects::attrs::PARALLEL_BODY;

/// A tensor that the caller hands over.
#[derive(Clone, Debug)]
pub struct Port {
    /// Its name in the model.
    pub name: String,
    /// The type of its elements.
    pub element: Type,
    /// Its dimensions: numbers, and forms of the symbols.
    pub dims: Vec<Dim>,
    /// Of an input, the number of the output that may lie in its memory.
    pub donated: Option<usize>,
}

impl Port {
    /// The dimensions, if all are numbers.
    pub fn shape(&self) -> Option<Vec<i64>> {
        self.dims.iter().map(|dim| dim.known()).collect()
    }
}

/// A symbol, and where its value comes from.
#[derive(Clone, Debug)]
pub struct OpenSymbol {
    /// The symbol.
    pub symbol: Symbol,
    /// Where its value comes from.
    pub source: Source,
}

/// Where the value of a symbol comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A dimension of an input is the symbol.
    Dimension {
        /// The number of the input.
        input: usize,
        /// The dimension.
        dimension: usize,
    },
    /// The graph computes it.
    Computed {
        /// The nodes of the model that do so.
        nodes: String,
    },
}

impl Interface {
    /// The bytes of the arena, and of those that the entry takes later.
    pub fn arenas(&self) -> Vec<Dim> {
        [&[self.arena], &self.later_arenas[..]].concat()
    }

    /// How many symbols the entry takes the values of. It computes the others.
    pub fn given_symbols(&self) -> usize {
        let given = self.symbols.iter().filter(|open| !open.is_computed());
        given.count()
    }
}

impl OpenSymbol {
    /// Whether the graph computes its value.
    pub fn is_computed(&self) -> bool {
        matches!(self.source, Source::Computed { .. })
    }
}

/// What the library needs to know of a module beside its code.
#[derive(Debug)]
pub struct Interface {
    /// The inputs.
    pub inputs: Vec<Port>,
    /// The outputs.
    pub outputs: Vec<Port>,
    /// The symbols, in the order in which the entry takes their values, and then those that it computes; none if all dimensions are
    /// numbers.
    pub symbols: Vec<OpenSymbol>,
    /// What must be equal when the library is prepared.
    pub conditions: Vec<Condition>,
    /// The bytes of the arena.
    pub arena: Dim,
    /// For each symbol that the entry computes the bytes of the arena for buffers that need its value.
    pub later_arenas: Vec<Dim>,
    /// All constants.
    pub weights: Weights,
    /// Functions that run a range of a parallel loop's iterations.
    pub parallel_bodies: Vec<String>,
    /// The kernels and their parallel loops.
    pub kernels: Vec<Kernel>,
    /// The calls of kernels in order.
    pub nodes: Vec<Node>,
    /// What a GPU runs of kernels that are compiled with the graph.
    pub images: Vec<Image>,
    /// Whether kernels multiply AMX tiles.
    pub uses_tiles: bool,
    /// The functions around the kernels, if they are a program and no graph.
    pub program: Option<Taken>,
}

/// What runs the functions of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Executor {
    /// Machine code, compiled ahead of time.
    #[default]
    Aot,
    /// The runtime's virtual machine. The library holds the program as bytecode.
    Vm,
}

impl Executor {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Aot, Self::Vm];

    /// Its name, for options of tools.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aot => "aot",
            Self::Vm => "vm",
        }
    }
}

/// What a module held beside its kernels.
#[derive(Debug)]
pub struct Taken {
    /// Its functions.
    pub program: Program,
    /// What runs them.
    pub executor: Executor,
    /// The symbols of the program's kernels, in order.
    pub symbols: Vec<String>,
    /// The floating-point operations of each.
    pub flops: Vec<u64>,
    /// What the entry takes.
    pub inputs: Vec<Port>,
    /// What it gives.
    pub outputs: Vec<Port>,
    /// The constants.
    pub weights: Weights,
}

/// A function of a kernel, or of a parallel loop of one.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name.
    pub name: String,
    /// The numbers of those of its parameters that may lie in one place; see [`tir::in_place`].
    pub in_place: Vec<usize>,
}

impl Kernel {
    /// All of them among some functions.
    pub(crate) fn all(functions: &[Op]) -> Vec<Self> {
        let is_kernel =
            |func: &&Op| KernelKind::Generated.is_of(**func) || func.has_attr(PARALLEL_BODY);
        let kernel = |func: &Op| {
            Some(Self {
                name: func.symbol()?,
                in_place: tir::in_place(*func),
            })
        };
        functions
            .iter()
            .filter(is_kernel)
            .filter_map(kernel)
            .collect()
    }
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

/// The runtime's element type for ours. The runtime knows nothing of the compiler: the two meet here.
pub fn dtype(element: Element) -> DType {
    DType::parse(element.name()).expect("the runtime has every element type, as a test sees to")
}

/// Our element type for the runtime's.
pub fn element(dtype: DType) -> Element {
    Element::parse(dtype.name()).expect("every type of the runtime's is one, as a test sees to")
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_runtime::dlpack::DLDataType;

    #[test]
    fn compiler_and_runtime_mean_the_same() {
        for known in Element::ALL {
            let dtype = dtype(known);
            assert_eq!(element(dtype), known);
            assert_eq!((dtype.name(), dtype.size()), (known.name(), known.bytes()));
            let DLDataType { code, bits, lanes } = dtype.into();
            assert_eq!(((code, bits), lanes), (known.dlpack(), 1));
        }
        assert_eq!(DType::all().count(), Element::ALL.len());
    }
}
