//! Every discardable attribute: what one pass leaves for another on an op that is not of our own dialects, or that
//! any op may carry. There are these and no others; `cargo xtask tidy` finds what is not declared.

/// An attribute that passes leave for each other.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Its name, with the dialect that it belongs to.
    pub name: &'static str,
    /// What it holds.
    pub holds: Holds,
    /// Where it stands, and what it says.
    pub meaning: &'static str,
}

/// What an attribute holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// Nothing but that it is there.
    Unit,
    /// An `i64`.
    Int,
    /// An `f64`.
    Float,
    /// An `array<i64>`.
    Ints,
    /// A string.
    Text,
    /// An array of strings.
    Texts,
    /// A type.
    Type,
    /// A kind of kernel.
    Kernel,
    /// A dictionary of anything.
    Dictionary,
    /// An array of arrays.
    Lists,
    /// An `i64`, or the text of a form of symbols.
    Dim,
    /// An array of such dimensions.
    Dims,
    /// A device, as text.
    Device,
    /// An array of devices, as texts.
    Devices,
}

impl Holds {
    /// How messages and pages call it.
    pub fn text(self) -> &'static str {
        match self {
            Self::Unit => "unit",
            Self::Int => "i64",
            Self::Float => "f64",
            Self::Ints => "array<i64>",
            Self::Text => "string",
            Self::Texts => "array of strings",
            Self::Type => "type",
            Self::Kernel => "#tir.kernel",
            Self::Dictionary => "dictionary",
            Self::Lists => "array of arrays",
            Self::Dim => "i64 or form of symbols",
            Self::Dims => "array of dimensions",
            Self::Device => "device",
            Self::Devices => "array of devices",
        }
    }
}

macro_rules! declare {
    ($($(#[doc = $doc:literal])* $constant:ident: $holds:ident = $name:literal;)*) => {
        $($(#[doc = $doc])* pub const $constant: &str = $name;)*

        /// All of them, in alphabetical order.
        pub const ALL: &[Declared] = &[$(Declared {
            name: $name,
            holds: Holds::$holds,
            meaning: concat!($($doc),*),
        }),*];
    };
}

/// On a function that was made of a rule's match: the rule's name. It is called as in TVM, and a verifier sees those of our
/// dialects only.
pub const COMPOSITE: &str = "Composite";
/// On a function that was made of a match: the operators in it. It is called as in TVM.
pub const PARTITIONED: &str = "PartitionedFromPattern";

/// On a function for an external code generator: the symbol that its code defines. It is called as in TVM.
pub const GLOBAL_SYMBOL: &str = "global_symbol";
/// What a `relay.fn` may have beside its own attributes: those that are called as in TVM, and are of no dialect.
pub const OF_CLOSURES: [&str; 3] = [COMPOSITE, PARTITIONED, GLOBAL_SYMBOL];

declare! {
    /// On the entry: the bytes of the arena, its last parameter, which may be a form of the module's symbols. `plan-memory`
    /// leaves it for codegen.
    ARENA_BYTES: Dim = "relay.arena_bytes";
    /// On a call that gives a negative number where the graph must not go on. `aot-lower-main` leaves it for `skip-after-errors`.
    CHECKS: Unit = "relay.checks";
    /// On a module, or on a function that is a value: what it holds is for the external code generator of this name.
    /// `partition-graph` leaves it for the driver, and others for `outline-compiler-functions-with-existing-global-symbols`.
    COMPILER: Text = "relay.compiler";
    /// On a module: pairs of forms of symbols that must be equal when the model runs, each with the node that needs it.
    /// `equate-dims` leaves it for the interface.
    CONDITIONS: Lists = "relay.conditions";
    /// On a parameter of a function for an external code generator: a constant is passed in every call, the same one.
    /// `partition-graph` leaves it for the code generator, which may rearrange the constant once.
    CONSTANT_PARAMETER: Unit = "relay.constant_parameter";
    /// On a function that checks the value of a symbol: the nodes of the model that compute the value. `aot-lower-main` leaves
    /// it for the interface.
    DEFINED_BY: Text = "relay.defined_by";
    /// On a function that checks the value of a symbol, and on its calls: the symbol. `aot-lower-main` leaves it for `plan-memory`,
    /// `skip-after-errors` and the interface.
    DEFINES: Text = "relay.defines";
    /// On a parameter of a kernel or of the entry: the dimensions of the tensor in this buffer, of which some are open.
    /// `lower-te` and `aot-lower-main` leave it for `bare-buffers` and the interface.
    DIMS: Dims = "relay.dims";
    /// On an input of the entry: the number of the output that may lie in its memory. `donate-caches`, or the author of a module,
    /// leaves it for `aot-lower-main` and the interface.
    DONATED: Int = "relay.donated";
    /// On a parameter of a kernel or of the entry whose integers were unsigned before `erase-signs`: their element type
    /// in the model. It leaves it for the interface.
    ELEMENT: Type = "relay.element";
    /// On a function of operators: what it computes, as a number of 64 bits; its own name does not count. `label-ops`
    /// leaves it for people and tuners.
    HASH: Text = "relay.hash";
    /// On a function: its body takes the place of every call of it. A front end leaves it for `relay-inline`.
    INLINE: Unit = "relay.inline";
    /// On a function: the bytes of its parameters and results. `annotate-used-memory` leaves it for people and tools.
    IO_USED_MEMORY: Int = "relay.io_used_memory";
    /// On the entry: for each symbol that the graph computes, the bytes of the arena for buffers that need its value, which may be
    /// a form of symbols. `plan-memory` leaves it for codegen.
    LATER_ARENAS: Dims = "relay.later_arenas";
    /// On a module: the target, and all that passes know of its machine, by name. `attach-target` leaves it for the passes that
    /// choose layouts and schedules.
    MACHINE: Dictionary = "relay.machine";
    /// On a parameter or result of the entry: its name in the model. An importer leaves it for the interface.
    NAME: Text = "relay.name";
    /// On the entry: how many of its parameters are inputs; outputs follow them. `aot-lower-main` leaves it
    /// for `plan-memory` and codegen.
    NUM_INPUTS: Int = "relay.num_inputs";
    /// On a `relay.fn`: the devices on which its parameters lie. `plan-devices` goes by it, and leaves it for people and itself.
    PARAM_DEVICES: Devices = "relay.param_devices";
    /// On a function of operators: it becomes one kernel. `fuse-ops` leaves it for `relay-to-te`.
    PRIMITIVE: Unit = "relay.primitive";
    /// On an operator, or a call of a composite: the region of its target that it belongs to, by number.
    /// `merge-compiler-regions` leaves it for `partition-graph`.
    REGION: Int = "relay.region";
    /// On a parameter of the entry that is flattened: its shape in the model. `aot-lower-main` leaves it
    /// for the interface.
    SHAPE: Ints = "relay.shape";
    /// On an external kernel: the symbol that its code defines. The driver and `mark-compiler-functions-as-extern` leave it
    /// for codegen.
    SYMBOL: Text = "relay.symbol";
    /// On a module: the symbols of open dimensions by name, with the least and the greatest size, what all sizes are multiples
    /// of, and the size that is planned for. An importer leaves it for the passes that choose schedules, and for the interface.
    SYMBOLS: Dictionary = "relay.symbols";
    /// On an operator, or a call of a composite: the external code generator that writes its code. `annotate-target` leaves
    /// it for `merge-compiler-regions` and `partition-graph`.
    TARGET: Text = "relay.target";
    /// On a function, or a `relay.fn`: the names of its type parameters, for which any types may stand. `infer-type` finds
    /// the types at each use.
    TYPE_PARAMS: Texts = "relay.type_params";
    /// On a function of operators: the bytes that are in use while it runs, of each of its calls in textual order.
    /// `annotate-used-memory` leaves it for people and tools.
    USED_MEMORY: Ints = "relay.used_memory";
    /// On a function: the device on which its result lies; on a parameter of a function of the module: that on which the
    /// parameter does. `plan-devices` goes by it, and leaves it for people and itself.
    VIRTUAL_DEVICE: Device = "relay.virtual_device";
    /// On a function: the attributes that Relay's text gives it and that nobody here knows, by their names. A front end leaves
    /// them for the printer.
    WRITTEN: Dictionary = "relay.written";
    /// On a `te.compute`: how many units a block of a packed weight holds. An expression leaves it for its
    /// schedule.
    BLOCK: Int = "te.block";
    /// On a primitive of a schedule: the `te.knob` whose number it takes. People write it, and `te-apply-knobs` takes it away.
    BY: Text = "te.by";
    /// On a function of tensor expressions: how many schedules there were to choose from. `relay-to-te` leaves it
    /// for people and tuners.
    CANDIDATES: Int = "te.candidates";
    /// On a `te.compute`: the groups of a convolution. An expression leaves it for its schedule.
    GROUPS: Int = "te.groups";
    /// On a function of tensor expressions: what was chosen for the stages that take most of its time.
    /// `relay-to-te` leaves it for people and tuners.
    KNOBS: Text = "te.knobs";
    /// On a function of tensor expressions: the cycles that one core is expected to take with its schedule.
    /// `relay-to-te` leaves it for `relayc bench --explain`.
    PREDICTED_CYCLES: Float = "te.predicted_cycles";
    /// On a function of tensor expressions: the key of the record whose schedule it has. `relay-to-te` leaves it for the
    /// driver and for people.
    RECORD: Text = "te.record";
    /// On a function of tensor expressions: the state of a space of sketches that its schedule is, in JSON.
    /// `te-auto-schedule` leaves it for people and tuners.
    STATE: Text = "te.state";
    /// On a `te.compute`: the strides of a convolution, and then its dilation. An expression leaves it
    /// for its schedule.
    STEPS: Ints = "te.steps";
    /// On a `te.compute`: the rows and columns of one of Winograd's tiles. An expression leaves it for its schedule.
    WINOGRAD_TILE: Ints = "te.winograd_tile";
    /// On a loop: loops inside are unrolled up to so many steps. The pragma of that name leaves it for
    /// `unroll-loop`.
    AUTO_UNROLL_MAX_STEP: Int = "tir.auto_unroll_max_step";
    /// On a function: it is what one thread of a grid does. `outline-grids` leaves it for the passes behind it and codegen.
    DEVICE_FUNCTION: Unit = "tir.device_function";
    /// On a kernel: its operations on floats. `lower-te` leaves it for profiles, and the driver, on an external one.
    FLOPS: Int = "tir.flops";
    /// On a kernel, and on a function of a parallel loop: those of its parameters that may lie in one place, an output in that of an input.
    /// `plan-memory` leaves it for `outline-parallel` and codegen.
    IN_PLACE: Ints = "tir.in_place";
    /// On a function: it is a kernel, and of which kind, or a function of operators that needs none. `fuse-ops` leaves
    /// it for `relay-to-te` and executors, `lower-te` for `plan-memory` and codegen.
    KERNEL: Kernel = "tir.kernel";
    /// On a loop: it is partitioned even where that makes code longer. The pragma of that name leaves it for
    /// `loop-partition`.
    LOOP_PARTITION_HINT: Int = "tir.loop_partition_hint";
    /// On a function: it computes a range of a parallel loop's iterations. `outline-parallel` leaves it for
    /// `plan-workspace` and codegen.
    PARALLEL_BODY: Unit = "tir.parallel_body";
    /// On a function of one thread of a grid: the bytes of memory that the threads of a block share. `place-shared` leaves it for codegen.
    SHARED_BYTES: Int = "tir.shared_bytes";
    /// On a kernel, a function of its loop or the entry: the symbols whose values its parameters of type `index` are, in this
    /// order; an empty name stands for another number. `lower-te`, `aot-lower-main`, `outline-parallel` and `outline-grids` leave it for
    /// `bare-buffers`, `plan-memory`, `plan-workspace` and the interface.
    SYMBOL_VALUES: Texts = "tir.symbols";
    /// On a loop: unrolled loops become a list of statements before LLVM sees them. The pragma of that name
    /// leaves it for `unroll-loop`.
    UNROLL_EXPLICIT: Int = "tir.unroll_explicit";
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn names_are_in_order_and_say_what_they_mean() {
        assert!(ALL.windows(2).all(|pair| pair[0].name < pair[1].name));
        assert!(
            ALL.iter()
                .all(|declared| declared.meaning.starts_with(" On "))
        );
    }
}
