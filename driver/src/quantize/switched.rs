//! A model with an input that says which of its layers are quantised. So each choice is a run, and no compilation.

use super::{
    bias::{self, MeanError},
    layers::Layer,
};
use crate::{
    DriverError,
    compile::CompileOptions,
    exposed::{self, add_result},
};
use melior::{Context, ir::Module};
use relay_dialects::{
    Element, attrs,
    ir::{Attr, Builder, Op, Type, Value},
    names::relay,
    relay::build::make,
    rewrite,
};
use relay_passes::simulated::{Simulated, constant_of};
use relay_runtime::{DType, Instance, Model, Port, Session, Tensor};
use std::fmt;

/// The name of the input.
const SWITCHES: &str = "quantize.layers";

/// The model, which computes with the errors of bytes.
pub struct Switched {
    model: Model,
    session: Instance,
    /// The layers.
    count: usize,
    /// The model's own outputs; those of the layers follow.
    own: usize,
}

/// What a run returns.
#[derive(Debug)]
pub struct Results {
    /// The model's outputs.
    pub outputs: Vec<Tensor>,
    /// The result of each layer.
    pub layers: Vec<Tensor>,
}

impl fmt::Debug for Switched {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let layers = self.count;
        write!(
            formatter,
            "{:?} with switches for {layers} layers",
            self.model
        )
    }
}

impl Switched {
    /// Compiles a module whose marks have scales. Mean errors, if there are any, are subtracted from the results of quantised layers.
    ///
    /// # Errors
    /// See [`DriverError`].
    pub fn new(
        context: &Context,
        module: &Module<'_>,
        (layers, errors): (impl Fn(&Module<'_>) -> Vec<Layer>, &[MeanError]),
        (options, threads): (&CompileOptions, usize),
    ) -> Result<Self, DriverError> {
        let mut copy = relay_dialects::copy(module);
        let main = exposed::main(&copy);
        let own = main.body().terminator().map_or(0, Op::operand_count);
        let layers = layers(&copy);
        insert_switches(main, &layers, errors);
        let model = exposed::to_model(context, &mut copy, options)?;
        let session = model.instance(threads)?;
        Ok(Self {
            model,
            session,
            count: layers.len(),
            own,
        })
    }

    /// The inputs of the model itself.
    pub fn inputs(&self) -> &[Port] {
        let ports = self.model.inputs();
        &ports[..ports.len() - 1]
    }

    /// The outputs of the model itself.
    pub fn outputs(&self) -> &[Port] {
        &self.model.outputs()[..self.own]
    }

    /// Runs the model; the layers for which `is_on` holds are quantised.
    ///
    /// # Errors
    /// If it fails.
    pub fn run(
        &mut self,
        inputs: &[Tensor],
        is_on: impl Fn(usize) -> bool,
    ) -> Result<Results, DriverError> {
        let switches: Vec<u8> = (0..self.count)
            .map(|layer| u8::from(is_on(layer)))
            .collect();
        let shape = [self.count as i64];
        let switches = Tensor::from_bytes(DType::Bool, &shape, &switches).ok_or_else(|| {
            DriverError::Usage("there is no memory for the switches of layers".into())
        })?;
        let given: Vec<&Tensor> = inputs.iter().chain([&switches]).collect();
        let mut outputs = self.session.run(&given)?;
        let layers = outputs.split_off(self.own);
        Ok(Results { outputs, layers })
    }
}

/// Has each operand of a layer be quantised, and its result corrected, where an element of a new input says so. Makes the layers'
/// results outputs.
fn insert_switches(main: Op, layers: &[Layer], errors: &[MeanError]) {
    let ctx = main.ctx();
    let ty = Type::tensor(&[layers.len() as i64], Element::Bool.ty(ctx));
    let switches = add_input(main, SWITCHES, ty);
    for (number, layer) in layers.iter().enumerate() {
        let op = layer.product.op;
        let b = Builder::before(op);
        let number = number as i64;
        let one = |number: i64| Attr::ints(ctx, &[number]);
        let place = [
            ("begin", one(number)),
            ("end", one(number + 1)),
            ("strides", one(1)),
            ("axes", one(0)),
        ];
        let is_on = make(&b, relay::STRIDED_SLICE, &[switches], &place);
        for place in 0..2 {
            let marked = op.operand(place);
            if let Some(mark) = Simulated::of(marked) {
                let operands = [is_on, marked, mark.source()];
                op.set_operand(place, make(&b, relay::WHERE, &operands, &[]));
            }
        }
        let result = match errors.get(number as usize) {
            Some(error) => bias::subtract(op, |b| {
                let shape = [error.len() as i64];
                let numbers =
                    [error, &vec![0.0; error.len()]].map(|all| constant_of(b, all, &shape));
                make(b, relay::WHERE, &[is_on, numbers[0], numbers[1]], &[])
            }),
            None => op.result(0),
        };
        add_result(main, &format!("quantize.layer.{number}"), result);
    }
    rewrite::erase_dead(main);
}

/// Gives a function another argument.
fn add_input(main: Op, name: &str, ty: Type) -> Value {
    let ctx = main.ctx();
    let mut all = main
        .attr("arg_attrs")
        .and_then(Attr::as_array)
        .unwrap_or_else(|| vec![Attr::dict(ctx, &[]); main.body().args().len()]);
    let value = main.body().add_arg(ty);
    all.push(Attr::dict(ctx, &[(attrs::NAME, Attr::str(ctx, name))]));
    let inputs: Vec<Type> = main.body().args().iter().map(|value| value.ty()).collect();
    let results = main.function_type().map(Type::results).unwrap_or_default();
    main.set_attr(
        "function_type",
        Attr::ty(Type::function(ctx, &inputs, &results)),
    );
    main.set_attr("arg_attrs", Attr::array(ctx, &all));
    value
}
