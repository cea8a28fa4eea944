//! Launches of grids: the functions of the processor around an image.

use crate::{
    CodegenError,
    image::{Grid, Image},
    interface::Interface,
    writer::{Writer, parameter},
};
use inkwell::{
    GlobalVisibility,
    module::Linkage,
    values::{BasicMetadataValueEnum, FunctionValue, GlobalValue, PointerValue},
};
use relay_dialects::tir::Thread;
use relay_machine::target::Device;
use std::collections::BTreeSet;

/// The parameters of a grid's function that say its extents, which are also those of the launch.
const EXTENTS: u32 = Thread::AXES.len() as u32;

/// The runtime's function that launches a grid; see `include/relay_runtime.h`.
const LAUNCH: &str = "relay_rt_launch";

/// The alignment of images: drivers read headers of objects where they lie.
const ALIGNMENT: u32 = 64;

/// The symbol of what the device loads for a kernel.
pub(crate) fn image_symbol(kernel: &str) -> String {
    format!("{kernel}_image")
}

/// The kernels of a library for a chip.
#[derive(Clone, Debug)]
pub(crate) struct DeviceCode {
    /// LLVM's name of the chip.
    chip: String,
    /// The symbols of the kernels.
    kernels: Vec<String>,
}

impl DeviceCode {
    /// The kernels that a graph calls.
    pub(crate) fn of(device: &Device, graph: &Interface) -> Self {
        let nodes = graph.nodes.iter();
        Self {
            chip: device.card.chip.clone(),
            kernels: nodes.map(|node| node.symbol.clone()).collect(),
        }
    }
}

/// Writes an array of `relay_device_code_t`. Kernels in the same module have the images `own`, others have theirs in other objects.
pub(crate) fn write_codes<'c>(
    w: &Writer<'_, 'c>,
    codes: &[DeviceCode],
    own: &[PointerValue<'c>],
) -> PointerValue<'c> {
    let fields = [w.ptr.into(), w.i32.into(), w.ptr.into()];
    let ty = w.context.struct_type(&fields, false);
    let code = |code: &DeviceCode| {
        let images = match own.is_empty() {
            true => images_of(w, code.kernels.iter().map(String::as_str)),
            false => own.to_vec(),
        };
        let count = w.i32.const_int(images.len() as u64, false);
        let list = w.constant_array(w.ptr.const_array(&images));
        ty.const_named_struct(&[w.string(&code.chip).into(), count.into(), list.into()])
    };
    let codes: Vec<_> = codes.iter().map(code).collect();
    w.constant_array(ty.const_array(&codes))
}

/// What the device loads for kernels in other objects, each once. It is null for a kernel that has nothing there.
fn images_of<'a, 'c>(
    w: &Writer<'_, 'c>,
    kernels: impl Iterator<Item = &'a str>,
) -> Vec<PointerValue<'c>> {
    let symbols: BTreeSet<String> = kernels.map(image_symbol).collect();
    let image = |symbol: String| {
        let image = w.module.add_global(w.ptr, None, &symbol);
        image.set_linkage(Linkage::ExternalWeak);
        image.set_visibility(GlobalVisibility::Hidden);
        image.as_pointer_value()
    };
    symbols.into_iter().map(image).collect()
}

/// Writes the functions of an image's grids: each launches its grid. Returns the image as the runtime has it, a constant of the module.
pub(crate) fn write_launches<'c>(
    w: &Writer<'_, 'c>,
    image: &Image,
) -> Result<GlobalValue<'c>, CodegenError> {
    let data = w.constant_data(w.context.const_string(&image.bytes, true));
    data.set_alignment(ALIGNMENT);
    let data = data.as_pointer_value();
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
    Ok(described)
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
    let name = w.string(&grid.name);
    let ptr = w.ptr.into();
    let ty = w
        .context
        .void_type()
        .fn_type(&[ptr, ptr, ptr, ptr, ptr, w.i64.into()], false);
    let operands: [BasicMetadataValueEnum<'c>; 6] = [
        w.instance()?.into(),
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
