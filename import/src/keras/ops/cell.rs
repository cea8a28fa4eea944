//! The cells of recurrent layers.

use super::{activation::Activation, conv::Spatial};
use crate::{
    compose::{linear::product, slice::strided_slice, steps::element},
    graph::{attr::Param, builder::GraphBuilder, error::Result, value::Value},
    keras::{config::Config, node::weight, scope::Scope},
};
use relay_dialects::{dim::Dim, element::Element};

/// A kind of cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// One sum and an activation.
    Simple,
    /// A gated recurrent unit.
    Gru,
    /// Long short-term memory.
    Lstm,
}

impl Kind {
    /// The kind of a class of cells, or of layers with one cell.
    ///
    /// # Errors
    /// If it is unknown.
    pub fn of(class: &str) -> Result<Self> {
        match class {
            "SimpleRNN" | "SimpleRNNCell" => Ok(Self::Simple),
            "GRU" | "GRUV2" | "GRUCell" | "GRUCellV2" => Ok(Self::Gru),
            "LSTM" | "LSTMV2" | "LSTMCell" | "LSTMCellV2" | "ConvLSTM1D" | "ConvLSTM2D"
            | "ConvLSTM3D" => Ok(Self::Lstm),
            other => Err(format!(
                "the cell {other} is not supported; SimpleRNNCell, GRUCell and LSTMCell are"
            )),
        }
    }

    fn gates(self) -> i64 {
        match self {
            Self::Simple => 1,
            Self::Gru => 3,
            Self::Lstm => 4,
        }
    }

    /// The number of states; the first one is the output.
    pub fn states(self) -> usize {
        if self == Self::Lstm { 2 } else { 1 }
    }
}

/// A cell: its weights and activations.
pub struct Cell<'m> {
    /// Its kind.
    pub kind: Kind,
    /// The size of its states.
    pub units: i64,
    kernel: Value,
    of_state: Value,
    input_bias: Option<Value>,
    state_bias: Option<Value>,
    activation: Activation<'m>,
    of_gates: Activation<'m>,
    /// The windows on inputs and on states, of cells that convolve.
    windows: Option<[Spatial; 2]>,
    /// Whether a GRU resets what its weights make of the state, not the state itself.
    resets_after: bool,
}

impl<'m> Cell<'m> {
    /// Reads a cell.
    ///
    /// # Errors
    /// If its weights do not fit it.
    pub fn read(
        config: &Config<'m>,
        kind: Kind,
        (scope, compute): (&Scope, Element),
        b: &mut GraphBuilder,
    ) -> Result<Self> {
        Self::with_windows(config, kind, (scope, compute), (None, "units"), b)
    }

    /// Reads a cell that convolves if it has windows. An attribute says the size of its states, or their channels.
    ///
    /// # Errors
    /// If its weights do not fit it.
    pub fn with_windows(
        config: &Config<'m>,
        kind: Kind,
        (scope, compute): (&Scope, Element),
        (windows, size): (Option<[Spatial; 2]>, &str),
        b: &mut GraphBuilder,
    ) -> Result<Self> {
        config.ignore(&["dropout", "recurrent_dropout"]);
        let units = config.required_int(size)?;
        let rank = windows
            .as_ref()
            .map_or(2, |[of_input, _]| of_input.format.spatial + 2);
        let resets_after = kind == Kind::Gru && config.flag("reset_after", !config.is_keras_2)?;
        let kernel = weight(b, scope, "kernel", compute)?;
        let of_state = weight(b, scope, "recurrent_kernel", compute)?;
        let wanted = kind.gates().checked_mul(units);
        let fits = |value: &Value| value.rank() == rank && value.dims()[rank - 1].known() == wanted;
        if units < 1 || !fits(&kernel) || !fits(&of_state) {
            return Err(format!(
                "weights of shapes {:?} and {:?} do not fit {units} units",
                kernel.dims(),
                of_state.dims()
            ));
        }
        let bias = match config.flag("use_bias", true)? {
            true => Some(weight(b, scope, "bias", compute)?),
            false => None,
        };
        let (input_bias, state_bias) = match bias {
            Some(bias) if bias.rank() == 2 => {
                (Some(element(b, &bias, 0)?), Some(element(b, &bias, 1)?))
            }
            bias => (bias, None),
        };
        Ok(Self {
            of_gates: match kind {
                Kind::Simple => Activation::of(config, "activation")?,
                _ => Activation::of(config, "recurrent_activation")?,
            },
            activation: Activation::of(config, "activation")?,
            kind,
            units,
            kernel,
            of_state,
            input_bias,
            state_bias,
            windows,
            resets_after,
        })
    }

    /// What an input brings to the gates.
    pub fn terms(&self, b: &mut GraphBuilder, x: &Value) -> Result<Value> {
        let Some([window, _]) = &self.windows else {
            let made = product(b, x, &self.kernel)?;
            return match &self.input_bias {
                Some(bias) => b.binary("add", &made, bias),
                None => Ok(made),
            };
        };
        // The steps of all samples, one behind the other.
        let (ends, rest) = x.dims().split_at(2);
        let x = b.reshape(x, &[&[ends[0].times(ends[1])?], rest].concat())?;
        let mut made = window.conv(b, &x, &self.kernel)?;
        if let Some(bias) = &self.input_bias {
            let attrs = [("axis", Param::Int(window.format.channels() as i64))];
            made = b.op("nn.bias_add", &[made, bias.clone()], &attrs)?;
        }
        b.reshape(&made, &[ends, &made.dims()[1..]].concat())
    }

    /// The dimensions of a state behind the first one, for the terms of inputs at all steps.
    pub fn state_dims(&self, terms: &Value) -> Vec<Dim> {
        let Some([_, window]) = &self.windows else {
            return vec![Dim::Known(self.units)];
        };
        let mut dims = terms.dims()[2..].to_vec();
        dims[window.format.channels() - 1] = Dim::Known(self.units);
        dims
    }

    /// Some gates of a tensor: from `first` on.
    fn gates(&self, b: &mut GraphBuilder, x: &Value, (first, count): (i64, i64)) -> Result<Value> {
        let axis = match &self.windows {
            Some([_, window]) => window.format.channels(),
            None => x.rank() - 1,
        };
        let (from, to) = (first * self.units, (first + count) * self.units);
        strided_slice(b, x, &[(axis, from, to, 1)])
    }

    /// The next states, of which the first one is the output.
    pub fn step(
        &self,
        b: &mut GraphBuilder,
        terms: &Value,
        states: &[Value],
    ) -> Result<Vec<Value>> {
        let state = states.first().ok_or("a cell has no state")?;
        if self.kind == Kind::Gru && !self.resets_after {
            return self.early_reset(b, terms, state);
        }
        let mut of_state = match &self.windows {
            Some([_, window]) => window.conv(b, state, &self.of_state)?,
            None => product(b, state, &self.of_state)?,
        };
        if let Some(bias) = &self.state_bias {
            of_state = b.binary("add", &of_state, bias)?;
        }
        match self.kind {
            Kind::Simple => {
                let sum = b.binary("add", terms, &of_state)?;
                Ok(vec![self.activation.apply(b, &sum)?])
            }
            Kind::Gru => {
                let gate = |b: &mut GraphBuilder, place: i64| {
                    let of_input = self.gates(b, terms, (place, 1))?;
                    let of_state = self.gates(b, &of_state, (place, 1))?;
                    let sum = b.binary("add", &of_input, &of_state)?;
                    self.of_gates.apply(b, &sum)
                };
                let (update, reset) = (gate(b, 0)?, gate(b, 1)?);
                let inner = self.gates(b, &of_state, (2, 1))?;
                let inner = b.binary("multiply", &reset, &inner)?;
                self.updated(b, terms, (&inner, &update, state))
            }
            Kind::Lstm => self.lstm(b, terms, &of_state, states),
        }
    }

    /// z * h + (1 - z) * activation(x + inner).
    fn updated(
        &self,
        b: &mut GraphBuilder,
        terms: &Value,
        (inner, update, state): (&Value, &Value, &Value),
    ) -> Result<Vec<Value>> {
        let of_input = self.gates(b, terms, (2, 1))?;
        let sum = b.binary("add", &of_input, inner)?;
        let new = self.activation.apply(b, &sum)?;
        let difference = b.binary("subtract", state, &new)?;
        let part = b.binary("multiply", update, &difference)?;
        Ok(vec![b.binary("add", &new, &part)?])
    }

    /// A GRU whose state is reset before it is multiplied.
    fn early_reset(
        &self,
        b: &mut GraphBuilder,
        terms: &Value,
        state: &Value,
    ) -> Result<Vec<Value>> {
        let weights = self.gates(b, &self.of_state, (0, 2))?;
        let of_state = product(b, state, &weights)?;
        let of_input = self.gates(b, terms, (0, 2))?;
        let sum = b.binary("add", &of_input, &of_state)?;
        let both = self.of_gates.apply(b, &sum)?;
        let (update, reset) = (self.gates(b, &both, (0, 1))?, self.gates(b, &both, (1, 1))?);
        let kept = b.binary("multiply", &reset, state)?;
        let weights = self.gates(b, &self.of_state, (2, 1))?;
        let inner = product(b, &kept, &weights)?;
        self.updated(b, terms, (&inner, &update, state))
    }

    /// c' = f * c + i * g and h' = o * activation(c').
    fn lstm(
        &self,
        b: &mut GraphBuilder,
        terms: &Value,
        of_state: &Value,
        states: &[Value],
    ) -> Result<Vec<Value>> {
        let memory = states.get(1).ok_or("an LSTM has no second state")?;
        let sum = b.binary("add", terms, of_state)?;
        let mut gate = |place: i64, activation: &Activation<'_>| {
            let part = self.gates(b, &sum, (place, 1))?;
            activation.apply(b, &part)
        };
        let enter = gate(0, &self.of_gates)?;
        let forget = gate(1, &self.of_gates)?;
        let new = gate(2, &self.activation)?;
        let leave = gate(3, &self.of_gates)?;
        let old = b.binary("multiply", &forget, memory)?;
        let added = b.binary("multiply", &enter, &new)?;
        let memory = b.binary("add", &old, &added)?;
        let shown = self.activation.apply(b, &memory)?;
        Ok(vec![b.binary("multiply", &leave, &shown)?, memory])
    }
}
