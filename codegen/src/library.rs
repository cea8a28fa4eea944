//! The parts of a library that are not kernels: the entry, parallel loops, the descriptor and the
//! C interface. They are written straight into the LLVM module; the layout of the descriptor is
//! `relay_model_descriptor` in the runtime's C header.

use crate::{
    CodegenError, Target,
    lower::{Interface, Port},
};
use inkwell::{
    AddressSpace, GlobalVisibility, ThreadLocalMode,
    builder::{Builder, BuilderError},
    context::ContextRef,
    module::{Linkage, Module},
    types::{IntType, PointerType},
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, GlobalValue, PointerValue},
};

/// The version of the interface between a library and the runtime.
pub const ABI_VERSION: u64 = 1;

/// The symbol of the blob of constants; the linker finds it in an object of its own.
pub const WEIGHTS_SYMBOL: &str = "relay_weights";

/// What a library is made as.
#[derive(Clone, Debug)]
pub struct Options {
    /// The prefix of the exported symbols: a C identifier.
    pub name: String,
    /// The machine.
    pub target: Target,
    /// Whether to time each call of a kernel.
    pub profile: bool,
}

impl From<BuilderError> for CodegenError {
    fn from(error: BuilderError) -> Self {
        Self::Llvm(error.to_string())
    }
}

/// Adds everything that is not a kernel.
///
/// # Errors
/// If LLVM rejects what is built, which would be a fault of ours.
pub fn add_interface(
    module: &Module<'_>,
    interface: &Interface,
    options: &Options,
) -> Result<(), CodegenError> {
    let writer = Writer::new(module, interface, options);
    for function in module
        .get_functions()
        .filter(|function| function.count_basic_blocks() > 0)
    {
        function.set_linkage(Linkage::Internal);
    }
    for body in &interface.parallel_bodies {
        writer.parallel_loop(body)?;
    }
    if options.profile {
        writer.time_calls()?;
    }
    let run = writer.run_graph()?;
    let descriptor = writer.descriptor(run);
    writer.exports(descriptor)
}

struct Writer<'m, 'c> {
    module: &'m Module<'c>,
    interface: &'m Interface,
    options: &'m Options,
    context: ContextRef<'c>,
    builder: Builder<'c>,
    /// The pool of the instance that runs on this thread; set on entry.
    pool: GlobalValue<'c>,
    ptr: PointerType<'c>,
    i32: IntType<'c>,
    i64: IntType<'c>,
}

impl<'m, 'c> Writer<'m, 'c> {
    fn new(module: &'m Module<'c>, interface: &'m Interface, options: &'m Options) -> Self {
        let context = module.get_context();
        let ptr = context.ptr_type(AddressSpace::default());
        let pool = module.add_global(ptr, None, "relay_pool");
        pool.set_initializer(&ptr.const_null());
        pool.set_linkage(Linkage::Internal);
        pool.set_thread_local_mode(Some(ThreadLocalMode::GeneralDynamicTLSModel));
        let (i32, i64) = (context.i32_type(), context.i64_type());
        Self {
            module,
            interface,
            options,
            context,
            builder: context.create_builder(),
            pool,
            ptr,
            i32,
            i64,
        }
    }

    /// A function that the runtime defines.
    fn runtime(&self, name: &str, ty: inkwell::types::FunctionType<'c>) -> FunctionValue<'c> {
        self.module.get_function(name).unwrap_or_else(|| {
            let function = self.module.add_function(name, ty, Some(Linkage::External));
            function
                .as_global_value()
                .set_visibility(GlobalVisibility::Hidden);
            function
        })
    }

    /// Calls of a parallel body go through the runtime: the buffers are packed into a closure,
    /// which a wrapper unpacks for the thread's range of iterations.
    fn parallel_loop(&self, name: &str) -> Result<(), CodegenError> {
        let Some(body) = self.module.get_function(name) else {
            return Ok(());
        };
        let buffers = body.count_params() - 2;
        let array = self.ptr.array_type(buffers);
        let launch = self.module.add_function(
            &format!("{name}_launch"),
            body.get_type(),
            Some(Linkage::Internal),
        );
        body.replace_all_uses_with(launch);

        let wrapper_type = self
            .context
            .void_type()
            .fn_type(&[self.ptr.into(), self.i64.into(), self.i64.into()], false);
        let wrapper = self.module.add_function(
            &format!("{name}_range"),
            wrapper_type,
            Some(Linkage::Internal),
        );
        self.enter(wrapper);
        let closure = parameter(wrapper, 0).into_pointer_value();
        let mut arguments: Vec<BasicMetadataValueEnum<'c>> =
            vec![parameter(wrapper, 1).into(), parameter(wrapper, 2).into()];
        for index in 0..buffers {
            arguments.push(self.load_pointer(closure, index)?.into());
        }
        self.builder.build_call(body, &arguments, "")?;
        self.builder.build_return(None)?;

        self.enter(launch);
        let closure = self.builder.build_alloca(array, "closure")?;
        for index in 0..buffers {
            let slot = self.slot(closure, index)?;
            self.builder
                .build_store(slot, parameter(launch, index + 2))?;
        }
        let pool = self
            .builder
            .build_load(self.ptr, self.pool.as_pointer_value(), "pool")?;
        let ty = self.context.void_type().fn_type(
            &[
                self.ptr.into(),
                self.ptr.into(),
                self.ptr.into(),
                self.i64.into(),
            ],
            false,
        );
        let parallel_for = self.runtime("relay_rt_parallel_for", ty);
        let wrapper = wrapper.as_global_value().as_pointer_value();
        // Loops of kernels start at 0; lower-tir sees to that.
        let extent = parameter(launch, 1);
        self.builder.build_call(
            parallel_for,
            &[pool.into(), wrapper.into(), closure.into(), extent.into()],
            "",
        )?;
        self.builder.build_return(None)?;
        Ok(())
    }

    /// Puts a begin and an end around each call of a kernel in the entry function.
    fn time_calls(&self) -> Result<(), CodegenError> {
        let Some(main) = self.module.get_function("main") else {
            return Err(CodegenError::NoEntry);
        };
        let ty = self
            .context
            .void_type()
            .fn_type(&[self.ptr.into(), self.i32.into()], false);
        let (begin, end) = (
            self.runtime("relay_rt_node_begin", ty),
            self.runtime("relay_rt_node_end", ty),
        );
        let calls: Vec<_> = main
            .get_basic_block_iter()
            .flat_map(|block| block.get_instructions().collect::<Vec<_>>())
            .filter(|instruction| {
                instruction.get_opcode() == inkwell::values::InstructionOpcode::Call
            })
            .filter(|call| self.calls_kernel(*call))
            .collect();
        for (index, call) in calls.into_iter().enumerate() {
            let node = self.i32.const_int(index as u64, false);
            self.builder.position_before(&call);
            let pool = self
                .builder
                .build_load(self.ptr, self.pool.as_pointer_value(), "pool")?;
            self.builder
                .build_call(begin, &[pool.into(), node.into()], "")?;
            match call.get_next_instruction() {
                Some(next) => self.builder.position_before(&next),
                None => continue,
            }
            self.builder
                .build_call(end, &[pool.into(), node.into()], "")?;
        }
        Ok(())
    }

    fn calls_kernel(&self, call: inkwell::values::InstructionValue<'c>) -> bool {
        let Some(callee) = call
            .get_num_operands()
            .checked_sub(1)
            .and_then(|last| call.get_operand(last))
        else {
            return false;
        };
        let name = callee.value().map(|value| match value {
            BasicValueEnum::PointerValue(pointer) => {
                pointer.get_name().to_string_lossy().into_owned()
            }
            _ => String::new(),
        });
        name.is_some_and(|name| {
            let mut nodes = self.interface.nodes.iter();
            nodes.any(|node| node.kernel == name)
        })
    }

    /// `i32 run_graph(inputs**, outputs**, arena, weights, pool)`.
    fn run_graph(&self) -> Result<FunctionValue<'c>, CodegenError> {
        let main = self
            .module
            .get_function("main")
            .ok_or(CodegenError::NoEntry)?;
        let ty = self.i32.fn_type(&[self.ptr.into(); 5], false);
        let run = self
            .module
            .add_function("relay_run_graph", ty, Some(Linkage::Internal));
        self.enter(run);
        self.builder
            .build_store(self.pool.as_pointer_value(), parameter(run, 4))?;
        let mut arguments: Vec<BasicMetadataValueEnum<'c>> = Vec::new();
        for (list, count) in [
            (0, self.interface.inputs.len()),
            (1, self.interface.outputs.len()),
        ] {
            let list = parameter(run, list).into_pointer_value();
            for index in 0..count {
                arguments.push(self.load_pointer(list, index as u32)?.into());
            }
        }
        arguments.push(parameter(run, 2).into());
        arguments.push(parameter(run, 3).into());
        self.builder.build_call(main, &arguments, "")?;
        self.builder.build_return(Some(&self.i32.const_zero()))?;
        main.as_global_value().set_name("relay_main");
        Ok(run)
    }

    /// The constant `relay_model_descriptor`.
    fn descriptor(&self, run: FunctionValue<'c>) -> GlobalValue<'c> {
        let weights = self
            .module
            .add_global(self.context.i8_type(), None, WEIGHTS_SYMBOL);
        weights.set_visibility(GlobalVisibility::Hidden);
        weights.set_constant(true);
        let (name, target) = (
            self.string(&self.options.name),
            self.string(&self.options.target.describe()),
        );
        let u32 = |value: usize| self.i32.const_int(value as u64, false).into();
        let u64 = |value: u64| self.i64.const_int(value, false).into();
        let nodes = if self.options.profile {
            &self.interface.nodes[..]
        } else {
            &[]
        };
        let names: Vec<PointerValue<'c>> =
            nodes.iter().map(|node| self.string(&node.name)).collect();
        let ops: Vec<PointerValue<'c>> =
            nodes.iter().map(|node| self.string(&node.kernel)).collect();
        let flops: Vec<_> = nodes
            .iter()
            .map(|node| self.i64.const_int(node.flops, false))
            .collect();
        let flops = self.constant_array(self.i64.const_array(&flops));
        let fields: Vec<BasicValueEnum<'c>> = vec![
            self.i32.const_int(ABI_VERSION, false).into(),
            name.into(),
            target.into(),
            u32(self.interface.inputs.len()),
            self.ports(&self.interface.inputs).into(),
            u32(self.interface.outputs.len()),
            self.ports(&self.interface.outputs).into(),
            u64(self.interface.arena_bytes),
            weights.as_pointer_value().into(),
            u64(self.interface.weights.len() as u64),
            run.as_global_value().as_pointer_value().into(),
            u32(nodes.len()),
            self.constant_array(self.ptr.const_array(&names)).into(),
            self.constant_array(self.ptr.const_array(&ops)).into(),
            flops.into(),
        ];
        let value = self.context.const_struct(&fields, false);
        let descriptor = self
            .module
            .add_global(value.get_type(), None, "relay_model_descriptor");
        descriptor.set_initializer(&value);
        descriptor.set_constant(true);
        descriptor
    }

    /// An array of `relay_tensor_info`.
    fn ports(&self, ports: &[Port]) -> PointerValue<'c> {
        let info = self.context.struct_type(
            &[
                self.ptr.into(),
                self.ptr.into(),
                self.i32.into(),
                self.ptr.into(),
            ],
            false,
        );
        let values: Vec<_> = ports
            .iter()
            .map(|port| {
                let shape: Vec<_> = port
                    .ty
                    .shape()
                    .iter()
                    .map(|&dim| self.i64.const_int(dim as u64, true))
                    .collect();
                let rank = self.i32.const_int(shape.len() as u64, false);
                let shape = self.constant_array(self.i64.const_array(&shape));
                let (name, dtype) = (
                    self.string(&port.name),
                    self.string(&port.ty.element().to_string()),
                );
                info.const_named_struct(&[name.into(), dtype.into(), rank.into(), shape.into()])
            })
            .collect();
        self.constant_array(info.const_array(&values))
    }

    /// The C interface: thin functions over the runtime's.
    fn exports(&self, descriptor: GlobalValue<'c>) -> Result<(), CodegenError> {
        let (ptr, int) = (self.ptr, self.i32);
        let void = self.context.void_type();
        let create = ptr.fn_type(&[int.into()], false);
        let rt_create = ptr.fn_type(&[ptr.into(), int.into()], false);
        let target = self.runtime("relay_rt_create", rt_create);
        let function = self.export("create", create);
        let arguments = [
            descriptor.as_pointer_value().into(),
            parameter(function, 0).into(),
        ];
        let call = self.builder.build_call(target, &arguments, "model")?;
        let model = call.try_as_basic_value().basic();
        self.builder
            .build_return(model.as_ref().map(|value| value as _))?;

        self.forward("run", int.fn_type(&[ptr.into(); 3], false))?;
        self.forward("destroy", void.fn_type(&[ptr.into()], false))?;
        self.forward("last_error", ptr.fn_type(&[], false))?;
        self.forward(
            "profile",
            int.fn_type(&[ptr.into(), int.into(), ptr.into(), ptr.into()], false),
        )
    }

    fn export(&self, name: &str, ty: inkwell::types::FunctionType<'c>) -> FunctionValue<'c> {
        let function = self.module.add_function(
            &format!("{}_{name}", self.options.name),
            ty,
            Some(Linkage::External),
        );
        self.enter(function);
        function
    }

    /// `<model>_<name>` as a call of `relay_rt_<name>` with the same arguments.
    fn forward(
        &self,
        name: &str,
        ty: inkwell::types::FunctionType<'c>,
    ) -> Result<(), CodegenError> {
        let target = self.runtime(&format!("relay_rt_{name}"), ty);
        let function = self.export(name, ty);
        let arguments: Vec<BasicMetadataValueEnum<'c>> =
            function.get_param_iter().map(Into::into).collect();
        let call = self.builder.build_call(target, &arguments, "")?;
        let result = call.try_as_basic_value().basic();
        self.builder
            .build_return(result.as_ref().map(|value| value as _))?;
        Ok(())
    }

    fn enter(&self, function: FunctionValue<'c>) {
        let block = self.context.append_basic_block(function, "entry");
        self.builder.position_at_end(block);
    }

    fn slot(&self, list: PointerValue<'c>, index: u32) -> Result<PointerValue<'c>, CodegenError> {
        let index = self.i64.const_int(u64::from(index), false);
        // SAFETY: the callers' lists have more entries than `index`.
        Ok(unsafe { self.builder.build_gep(self.ptr, list, &[index], "slot")? })
    }

    fn load_pointer(
        &self,
        list: PointerValue<'c>,
        index: u32,
    ) -> Result<BasicValueEnum<'c>, CodegenError> {
        let slot = self.slot(list, index)?;
        Ok(self.builder.build_load(self.ptr, slot, "buffer")?)
    }

    fn string(&self, text: &str) -> PointerValue<'c> {
        self.constant_array(self.context.const_string(text.as_bytes(), true))
    }

    fn constant_array(&self, value: inkwell::values::ArrayValue<'c>) -> PointerValue<'c> {
        let global = self.module.add_global(value.get_type(), None, "");
        global.set_initializer(&value);
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        global.as_pointer_value()
    }
}

fn parameter<'c>(function: FunctionValue<'c>, index: u32) -> BasicValueEnum<'c> {
    function
        .get_nth_param(index)
        .expect("the function was made with this parameter")
}
