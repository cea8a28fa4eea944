//! The parts of a library that are not kernels: the entry, parallel loops, the descriptor and the
//! C interface. They are written straight into the LLVM module; the layout of the descriptor is
//! `relay_model_descriptor_t` in the runtime's C header.

use crate::{
    CodegenError, Target, device_memory, extents,
    interface::{Interface, Node, Port, Source, Taken},
    launch::{self, DeviceCode},
    program::native::Native,
    variants::{self, Variants},
    weights,
    writer::{Pool, Writer, parameter},
};
use inkwell::{
    GlobalVisibility, IntPredicate,
    attributes::AttributeLoc,
    module::{Linkage, Module},
    types::{BasicType, FunctionType},
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, GlobalValue, PointerValue},
};
use relay_dialects::{
    dim::Dim,
    symbols::{GO_ON, arena_name, define_name, output_name},
};
use relay_passes::pipeline::Precision;
use relay_runtime::descriptor::{
    ABI_VERSION, COMPUTED, FUNCTIONS, NOT_DONATED, OPEN, OUTPUT, WATCH,
};

/// What a library is made as.
#[derive(Clone, Debug)]
pub struct Options {
    /// The prefix of the exported symbols: a C identifier.
    pub name: String,
    /// The machine.
    pub target: Target,
    /// The floats that the model's products read, for programs that ask the library.
    pub precision: Precision,
    /// Whether to time each call of a kernel.
    pub profile: bool,
}

/// Which part of a library a module of calls is.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// All of the library, kernels included: an object that a user links.
    Whole,
    /// The only module of calls; kernels are objects of their own.
    Calls,
    /// The variant for the oldest machines, with the interface of all.
    Oldest(Variants),
    /// Another variant: the one of this number, nothing else.
    Newer(i32),
    /// All of a bare model: its graph and its constants, no interface of the runtime's.
    Bare,
}

impl Part {
    /// Where the variable of the pool is.
    fn pool(&self) -> Pool {
        match self {
            Self::Whole => Pool::OfModule,
            Self::Calls | Self::Oldest(_) => Pool::OfLibrary,
            Self::Newer(_) => Pool::Elsewhere,
            Self::Bare => Pool::OfOneThread,
        }
    }
}

/// The symbol under which the linker finds a model's descriptor. It is hidden; in a library the linker gives it
/// a second name, which is the same for all libraries.
pub(crate) fn descriptor_symbol(model: &str) -> String {
    format!("relay_descriptor_of_{model}")
}

/// The functions of the C interface that a model called `name` exports.
pub(crate) fn exports(name: &str) -> Vec<String> {
    let functions = FUNCTIONS.into_iter().chain([WATCH, OUTPUT]);
    functions
        .map(|function| format!("{name}_{function}"))
        .collect()
}

/// Adds everything that is not a kernel.
///
/// # Errors
/// If LLVM rejects the functions built here, which would be a fault of this compiler.
pub(crate) fn add_interface(
    module: &Module<'_>,
    interface: &Interface,
    options: &Options,
    part: &Part,
) -> Result<(), CodegenError> {
    let mut library = Library {
        writer: Writer::new(module, part.pool()),
        interface,
        options,
        part,
        images: Vec::new(),
    };
    for function in module
        .get_functions()
        .filter(|function| function.count_basic_blocks() > 0)
    {
        function.set_linkage(Linkage::Internal);
    }
    for body in &interface.parallel_bodies {
        library.writer.parallel_loop(body)?;
    }
    library.write_images()?;
    let run = match &interface.program {
        Some(taken) => library.run_program(taken)?,
        None => {
            if options.profile {
                library.time_calls()?;
            }
            library.call_runtime()?;
            library.run_graph()?
        }
    };
    let descriptor = match part {
        Part::Whole | Part::Calls => {
            let target = options.target.describe();
            library.descriptor(run, &interface.arenas(), &target)?
        }
        Part::Oldest(variants) => {
            let run = variants::dispatch(&library.writer, run, variants)?;
            library.for_every_processor(run);
            library.descriptor(run, &variants.arenas, &variants.targets)?
        }
        Part::Bare => return library.bare(run),
        Part::Newer(number) => {
            run.set_linkage(Linkage::External);
            let symbol = run.as_global_value();
            symbol.set_visibility(GlobalVisibility::Hidden);
            symbol.set_name(&variants::symbol(*number));
            return Ok(());
        }
    };
    library.exports(descriptor)
}

struct Library<'m, 'c> {
    writer: Writer<'m, 'c>,
    interface: &'m Interface,
    options: &'m Options,
    part: &'m Part,
    /// What a GPU loads of kernels in this module.
    images: Vec<PointerValue<'c>>,
}

impl<'c> Library<'_, 'c> {
    /// Writes the launches of kernels in this module, and what the device loads for them.
    fn write_images(&mut self) -> Result<(), CodegenError> {
        for image in &self.interface.images {
            let image = launch::write_launches(&self.writer, image)?;
            self.images.push(image.as_pointer_value());
        }
        Ok(())
    }

    /// Reports the begin and the end of each kernel call in the entry function to the runtime.
    fn time_calls(&self) -> Result<(), CodegenError> {
        let Some(main) = self.writer.module.get_function("main") else {
            return Err(CodegenError::NoEntry);
        };
        let ty = self
            .writer
            .context
            .void_type()
            .fn_type(&[self.writer.ptr.into(), self.writer.i32.into()], false);
        let (begin, end) = (
            self.writer.runtime("relay_rt_node_begin", ty),
            self.writer.runtime("relay_rt_node_end", ty),
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
            let node = self.writer.i32.const_int(index as u64, false);
            self.writer.builder.position_before(&call);
            let pool = self.writer.instance()?;
            self.writer
                .builder
                .build_call(begin, &[pool.into(), node.into()], "")?;
            match call.get_next_instruction() {
                Some(next) => self.writer.builder.position_before(&next),
                None => continue,
            }
            self.writer
                .builder
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
            nodes.any(|node| node.symbol == name)
        })
    }

    /// Writes the functions by which the graph asks the runtime about computed symbols.
    fn call_runtime(&self) -> Result<(), CodegenError> {
        let given = self.interface.given_symbols();
        for (place, open) in self.interface.symbols[given..].iter().enumerate() {
            let Source::Computed { nodes } = &open.source else {
                continue;
            };
            let nodes = self.writer.string(nodes);
            self.ask(&define_name(place), "define", given + place, &[nodes])?;
            self.ask(&arena_name(place), "arena", place, &[])?;
        }
        self.ask(GO_ON, "go_on", 0, &[])?;
        device_memory::write_accesses(&self.writer)?;
        for output in 0..self.interface.outputs.len() {
            self.ask(&output_name(output), "output_memory", output, &[])?;
        }
        Ok(())
    }

    /// Writes a function that the graph calls, if it does: it calls the runtime's with the instance, a number, what it is given, and more
    /// pointers, and gives what that gives.
    fn ask(
        &self,
        name: &str,
        function: &str,
        number: usize,
        more: &[PointerValue<'c>],
    ) -> Result<(), CodegenError> {
        let w = &self.writer;
        let Some(asked) = w.module.get_function(name) else {
            return Ok(());
        };
        asked.set_linkage(Linkage::Internal);
        w.enter(asked);
        let instance = w.instance()?;
        let number = w.i32.const_int(number as u64, false);
        let given = asked.get_param_iter().map(Into::into);
        let arguments: Vec<BasicMetadataValueEnum<'c>> = [instance.into(), number.into()]
            .into_iter()
            .chain(given)
            .chain(more.iter().map(|pointer| (*pointer).into()))
            .collect();
        let given = asked.get_type().get_param_types().into_iter();
        let more = more.iter().map(|_| w.ptr.into());
        let types: Vec<_> = [w.ptr.into(), w.i32.into()]
            .into_iter()
            .chain(given)
            .chain(more)
            .collect();
        let answer = asked.get_type().get_return_type();
        let answer =
            answer.ok_or_else(|| CodegenError::Lowering(format!("{name} gives nothing")))?;
        let ty = answer.fn_type(&types, false);
        let target = w.runtime(&format!("relay_rt_{function}"), ty);
        let call = w.builder.build_call(target, &arguments, "answer")?;
        let answer = call.try_as_basic_value().basic();
        w.builder
            .build_return(answer.as_ref().map(|value| value as _))?;
        Ok(())
    }

    /// `i32 run_graph(inputs**, outputs**, arena, weights, pool, symbols*)`.
    fn run_graph(&self) -> Result<FunctionValue<'c>, CodegenError> {
        let main = self
            .writer
            .module
            .get_function("main")
            .ok_or(CodegenError::NoEntry)?;
        let ty = self.writer.i32.fn_type(&[self.writer.ptr.into(); 6], false);
        let run = self
            .writer
            .module
            .add_function("relay_run_graph", ty, Some(Linkage::Internal));
        self.writer.enter(run);
        if self.interface.uses_tiles {
            self.ask_for_amx(run)?;
        }
        self.writer
            .builder
            .build_store(self.writer.pool.as_pointer_value(), parameter(run, 4))?;
        let mut arguments: Vec<BasicMetadataValueEnum<'c>> = Vec::new();
        for (list, count) in [
            (0, self.interface.inputs.len()),
            (1, self.interface.outputs.len()),
        ] {
            let list = parameter(run, list).into_pointer_value();
            for index in 0..count {
                arguments.push(self.writer.load_pointer(list, index as u32)?.into());
            }
        }
        let symbols = parameter(run, 5).into_pointer_value();
        for index in 0..self.interface.given_symbols() {
            arguments.push(self.writer.load_number(symbols, index)?.into());
        }
        arguments.push(parameter(run, 2).into());
        arguments.push(parameter(run, 3).into());
        self.writer.builder.build_call(main, &arguments, "")?;
        self.writer
            .builder
            .build_return(Some(&self.writer.i32.const_zero()))?;
        main.as_global_value().set_name("relay_main");
        Ok(run)
    }

    /// A graph function that runs a program.
    fn run_program(&self, taken: &Taken) -> Result<FunctionValue<'c>, CodegenError> {
        let w = &self.writer;
        let linked = Native::write(w, taken, self.interface, self.options.profile)?;
        let (ptr, int) = (w.ptr.into(), w.i32);
        let ty = int.fn_type(&[ptr; 6], false);
        let run = w
            .module
            .add_function("relay_run_graph", ty, Some(Linkage::Internal));
        w.enter(run);
        if self.interface.uses_tiles {
            self.ask_for_amx(run)?;
        }
        let [inputs, outputs, _, weights, instance] =
            [0, 1, 2, 3, 4].map(|index| parameter(run, index));
        w.builder.build_store(w.pool.as_pointer_value(), instance)?;
        let program = w.runtime("relay_rt_program", int.fn_type(&[ptr; 5], false));
        let arguments = [instance, inputs, outputs, weights, linked.into()].map(Into::into);
        let status = w.builder.build_call(program, &arguments, "status")?;
        let status = status.try_as_basic_value().basic();
        w.builder
            .build_return(status.as_ref().map(|value| value as _))?;
        Ok(run)
    }

    /// Returns the runtime's error code if this process may not use AMX tiles.
    fn ask_for_amx(&self, run: FunctionValue<'c>) -> Result<(), CodegenError> {
        let w = &self.writer;
        let ask = w.runtime("relay_rt_amx", w.i32.fn_type(&[], false));
        let status = w.builder.build_call(ask, &[], "status")?;
        let status = status.try_as_basic_value().basic();
        let status = status.map_or(w.i32.const_zero(), BasicValueEnum::into_int_value);
        let (yes, no) = (
            w.context.append_basic_block(run, "yes"),
            w.context.append_basic_block(run, "no"),
        );
        let is_allowed =
            w.builder
                .build_int_compare(IntPredicate::EQ, status, w.i32.const_zero(), "may")?;
        w.builder.build_conditional_branch(is_allowed, yes, no)?;
        w.builder.position_at_end(no);
        w.builder.build_return(Some(&status))?;
        w.builder.position_at_end(yes);
        Ok(())
    }

    /// The descriptor: a constant that says everything about the model. It is internal to an object and hidden
    /// in a library, so that no other model's descriptor is taken for it where both are loaded or linked.
    fn descriptor(
        &self,
        run: FunctionValue<'c>,
        arenas: &[Dim],
        target: &str,
    ) -> Result<GlobalValue<'c>, CodegenError> {
        let weights = self.weights();
        let arena = arenas.first().and_then(|arena| arena.known());
        let symbols = self.interface.symbols.len();
        let extents = match symbols {
            0 => self.writer.ptr.const_null(),
            _ => self.extents(arenas)?,
        };
        let text = |text: &str| self.writer.string(text);
        let u32 = |value: usize| self.writer.i32.const_int(value as u64, false).into();
        let u64 = |value: u64| self.writer.i64.const_int(value, false).into();
        let [names, ops, flops] = self.node_lists();
        let mut fields: Vec<BasicValueEnum<'c>> = vec![
            self.writer
                .i32
                .const_int(u64::from(ABI_VERSION), false)
                .into(),
            text(&self.options.name).into(),
            text(target).into(),
            text(self.options.precision.name()).into(),
            text(&self.options.target.needs(self.interface.uses_tiles)).into(),
            u32(self.interface.inputs.len()),
            self.ports(&self.interface.inputs).into(),
            u32(self.interface.outputs.len()),
            self.ports(&self.interface.outputs).into(),
            u32(symbols),
            self.symbols().into(),
            u64(arena.unwrap_or(0).unsigned_abs()),
            weights.as_pointer_value().into(),
            u64(self.interface.weights.len() as u64),
            run.as_global_value().as_pointer_value().into(),
            extents.into(),
            u32(self.nodes().len()),
            names.into(),
            ops.into(),
            flops.into(),
            u32(self.interface.conditions.len()),
            self.conditions().into(),
            self.donated().into(),
        ];
        fields.extend(self.device());
        let value = self.writer.context.const_struct(&fields, false);
        let symbol = descriptor_symbol(&self.options.name);
        let module = self.writer.module;
        let descriptor = module.add_global(value.get_type(), None, &symbol);
        descriptor.set_initializer(&value);
        descriptor.set_constant(true);
        match self.part {
            Part::Whole => descriptor.set_linkage(Linkage::Internal),
            _ => descriptor.set_visibility(GlobalVisibility::Hidden),
        }
        Ok(descriptor)
    }

    /// The function of extents. Any processor runs it.
    fn extents(&self, arenas: &[Dim]) -> Result<PointerValue<'c>, CodegenError> {
        let function = extents::write(&self.writer, self.interface, arenas)?;
        self.for_every_processor(function);
        Ok(function.as_global_value().as_pointer_value())
    }

    /// An array of `relay_symbol_info`; null if there are none.
    fn symbols(&self) -> PointerValue<'c> {
        let w = &self.writer;
        let (ptr, long, int) = (w.ptr.into(), w.i64.into(), w.i32.into());
        let fields = [ptr, long, long, long, int, int];
        let info = w.context.struct_type(&fields, false);
        let values = self.interface.symbols.iter().map(|open| {
            let numbers = [open.symbol.least, open.symbol.most, open.symbol.multiple];
            let [least, most, multiple] =
                numbers.map(|number| w.i64.const_int(number as u64, true).into());
            let place = match open.source {
                Source::Dimension { input, dimension } => [input as u64, dimension as u64],
                Source::Computed { .. } => [u64::from(COMPUTED), 0],
            };
            let [input, dimension] = place.map(|number| w.i32.const_int(number, false).into());
            let name = w.string(&open.symbol.name).into();
            info.const_named_struct(&[name, least, most, multiple, input, dimension])
        });
        let values: Vec<_> = values.collect();
        match values.is_empty() {
            true => w.ptr.const_null(),
            false => w.constant_array(info.const_array(&values)),
        }
    }

    /// An array of `relay_condition_info`; null if there are none.
    fn conditions(&self) -> PointerValue<'c> {
        let w = &self.writer;
        let info = w.context.struct_type(&[w.ptr.into(); 3], false);
        let values = self.interface.conditions.iter().map(|condition| {
            let texts = [condition.lhs.to_string(), condition.rhs.to_string()];
            let [lhs, rhs] = texts.map(|text| w.string(&text).into());
            info.const_named_struct(&[lhs, rhs, w.string(&condition.node).into()])
        });
        let values: Vec<_> = values.collect();
        match values.is_empty() {
            true => w.ptr.const_null(),
            false => w.constant_array(info.const_array(&values)),
        }
    }

    /// An array of the outputs that inputs are donated to; null if there are none.
    fn donated(&self) -> PointerValue<'c> {
        let inputs = self.interface.inputs.iter();
        if inputs.clone().all(|input| input.donated.is_none()) {
            return self.writer.ptr.const_null();
        }
        let numbers = inputs.map(|input| {
            let output = input
                .donated
                .map_or(u64::from(NOT_DONATED), |output| output as u64);
            self.writer.i32.const_int(output, false)
        });
        let numbers: Vec<_> = numbers.collect();
        self.writer
            .constant_array(self.writer.i32.const_array(&numbers))
    }

    /// What a bare model defines and asks for begins with its name.
    fn bare(&self, run: FunctionValue<'c>) -> Result<(), CodegenError> {
        let name = |what: &str| format!("{}_{what}", self.options.name);
        run.set_linkage(Linkage::External);
        run.as_global_value().set_name(&name("run_graph"));
        for function in ["parallel_for", "workspace"] {
            if let Some(asked) = self
                .writer
                .module
                .get_function(&format!("relay_rt_{function}"))
            {
                asked.as_global_value().set_name(&name(function));
            }
        }
        let mut bytes = Vec::with_capacity(self.interface.weights.len());
        // Writing to memory does not fail.
        let _ = self.interface.weights.write(&mut bytes);
        let value = self.writer.context.const_string(&bytes, false);
        let weights = self
            .writer
            .module
            .add_global(value.get_type(), None, &name("weights"));
        weights.set_initializer(&value);
        weights.set_constant(true);
        weights.set_alignment(weights::ALIGNMENT as u32);
        Ok(())
    }

    /// The constants of the model, which are in another object.
    fn weights(&self) -> GlobalValue<'c> {
        let symbol = weights::symbol(&self.options.name);
        let byte = self.writer.context.i8_type();
        let weights = self.writer.module.add_global(byte, None, &symbol);
        weights.set_visibility(GlobalVisibility::Hidden);
        weights.set_constant(true);
        weights
    }

    /// The nodes of which a profile speaks.
    fn nodes(&self) -> &[Node] {
        match self.options.profile {
            true => &self.interface.nodes,
            false => &[],
        }
    }

    /// Arrays of the nodes' names, of their kernels, and of the operations on floats that each takes.
    fn node_lists(&self) -> [PointerValue<'c>; 3] {
        let texts = |text: fn(&Node) -> &str| {
            let nodes = self.nodes().iter();
            let texts: Vec<_> = nodes.map(|node| self.writer.string(text(node))).collect();
            let array = self.writer.ptr.const_array(&texts);
            self.writer.constant_array(array)
        };
        let flops = self.nodes().iter();
        let flops: Vec<_> = flops
            .map(|node| self.writer.i64.const_int(node.flops, false))
            .collect();
        let flops = self.writer.i64.const_array(&flops);
        [
            texts(|node| &node.name),
            texts(|node| &node.kernel),
            self.writer.constant_array(flops),
        ]
    }

    /// An array of `relay_tensor_info`.
    fn ports(&self, ports: &[Port]) -> PointerValue<'c> {
        let info = self.writer.context.struct_type(
            &[
                self.writer.ptr.into(),
                self.writer.ptr.into(),
                self.writer.i32.into(),
                self.writer.ptr.into(),
                self.writer.ptr.into(),
            ],
            false,
        );
        let values: Vec<_> = ports
            .iter()
            .map(|port| {
                let extent = |dim: &Dim| {
                    let extent = dim.known().unwrap_or(OPEN);
                    self.writer.i64.const_int(extent as u64, true)
                };
                let shape: Vec<_> = port.dims.iter().map(extent).collect();
                let rank = self.writer.i32.const_int(shape.len() as u64, false);
                let shape = self
                    .writer
                    .constant_array(self.writer.i64.const_array(&shape));
                let (name, dtype) = (
                    self.writer.string(&port.name),
                    self.writer.string(&port.element.to_string()),
                );
                let forms = self.forms(&port.dims);
                info.const_named_struct(&[
                    name.into(),
                    dtype.into(),
                    rank.into(),
                    shape.into(),
                    forms.into(),
                ])
            })
            .collect();
        self.writer.constant_array(info.const_array(&values))
    }

    /// The last fields of the descriptor: what opens the device that kernels run on, the device's kind, and what it loads of the code for each
    /// chip. All are null if kernels run on the processor.
    fn device(&self) -> [BasicValueEnum<'c>; 4] {
        let (w, null) = (&self.writer, self.writer.ptr.const_null());
        let count = |count: usize| w.i32.const_int(count as u64, false).into();
        let Some(device) = &self.options.target.device else {
            return [null.into(), null.into(), count(0), null.into()];
        };
        let kind = device.card.gpu.kind.name();
        let ty = w.context.void_type().fn_type(&[w.ptr.into(); 2], false);
        let open = w.runtime(&format!("relay_rt_{kind}"), ty);
        let open = open.as_global_value().as_pointer_value();
        let codes = match self.part {
            Part::Oldest(variants) => variants.codes.clone(),
            _ => vec![DeviceCode::of(device, self.interface)],
        };
        let list = launch::write_codes(w, &codes, &self.images);
        [
            open.into(),
            w.string(kind).into(),
            count(codes.len()),
            list.into(),
        ]
    }

    /// The texts of open dimensions, and null for the others; null if none is open.
    fn forms(&self, dims: &[Dim]) -> PointerValue<'c> {
        let null = self.writer.ptr.const_null();
        if dims.iter().all(|dim| dim.is_known()) {
            return null;
        }
        let text = |dim: &Dim| match dim {
            Dim::Known(_) => null,
            open => self.writer.string(&open.to_string()),
        };
        let texts: Vec<_> = dims.iter().map(text).collect();
        self.writer
            .constant_array(self.writer.ptr.const_array(&texts))
    }

    /// The C interface: thin functions over the runtime's.
    fn exports(&self, descriptor: GlobalValue<'c>) -> Result<(), CodegenError> {
        let (ptr, int) = (self.writer.ptr, self.writer.i32);
        let void = self.writer.context.void_type();
        let create = ptr.fn_type(&[int.into()], false);
        let rt_create = ptr.fn_type(&[ptr.into(), int.into()], false);
        let target = self.writer.runtime("relay_rt_create", rt_create);
        let function = self.export("create", create);
        let arguments = [
            descriptor.as_pointer_value().into(),
            parameter(function, 0).into(),
        ];
        let call = self
            .writer
            .builder
            .build_call(target, &arguments, "model")?;
        let model = call.try_as_basic_value().basic();
        self.writer
            .builder
            .build_return(model.as_ref().map(|value| value as _))?;

        self.export("descriptor", ptr.fn_type(&[], false));
        self.writer
            .builder
            .build_return(Some(&descriptor.as_pointer_value()))?;

        self.forward("prepare", int.fn_type(&[ptr.into(); 3], false))?;
        self.forward("run", int.fn_type(&[ptr.into(); 3], false))?;
        self.forward("destroy", void.fn_type(&[ptr.into()], false))?;
        self.forward("last_error", ptr.fn_type(&[], false))?;
        self.forward(WATCH, void.fn_type(&[ptr.into(); 3], false))?;
        self.forward(
            OUTPUT,
            ptr.fn_type(&[ptr.into(), int.into(), ptr.into()], false),
        )?;
        self.forward(
            "profile",
            int.fn_type(&[ptr.into(), int.into(), ptr.into(), ptr.into()], false),
        )
    }

    /// Has a function made for every processor, because it is what finds out which one it is.
    fn for_every_processor(&self, function: FunctionValue<'c>) {
        let cpu = self.options.target.baseline();
        let context = self.writer.context;
        let cpu = context.create_string_attribute("target-cpu", cpu);
        function.add_attribute(AttributeLoc::Function, cpu);
    }

    fn export(&self, name: &str, ty: FunctionType<'c>) -> FunctionValue<'c> {
        let function = self.writer.module.add_function(
            &format!("{}_{name}", self.options.name),
            ty,
            Some(Linkage::External),
        );
        self.for_every_processor(function);
        self.writer.enter(function);
        function
    }

    /// `<model>_<name>` as a call of `relay_rt_<name>` with the same arguments.
    fn forward(&self, name: &str, ty: FunctionType<'c>) -> Result<(), CodegenError> {
        let target = self.writer.runtime(&format!("relay_rt_{name}"), ty);
        let function = self.export(name, ty);
        let arguments: Vec<BasicMetadataValueEnum<'c>> =
            function.get_param_iter().map(Into::into).collect();
        let call = self.writer.builder.build_call(target, &arguments, "")?;
        let result = call.try_as_basic_value().basic();
        self.writer
            .builder
            .build_return(result.as_ref().map(|value| value as _))?;
        Ok(())
    }
}
