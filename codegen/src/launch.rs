//! What the processor does for a GPU: launches of grids, and copies within the GPU's memory.

use crate::{
    CodegenError,
    image::{Grid, Image},
    writer::{Writer, parameter},
};
use inkwell::{
    module::Linkage,
    values::{BasicMetadataValueEnum, FunctionValue, GlobalValue},
};
use relay_dialects::{
    Element,
    ir::{Builder, Op, Type},
    ops::{builtin, memref},
};

/// The parameters of a grid's function that say its extents, which are also those of the launch.
const EXTENTS: u32 = 6;

/// The runtime's function that launches a grid; see `include/relay_runtime.h`.
const LAUNCH: &str = "relay_rt_launch";

/// The runtime's function that copies within a device's memory.
const COPY: &str = "relay_rt_device_copy";

/// Writes the functions of an image's grids: each launches its grid.
pub(crate) fn write_launches(w: &Writer<'_, '_>, image: &Image) -> Result<(), CodegenError> {
    let data = w.constant_array(w.context.const_string(&image.bytes, true));
    let bytes = w.i64.const_int(image.bytes.len() as u64, false);
    let value = w.context.const_struct(&[data.into(), bytes.into()], false);
    let described = w.module.add_global(value.get_type(), None, "");
    described.set_initializer(&value);
    described.set_constant(true);
    described.set_linkage(Linkage::Private);
    for grid in &image.grids {
        if let Some(function) = w.module.get_function(&grid.name) {
            write_launch(w, function, described, grid)?;
        }
    }
    Ok(())
}

/// Packs the extents, and the places of all arguments, for the runtime.
fn write_launch<'c>(
    w: &Writer<'_, 'c>,
    function: FunctionValue<'c>,
    image: GlobalValue<'c>,
    grid: &Grid,
) -> Result<(), CodegenError> {
    function.set_linkage(Linkage::Internal);
    w.enter(function);
    let count = function.count_params();
    let sizes = w
        .builder
        .build_alloca(w.i64.array_type(EXTENTS + 1), "sizes")?;
    for place in 0..EXTENTS {
        let extent = parameter(function, place);
        w.builder
            .build_store(w.number(sizes, place as usize)?, extent)?;
    }
    let shared = w.i64.const_int(grid.shared_bytes.unsigned_abs(), false);
    w.builder
        .build_store(w.number(sizes, EXTENTS as usize)?, shared)?;
    let arguments = w
        .builder
        .build_alloca(w.ptr.array_type(count), "arguments")?;
    for place in 0..count {
        let value = parameter(function, place);
        let own = w.builder.build_alloca(value.get_type(), "argument")?;
        w.builder.build_store(own, value)?;
        w.builder.build_store(w.slot(arguments, place)?, own)?;
    }
    let instance = w
        .builder
        .build_load(w.ptr, w.pool.as_pointer_value(), "instance")?;
    let name = w.string(&grid.name);
    let ptr = w.ptr.into();
    let ty = w
        .context
        .void_type()
        .fn_type(&[ptr, ptr, ptr, ptr, ptr, w.i64.into()], false);
    let operands: [BasicMetadataValueEnum<'c>; 6] = [
        instance.into(),
        image.as_pointer_value().into(),
        name.into(),
        sizes.into(),
        arguments.into(),
        w.i64.const_int(u64::from(count), false).into(),
    ];
    w.builder.build_call(w.runtime(LAUNCH, ty), &operands, "")?;
    w.builder.build_return(None)?;
    Ok(())
}

/// Writes the function by which a graph copies memory of the device, if it does: of two addresses and the bytes.
pub(crate) fn write_copy(w: &Writer<'_, '_>) -> Result<(), CodegenError> {
    let Some(function) = w.module.get_function(DEVICE_COPY) else {
        return Ok(());
    };
    function.set_linkage(Linkage::Internal);
    w.enter(function);
    let instance = w
        .builder
        .build_load(w.ptr, w.pool.as_pointer_value(), "instance")?;
    let address = |place| {
        let number = parameter(function, place).into_int_value();
        w.builder.build_int_to_ptr(number, w.ptr, "address")
    };
    let (to, from) = (address(0)?, address(1)?);
    let ptr = w.ptr.into();
    let ty = w
        .context
        .void_type()
        .fn_type(&[ptr, ptr, ptr, w.i64.into()], false);
    let operands = [
        instance.into(),
        to.into(),
        from.into(),
        parameter(function, 2).into(),
    ];
    w.builder.build_call(w.runtime(COPY, ty), &operands, "")?;
    w.builder.build_return(None)?;
    Ok(())
}

/// The function by which a graph copies memory of the device. Codegen writes it.
pub(crate) const DEVICE_COPY: &str = "relay_device_copy";

/// Has the graph, which the processor runs, leave alone the memory that it computes addresses in: copies become calls of the runtime.
///
/// # Errors
/// Names the nodes that would read or write memory: those of conditions and loops.
pub(crate) fn keep_off_memory(main: Op) -> Result<(), CodegenError> {
    for copy in main.find_all(memref::Copy::NAME) {
        call_device_copy(copy)?;
    }
    let mut wrong = None;
    main.walk(|op| {
        let is_access = [memref::Load::NAME, memref::Store::NAME].contains(&op.name().as_str());
        if is_access || op.name().starts_with("scf.") {
            wrong = wrong.or(Some(op));
        }
    });
    let Some(op) = wrong else { return Ok(()) };
    let names = op.loc().names().join(" + ");
    Err(CodegenError::Lowering(format!(
        "{names} {} is run by the processor, which does not see the GPU's memory: conditions, loops and computed sizes are not \
         supported on GPUs yet; compile for a processor",
        op.name()
    )))
}

fn call_device_copy(copy: Op) -> Result<(), CodegenError> {
    let (from, to) = (copy.operand(0), copy.operand(1));
    let element = Element::of(from.ty().element()).filter(|_| from.ty().is_static());
    let Some(element) = element else {
        return Err(CodegenError::Lowering(
            "a buffer is copied whose size is not known when it is compiled, which GPUs do not support yet".into(),
        ));
    };
    let bytes = from.ty().count().saturating_mul(element.bytes() as i64);
    let b = Builder::before(copy);
    let name = memref::ExtractAlignedPointerAsIndex::NAME;
    let address = |value| b.value(name, &[value], Type::index(b.ctx), &[]);
    let operands = [address(to), address(from), b.index(bytes)];
    let module = copy
        .ancestor(builtin::Module::NAME)
        .filter(|module| module.lookup(DEVICE_COPY).is_none());
    if let Some(module) = module {
        let start = Builder::at_start(module.body(), module.loc(), module.ctx());
        start.declare(DEVICE_COPY, &[Type::index(b.ctx); 3], &[]);
    }
    b.call(DEVICE_COPY, &operands, &[]);
    copy.erase();
    Ok(())
}
