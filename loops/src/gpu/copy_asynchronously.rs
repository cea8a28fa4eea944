//! `copy-asynchronously`: a thread goes on while its copies to shared memory are under way.

use super::is_in_shared_memory;
use relay_dialects::{
    attrs,
    ir::{Attr, Builder, Op},
    ops::{func, gpu, memref, nvgpu, vector},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "copy-asynchronously",
    summary: "Copy vectors from global to shared memory by instructions that do not wait",
    description: "A `vector.load` of an operand of a kernel and a `vector.store` of what it loads to shared memory become \
                  `nvgpu.device_async_copy`, if the vector has 4, 8 or 16 bytes and both addresses are aligned to them. Before a \
                  barrier, each thread waits for its copies. What is copied so is behind a barrier for all who read it: \
                  `insert-barriers` leaves none out for vectors. For NVIDIA's GPUs from compute capability 8.0 on.",
    anchor: func::Func::NAME,
    options: &[],
    run,
};

fn run(func: Op, _options: &Options) -> PassResult {
    if !func.has_attr(attrs::DEVICE_FUNCTION) {
        return Ok(());
    }
    let stores = func.find_all(vector::Store::NAME).into_iter();
    let copies: Vec<Copy> = stores.filter_map(|store| Copy::of(store, func)).collect();
    if copies.is_empty() {
        return Ok(());
    }
    copies.into_iter().for_each(Copy::write);
    for barrier in func.find_all(gpu::Barrier::NAME) {
        let b = Builder::before(barrier).with_loc(barrier.loc());
        let all = nvgpu::DeviceAsyncCreateGroup::build(&b, &[]);
        nvgpu::DeviceAsyncWait::build_with(&b, all, Some(0));
    }
    Ok(())
}

/// A vector that is loaded and stored.
struct Copy {
    load: Op,
    store: Op,
}

impl Copy {
    /// The copy that ends with a store, if nothing else reads what is loaded.
    fn of(store: Op, func: Op) -> Option<Self> {
        let load = store.operand(0).def_of(vector::Load::NAME)?;
        let is_alone = load.result(0).users().len() == 1 && load.block() == store.block();
        let from = load.operand(0);
        let is_operand = from.def().is_none() && from.owner_block() == Some(func.body());
        let ty = load.result(0).ty();
        let bytes = ty.count() * ty.element().byte_width() as i64;
        let is_aligned = |access: Op| {
            let alignment = access.attr("alignment").and_then(Attr::as_i64);
            alignment.is_some_and(|alignment| alignment >= bytes)
        };
        let is_right = is_alone
            && is_operand
            && is_in_shared_memory(store.operand(1).ty())
            && [4, 8, 16].contains(&bytes)
            && is_aligned(load)
            && is_aligned(store);
        let copy = Self { load, store };
        (is_right && !copy.may_change()).then_some(copy)
    }

    /// Whether something between the load and the store may write what is loaded.
    fn may_change(&self) -> bool {
        let after = std::iter::successors(self.load.next(), |op| op.next());
        let mut between = after.take_while(|op| *op != self.store);
        between.any(|op| {
            let mut writes = false;
            op.walk(|inner| writes |= writes_global(inner));
            writes
        })
    }

    fn write(self) {
        let b = Builder::before(self.store).with_loc(self.store.loc());
        let (from, to) = (self.load.operands(), self.store.operands());
        let ty = self.load.result(0).ty();
        // What is in shared memory is not read from the first cache.
        let is_widest = ty.count() * ty.element().byte_width() as i64 == 16;
        nvgpu::DeviceAsyncCopy::build_with(
            &b,
            to[1],
            &to[2..],
            from[0],
            &from[1..],
            ty.count(),
            None,
            is_widest,
        );
        self.store.erase();
        self.load.erase();
    }
}

/// Whether an op may write memory other than shared memory.
fn writes_global(op: Op) -> bool {
    let stores = [memref::Store::NAME, vector::Store::NAME];
    match stores.contains(&op.name().as_str()) {
        true => !is_in_shared_memory(op.operand(1).ty()),
        false => op.is(func::Call::NAME),
    }
}
