//! Modules, and which of their operations Python knows.

use crate::errors;
use melior::{Context, ir};
use pyo3::prelude::*;
use relay_dialects::{
    ir::{Ctx, Op},
    pass::{run_pipeline, with_diagnostics},
};
use relay_driver::compile::prepare;
use self_cell::self_cell;
use std::{
    cell::{RefCell, RefMut},
    collections::HashMap,
};

type IrModule<'c> = ir::Module<'c>;

self_cell!(
    /// A module with its context.
    struct Owned {
        owner: Context,
        #[not_covariant]
        dependent: IrModule,
    }
);

/// The operations that Python knows, by number. A number is given once, so that an operation that comes to lie where
/// an erased one was is another one.
#[derive(Default)]
struct Known {
    ops: HashMap<u64, Op>,
    numbers: HashMap<Op, u64>,
    next: u64,
}

/// What a module consists of.
struct Shared {
    owned: RefCell<Owned>,
    known: RefCell<Known>,
}

// SAFETY: only methods of `Module` reach it, on threads that hold Python's global lock, which none of them lets go while
// it looks at the IR; modules for Pythons without that lock are not built (abi3). MLIR's IR belongs to no thread.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

/// A module of MLIR, with the context that it lives in.
#[pyclass(frozen, module = "relay_mlir.ir")]
pub struct Module {
    shared: Shared,
}

impl Module {
    /// A module with a context of its own.
    ///
    /// # Errors
    /// As `module`.
    pub fn make(
        module: impl for<'c> FnOnce(&'c Context) -> PyResult<IrModule<'c>>,
    ) -> PyResult<Self> {
        let context = prepare();
        // Operators that Python declares are asked from the thread that holds Python's lock.
        context.enable_multi_threading(false);
        let owned = Owned::try_new(context, module)?;
        let shared = Shared {
            owned: RefCell::new(owned),
            known: RefCell::default(),
        };
        Ok(Self { shared })
    }

    /// The module's own operation.
    pub fn root(&self) -> Op {
        let owned = self.shared.owned.borrow();
        owned.with_dependent(|_, module| Op::of_module(module))
    }

    /// Does `work` with the context.
    pub fn with_context<T>(&self, work: impl FnOnce(&Context) -> T) -> T {
        work(self.shared.owned.borrow().borrow_owner())
    }

    /// The context.
    pub fn ctx(&self) -> Ctx {
        self.with_context(Ctx::of)
    }

    /// The number of an operation that Python is given.
    pub fn number(&self, op: Op) -> u64 {
        let mut known = self.shared.known.borrow_mut();
        let known = &mut *known;
        *known.numbers.entry(op).or_insert_with(|| {
            known.next += 1;
            known.ops.insert(known.next, op);
            known.next
        })
    }

    /// The operation of a number.
    ///
    /// # Errors
    /// If it was erased, or a pipeline ran meanwhile.
    pub fn find(&self, number: u64) -> PyResult<Op> {
        let known = self.shared.known.borrow();
        known.ops.get(&number).copied().ok_or_else(|| {
            errors::of_ir(
                "the operation is gone: it was erased, or a pipeline ran since; look it up again",
            )
        })
    }

    /// Erases an operation that nobody reads, and all in it.
    pub fn erase(&self, op: Op) {
        let mut known = self.shared.known.borrow_mut();
        op.walk(|inner| forget(&mut known, inner));
        op.erase();
    }

    /// Runs a pipeline; what it erases is nobody's business afterwards.
    ///
    /// # Errors
    /// What the passes reported.
    pub fn run_passes(&self, pipeline: &str) -> Result<(), String> {
        self.forget_all();
        let mut owned = self.shared.owned.borrow_mut();
        owned.with_dependent_mut(|context, module| {
            let (result, reasons) =
                with_diagnostics(context, || run_pipeline(context, module, pipeline));
            result.map_err(|error| match reasons.is_empty() {
                true => error,
                false => reasons,
            })
        })
    }

    /// Forgets all operations, before something may erase any of them.
    fn forget_all(&self) {
        let mut known = self.shared.known.borrow_mut();
        known.ops.clear();
        known.numbers.clear();
    }
}

fn forget(known: &mut RefMut<'_, Known>, op: Op) {
    if let Some(number) = known.numbers.remove(&op) {
        known.ops.remove(&number);
    }
}
