//! Images at other sizes, with TensorFlow's rules for the places of elements.

use crate::graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::dim::Dim;

/// Where the elements of a result are in the data.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Places {
    /// First and last elements lie on each other.
    Corners,
    /// Centers of elements are in their middle.
    Centers,
    /// Elements begin where others begin.
    Starts,
}

impl Places {
    /// As two flags say it.
    ///
    /// # Errors
    /// If both are set.
    pub fn of(align_corners: bool, half_pixel_centers: bool) -> Result<Self> {
        match (align_corners, half_pixel_centers) {
            (true, true) => {
                Err("'align_corners' and 'half_pixel_centers' exclude each other".into())
            }
            (true, false) => Ok(Self::Corners),
            (false, true) => Ok(Self::Centers),
            (false, false) => Ok(Self::Starts),
        }
    }
}

/// An image whose elements are the nearest ones.
pub fn nearest(b: &mut GraphBuilder, x: &Value, size: Vec<Dim>, places: Places) -> Result<Value> {
    let method = "nearest_neighbor";
    let how = match places {
        // Between two elements, the later one.
        Places::Corners => [method, "align_corners", "round"],
        Places::Centers => [method, "tf_half_pixel_for_nn", "floor"],
        Places::Starts => [method, "asymmetric", "floor"],
    };
    resized(b, x, size, how)
}

/// An image of floats between whose elements others are interpolated.
pub fn bilinear(b: &mut GraphBuilder, x: &Value, size: Vec<Dim>, places: Places) -> Result<Value> {
    let mode = match places {
        Places::Corners => "align_corners",
        Places::Centers => "half_pixel",
        Places::Starts => "asymmetric",
    };
    resized(b, x, size, ["linear", mode, "floor"])
}

fn resized(
    b: &mut GraphBuilder,
    x: &Value,
    size: Vec<Dim>,
    [method, mode, rounding]: [&'static str; 3],
) -> Result<Value> {
    let attrs = [
        ("size", Param::Dims(size)),
        ("layout", Param::Str("NHWC")),
        ("method", Param::Str(method)),
        ("coordinate_transformation_mode", Param::Str(mode)),
        ("rounding_method", Param::Str(rounding)),
    ];
    b.op("image.resize2d", std::slice::from_ref(x), &attrs)
}
