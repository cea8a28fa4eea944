//! ONNX Runtime's own operators, of the domain com.microsoft. Its optimisers and quantisers write them in the place of ONNX's.

mod activation;
mod attention;
mod bits;
mod grouped;
mod linear;
mod norm;
mod quantize;
mod state;

use super::row::Row;

/// The domain, with which the names of its operators begin.
pub const DOMAIN: &str = "com.microsoft";

/// The rows of all families.
pub const ROWS: [&[Row]; 8] = [
    activation::ROWS,
    attention::ROWS,
    bits::ROWS,
    grouped::ROWS,
    linear::ROWS,
    norm::ROWS,
    quantize::ROWS,
    state::ROWS,
];
