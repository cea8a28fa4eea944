//! Every discardable attribute: what one pass leaves for another on an op that is not of our own dialects, or that
//! any op may carry. There are these and no others; `cargo xtask tidy` finds what is not declared.

/// An attribute that passes leave for each other.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Its name, with the dialect that it belongs to.
    pub name: &'static str,
    /// Where it stands, of which type, and what it says.
    pub meaning: &'static str,
}

macro_rules! declare {
    ($($(#[doc = $doc:literal])* $constant:ident = $name:literal;)*) => {
        $($(#[doc = $doc])* pub const $constant: &str = $name;)*

        /// All of them, in alphabetical order.
        pub const ALL: &[Declared] = &[$(Declared {
            name: $name,
            meaning: concat!($($doc),*),
        }),*];
    };
}

declare! {
    /// On the entry: the bytes of the arena, its last parameter (`i64`). `plan-memory` leaves it for codegen.
    ARENA_BYTES = "relay.arena_bytes";
    /// On a parameter of a kernel or of the entry whose integers were unsigned before `erase-signs`: their element type
    /// in the model. It leaves it for the interface.
    ELEMENT = "relay.element";
    /// On a parameter or result of the entry: its name in the model. An importer leaves it for the interface.
    NAME = "relay.name";
    /// On the entry: how many of its parameters are inputs (`i64`); outputs follow them. `aot-lower-main` leaves it
    /// for `plan-memory` and codegen.
    NUM_INPUTS = "relay.num_inputs";
    /// On a function of operators: it becomes one kernel (unit). `fuse-ops` leaves it for `relay-to-te`.
    PRIMITIVE = "relay.primitive";
    /// On a primitive function: its result has the bytes of its operand, so that it becomes a view and no kernel
    /// (unit). `fuse-ops` leaves it for `aot-lower-main`.
    RESHAPE_ONLY = "relay.reshape_only";
    /// On a parameter of the entry that is flattened: its shape in the model (`array<i64>`). `aot-lower-main` leaves it
    /// for the interface.
    SHAPE = "relay.shape";
    /// On a `te.compute`: how many units a block of a packed weight holds (`i64`). An expression leaves it for its
    /// schedule.
    BLOCK = "te.block";
    /// On a function of tensor expressions: how many schedules there were to choose from (`i64`). `relay-to-te` leaves it
    /// for people and tuners.
    CANDIDATES = "te.candidates";
    /// On a `te.compute`: the groups of a convolution (`i64`). An expression leaves it for its schedule.
    GROUPS = "te.groups";
    /// On a function of tensor expressions: what was chosen for the stages that take most of its time (string).
    /// `relay-to-te` leaves it for people and tuners.
    KNOBS = "te.knobs";
    /// On a function of tensor expressions: the cycles that one core is expected to take with its schedule (`f64`).
    /// `relay-to-te` leaves it for `relayc bench --explain`.
    PREDICTED_CYCLES = "te.predicted_cycles";
    /// On a `te.compute`: the strides of a convolution, and then its dilation (`array<i64>`). An expression leaves it
    /// for its schedule.
    STEPS = "te.steps";
    /// On a loop: loops inside are unrolled up to so many steps (`i64`). The pragma of that name leaves it for
    /// `unroll-loop`.
    AUTO_UNROLL_MAX_STEP = "tir.auto_unroll_max_step";
    /// On a kernel: its operations on floats (`i64`). `lower-te` leaves it for profiles.
    FLOPS = "tir.flops";
    /// On a kernel: its parameters may overlap (unit). `plan-memory` leaves it for codegen.
    IN_PLACE = "tir.in_place";
    /// On a function: it is a kernel (unit). `lower-te` leaves it for `plan-memory` and codegen.
    KERNEL = "tir.kernel";
    /// On a loop: it is partitioned even where that makes code longer (unit). The pragma of that name leaves it for
    /// `loop-partition`.
    LOOP_PARTITION_HINT = "tir.loop_partition_hint";
    /// On a function: it computes a range of a parallel loop's iterations (unit). `lower-tir` leaves it for codegen.
    PARALLEL_BODY = "tir.parallel_body";
    /// On a loop: unrolled loops become a list of statements before LLVM sees them (unit). The pragma of that name
    /// leaves it for `unroll-loop`.
    UNROLL_EXPLICIT = "tir.unroll_explicit";
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
