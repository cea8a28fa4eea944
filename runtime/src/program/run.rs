//! A run of a program, from its inputs to its outputs.

use super::{
    Program, bytes,
    heap::{self, Heap, Kind, Object, Usage, Watch},
    machine::Machine,
    native::{Linked, STACK_RESERVE},
    stack,
};
use std::{ffi::c_void, ptr, slice};

/// The variable of the environment that asks for what a run has used, on stderr.
const REPORT: &str = "RELAY_HEAP_REPORT";

/// How much of the caller's stack a program may use at most.
const FIRST_STACK: usize = 256 << 10;

/// The address down to which a program may use the caller's stack. Where the caller has little, the program goes on on another
/// one at once.
fn stack_limit() -> usize {
    let here: u8 = 0;
    let top = (&raw const here).addr();
    let wanted = top.saturating_sub(FIRST_STACK);
    match stack::lowest() {
        Some(lowest) => wanted.max(lowest.saturating_add(STACK_RESERVE)),
        None => wanted,
    }
}

/// What an instance of a program keeps from one run to the next.
#[derive(Default)]
pub(crate) struct Running {
    heap: Heap,
    /// Whom programs ask whether they go on.
    pub(crate) watch: Option<Watch>,
    /// What the bytecode says, once it was read.
    program: Option<Program>,
}

impl Running {
    /// Runs a program.
    ///
    /// # Errors
    /// If it ends with an error, or its bytecode is damaged.
    ///
    /// # Safety
    /// `linked` is the library's, `instance` the one that runs, and the lists have its numbers of inputs and outputs.
    pub(crate) unsafe fn run(
        &mut self,
        linked: &Linked,
        instance: *const c_void,
        weights: *const u8,
        inputs: *const *const c_void,
        outputs: *const *mut c_void,
    ) -> Result<(), String> {
        self.heap.instance = instance;
        self.heap.weights = weights;
        self.heap.begin(self.watch);
        // SAFETY: as the caller promises.
        let done = unsafe {
            let arguments = self.arguments(linked, inputs);
            let result = arguments.and_then(|arguments| self.result(linked, &arguments));
            result.and_then(|result| self.give(linked, result, outputs))
        };
        let usage = self.heap.end();
        if std::env::var_os(REPORT).is_some() {
            report(usage);
        }
        done
    }

    /// The inputs as tensors, whose elements stay where they are.
    ///
    /// # Safety
    /// As for [`Running::run`].
    unsafe fn arguments(
        &mut self,
        linked: &Linked,
        inputs: *const *const c_void,
    ) -> Result<Vec<*mut Object>, String> {
        let view = |index: usize| {
            // SAFETY: the lists have so many entries.
            let (data, bytes) = unsafe { (*inputs.add(index), *linked.input_bytes.add(index)) };
            let tensor = self
                .heap
                .view(data.cast_mut().cast(), bytes, ptr::null_mut());
            match tensor.is_null() {
                true => Err(self.failure()),
                false => Ok(tensor),
            }
        };
        (0..linked.inputs as usize).map(view).collect()
    }

    fn failure(&mut self) -> String {
        let known = self.heap.failure.take();
        known.unwrap_or_else(|| "the program ended without saying why".into())
    }

    /// What the entry gives for its arguments.
    ///
    /// # Safety
    /// As for [`Running::run`].
    unsafe fn result(
        &mut self,
        linked: &Linked,
        arguments: &[*mut Object],
    ) -> Result<*mut Object, String> {
        let result = match linked.entry {
            Some(entry) => {
                self.heap.stack_limit = stack_limit();
                // SAFETY: the entry is compiled code of this library, for so many arguments.
                unsafe { entry(&raw mut self.heap, arguments.as_ptr()) }
            }
            None => {
                // SAFETY: the library's.
                let (code, kernels) = unsafe { (linked.code(), linked.kernels()) };
                // SAFETY: as above.
                let sizes = unsafe { linked.sizes() };
                if self.program.is_none() {
                    self.program = Some(bytes::read(code)?);
                }
                let program = self.program.as_ref();
                let program = program.ok_or("the library holds no bytecode")?;
                let machine = Machine::new(
                    program,
                    &mut self.heap,
                    (kernels, sizes),
                    linked.weights_bytes,
                )?;
                // SAFETY: the arguments were just made in this heap.
                unsafe { machine.run(arguments)? }
            }
        };
        match result.is_null() {
            true => Err(self.failure()),
            false => Ok(result),
        }
    }

    /// Copies the tensors of a result to the outputs.
    ///
    /// # Safety
    /// As for [`Running::run`]; the result is held by the caller, who gives it away.
    unsafe fn give(
        &mut self,
        linked: &Linked,
        result: *mut Object,
        outputs: *const *mut c_void,
    ) -> Result<(), String> {
        let mut given = 0;
        let mut open = vec![result];
        while let Some(object) = open.pop() {
            // SAFETY: the result holds it.
            let facts = unsafe { heap::facts(object) };
            if facts.kind == Kind::Data {
                let fields = (0..facts.length as usize).rev();
                // SAFETY: it has so many fields.
                open.extend(fields.map(|index| unsafe { *heap::field_of(object, index) }));
                continue;
            }
            let fits = given < linked.outputs as usize
                && facts.kind == Kind::Tensor
                // SAFETY: the list has so many entries.
                && unsafe { *linked.output_bytes.add(given) } == facts.length;
            if !fits {
                return Err(format!(
                    "the program gives something else as output {given}"
                ));
            }
            // SAFETY: both have so many bytes, and outputs overlap nothing. A tensor without elements may be null.
            unsafe {
                let (from, to) = (heap::data(object), *outputs.add(given));
                if facts.length > 0 {
                    ptr::copy_nonoverlapping(from, to.cast(), facts.length as usize);
                }
            }
            given += 1;
        }
        // SAFETY: the caller held it.
        unsafe { self.heap.release(result) };
        match given == linked.outputs as usize {
            true => Ok(()),
            false => Err(format!(
                "the program gives {given} outputs, not {}",
                linked.outputs
            )),
        }
    }
}

fn report(usage: Usage) {
    let Usage { made, left, bytes } = usage;
    eprintln!("relay runtime: {made} values made, {left} left, {bytes} bytes of memory");
}

impl Linked {
    /// # Safety
    /// It is the library's.
    unsafe fn code(&self) -> &[u8] {
        // SAFETY: as the caller promises.
        unsafe { slice_of(self.bytecode, self.bytecode_bytes) }
    }

    /// # Safety
    /// It is the library's.
    unsafe fn kernels(&self) -> &[super::native::Kernel] {
        // SAFETY: as the caller promises.
        unsafe { slice_of(self.kernels, self.n_kernels) }
    }

    /// # Safety
    /// It is the library's.
    unsafe fn sizes(&self) -> &[u64] {
        // SAFETY: as the caller promises.
        unsafe { slice_of(self.sizes, self.n_sizes) }
    }
}

/// # Safety
/// There are so many from `start` on, unless it is null.
unsafe fn slice_of<'a, T>(start: *const T, count: u64) -> &'a [T] {
    if start.is_null() {
        return &[];
    }
    // SAFETY: as the caller promises.
    unsafe { slice::from_raw_parts(start, count as usize) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Function, Instruction, Kernel, Operand, native, sizes};
    use proptest::prelude::*;

    /// A library of bytecode that takes a number and gives one.
    fn linked(code: &[u8]) -> Linked {
        Linked {
            entry: None,
            bytecode: code.as_ptr(),
            bytecode_bytes: code.len() as u64,
            kernels: ptr::null(),
            n_kernels: 0,
            sizes: ptr::null(),
            n_sizes: 0,
            weights_bytes: 0,
            inputs: 1,
            input_bytes: &8,
            outputs: 1,
            output_bytes: &8,
        }
    }

    /// What a program without kernels and constants makes of a number.
    fn run(code: &[u8], input: u64) -> Result<u64, String> {
        run_linked(&linked(code), input)
    }

    fn run_linked(linked: &Linked, input: u64) -> Result<u64, String> {
        let mut output = 0_u64;
        let inputs = [(&raw const input).cast()];
        let outputs = [(&raw mut output).cast()];
        let mut running = Running::default();
        // SAFETY: the lists have as many entries as the program says, of so many bytes.
        let done = unsafe {
            let (inputs, outputs) = (inputs.as_ptr(), outputs.as_ptr());
            running.run(linked, ptr::null(), ptr::null(), inputs, outputs)
        };
        done.map(|()| output)
    }

    fn operand() -> impl Strategy<Value = Operand> {
        (0..7_u32, any::<bool>()).prop_map(|(register, is_last)| Operand { register, is_last })
    }

    fn operands() -> impl Strategy<Value = Vec<Operand>> {
        proptest::collection::vec(operand(), 0..3)
    }

    /// Any instruction at a place of a function: it goes on behind that place, and calls functions behind this one, so that it
    /// comes to an end.
    fn instruction(function: u32, at: u32) -> impl Strategy<Value = Instruction> {
        let register = || 0..7_u32;
        let behind = move || (at + 1)..(at + 5);
        let called = (function + 1)..(function + 3);
        prop_oneof![
            (register(), operand()).prop_map(|(to, from)| Instruction::Move { to, from }),
            operand().prop_map(|value| Instruction::Ret { value }),
            (register(), called.clone(), operands()).prop_map(|(to, function, arguments)| {
                Instruction::Invoke {
                    to,
                    function,
                    arguments,
                }
            }),
            (register(), operand(), operands()).prop_map(|(to, closure, arguments)| {
                Instruction::InvokeClosure {
                    to,
                    closure,
                    arguments,
                }
            }),
            (register(), 0..64_u64).prop_map(|(to, bytes)| Instruction::AllocTensor { to, bytes }),
            (register(), 0..3_u32, operands())
                .prop_map(|(to, tag, fields)| Instruction::AllocAdt { to, tag, fields }),
            (register(), called, operands()).prop_map(|(to, function, captured)| {
                Instruction::AllocClosure {
                    to,
                    function,
                    captured,
                }
            }),
            (register(), register(), 0..3_u32)
                .prop_map(|(to, object, index)| Instruction::GetField { to, object, index }),
            (register(), 0..3_u32, operand()).prop_map(|(object, index, value)| {
                Instruction::SetField {
                    object,
                    index,
                    value,
                }
            }),
            (register(), register()).prop_map(|(to, object)| Instruction::GetTag { to, object }),
            (register(), 0..2_i64, behind(), behind()).prop_map(|(test, target, yes, no)| {
                Instruction::If {
                    test,
                    target,
                    yes,
                    no,
                }
            }),
            behind().prop_map(|target| Instruction::Goto { target }),
            (register(), operand()).prop_map(|(to, from)| Instruction::ReshapeTensor { to, from }),
            register().prop_map(|register| Instruction::KillRegister { register }),
        ]
    }

    fn program() -> impl Strategy<Value = Program> {
        let function = |number: u32| {
            let code: Vec<_> = (0..12).map(|at| instruction(number, at)).collect();
            (0..3_u32, code).prop_map(move |(parameters, mut code)| {
                let value = Operand {
                    register: 0,
                    is_last: true,
                };
                code.push(Instruction::Ret { value });
                let parameters = if number == 0 { 1 } else { parameters };
                Function {
                    name: format!("f{number}"),
                    parameters,
                    registers: 6,
                    code,
                }
            })
        };
        let functions: Vec<_> = (0..3).map(function).collect();
        functions.prop_map(|functions| Program {
            functions,
            ..Program::default()
        })
    }

    fn code(program: &Program) -> Vec<u8> {
        bytes::write(program).unwrap_or_else(|reason| panic!("{reason}"))
    }

    proptest! {
        /// Whatever a program does, it runs to its end or is refused.
        #[test]
        fn any_bytecode_is_survived(program in program(), at in any::<prop::sample::Index>(), byte: u8) {
            let mut code = code(&program);
            let _ = run(&code, 7);
            let place = at.index(code.len());
            let _ = run(&code[..place], 7);
            code[place] = byte;
            // It may have no end now.
            let _ = bytes::read(&code);
        }

        #[test]
        fn programs_are_read_as_they_were_written(program in program()) {
            let code = code(&program);
            if let Ok(read) = bytes::read(&code) {
                prop_assert_eq!(read, program);
            }
        }
    }

    /// A function that gives its argument back through data and a closure.
    fn identity() -> Program {
        let last = |register| Operand {
            register,
            is_last: true,
        };
        let kept = |register| Operand {
            register,
            is_last: false,
        };
        let main = vec![
            Instruction::AllocAdt {
                to: 1,
                tag: 2,
                fields: vec![kept(0), last(0)],
            },
            Instruction::AllocClosure {
                to: 2,
                function: 1,
                captured: vec![last(1)],
            },
            Instruction::GetTag { to: 3, object: 2 },
            Instruction::Ret { value: last(2) },
        ];
        let field = vec![
            Instruction::GetField {
                to: 1,
                object: 0,
                index: 1,
            },
            Instruction::KillRegister { register: 0 },
            Instruction::Ret { value: last(1) },
        ];
        let function = |name: &str, parameters, code| Function {
            name: name.into(),
            parameters,
            registers: 4,
            code,
        };
        Program {
            functions: vec![function("main", 1, main), function("field", 1, field)],
            ..Program::default()
        }
    }

    #[test]
    fn programs_run() {
        let mut program = identity();
        let last = |register| Operand {
            register,
            is_last: true,
        };
        program.functions[0].code[2] = Instruction::InvokeClosure {
            to: 3,
            closure: last(2),
            arguments: Vec::new(),
        };
        program.functions[0].code[3] = Instruction::Ret { value: last(3) };
        assert_eq!(run(&code(&program), 42), Ok(42));
    }

    /// A kernel that copies eight bytes, with its tensors.
    unsafe extern "C" fn copy(tensors: *const *mut u8) {
        // SAFETY: the library says that it takes two tensors of eight bytes.
        unsafe { ptr::copy_nonoverlapping(*tensors, *tensors.add(1), 8) };
    }

    /// What a program makes of 42 with a kernel that the library knows by these sizes.
    fn run_kernel(kernel: &Kernel, made: u64, sizes: &[u64]) -> Result<u64, String> {
        let last = |register| Operand {
            register,
            is_last: true,
        };
        let code = vec![
            Instruction::AllocTensor { to: 1, bytes: made },
            Instruction::InvokePacked {
                kernel: 0,
                arguments: vec![0, 1],
            },
            Instruction::Ret { value: last(1) },
        ];
        let program = Program {
            functions: vec![Function {
                name: "main".into(),
                parameters: 1,
                registers: 2,
                code,
            }],
            kernels: vec![kernel.clone()],
            ..Program::default()
        };
        let code = self::code(&program);
        let kernels: [native::Kernel; 1] = [copy];
        let linked = Linked {
            kernels: kernels.as_ptr(),
            n_kernels: 1,
            sizes: sizes.as_ptr(),
            n_sizes: sizes.len() as u64,
            ..linked(&code)
        };
        run_linked(&linked, 42)
    }

    #[test]
    fn kernels_get_what_they_were_compiled_for() {
        let kernel = |tensors: [u64; 2], outputs, workspaces: &[u64]| Kernel {
            name: "copy".into(),
            tensors: tensors.into(),
            outputs,
            workspaces: workspaces.into(),
        };
        let right = kernel([8, 8], 1, &[]);
        let known = sizes(std::slice::from_ref(&right));
        assert_eq!(run_kernel(&right, 8, &known), Ok(42));
        let others = [
            (kernel([8, 1], 1, &[]), 1),
            (kernel([8, 8], 0, &[]), 8),
            (kernel([8, 8], 1, &[8]), 8),
        ];
        for (other, made) in others {
            let refused = run_kernel(&other, made, &known);
            let reason = "the bytecode is of another library: its kernels take other sizes";
            assert_eq!(refused, Err(reason.into()), "{other:?}");
        }
        // The sizes are right, and a tensor is smaller.
        let smaller = run_kernel(&right, 1, &known).expect_err("it is smaller");
        assert!(
            smaller.contains("holds a tensor that kernel 'copy' does not take"),
            "{smaller}"
        );
    }

    #[test]
    fn faults_are_named() {
        let program = |change: &dyn Fn(&mut Function)| {
            let mut program = identity();
            change(&mut program.functions[1]);
            code(&program)
        };
        let right = code(&identity());
        let mut version = right.clone();
        version[8] = 9;
        let all = [
            right.clone(),
            version,
            right[..20].into(),
            [right.as_slice(), &[0]].concat(),
            b"ELF".into(),
            program(&|function| function.registers = 1),
            program(&|function| function.code.truncate(2)),
            program(&|function| function.code[0] = Instruction::Goto { target: 3 }),
            program(&|function| function.code[0] = Instruction::LoadConst { to: 1, constant: 0 }),
        ];
        let faults = all
            .iter()
            .map(|code| run(code, 1).err().unwrap_or_default());
        insta::assert_snapshot!(faults.collect::<Vec<_>>().join("\n"));
    }
}
