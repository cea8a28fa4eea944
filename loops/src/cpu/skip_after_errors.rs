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

use relay_dialects::{
    attrs::{CHECKS, DEFINES},
    ir::{Block, Builder, Op, Value},
    ops::{arith, builtin, func, scf},
    pass::{Options, PassResult, PassSpec},
};

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "skip-after-errors",
    summary: "Skip the rest of a graph where the value of a symbol is wrong",
    description: "A graph may compute the value of a symbol. The call that checks it (`relay.defines`) gives -1 where the value is \
                  wrong, or there is no memory for buffers of that size. Then nothing else of the graph may run: the pass puts what \
                  follows into an `scf.if`. In a loop or branch, that is the rest of a step or branch; behind the loop another call \
                  (`relay.checks`) gives -1, too.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

fn run(module: Op, _options: &Options) -> PassResult {
    for function in module.functions() {
        // From the last one on, so that what one guards holds what the next one does.
        let checks = function.find_all(func::Call::NAME).into_iter().rev();
        for call in checks.filter(|call| call.has_attr(DEFINES) || call.has_attr(CHECKS)) {
            guard(call);
        }
    }
    Ok(())
}

/// Runs what follows a call in its block, up to the block's end, only if the call gives no negative number. What a step carries to
/// the next one is always there: places in memory, and the condition.
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
    let kept = read_by(&[end], &rest);
    let (kept, rest): (Vec<Op>, Vec<Op>) = rest.into_iter().partition(|op| kept.contains(op));
    let before = read_by(&rest, &kept);
    let behind: Vec<Op> = kept.into_iter().filter(|op| !before.contains(op)).collect();
    for op in &behind {
        op.move_before(end);
    }
    let inside = Block::new(call.ctx(), &[]);
    for op in rest {
        op.detach();
        inside.append(op);
    }
    scf::Yield::build(&Builder::at_end(inside, call.loc(), call.ctx()), &[]);
    let next = behind.first().copied().unwrap_or(end);
    let b = Builder::before(next).with_loc(call.loc());
    let is_right = arith::CmpI::build(&b, arith::CmpIPredicate::Sge, call.result(0), b.index(0));
    scf::If::build(&b, &[], is_right, inside, None);
}

/// Those of some ops whose results others read, or ops that these read.
fn read_by(users: &[Op], ops: &[Op]) -> Vec<Op> {
    let mut users = users.to_vec();
    let mut found = Vec::new();
    for op in ops.iter().rev() {
        let is_user = |user: Op| {
            let mut around = std::iter::successors(Some(user), |op| op.parent());
            around.any(|op| users.contains(&op))
        };
        let results = op.results().into_iter();
        if results.flat_map(Value::users).any(is_user) {
            users.push(*op);
            found.push(*op);
        }
    }
    found
}
