//! `skip-after-errors`: a graph ends where the value of a symbol is wrong.
//!
//! ```mlir
//! %n = call @relay_rt_define_0(%number, %most) {relay.defines = "n"} : (i64, i64) -> index
//! call @kernel(%x, %y, %n) : (memref<f32>, memref<f32>, index) -> ()
//! return
//! ```
//! becomes
//! ```mlir
//! %n = call @relay_rt_define_0(%number, %most) {relay.defines = "n"} : (i64, i64) -> index
//! %0 = arith.cmpi sge, %n, %c0 : index
//! scf.if %0 {
//!   call @kernel(%x, %y, %n) : (memref<f32>, memref<f32>, index) -> ()
//! }
//! return
//! ```

use crate::symbols::definitions;
use relay_dialects::{
    ir::{Block, Builder, Op},
    ops::{arith, builtin, scf},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "skip-after-errors",
    summary: "Skip the rest of a graph where the value of a symbol is wrong",
    description: "A graph may compute the value of a symbol. The call that checks it (`relay.defines`) gives -1 where the value is \
                  wrong, or there is no memory for buffers of that size. Then nothing else of the graph may run: the pass puts what \
                  follows into an `scf.if`.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for function in module.functions() {
        // From the last one on, so that what one guards holds what the next one does.
        for (_, call) in definitions(function).into_iter().rev() {
            guard(call);
        }
    }
    Ok(())
}

/// Runs what follows a call in its block, up to the block's end, only if the call gives no negative number.
fn guard(call: Op) {
    let Some(around) = call.block() else { return };
    let ops = around.ops();
    let behind = ops.iter().skip_while(|op| **op != call).skip(1);
    let Some((end, rest)) = behind
        .copied()
        .collect::<Vec<_>>()
        .split_last()
        .map(|(end, rest)| (*end, rest.to_vec()))
    else {
        return;
    };
    let inside = Block::new(call.ctx(), &[]);
    for op in rest {
        op.detach();
        inside.append(op);
    }
    scf::Yield::build(&Builder::at_end(inside, call.loc(), call.ctx()), &[]);
    let b = Builder::before(end).with_loc(call.loc());
    let is_right = arith::CmpI::build(&b, arith::CmpIPredicate::Sge, call.result(0), b.index(0));
    scf::If::build(&b, &[], is_right, inside, None);
}
