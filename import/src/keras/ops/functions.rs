//! Functions of TensorFlow between layers of Keras 2 (TFOpLambda), and the operations that they are.

/// The operation that a function is.
pub fn operation(function: &str) -> Option<&'static str> {
    let function = function.strip_prefix("math.").unwrap_or(function);
    let (_, operation) = FUNCTIONS
        .iter()
        .find(|(names, _)| names.contains(&function))?;
    Some(operation)
}

/// Functions by their names in TensorFlow, without the module `math`.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (&["__operators__.add", "add"], "Add"),
    (&["abs"], "Abs"),
    (&["cast"], "Cast"),
    (&["clip_by_value"], "Clip"),
    (&["concat"], "Concatenate"),
    (&["exp"], "Exp"),
    (&["expand_dims"], "ExpandDims"),
    (&["identity", "stop_gradient"], "Identity"),
    (&["linalg.matmul", "matmul"], "Matmul"),
    (&["ceil"], "Ceil"),
    (&["cos"], "Cos"),
    (&["divide", "truediv"], "Divide"),
    (&["equal"], "Equal"),
    (&["erf"], "Erf"),
    (&["floor"], "Floor"),
    (&["greater"], "Greater"),
    (&["greater_equal"], "GreaterEqual"),
    (&["less"], "Less"),
    (&["less_equal"], "LessEqual"),
    (&["log"], "Log"),
    (&["log1p"], "Log1p"),
    (&["logical_and"], "LogicalAnd"),
    (&["logical_not"], "LogicalNot"),
    (&["logical_or"], "LogicalOr"),
    (&["maximum"], "Maximum"),
    (&["minimum"], "Minimum"),
    (&["multiply"], "Multiply"),
    (&["negative"], "Negative"),
    (&["not_equal"], "NotEqual"),
    (&["pow"], "Power"),
    (&["reciprocal"], "Reciprocal"),
    (&["reduce_max"], "Max"),
    (&["reduce_mean"], "Mean"),
    (&["reduce_min"], "Min"),
    (&["reduce_prod"], "Prod"),
    (&["reduce_std"], "Std"),
    (&["reduce_sum"], "Sum"),
    (&["reduce_variance"], "Var"),
    (&["round"], "Round"),
    (&["rsqrt"], "Rsqrt"),
    (&["sigmoid", "nn.sigmoid"], "Sigmoid"),
    (&["sign"], "Sign"),
    (&["sin"], "Sin"),
    (&["sqrt"], "Sqrt"),
    (&["square"], "Square"),
    (&["subtract"], "Subtract"),
    (&["tanh", "nn.tanh"], "Tanh"),
    (&["nn.elu"], "Elu"),
    (&["nn.relu"], "Relu"),
    (&["nn.relu6"], "Relu6"),
    (&["nn.softmax"], "Softmax"),
    (&["nn.softplus", "softplus"], "Softplus"),
    (&["ones_like"], "OnesLike"),
    (&["reshape"], "Reshape"),
    (&["squeeze"], "Squeeze"),
    (&["stack"], "Stack"),
    (&["tile"], "Tile"),
    (&["transpose"], "Transpose"),
    (&["zeros_like"], "ZerosLike"),
];
