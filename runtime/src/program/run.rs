//! A run of a program, from its inputs to its outputs.

use super::{
    Program, bytes,
    heap::{self, Heap, Kind, Object, Usage},
    machine::Machine,
    native::Linked,
};
use std::{ffi::c_void, ptr, slice};

/// The variable of the environment that asks for what a run has used, on stderr.
const REPORT: &str = "RELAY_HEAP_REPORT";

/// How much of the caller's stack a program may use.
const FIRST_STACK: usize = 256 << 10;

/// What an instance of a program keeps from one run to the next.
#[derive(Default)]
pub(crate) struct Running {
    heap: Heap,
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
        self.heap.failure = None;
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
                let here: u8 = 0;
                let top = (&raw const here).addr();
                self.heap.stack_limit = top.saturating_sub(FIRST_STACK);
                // SAFETY: the entry is compiled code of this library, for so many arguments.
                unsafe { entry(&raw mut self.heap, arguments.as_ptr()) }
            }
            None => {
                // SAFETY: the library's.
                let (code, kernels) = unsafe { (linked.code(), linked.kernels()) };
                if self.program.is_none() {
                    self.program = Some(bytes::read(code)?);
                }
                let program = self.program.as_ref();
                let program = program.ok_or("the library holds no bytecode")?;
                let machine = Machine::new(program, &mut self.heap, kernels, linked.weights_bytes)?;
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
