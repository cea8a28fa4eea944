//! What rows say of effects is what TableGen's traits say.

use relay_dialects::{
    context,
    ir::{Builder, Ctx, Loc, Op},
    ops::func,
    relay::{ops, row::Effects},
};

#[test]
fn rows_and_traits_agree_on_effects() {
    let context = context();
    let module = melior::ir::Module::new(melior::ir::Location::unknown(&context));
    let (ctx, body) = (Ctx::of(&context), Op::of_module(&module).body());
    let builder = Builder::at_end(body, Loc::unknown(ctx), ctx);
    for row in ops::rows() {
        // Effects are the operator's: operands play no part, and nobody verifies this op.
        let op = builder.op(&format!("relay.{}", row.name), &[], &[], &[]);
        let is_pure = row.effects == Effects::None;
        assert_eq!(op.would_be_dead(), is_pure, "relay.{}", row.name);
    }
    assert!(!func::Return::build(&builder, &[]).would_be_dead());
}
