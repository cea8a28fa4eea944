//! Variants of a library: the same graph for several machines. Each has its own kernels and launches; all share the constants.

use crate::{
    CodegenError,
    launch::DeviceCode,
    writer::{Writer, parameter},
};
use inkwell::{
    IntPredicate,
    module::Linkage,
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, IntValue},
};
use relay_dialects::dim::Dim;

/// The parameter of a graph that is the instance.
const INSTANCE: u32 = 4;

/// The value that `relay_run_graph` returns where the machine can run none of the library's variants; the
/// runtime has a message for it.
const UNSUPPORTED: u64 = 64;

/// What the interface of several variants has to know of them.
#[derive(Clone, Debug)]
pub(crate) struct Variants {
    /// The number of the oldest one.
    pub(crate) number: i32,
    /// The numbers of the others.
    pub(crate) others: Vec<i32>,
    /// What chooses between them.
    pub(crate) choice: Choice,
    /// The largest arenas of all.
    pub(crate) arenas: Vec<Dim>,
    /// The targets of all.
    pub(crate) targets: String,
    /// What a GPU loads for each, if one runs the kernels.
    pub(crate) codes: Vec<DeviceCode>,
}

/// What chooses between the variants of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The processor: numbers are levels of its instructions, and the greatest one that it has is taken.
    Processor,
    /// The GPU: an instance chose the number when it opened its device.
    Gpu,
}

/// The symbol of the graph of a newer variant.
pub(crate) fn symbol(number: i32) -> String {
    format!("relay_run_graph_{number}")
}

/// A graph function that calls the newest variant that this machine can run.
pub(crate) fn dispatch<'c>(
    w: &Writer<'_, 'c>,
    oldest: FunctionValue<'c>,
    variants: &Variants,
) -> Result<FunctionValue<'c>, CodegenError> {
    let ty = oldest.get_type();
    let best = w.module.add_function("relay_run_graph_best", ty, None);
    best.set_linkage(Linkage::Internal);
    w.enter(best);
    let arguments: Vec<BasicMetadataValueEnum<'c>> =
        best.get_param_iter().map(Into::into).collect();
    let (found, is_right) = find_variant(w, best, variants.choice)?;
    let mut functions: Vec<(i32, FunctionValue<'c>)> = (variants.others.iter())
        .map(|number| (*number, w.runtime(&symbol(*number), ty)))
        .chain([(variants.number, oldest)])
        .collect();
    functions.sort_by_key(|(number, _)| std::cmp::Reverse(*number));
    for (number, variant) in functions {
        let wanted = w.i32.const_int(number as u64, false);
        let (yes, no) = (
            w.context.append_basic_block(best, "yes"),
            w.context.append_basic_block(best, "no"),
        );
        let can = w
            .builder
            .build_int_compare(is_right, found, wanted, "can")?;
        w.builder.build_conditional_branch(can, yes, no)?;
        w.builder.position_at_end(yes);
        let status = w.builder.build_call(variant, &arguments, "status")?;
        let status = status.try_as_basic_value().basic();
        w.builder
            .build_return(status.as_ref().map(|value| value as _))?;
        w.builder.position_at_end(no);
    }
    w.builder
        .build_return(Some(&w.i32.const_int(UNSUPPORTED, false)))?;
    Ok(best)
}

/// The number that the runtime finds, and how it compares with that of a variant that may run. `graph` has the instance.
fn find_variant<'c>(
    w: &Writer<'_, 'c>,
    graph: FunctionValue<'c>,
    choice: Choice,
) -> Result<(IntValue<'c>, IntPredicate), CodegenError> {
    let call = match choice {
        Choice::Processor => {
            let level = w.runtime("relay_rt_cpu_level", w.i32.fn_type(&[], false));
            w.builder.build_call(level, &[], "level")?
        }
        Choice::Gpu => {
            let ty = w.i32.fn_type(&[w.ptr.into()], false);
            let variant = w.runtime("relay_rt_device_variant", ty);
            let instance = parameter(graph, INSTANCE);
            w.builder
                .build_call(variant, &[instance.into()], "variant")?
        }
    };
    let found = call.try_as_basic_value().basic();
    let found = found.map_or(w.i32.const_zero(), BasicValueEnum::into_int_value);
    let is_right = match choice {
        Choice::Processor => IntPredicate::SGE,
        Choice::Gpu => IntPredicate::EQ,
    };
    Ok((found, is_right))
}
