//! `gated.silu` and `gated.norm`: operators that live outside of the project.
//!
//! ```text
//! relay-opt --load-operators=libgated_operators.so model.mlir
//! relayc compile model.onnx --load-operators libgated_operators.so
//! ```

use relay_dialects::{
    dim::Dim,
    ir::{Attr, Builder, Type, Value},
    operator_plugin,
    ops::{arith, math},
    relay::{
        Pattern,
        custom::{Attribute, Declaration, Holds, Request, export::OperatorSpec},
    },
    signatures::Operands,
    te::{Reducer, build},
};

operator_plugin!(SILU, NORM);

/// `x * sigmoid(alpha * x) * gate`, element by element.
const SILU: OperatorSpec = OperatorSpec {
    declaration: || Declaration {
        name: "gated.silu".into(),
        operands: Operands::Exactly(2),
        results: 1,
        attributes: vec![Attribute {
            name: "alpha".into(),
            holds: Holds::Float,
            default: Some("1.0 : f64".into()),
        }],
        pattern: Pattern::Elemwise,
        onnx: Some(("gated.example".into(), "GatedSilu".into())),
        torch: Some("gated::silu".into()),
    },
    relation: |request| match request.operands[..] {
        [x, gate] if x == gate && x.element().is_float() => Ok(vec![x]),
        [x, gate] => Err(format!("x is {x}, and the gate is {gate}; they are equal, and of floats")),
        _ => Err("it has two operands".into()),
    },
    compute: silu,
};

fn silu(request: &Request, b: &Builder, inputs: &[Value]) -> Result<Vec<Value>, String> {
    let alpha = request.attributes.get("alpha").and_then(Attr::as_f64);
    let alpha = alpha.ok_or("alpha is no float")?;
    let ty = request.results[0];
    let result = build::compute(b, "silu", &ty.dims(), ty.element(), |b, i| {
        let [x, gate] = [0, 1].map(|index| build::read(b, inputs[index], i));
        let scaled = arith::MulF::build(b, x, b.constant(x.ty(), alpha));
        let exp = math::Exp::build(b, arith::NegF::build(b, scaled));
        let one = b.constant(x.ty(), 1.0);
        let swish = arith::DivF::build(b, x, arith::AddF::build(b, one, exp));
        arith::MulF::build(b, swish, gate)
    });
    Ok(vec![result])
}

/// The sum of squares along the last axis.
const NORM: OperatorSpec = OperatorSpec {
    declaration: || Declaration {
        name: "gated.norm".into(),
        operands: Operands::Exactly(1),
        results: 1,
        attributes: Vec::new(),
        pattern: Pattern::CommReduce,
        onnx: None,
        torch: None,
    },
    relation: |request| {
        let ty = request.operands[0];
        match ty.dims().split_last() {
            Some((_, outer)) => Ok(vec![Type::tensor_of(outer, ty.element())]),
            None => Err("it takes a tensor of rank 1 at least".into()),
        }
    },
    compute: norm,
};

fn norm(request: &Request, b: &Builder, inputs: &[Value]) -> Result<Vec<Value>, String> {
    let (x, ty) = (inputs[0], request.results[0]);
    let columns: Vec<Dim> = x.ty().dims().last().copied().into_iter().collect();
    let sum = (Reducer::Sum, &columns[..]);
    let result = build::reduce(b, "norm", &ty.dims(), ty.element(), sum, |b, i, k| {
        let x = build::read(b, x, &[i, k].concat());
        arith::MulF::build(b, x, x)
    });
    Ok(vec![result])
}
