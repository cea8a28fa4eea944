//! The softmax of quantised integers.

use super::norm::of_floats;
use crate::{
    graph::{builder::GraphBuilder, error::Result, value::Value},
    tflite::node::Node,
};

/// That of the last dimension, in floats.
pub fn quantised(n: &Node<'_>, b: &mut GraphBuilder, x: &Value, beta: f64) -> Result<Vec<Value>> {
    let numbers = n.grain(0)?.dequantised(b, x)?;
    let made = of_floats(b, &numbers, beta)?;
    Ok(vec![n.grain_of_result(0)?.quantised(b, &made)?])
}
