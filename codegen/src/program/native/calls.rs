//! Calls: of functions, and of kernels.

use super::{Native, TAIL};
use crate::{CodegenError, writer::parameter};
use inkwell::{
    llvm_sys::LLVMTailCallKind,
    module::Linkage,
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, PointerValue},
};

impl<'c> Native<'_, '_, 'c> {
    /// Ends a function with a call of another one, which takes its place on the stack.
    pub(super) fn tail_call(
        &self,
        function: FunctionValue<'c>,
        arguments: &[BasicMetadataValueEnum<'c>],
    ) -> Result<(), CodegenError> {
        let call = self.w.builder.build_call(function, arguments, "result")?;
        call.set_call_convention(TAIL);
        call.set_tail_call_kind(LLVMTailCallKind::LLVMTailCallKindMustTail);
        let result = call.try_as_basic_value().basic();
        self.w
            .builder
            .build_return(result.as_ref().map(|value| value as _))?;
        Ok(())
    }

    /// Calls a function of the runtime that gives a value.
    pub(super) fn runtime_value(
        &self,
        name: &str,
        arguments: &[BasicValueEnum<'c>],
    ) -> Result<PointerValue<'c>, CodegenError> {
        let types: Vec<_> = arguments
            .iter()
            .map(|each| each.get_type().into())
            .collect();
        let function = self.w.runtime(name, self.w.ptr.fn_type(&types, false));
        let arguments: Vec<_> = arguments.iter().map(|each| (*each).into()).collect();
        let call = self.w.builder.build_call(function, &arguments, "made")?;
        let value = call.try_as_basic_value().basic();
        Ok(value.map_or(self.w.ptr.const_null(), BasicValueEnum::into_pointer_value))
    }

    /// Runs a kernel on buffers.
    pub(super) fn run_kernel(
        &self,
        kernel: usize,
        buffers: &[BasicMetadataValueEnum<'c>],
    ) -> Result<(), CodegenError> {
        self.time(kernel, "relay_rt_node_begin")?;
        self.w
            .builder
            .build_call(self.kernels[kernel], buffers, "")?;
        self.time(kernel, "relay_rt_node_end")
    }

    /// Tells the runtime that a kernel begins or has ended.
    fn time(&self, kernel: usize, event: &str) -> Result<(), CodegenError> {
        if !self.profile {
            return Ok(());
        }
        let w = self.w;
        let ty = w
            .context
            .void_type()
            .fn_type(&[w.ptr.into(), w.i32.into()], false);
        let instance = self.load(w.pool.as_pointer_value())?;
        let node = w.i32.const_int(kernel as u64, false);
        let function = w.runtime(event, ty);
        w.builder
            .build_call(function, &[instance.into(), node.into()], "")?;
        Ok(())
    }

    /// A kernel with its buffers in a list.
    pub(super) fn write_thunk(&self, kernel: usize) -> Result<PointerValue<'c>, CodegenError> {
        let w = self.w;
        let ty = w.context.void_type().fn_type(&[w.ptr.into()], false);
        let name = format!("relay_thunk_{kernel}");
        let thunk = w.module.add_function(&name, ty, Some(Linkage::Internal));
        w.enter(thunk);
        let list = parameter(thunk, 0).into_pointer_value();
        let mut buffers: Vec<BasicMetadataValueEnum<'c>> = Vec::new();
        for index in 0..self.kernels[kernel].count_params() {
            buffers.push(w.load_pointer(list, index)?.into());
        }
        self.run_kernel(kernel, &buffers)?;
        w.builder.build_return(None)?;
        Ok(thunk.as_global_value().as_pointer_value())
    }
}
