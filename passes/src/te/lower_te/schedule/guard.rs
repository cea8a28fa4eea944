//! Sums of products with stages that are zero outside of a condition, as padding is.

use relay_dialects::{
    ir::Value,
    names,
    te::{Compute, Reducer},
};

/// Whether a compute is a sum of products, of which each read of the tensor is a factor.
pub fn sums_products_with(compute: Compute, tensor: Value) -> bool {
    let reads = compute.op().find_all("tensor.extract").into_iter();
    let mut reads = reads.filter(|read| read.operand(0) == tensor);
    compute.reducer() == Some(Reducer::Sum) && reads.all(|read| is_factor(read.result(0)))
}

/// Whether all that becomes of a value is a product that is yielded; it may be widened before.
fn is_factor(value: Value) -> bool {
    let [user] = value.users()[..] else {
        return false;
    };
    match user.name().as_str() {
        "arith.extf" => is_factor(user.result(0)),
        "arith.mulf" | "arith.muli" => {
            let users = user.result(0).users();
            users.iter().all(|user| user.is(names::te::YIELD))
        }
        _ => false,
    }
}
