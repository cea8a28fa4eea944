//! `lower-device-ops`: a thread's number, barriers and shared memory, as a device has them.

mod matrix_ops;

use super::{device_functions, is_in_shared_memory, place_shared::SHARED_MEMORY};
use crate::buffers::retype;
use relay_dialects::{
    index,
    intrinsics::call_intrinsic,
    ir::{Attr, Builder, Op, Type, Value},
    names::tir,
    ops::{arith, builtin, gpu, memref, nvgpu, nvvm, rocdl},
    pass::{Default, OptionSpec, Options, PassResult, PassSpec, fail},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "lower-device-ops",
    summary: "Lower thread numbers, barriers and shared memory to a device's own",
    description: "For `device=cuda`, `gpu.thread_id`, `gpu.block_id` and `gpu.barrier` become ops of `nvvm`, and for \
                  `device=rocm` ops of `rocdl`. `tir.dot_bytes` of numbers becomes the instruction that `byte-dots` names. Upstream's \
                  `convert-gpu-to-nvvm` and `convert-gpu-to-rocdl` do this, too, but they also make calls of the makers' libraries of \
                  functions. For `device=emulated` they become calls of the emulated driver, as do `nvgpu.mma.sync` and `amdgpu.mfma`, \
                  and shared memory is ordinary memory.",
    anchor: builtin::Module::NAME,
    options: &[DEVICE, DOTS],
    run,
};

const DEVICE: OptionSpec = OptionSpec {
    name: "device",
    summary: "cuda, rocm or emulated",
    default: Default::Str("cuda"),
};

const DOTS: OptionSpec = OptionSpec {
    name: "byte-dots",
    summary: "the instruction for products of bytes: none, dp4a (NVIDIA's), sdot4 or sudot4 (AMD's)",
    default: Default::Str("none"),
};

/// What the emulated driver calls a thread's numbers.
const INDEX: &str = "relay_emulator_index";
const BARRIER: &str = "relay_emulator_barrier";
const SHARED: &str = "relay_emulator_shared";
const COPY: &str = "relay_emulator_copy";
const WAIT: &str = "relay_emulator_wait";

fn run(module: Op, options: &Options) -> PassResult {
    let name = options.str(DOTS.name);
    match BYTE_DOTS.iter().find(|(known, _)| *known == name) {
        Some((_, write)) => lower_byte_dots(module, *write),
        None if name == "none" => {}
        None => {
            let reason = format!("byte-dots is {name}, expected none, dp4a, sdot4 or sudot4");
            return fail(module, reason);
        }
    }
    match options.str(DEVICE.name) {
        "cuda" => {
            device_functions(module).for_each(matrix_ops::write_bf16);
            lower_to_registers(module, nvidia_register, nvvm::Barrier0::build);
        }
        "rocm" => lower_to_registers(module, amd_register, rocdl::Barrier::build),
        "emulated" => return lower_to_emulator(module),
        other => {
            return fail(
                module,
                format!("device is {other}, expected cuda, rocm or emulated"),
            );
        }
    }
    Ok(())
}

/// Reads ids from registers, and waits by a GPU's instruction.
fn lower_to_registers(module: Op, register: fn(&Builder, Op) -> Value, wait: fn(&Builder) -> Op) {
    for func in device_functions(module) {
        for op in ids(func) {
            let b = Builder::before(op);
            let number = register(&b, op);
            op.replace_with(&[arith::IndexCast::build(&b, Type::index(b.ctx), number)]);
        }
        for barrier in func.find_all(gpu::Barrier::NAME) {
            wait(&Builder::before(barrier));
            barrier.erase();
        }
    }
}

/// Writes the sum of a number and the products of the bytes of two words: unsigned ones by signed ones.
type ByteDot = fn(&Builder, [Value; 3]) -> Value;

/// A GPU's instructions for products of bytes, by name.
const BYTE_DOTS: [(&str, ByteDot); 3] = [
    ("dp4a", |b, operands| {
        call_intrinsic(b, "llvm.nvvm.idp4a.u.s", &operands, operands[0].ty())
    }),
    ("sdot4", signed_byte_dot),
    ("sudot4", |b, [lhs, rhs, sum]| {
        let flag = |is_set: i64| b.int_constant(Type::int(b.ctx, 1), is_set);
        let operands = [flag(0), lhs, flag(1), rhs, sum, flag(0)];
        call_intrinsic(b, "llvm.amdgcn.sudot4", &operands, lhs.ty())
    }),
];

/// With an instruction for signed bytes: x is (x - 128) + 128, and x - 128 has the first bit turned.
fn signed_byte_dot(b: &Builder, [lhs, rhs, sum]: [Value; 3]) -> Value {
    let word = |bytes: i64| b.int_constant(lhs.ty(), bytes);
    let dot = |lhs, sum| {
        let clamp = b.int_constant(Type::int(b.ctx, 1), 0);
        call_intrinsic(b, "llvm.amdgcn.sdot4", &[lhs, rhs, sum, clamp], rhs.ty())
    };
    let turned = arith::XOrI::build(b, lhs, word(i64::from(0x8080_8080_u32 as i32)));
    let bytes = dot(word(0x0101_0101), word(0));
    let more = arith::ShLI::build(b, bytes, word(7));
    dot(turned, arith::AddI::build(b, more, sum))
}

/// Multiplies the bytes of words by an instruction.
fn lower_byte_dots(module: Op, write: ByteDot) {
    let dots = device_functions(module).flat_map(|func| func.find_all(tir::DOT_BYTES));
    for op in dots.filter(|op| !op.result(0).ty().is_vector()) {
        let dot = op.result(0);
        let sum = match dot.users()[..] {
            [user] if user.is(arith::AddI::NAME) && user.operand(0) != user.operand(1) => {
                Some(user)
            }
            _ => None,
        };
        let target = sum.unwrap_or(op);
        let b = Builder::before(target);
        let other = sum.and_then(|sum| sum.operands().into_iter().find(|value| *value != dot));
        let other = other.unwrap_or_else(|| b.int_constant(dot.ty(), 0));
        target.replace_with(&[write(&b, [op.operand(0), op.operand(1), other])]);
        if sum.is_some() {
            op.erase();
        }
    }
}

/// The ops that give a thread's number or that of its block.
fn ids(func: Op) -> Vec<Op> {
    let [threads, blocks] =
        [gpu::ThreadId::NAME, gpu::BlockId::NAME].map(|name| func.find_all(name));
    [threads, blocks].concat()
}

/// The dimension of an id: 0, 1 or 2.
fn dimension(id: Op) -> usize {
    let of_thread = gpu::ThreadId::of(id).map(|id| id.dimension());
    let of_block = || gpu::BlockId::of(id).map(|id| id.dimension());
    match of_thread.or_else(of_block) {
        Some(gpu::Dimension::Y) => 1,
        Some(gpu::Dimension::Z) => 2,
        _ => 0,
    }
}

/// NVIDIA's register of an id.
fn nvidia_register(b: &Builder, id: Op) -> Value {
    let build = match (id.is(gpu::ThreadId::NAME), dimension(id)) {
        (true, 0) => nvvm::ThreadIdX::build,
        (true, 1) => nvvm::ThreadIdY::build,
        (true, _) => nvvm::ThreadIdZ::build,
        (false, 0) => nvvm::BlockIdX::build,
        (false, 1) => nvvm::BlockIdY::build,
        (false, _) => nvvm::BlockIdZ::build,
    };
    build(b, Type::int(b.ctx, 32))
}

/// AMD's register of an id.
fn amd_register(b: &Builder, id: Op) -> Value {
    let build = match (id.is(gpu::ThreadId::NAME), dimension(id)) {
        (true, 0) => rocdl::ThreadIdX::build,
        (true, 1) => rocdl::ThreadIdY::build,
        (true, _) => rocdl::ThreadIdZ::build,
        (false, 0) => rocdl::BlockIdX::build,
        (false, 1) => rocdl::BlockIdY::build,
        (false, _) => rocdl::BlockIdZ::build,
    };
    build(b, Type::int(b.ctx, 32))
}

fn lower_to_emulator(module: Op) -> PassResult {
    let (int, index) = (Type::int(module.ctx(), 32), Type::index(module.ctx()));
    let byte = Type::memref(&[1], Type::int(module.ctx(), 8));
    let start = Builder::at_start(module.body(), module.loc(), module.ctx());
    start.declare(INDEX, &[int], &[index]);
    start.declare(BARRIER, &[], &[]);
    start.declare(SHARED, &[index], &[byte]);
    for func in device_functions(module) {
        for op in ids(func) {
            let b = Builder::before(op);
            let first = if op.is(gpu::ThreadId::NAME) { 0 } else { 3 };
            let what = b.int_constant(int, first + dimension(op) as i64);
            op.replace_with(&b.call(INDEX, &[what], &[index]).results());
        }
        for barrier in func.find_all(gpu::Barrier::NAME) {
            Builder::before(barrier).call(BARRIER, &[], &[]);
            barrier.erase();
        }
        matrix_ops::emulate(module, func)?;
        copy_later(module, func);
        for memory in func.find_all(memref::GetGlobal::NAME) {
            let b = Builder::before(memory);
            memory.replace_with(&b.call(SHARED, &[b.index(0)], &[byte]).results());
        }
        forget_address_space(func);
    }
    if let Some(memory) = module.lookup(SHARED_MEMORY) {
        memory.erase();
    }
    Ok(())
}

/// Has the emulated driver copy what is copied asynchronously, when the thread waits for it.
fn copy_later(module: Op, func: Op) {
    let copies = func.find_all(nvgpu::DeviceAsyncCopy::NAME);
    if copies.is_empty() {
        return;
    }
    if module.lookup(COPY).is_none() {
        let start = Builder::at_start(module.body(), module.loc(), module.ctx());
        let index = Type::index(module.ctx());
        start.declare(COPY, &[index; 3], &[]);
        start.declare(WAIT, &[], &[]);
    }
    for op in copies {
        let b = Builder::before(op).with_loc(op.loc());
        let operands = op.operands();
        let to = operands[0].ty();
        let (to_operands, from_operands) = operands.split_at(1 + to.shape().len());
        let elements = op.attr("dstElements").and_then(Attr::as_i64).unwrap_or(0);
        let bytes = b.index(elements * to.element().byte_width() as i64);
        let [to, from] = [to_operands, from_operands]
            .map(|operands| index::address_of(&b, operands[0], &operands[1..]));
        b.call(COPY, &[to, from, bytes], &[]);
        op.erase();
    }
    for wait in func.find_all(nvgpu::DeviceAsyncWait::NAME) {
        let group = wait.operand(0).def();
        Builder::before(wait).call(WAIT, &[], &[]);
        wait.erase();
        group.into_iter().for_each(Op::erase);
    }
}

/// Puts shared buffers into the one address space of a processor.
fn forget_address_space(func: Op) {
    retype(func, |ty| match is_in_shared_memory(ty) {
        true => ty.in_memory_space(None),
        false => ty,
    });
}
