//! Numbers of a few bits that lie in bytes.

use crate::graph::{builder::GraphBuilder, constant::Const, error::Result, value::Value};
use relay_dialects::{dim::Dim, element::Element};

/// The numbers, [.., numbers of a block], of bytes, [.., bytes of a block]. A byte has whole numbers of `bits` bits, the first one in its
/// lowest bits.
pub fn numbers_of_bytes(
    b: &mut GraphBuilder,
    bytes: &Value,
    (bits, block): (i64, i64),
) -> Result<Value> {
    let apart = [bytes.dims(), &[Dim::Known(1)]].concat();
    let apart = b.reshape(bytes, &apart)?;
    let shifts: Vec<u8> = (0..8u8).step_by(bits as usize).collect();
    let shifts = b.known(Const::of_bytes(Element::U8, vec![8 / bits], shifts));
    let shifted = b.binary("right_shift", &apart, &shifts)?;
    let ones = b.scalar(Element::U8, f64::from(u8::MAX >> (8 - bits)));
    let numbers = b.binary("bitwise_and", &shifted, &ones)?;
    let mut shape = bytes.dims().to_vec();
    if let Some(last) = shape.last_mut() {
        *last = Dim::Known(block);
    }
    b.reshape(&numbers, &shape)
}
