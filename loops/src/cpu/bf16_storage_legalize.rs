//! `bf16-storage-legalize`: numbers of bf16 that are only moved, as integers.

use relay_dialects::{
    ir::{Block, Builder, Op, Region, Type, Value},
    ops::{builtin, llvm},
    pass::{Options, PassResult, PassSpec},
};
use std::collections::HashSet;

/// The pass.
pub const SPEC: PassSpec = PassSpec {
    flag: "bf16-storage-legalize",
    summary: "Move bf16 values as integers, for processors without bf16 instructions",
    description: "On a processor without bf16 instructions, LLVM 22 widens moved values to f32 and rounds them again, \
                  with a call of a function that GCC 12's library lacks. So `bf16` becomes `i16` in the llvm dialect \
                  in loads, stores, shuffles, selects and block arguments. All other ops keep bf16 values, between \
                  casts. TVM has a pass of this name, on loops.",
    anchor: builtin::Module::NAME,
    options: &[],
    run,
};

/// Operations that compute nothing of the numbers that they have.
const MOVES: &[&str] = &[
    llvm::Bitcast::NAME,
    llvm::Br::NAME,
    llvm::CondBr::NAME,
    llvm::ExtractElement::NAME,
    llvm::InsertElement::NAME,
    llvm::MaskedGather::NAME,
    llvm::MaskedLoad::NAME,
    llvm::MaskedScatter::NAME,
    llvm::MaskedStore::NAME,
    llvm::VectorExtract::NAME,
    llvm::VectorInsert::NAME,
    llvm::Load::NAME,
    llvm::Select::NAME,
    llvm::ShuffleVector::NAME,
    llvm::Store::NAME,
    llvm::Switch::NAME,
];

fn run(module: Op, _options: &Options) -> PassResult {
    let mut as_integers = HashSet::new();
    module.walk(|op| {
        let results = op.results().into_iter().filter(|_| is_move(op));
        for value in results.chain(handed_over(op)) {
            if let Some(ty) = integers(value.ty()) {
                value.set_ty(ty);
                as_integers.insert(value);
            }
        }
    });
    let mut ops = Vec::new();
    module.walk(|op| ops.push(op));
    for op in ops {
        cast_operands(op, &as_integers);
    }
    for cast in module.find_all(llvm::Bitcast::NAME) {
        if cast.operand(0).ty() == cast.result(0).ty() {
            cast.replace_with(&[cast.operand(0)]);
        }
    }
    Ok(())
}

fn is_move(op: Op) -> bool {
    MOVES.iter().any(|name| op.is(name))
}

/// What a function's blocks get from each other. The first one has the function's parameters.
fn handed_over(op: Op) -> Vec<Value> {
    let blocks = op.regions().into_iter().flat_map(Region::blocks).skip(1);
    blocks.flat_map(Block::args).collect()
}

/// Gives an operation numbers or integers, whichever it takes.
fn cast_operands(op: Op, as_integers: &HashSet<Value>) {
    for (index, value) in op.operands().into_iter().enumerate() {
        let wanted = match (is_move(op), as_integers.contains(&value)) {
            (true, false) => integers(value.ty()),
            (false, true) => numbers(value.ty()),
            _ => None,
        };
        if let Some(ty) = wanted {
            let cast = llvm::Bitcast::build(&Builder::before(op), ty, value);
            op.set_operand(index, cast);
        }
    }
}

/// The type of integers that holds the bits of a type of bf16.
fn integers(ty: Type) -> Option<Type> {
    ty.element()
        .is_bf16()
        .then(|| ty.with_element(Type::int(ty.ctx(), 16)))
}

/// The type of bf16 whose bits a type of integers holds.
fn numbers(ty: Type) -> Option<Type> {
    Some(ty.with_element(Type::bf16(ty.ctx())))
}
