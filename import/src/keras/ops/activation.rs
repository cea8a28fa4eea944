//! Activations: layers, operations, and those that other layers name.

use super::{
    operand::{floats, tensor},
    row::{Row, row, unary},
};
use crate::{
    compose::{
        activation::{
            SELU, clipped, exponential_below_zero, gelu_by_tanh, gelu_of, leak, log_of_1_and_exp,
            log_sigmoid_of, mish_of, self_gated, softsign_of,
        },
        reduce::log_sum_exp,
        slice::sliced,
    },
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{config::Config, item::Tree, node::Node},
};
use relay_dialects::dim::Dim;
use serde_json::{Map, Value as Json};

/// The rows of layers.
pub const LAYERS: &[Row] = &[
    row(&["Activation"], |n, b| {
        let x = n.x()?;
        named(b, &n.config, "activation", &x)
    })
    .passing(),
    row(&["ELU"], |n, b| {
        let (x, alpha) = (n.x()?, n.config.float("alpha", 1.0)?);
        exponential_below_zero(b, &x, &x, alpha)
    })
    .passing(),
    row(&["LeakyReLU"], |n, b| {
        let slope = n.config.optional_float("negative_slope")?;
        let slope = slope.map_or_else(|| n.config.float("alpha", 0.3), Ok)?;
        leak(b, &n.x()?, slope)
    })
    .passing(),
    row(&["PReLU"], prelu).passing(),
    row(&["ReLU"], relu_layer).passing(),
    row(&["Softmax"], softmax_layer).passing(),
    row(&["ThresholdedReLU"], |n, b| {
        let (x, theta) = (n.x()?, n.config.float("theta", 1.0)?);
        kept_above(b, &x, theta, 0.0)
    })
    .passing(),
];

/// The rows of operations.
pub const OPERATIONS: &[Row] = &[
    row(&["Celu"], |n, b| of_operation(n, b, Form::Celu, 1.0)),
    row(&["Elu"], |n, b| of_operation(n, b, Form::Elu, 1.0)),
    row(&["Gelu"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let exact = match n.arg(1, &["approximate"]) {
            Some(Tree::Bool(flag)) => !flag,
            _ => !n.config.flag("approximate", true)?,
        };
        if exact {
            gelu_of(b, &x)
        } else {
            gelu_by_tanh(b, &x)
        }
    }),
    row(&["Glu"], |n, b| {
        let (x, axis) = (tensor(n, b, 0, &["x"])?, axis_of(n)?);
        glu(b, &x, axis)
    }),
    row(&["HardShrink"], |n, b| {
        of_operation(n, b, Form::HardShrink, 0.5)
    }),
    row(&["HardSigmoid"], |n, b| of_name(n, b, "hard_sigmoid")),
    row(&["HardSilu", "HardSwish"], |n, b| {
        of_name(n, b, "hard_silu")
    }),
    row(&["HardTanh"], |n, b| of_name(n, b, "hard_tanh")),
    row(&["LeakyRelu"], |n, b| {
        let slope = number(n, "negative_slope", 0.2)?;
        leak(b, &tensor(n, b, 0, &["x"])?, slope)
    }),
    row(&["LogSigmoid"], |n, b| of_name(n, b, "log_sigmoid")),
    row(&["LogSoftmax"], |n, b| {
        let (x, axis) = (tensor(n, b, 0, &["x"])?, axis_of(n)?);
        log_softmax(b, &x, axis)
    }),
    row(&["Mish"], |n, b| of_name(n, b, "mish")),
    unary(&["Relu"], "nn.relu"),
    row(&["Relu6"], |n, b| of_name(n, b, "relu6")),
    row(&["Selu"], |n, b| of_name(n, b, "selu")),
    row(&["Sigmoid"], |n, b| of_name(n, b, "sigmoid")),
    row(&["Silu"], |n, b| of_name(n, b, "silu")),
    row(&["SoftShrink"], |n, b| {
        of_operation(n, b, Form::SoftShrink, 0.5)
    }),
    row(&["Softmax"], |n, b| {
        let (x, axis) = (tensor(n, b, 0, &["x"])?, axis_of(n)?);
        softmax(b, &x, axis)
    }),
    row(&["Softplus"], |n, b| of_name(n, b, "softplus")),
    row(&["Softsign"], |n, b| of_name(n, b, "softsign")),
    row(&["SparsePlus"], |n, b| of_name(n, b, "sparse_plus")),
    row(&["SparseSigmoid"], |n, b| of_name(n, b, "sparse_sigmoid")),
    row(&["Squareplus"], |n, b| {
        of_operation(n, b, Form::Squareplus, 4.0)
    }),
    row(&["TanhShrink"], |n, b| of_name(n, b, "tanh_shrink")),
    row(&["Threshold"], |n, b| {
        let x = tensor(n, b, 0, &["x"])?;
        let (least, value) = (
            number(n, "threshold", 0.0)?,
            number(n, "default_value", 0.0)?,
        );
        kept_above(b, &x, least, value)
    }),
];

/// An activation with a parameter.
#[derive(Clone, Copy)]
enum Form {
    Celu,
    Elu,
    HardShrink,
    SoftShrink,
    Squareplus,
}

impl Form {
    /// What its parameter is called.
    fn parameter(self) -> &'static str {
        match self {
            Self::Celu | Self::Elu => "alpha",
            Self::HardShrink | Self::SoftShrink => "threshold",
            Self::Squareplus => "b",
        }
    }

    fn of(self, b: &mut GraphBuilder, x: &Value, parameter: f64) -> Result<Value> {
        match self {
            Self::Celu => {
                let scaled = b.with_scalar("divide", x, parameter)?;
                exponential_below_zero(b, x, &scaled, parameter)
            }
            Self::Elu => exponential_below_zero(b, x, x, parameter),
            Self::HardShrink => {
                let size = b.unary("abs", x)?;
                let is_kept = b.with_scalar("greater", &size, parameter)?;
                let zero = b.scalar(x.element(), 0.0);
                b.op("where", &[is_kept, x.clone(), zero], &[])
            }
            Self::SoftShrink => {
                let inner = clipped(b, x, -parameter, parameter)?;
                b.binary("subtract", x, &inner)
            }
            Self::Squareplus => {
                let square = b.binary("multiply", x, x)?;
                let shifted = b.with_scalar("add", &square, parameter)?;
                let root = b.unary("sqrt", &shifted)?;
                let sum = b.binary("add", x, &root)?;
                b.with_scalar("multiply", &sum, 0.5)
            }
        }
    }
}

fn of_operation(n: &Node<'_>, b: &mut GraphBuilder, form: Form, default: f64) -> Result<Value> {
    let parameter = number(n, form.parameter(), default)?;
    let x = tensor(n, b, 0, &["x"])?;
    form.of(b, &x, parameter)
}

fn of_name(n: &Node<'_>, b: &mut GraphBuilder, name: &str) -> Result<Value> {
    let x = tensor(n, b, 0, &["x"])?;
    let x = floats(b, &x)?;
    activated(b, name, &x)
}

/// A number that an operation has as an argument or as an attribute.
fn number(n: &Node<'_>, name: &str, default: f64) -> Result<f64> {
    match n.arg(1, &[name]) {
        Some(item) => item
            .float()
            .ok_or_else(|| format!("argument '{name}' is no number")),
        None => n.config.float(name, default),
    }
}

fn axis_of(n: &Node<'_>) -> Result<i64> {
    match n.arg(1, &["axis"]) {
        Some(item) => item
            .int()
            .ok_or_else(|| "argument 'axis' is no integer".into()),
        None => Ok(n.config.int("axis")?.unwrap_or(-1)),
    }
}

/// The activation that an attribute of a layer names; none if there is none.
///
/// # Errors
/// If it is unknown, or Python code.
pub fn named(
    b: &mut GraphBuilder,
    config: &Config<'_>,
    attribute: &str,
    x: &Value,
) -> Result<Value> {
    Activation::of(config, attribute)?.apply(b, x)
}

/// An activation that an attribute names.
#[derive(Clone)]
pub struct Activation<'m> {
    name: &'m str,
    is_keras_2: bool,
    /// The attributes of an activation that is a layer.
    config: Option<&'m Map<String, Json>>,
}

impl<'m> Activation<'m> {
    /// Reads an attribute: a name, or a function or a layer as an object.
    ///
    /// # Errors
    /// If it is something else.
    pub fn of(config: &Config<'m>, attribute: &str) -> Result<Self> {
        let linear = Self {
            name: "linear",
            is_keras_2: config.is_keras_2,
            config: None,
        };
        let Some(value) = config.value(attribute) else {
            return Ok(linear);
        };
        match value {
            Json::String(name) => Ok(Self { name, ..linear }),
            Json::Object(object) => match object.get("class_name").and_then(Json::as_str) {
                Some("function") => match object.get("config") {
                    Some(Json::String(name)) => Ok(Self { name, ..linear }),
                    _ => Err(unknown("a function")),
                },
                Some(class) => Ok(Self {
                    name: class,
                    config: object.get("config").and_then(Json::as_object),
                    ..linear
                }),
                None => Err(unknown("an object")),
            },
            _ => Err(unknown("no name")),
        }
    }

    /// What it makes of a tensor.
    ///
    /// # Errors
    /// If it is unknown.
    pub fn apply(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        let Some(config) = self.config else {
            return match (self.name, self.is_keras_2) {
                ("hard_sigmoid", true) => hard_sigmoid_of_keras_2(b, x),
                (name, _) => activated(b, name, x),
            };
        };
        let config = Config::new(config, self.is_keras_2);
        match self.name {
            "ReLU" => relu(b, &config, x),
            "LeakyReLU" => {
                let slope = config.optional_float("negative_slope")?;
                let slope = slope.map_or_else(|| config.float("alpha", 0.3), Ok)?;
                leak(b, x, slope)
            }
            "ELU" => exponential_below_zero(b, x, x, config.float("alpha", 1.0)?),
            "Softmax" => softmax(b, x, config.int("axis")?.unwrap_or(-1)),
            "Activation" => named(b, &config, "activation", x),
            other => Err(unknown(other)),
        }
    }
}

fn unknown(name: &str) -> String {
    format!("the activation '{name}' is not supported; those of keras.activations are")
}

/// An activation of Keras by its name.
fn activated(b: &mut GraphBuilder, name: &str, x: &Value) -> Result<Value> {
    match name {
        "linear" => Ok(x.clone()),
        "relu" => b.unary("nn.relu", x),
        "relu6" => clipped(b, x, 0.0, 6.0),
        "leaky_relu" => leak(b, x, 0.2),
        "softmax" => softmax(b, x, -1),
        "log_softmax" => log_softmax(b, x, -1),
        "elu" => Form::Elu.of(b, x, 1.0),
        "celu" => Form::Celu.of(b, x, 1.0),
        "selu" => {
            let (scale, slope) = SELU;
            let inner = exponential_below_zero(b, x, x, slope)?;
            b.with_scalar("multiply", &inner, scale)
        }
        "softplus" => log_of_1_and_exp(b, x),
        "softsign" => softsign_of(b, x),
        "soft_shrink" => Form::SoftShrink.of(b, x, 0.5),
        "hard_shrink" => Form::HardShrink.of(b, x, 0.5),
        "squareplus" => Form::Squareplus.of(b, x, 4.0),
        "sparse_plus" => {
            // 0 below -1, x above 1, and a quarter of (x + 1)^2 between.
            let inner = clipped(b, x, -1.0, 1.0)?;
            let shifted = b.with_scalar("add", &inner, 1.0)?;
            let square = b.binary("multiply", &shifted, &shifted)?;
            let quarter = b.with_scalar("multiply", &square, 0.25)?;
            let above = b.with_scalar("subtract", x, 1.0)?;
            let above = b.unary("nn.relu", &above)?;
            b.binary("add", &quarter, &above)
        }
        "sparse_sigmoid" => {
            let inner = clipped(b, x, -1.0, 1.0)?;
            let shifted = b.with_scalar("add", &inner, 1.0)?;
            b.with_scalar("multiply", &shifted, 0.5)
        }
        "silu" | "swish" => self_gated(b, x, 1.0),
        "gelu" => gelu_of(b, x),
        "glu" => glu(b, x, -1),
        "tanh" => b.unary("tanh", x),
        "tanh_shrink" => {
            let inner = b.unary("tanh", x)?;
            b.binary("subtract", x, &inner)
        }
        "hard_tanh" => clipped(b, x, -1.0, 1.0),
        "sigmoid" => b.unary("sigmoid", x),
        "exponential" => b.unary("exp", x),
        "hard_sigmoid" => hard_sigmoid(b, x),
        "hard_silu" | "hard_swish" => {
            let gate = hard_sigmoid(b, x)?;
            b.binary("multiply", x, &gate)
        }
        "log_sigmoid" => log_sigmoid_of(b, x),
        "mish" => mish_of(b, x),
        other => Err(unknown(other)),
    }
}

/// x / 5 + 1 / 2 from 0 to 1.
fn hard_sigmoid_of_keras_2(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let scaled = b.with_scalar("multiply", x, 0.2)?;
    let shifted = b.with_scalar("add", &scaled, 0.5)?;
    clipped(b, &shifted, 0.0, 1.0)
}

/// relu6(x + 3) / 6, as Keras 3 has it.
fn hard_sigmoid(b: &mut GraphBuilder, x: &Value) -> Result<Value> {
    let shifted = b.with_scalar("add", x, 3.0)?;
    let inner = clipped(b, &shifted, 0.0, 6.0)?;
    b.with_scalar("divide", &inner, 6.0)
}

/// The first half of an axis times the sigmoid of the second.
fn glu(b: &mut GraphBuilder, x: &Value, axis: i64) -> Result<Value> {
    let axis = x.axis(axis)?;
    let extent = x.dims()[axis];
    let half = extent.floor_div(2)?;
    let value = sliced(b, x, &[(axis, Dim::Known(0), half, 1)])?;
    let gate = sliced(b, x, &[(axis, half, extent, 1)])?;
    let gate = b.unary("sigmoid", &gate)?;
    b.binary("multiply", &value, &gate)
}

/// The softmax of an axis.
pub fn softmax(b: &mut GraphBuilder, x: &Value, axis: i64) -> Result<Value> {
    let attrs = [("axis", Param::Int(x.axis(axis)? as i64))];
    b.op("nn.softmax", std::slice::from_ref(x), &attrs)
}

fn log_softmax(b: &mut GraphBuilder, x: &Value, axis: i64) -> Result<Value> {
    let attrs = [("axis", Param::Int(x.axis(axis)? as i64))];
    b.op("nn.log_softmax", std::slice::from_ref(x), &attrs)
}

/// `x` where it is above a number, else another number.
fn kept_above(b: &mut GraphBuilder, x: &Value, least: f64, value: f64) -> Result<Value> {
    let is_kept = b.with_scalar("greater", x, least)?;
    let other = b.scalar(x.element(), value);
    b.op("where", &[is_kept, x.clone(), other], &[])
}

fn relu_layer(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    relu(b, &n.config, &n.x()?)
}

/// min(x, most) where x is at least the threshold, else slope * (x - threshold).
fn relu(b: &mut GraphBuilder, config: &Config<'_>, x: &Value) -> Result<Value> {
    let most = config.optional_float("max_value")?;
    let slope = config.float("negative_slope", 0.0)?;
    let least = config.float("threshold", 0.0)?;
    let mut made = match (least, slope) {
        (0.0, 0.0) => b.unary("nn.relu", x)?,
        (0.0, slope) => leak(b, x, slope)?,
        (least, slope) => {
            let is_kept = b.with_scalar("greater_equal", x, least)?;
            let below = b.with_scalar("subtract", x, least)?;
            let below = b.with_scalar("multiply", &below, slope)?;
            b.op("where", &[is_kept, x.clone(), below], &[])?
        }
    };
    if let Some(most) = most {
        made = b.with_scalar("minimum", &made, most)?;
    }
    Ok(made)
}

/// A slope for each element below 0; shared axes have one.
fn prelu(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    n.config.ignore(&["shared_axes"]);
    let (x, slope) = (n.x()?, n.weight(b, "alpha")?);
    let positive = b.unary("nn.relu", &x)?;
    let below = b.with_scalar("minimum", &x, 0.0)?;
    let scaled = b.binary("multiply", &below, &slope)?;
    b.binary("add", &positive, &scaled)
}

/// The softmax of one axis or of several; what a mask leaves out becomes 0.
fn softmax_layer(n: &Node<'_>, b: &mut GraphBuilder) -> Result<Value> {
    let mut x = n.x()?;
    let axes = n.config.ints("axis")?.unwrap_or_else(|| vec![-1]);
    let axes = x.axes(&axes)?;
    let mask = n.arg(1, &["mask"]).and_then(|mask| mask.tensor().ok());
    let mask = mask.map(|mask| mask.value.clone()).or_else(|| n.mask());
    let zero = b.scalar(x.element(), 0.0);
    if let Some(mask) = &mask {
        let low = b.scalar(x.element(), large_negative(&x));
        x = b.op("where", &[mask.clone(), x, low], &[])?;
    }
    let mut made = match axes[..] {
        [axis] => softmax(b, &x, axis as i64)?,
        _ => {
            let sum = log_sum_exp(b, &x, (&axes, true))?;
            let shifted = b.binary("subtract", &x, &sum)?;
            b.unary("exp", &shifted)?
        }
    };
    if let Some(mask) = mask {
        made = b.op("where", &[mask, made, zero], &[])?;
    }
    Ok(made)
}

/// What Keras puts in the place of scores that do not count.
pub fn large_negative(x: &Value) -> f64 {
    match x.element() {
        relay_dialects::element::Element::F16 => -3e4,
        _ => -1e9,
    }
}
