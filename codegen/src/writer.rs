//! Building functions in an LLVM module: what kernels and libraries share.

use crate::CodegenError;
use inkwell::{
    AddressSpace, GlobalVisibility, ThreadLocalMode,
    builder::{Builder, BuilderError},
    context::ContextRef,
    module::{Linkage, Module},
    types::{FunctionType, IntType, PointerType, StructType},
    values::{
        BasicMetadataValueEnum, BasicValueEnum, FunctionValue, GlobalValue, IntValue, PointerValue,
    },
};

/// The symbol of the variable that holds the pool.
const POOL_SYMBOL: &str = "relay_pool";

impl From<BuilderError> for CodegenError {
    fn from(error: BuilderError) -> Self {
        Self::Llvm(error.to_string())
    }
}

/// Where the variable is that holds the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pool {
    /// The variable is internal: the module holds all code of a model.
    OfModule,
    /// Here, for the other objects of a library.
    OfLibrary,
    /// In another object of the library.
    Elsewhere,
    /// As `OfModule`, where there is one thread.
    OfOneThread,
}

/// The parameters of a parallel loop's body that say which iterations run, and on how many threads: see `outline-parallel`.
const OF_RANGE: usize = 3;

/// A module that functions are added to.
pub(crate) struct Writer<'m, 'c> {
    pub module: &'m Module<'c>,
    pub context: ContextRef<'c>,
    pub builder: Builder<'c>,
    /// The pool of the instance that runs on this thread; the entry sets it.
    pub pool: GlobalValue<'c>,
    pub ptr: PointerType<'c>,
    pub i32: IntType<'c>,
    pub i64: IntType<'c>,
}

impl<'m, 'c> Writer<'m, 'c> {
    /// A writer into a module that uses the pool.
    pub fn new(module: &'m Module<'c>, place: Pool) -> Self {
        let context = module.get_context();
        let ptr = context.ptr_type(AddressSpace::default());
        let pool = module.add_global(ptr, None, POOL_SYMBOL);
        if place != Pool::Elsewhere {
            pool.set_initializer(&ptr.const_null());
        }
        if matches!(place, Pool::OfModule | Pool::OfOneThread) {
            pool.set_linkage(Linkage::Internal);
        } else {
            pool.set_visibility(GlobalVisibility::Hidden);
        }
        if place != Pool::OfOneThread {
            pool.set_thread_local_mode(Some(ThreadLocalMode::GeneralDynamicTLSModel));
        }
        Self {
            module,
            context,
            builder: context.create_builder(),
            pool,
            ptr,
            i32: context.i32_type(),
            i64: context.i64_type(),
        }
    }

    /// The instance that runs on this thread.
    pub fn instance(&self) -> Result<BasicValueEnum<'c>, CodegenError> {
        let place = self.pool.as_pointer_value();
        Ok(self.builder.build_load(self.ptr, place, "instance")?)
    }

    /// A function that the runtime defines.
    pub fn runtime(&self, name: &str, ty: FunctionType<'c>) -> FunctionValue<'c> {
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
    pub fn parallel_loop(&self, name: &str) -> Result<(), CodegenError> {
        let Some(body) = self.module.get_function(name) else {
            return Ok(());
        };
        let launch = self.internal(&format!("{name}_launch"), body.get_type());
        body.replace_all_uses_with(launch);
        let wrapper = self.range_of(name, body)?;
        self.launch(launch, wrapper)
    }

    /// A function of this module alone.
    fn internal(&self, name: &str, ty: FunctionType<'c>) -> FunctionValue<'c> {
        self.module.add_function(name, ty, Some(Linkage::Internal))
    }

    /// What a thread runs: unpacks the closure for the body of a loop.
    fn range_of(
        &self,
        name: &str,
        body: FunctionValue<'c>,
    ) -> Result<FunctionValue<'c>, CodegenError> {
        let parameters = [self.ptr.into(), self.i64.into(), self.i64.into()];
        let ty = self.context.void_type().fn_type(&parameters, false);
        let wrapper = self.internal(&format!("{name}_range"), ty);
        self.enter(wrapper);
        let closure = parameter(wrapper, 0).into_pointer_value();
        // The body does not ask for the number of threads.
        let threads = self.i64.const_zero();
        let mut arguments: Vec<BasicMetadataValueEnum<'c>> = vec![
            parameter(wrapper, 1).into(),
            parameter(wrapper, 2).into(),
            threads.into(),
        ];
        let captured = self.closure_type(body);
        for (index, ty) in captured.get_field_types_iter().enumerate() {
            let field = self.field(captured, closure, index)?;
            arguments.push(self.builder.build_load(ty, field, "captured")?.into());
        }
        self.builder.build_call(body, &arguments, "")?;
        self.builder.build_return(None)?;
        Ok(wrapper)
    }

    /// What the body of a parallel loop takes beside the range of its iterations and the number of threads: buffers, and values of
    /// symbols.
    fn closure_type(&self, body: FunctionValue<'c>) -> StructType<'c> {
        let parameters = body.get_param_iter().skip(OF_RANGE);
        let types: Vec<_> = parameters.map(|parameter| parameter.get_type()).collect();
        self.context.struct_type(&types, false)
    }

    fn field(
        &self,
        ty: StructType<'c>,
        closure: PointerValue<'c>,
        index: usize,
    ) -> Result<PointerValue<'c>, CodegenError> {
        Ok(self
            .builder
            .build_struct_gep(ty, closure, index as u32, "field")?)
    }

    /// What a kernel calls: packs its buffers into a closure, and has the pool run the wrapper.
    fn launch(
        &self,
        launch: FunctionValue<'c>,
        wrapper: FunctionValue<'c>,
    ) -> Result<(), CodegenError> {
        self.enter(launch);
        let captured = self.closure_type(launch);
        let closure = self.builder.build_alloca(captured, "closure")?;
        for (index, parameter) in launch.get_param_iter().skip(OF_RANGE).enumerate() {
            let field = self.field(captured, closure, index)?;
            self.builder.build_store(field, parameter)?;
        }
        let pool = self.instance()?;
        let ptr = self.ptr.into();
        let parameters = [ptr, ptr, ptr, self.i64.into(), self.i64.into()];
        let ty = self.context.void_type().fn_type(&parameters, false);
        let parallel_for = self.runtime("relay_rt_parallel_for", ty);
        let wrapper = wrapper.as_global_value().as_pointer_value();
        // `outline-parallel` counts iterations from 0.
        let (extent, threads) = (parameter(launch, 1), parameter(launch, 2));
        let arguments = [
            pool.into(),
            wrapper.into(),
            closure.into(),
            extent.into(),
            threads.into(),
        ];
        self.builder.build_call(parallel_for, &arguments, "")?;
        self.builder.build_return(None)?;
        Ok(())
    }

    pub fn enter(&self, function: FunctionValue<'c>) {
        let block = self.context.append_basic_block(function, "entry");
        self.builder.position_at_end(block);
    }

    pub fn slot(
        &self,
        list: PointerValue<'c>,
        index: u32,
    ) -> Result<PointerValue<'c>, CodegenError> {
        let index = self.i64.const_int(u64::from(index), false);
        // SAFETY: the callers' lists have more entries than `index`.
        Ok(unsafe { self.builder.build_gep(self.ptr, list, &[index], "slot")? })
    }

    /// The address so many bytes behind a pointer, where there is something.
    pub fn behind(
        &self,
        pointer: PointerValue<'c>,
        bytes: usize,
    ) -> Result<PointerValue<'c>, CodegenError> {
        let index = self.i64.const_int(bytes as u64, false);
        let byte = self.context.i8_type();
        // SAFETY: callers name fields of what is there.
        Ok(unsafe { self.builder.build_gep(byte, pointer, &[index], "field")? })
    }

    /// The place of an entry in a table, which has it.
    pub fn entry(
        &self,
        table: PointerValue<'c>,
        index: IntValue<'c>,
    ) -> Result<PointerValue<'c>, CodegenError> {
        // SAFETY: as callers know.
        Ok(unsafe { self.builder.build_gep(self.ptr, table, &[index], "entry")? })
    }

    pub fn load_pointer(
        &self,
        list: PointerValue<'c>,
        index: u32,
    ) -> Result<BasicValueEnum<'c>, CodegenError> {
        let slot = self.slot(list, index)?;
        Ok(self.builder.build_load(self.ptr, slot, "buffer")?)
    }

    /// A number of 64 bits in a list.
    pub fn load_number(
        &self,
        list: PointerValue<'c>,
        index: usize,
    ) -> Result<IntValue<'c>, CodegenError> {
        let place = self.number(list, index)?;
        let number = self.builder.build_load(self.i64, place, "number")?;
        Ok(number.into_int_value())
    }

    /// The place of a number of 64 bits in a list.
    pub fn number(
        &self,
        list: PointerValue<'c>,
        index: usize,
    ) -> Result<PointerValue<'c>, CodegenError> {
        let index = self.i64.const_int(index as u64, false);
        // SAFETY: the callers' lists have more entries than `index`.
        Ok(unsafe { self.builder.build_gep(self.i64, list, &[index], "place")? })
    }

    pub fn string(&self, text: &str) -> PointerValue<'c> {
        self.constant_array(self.context.const_string(text.as_bytes(), true))
    }

    pub fn constant_array(&self, value: inkwell::values::ArrayValue<'c>) -> PointerValue<'c> {
        self.constant_data(value).as_pointer_value()
    }

    /// A private constant with elements.
    pub fn constant_data(&self, value: inkwell::values::ArrayValue<'c>) -> GlobalValue<'c> {
        let global = self.module.add_global(value.get_type(), None, "");
        global.set_initializer(&value);
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        global
    }
}

/// Parameter `index`, which the function is known to have.
pub(crate) fn parameter<'c>(function: FunctionValue<'c>, index: u32) -> BasicValueEnum<'c> {
    function
        .get_nth_param(index)
        .expect("the function was made with this parameter")
}
