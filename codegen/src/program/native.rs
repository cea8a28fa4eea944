//! Machine code for the instructions of programs, and what a library says of its program.
//!
//! A function of a program takes the heap and its arguments, and gives its result; null after a failure. Its calling
//! convention lets any function end with a call of any other one, which then takes its place on the stack. Before it calls
//! others, it looks whether there is stack for them: if not, it goes on on another stack. Registers are variables, of which
//! LLVM makes registers.

mod calls;
mod instructions;

use crate::{
    CodegenError,
    interface::{Executor, Interface, Port, Taken},
    writer::{Writer, parameter},
};
use inkwell::{
    module::Linkage,
    types::FunctionType,
    values::{BasicMetadataValueEnum, BasicValueEnum, FunctionValue, GlobalValue, PointerValue},
};
use relay_dialects::ir::Type;
use relay_runtime::program::{self, Function, Instruction, Program, bytes, heap};
use std::collections::HashMap;

/// LLVM's number of the calling convention `tailcc`.
const TAIL: u32 = 18;

/// Writes the program of a library.
pub(crate) struct Native<'w, 'm, 'c> {
    w: &'w Writer<'m, 'c>,
    taken: &'w Taken,
    interface: &'w Interface,
    /// Whether to time kernels.
    profile: bool,
    /// The functions, by number.
    functions: Vec<FunctionValue<'c>>,
    /// The same, for other stacks: with their arguments in a list.
    entries: Vec<FunctionValue<'c>>,
    kernels: Vec<FunctionValue<'c>>,
    /// The functions that closures call, by function and the number of what they captured.
    closures: HashMap<(u32, usize), u32>,
    /// The table of these.
    table: Option<GlobalValue<'c>>,
    hold: FunctionValue<'c>,
    release: FunctionValue<'c>,
}

impl<'w, 'm, 'c> Native<'w, 'm, 'c> {
    /// Writes all of a program; the constant that [`relay_rt_program`](relay_runtime::program::native::relay_rt_program)
    /// takes.
    ///
    /// # Errors
    /// If LLVM rejects what is written here, which would be a fault of this compiler.
    pub(crate) fn write(
        w: &'w Writer<'m, 'c>,
        taken: &'w Taken,
        interface: &'w Interface,
        profile: bool,
    ) -> Result<PointerValue<'c>, CodegenError> {
        let ptr = w.ptr.into();
        let kernel = |(symbol, kernel): (&String, &relay_runtime::program::Kernel)| {
            let count = kernel.tensors.len() + kernel.workspaces.len();
            let ty = w.context.void_type().fn_type(&vec![ptr; count], false);
            w.runtime(symbol, ty)
        };
        let kernels = taken.symbols.iter().zip(&taken.program.kernels).map(kernel);
        let mut native = Self {
            w,
            taken,
            interface,
            profile,
            functions: Vec::new(),
            entries: Vec::new(),
            kernels: kernels.collect(),
            closures: HashMap::new(),
            table: None,
            hold: w.module.add_function(
                "relay_hold",
                w.context.void_type().fn_type(&[ptr], false),
                Some(Linkage::Internal),
            ),
            release: w.module.add_function(
                "relay_release",
                w.context.void_type().fn_type(&[ptr, ptr], false),
                Some(Linkage::Internal),
            ),
        };
        native.write_hold()?;
        native.write_release()?;
        match taken.executor {
            Executor::Aot => native.code()?,
            Executor::Vm => {}
        }
        native.linked()
    }

    fn program(&self) -> &'w Program {
        &self.taken.program
    }

    /// The type of a function of so many arguments.
    fn function_type(&self, arguments: usize) -> FunctionType<'c> {
        let ptr = self.w.ptr;
        ptr.fn_type(&vec![ptr.into(); arguments + 1], false)
    }

    /// The machine code of all functions.
    fn code(&mut self) -> Result<(), CodegenError> {
        for (number, function) in self.program().functions.iter().enumerate() {
            let ty = self.function_type(function.parameters as usize);
            let name = format!("relay_function_{number}");
            let declared = self
                .w
                .module
                .add_function(&name, ty, Some(Linkage::Internal));
            declared.set_call_conventions(TAIL);
            self.functions.push(declared);
            let ty = self.w.ptr.fn_type(&[self.w.ptr.into(); 2], false);
            let entry =
                self.w
                    .module
                    .add_function(&format!("{name}_entry"), ty, Some(Linkage::Internal));
            self.entries.push(entry);
        }
        self.write_table()?;
        for number in 0..self.functions.len() {
            self.write_entry(number)?;
            instructions::Code::write(self, number)?;
        }
        Ok(())
    }

    /// Where a value has a field.
    fn field(
        &self,
        object: PointerValue<'c>,
        index: usize,
    ) -> Result<PointerValue<'c>, CodegenError> {
        self.w.behind(object, heap::FIELDS + 8 * index)
    }

    fn load(&self, place: PointerValue<'c>) -> Result<PointerValue<'c>, CodegenError> {
        let value = self.w.builder.build_load(self.w.ptr, place, "value")?;
        Ok(value.into_pointer_value())
    }

    /// Counts one more who hold a value.
    fn write_hold(&self) -> Result<(), CodegenError> {
        let (w, object) = (self.w, parameter(self.hold, 0).into_pointer_value());
        w.enter(self.hold);
        let count = w
            .builder
            .build_load(w.i64, object, "count")?
            .into_int_value();
        let one = w.i64.const_int(1, false);
        let count = w.builder.build_int_add(count, one, "count")?;
        w.builder.build_store(object, count)?;
        w.builder.build_return(None)?;
        Ok(())
    }

    /// Counts one fewer, and gives the value back after the last one.
    fn write_release(&self) -> Result<(), CodegenError> {
        let (w, release) = (self.w, self.release);
        let (all, object) = (parameter(release, 0), parameter(release, 1));
        w.enter(release);
        let place = object.into_pointer_value();
        let count = w
            .builder
            .build_load(w.i64, place, "count")?
            .into_int_value();
        let count = w
            .builder
            .build_int_sub(count, w.i64.const_int(1, false), "count")?;
        w.builder.build_store(place, count)?;
        let [last, done] = ["last", "done"].map(|name| w.context.append_basic_block(release, name));
        let zero = w.i64.const_zero();
        let is_last =
            w.builder
                .build_int_compare(inkwell::IntPredicate::EQ, count, zero, "last")?;
        w.builder.build_conditional_branch(is_last, last, done)?;
        w.builder.position_at_end(last);
        let ty = w.context.void_type().fn_type(&[w.ptr.into(); 2], false);
        let take_back = w.runtime("relay_rt_take_back", ty);
        w.builder
            .build_call(take_back, &[all.into(), object.into()], "")?;
        w.builder.build_unconditional_branch(done)?;
        w.builder.position_at_end(done);
        w.builder.build_return(None)?;
        Ok(())
    }

    /// The table of what closures call.
    fn write_table(&mut self) -> Result<(), CodegenError> {
        let code = self
            .program()
            .functions
            .iter()
            .flat_map(|function| &function.code);
        let mut all = Vec::new();
        for instruction in code {
            if let Instruction::AllocClosure {
                function, captured, ..
            } = instruction
            {
                let (key, next) = ((*function, captured.len()), all.len() as u32);
                if *self.closures.entry(key).or_insert(next) == next {
                    all.push(key);
                }
            }
        }
        let mut entries = Vec::new();
        for (function, captured) in all {
            let entry = self.write_closure(function, captured)?;
            entries.push(entry.as_global_value().as_pointer_value());
        }
        let table = self.w.ptr.const_array(&entries);
        let global = self
            .w
            .module
            .add_global(table.get_type(), None, "relay_closures");
        global.set_initializer(&table);
        global.set_constant(true);
        global.set_linkage(Linkage::Internal);
        self.table = Some(global);
        Ok(())
    }

    /// What a closure calls: its function, with what it captured first.
    fn write_closure(
        &self,
        number: u32,
        captured: usize,
    ) -> Result<FunctionValue<'c>, CodegenError> {
        let w = self.w;
        let given = self.program().functions[number as usize].parameters as usize - captured;
        let name = format!("relay_closure_{number}_{captured}");
        let ty = self.function_type(given + 1);
        let entry = w.module.add_function(&name, ty, Some(Linkage::Internal));
        entry.set_call_conventions(TAIL);
        w.enter(entry);
        let (all, closure) = (parameter(entry, 0), parameter(entry, 1));
        let mut arguments: Vec<BasicMetadataValueEnum<'c>> = vec![all.into()];
        for index in 0..captured {
            let place = self.field(closure.into_pointer_value(), index)?;
            let value = self.load(place)?;
            w.builder.build_call(self.hold, &[value.into()], "")?;
            arguments.push(value.into());
        }
        w.builder
            .build_call(self.release, &[all.into(), closure.into()], "")?;
        for index in 0..given as u32 {
            arguments.push(parameter(entry, index + 2).into());
        }
        self.tail_call(self.functions[number as usize], &arguments)?;
        Ok(entry)
    }

    /// A function with its arguments in a list, for the runtime to call on any thread.
    fn write_entry(&self, number: usize) -> Result<(), CodegenError> {
        let (w, entry) = (self.w, self.entries[number]);
        w.enter(entry);
        let (all, list) = (
            parameter(entry, 0).into_pointer_value(),
            parameter(entry, 1),
        );
        let instance = self.load(self.w.behind(all, heap::INSTANCE)?)?;
        w.builder.build_store(w.pool.as_pointer_value(), instance)?;
        let mut arguments: Vec<BasicMetadataValueEnum<'c>> = vec![all.into()];
        for index in 0..self.program().functions[number].parameters {
            arguments.push(w.load_pointer(list.into_pointer_value(), index)?.into());
        }
        let call = w
            .builder
            .build_call(self.functions[number], &arguments, "result")?;
        call.set_call_convention(TAIL);
        let result = call.try_as_basic_value().basic();
        w.builder
            .build_return(result.as_ref().map(|value| value as _))?;
        Ok(())
    }

    /// Whether a function calls others. A program that has no end comes to such functions again and again.
    fn has_calls(function: &Function) -> bool {
        let is_call = |instruction: &Instruction| {
            matches!(
                instruction,
                Instruction::Invoke { .. } | Instruction::InvokeClosure { .. }
            )
        };
        function.code.iter().any(is_call)
    }

    /// Whether a function calls others in its midst, so that it needs a stack.
    fn needs_stack(function: &Function) -> bool {
        let mut code = function.code.iter().enumerate();
        code.any(|(at, instruction)| {
            let calls = matches!(
                instruction,
                Instruction::Invoke { .. } | Instruction::InvokeClosure { .. }
            );
            calls && !Program::is_tail_call(function, at)
        })
    }

    /// What the library says of its program.
    fn linked(&self) -> Result<PointerValue<'c>, CodegenError> {
        let w = self.w;
        let number =
            |value: usize| -> BasicValueEnum<'c> { w.i64.const_int(value as u64, false).into() };
        let null = w.ptr.const_null();
        let list = |numbers: &[u64]| {
            let numbers = numbers.iter().map(|number| w.i64.const_int(*number, false));
            w.constant_array(w.i64.const_array(&numbers.collect::<Vec<_>>()))
        };
        let sizes = |ports: &[Port]| {
            // The types of programs have no open dimensions.
            let shape = |port: &Port| port.shape().unwrap_or_default();
            let bytes = |port: &Port| Type::memref(&shape(port), port.element).byte_count() as u64;
            let sizes = ports.iter().map(bytes);
            list(&sizes.collect::<Vec<_>>())
        };
        let (mut entry, mut code, mut length, mut kernels) = (null, null, 0, null);
        let known = program::sizes(&self.program().kernels);
        match self.taken.executor {
            Executor::Aot => entry = self.entries[0].as_global_value().as_pointer_value(),
            Executor::Vm => {
                let bytes = bytes::write(self.program()).map_err(CodegenError::Lowering)?;
                length = bytes.len();
                code = w.constant_array(w.context.const_string(&bytes, false));
                let thunks = (0..self.kernels.len()).map(|kernel| self.write_thunk(kernel));
                let thunks: Vec<_> = thunks.collect::<Result<_, CodegenError>>()?;
                kernels = w.constant_array(w.ptr.const_array(&thunks));
            }
        }
        let fields = [
            entry.into(),
            code.into(),
            number(length),
            kernels.into(),
            number(self.kernels.len()),
            list(&known).into(),
            number(known.len()),
            number(self.interface.weights.len()),
            number(self.interface.inputs.len()),
            sizes(&self.interface.inputs).into(),
            number(self.interface.outputs.len()),
            sizes(&self.interface.outputs).into(),
        ];
        let value = w.context.const_struct(&fields, false);
        let global = w.module.add_global(value.get_type(), None, "relay_program");
        global.set_initializer(&value);
        global.set_constant(true);
        global.set_linkage(Linkage::Internal);
        Ok(global.as_pointer_value())
    }
}
