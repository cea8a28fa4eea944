//! Pieces of code for instructions that no loop of vectors becomes: `te.tensor_intrin` ops, by machine.

pub mod warp;
pub mod x86_amx;

use relay_dialects::ir::{Builder, Op};
use warp::WarpProduct;
use x86_amx::{Conv, Dense, Limits, Numbers, pairs};

/// Writes the intrinsic of a name; none if no schedule of this crate has one of that name.
pub fn named(b: &Builder, name: &str, limits: impl Fn(Numbers) -> Limits) -> Option<Op> {
    if name == pairs::PAIRS {
        return Some(pairs::intrinsic(b));
    }
    if let Some(product) = WarpProduct::named(name) {
        return Some(product.intrinsic(b));
    }
    if let Some(tile) = Dense::named(name, &limits) {
        return Some(tile.intrinsic(b));
    }
    Conv::named(name, limits).map(|tile| tile.intrinsic(b))
}
