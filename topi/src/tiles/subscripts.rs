//! Where a convolution's operands are read: sums of the axes of its description.

/// An axis of the description.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    /// Of 16 channels of the result.
    Columns,
    Y,
    X,
    Lane,
    /// Of input channels.
    Block,
    KernelY,
    KernelX,
    Pair,
    Half,
}

/// Those that are summed over.
pub const REDUCED: [Axis; 5] = [
    Axis::Block,
    Axis::KernelY,
    Axis::KernelX,
    Axis::Pair,
    Axis::Half,
];

impl Axis {
    pub fn name(self) -> &'static str {
        match self {
            Axis::Columns => "column",
            Axis::Y => "y",
            Axis::X => "x",
            Axis::Lane => "lane",
            Axis::Block => "block",
            Axis::KernelY => "ky",
            Axis::KernelX => "kx",
            Axis::Pair => "pair",
            Axis::Half => "half",
        }
    }
}

/// A dimension of an operand: its subscript is a sum of axes, each times a factor.
pub struct Dim {
    pub extent: i64,
    pub terms: Vec<(Axis, i64)>,
}

/// The shape as in types.
pub fn extents(dims: &[Dim]) -> String {
    let extents: Vec<String> = dims.iter().map(|dim| dim.extent.to_string()).collect();
    extents.join("x")
}

/// Where an axis is.
pub enum Place {
    Number(i64),
    /// At a value of this name.
    At(&'static str),
}

/// Lines that compute subscripts.
#[derive(Default)]
pub struct Lines {
    /// The lines.
    pub text: String,
    /// How the names of values begin.
    prefix: String,
    count: usize,
}

impl Lines {
    /// Those of a step, whose names differ from those of others.
    pub fn of_step(step: i64) -> Self {
        Self {
            prefix: format!("at{step}_"),
            ..Self::default()
        }
    }

    /// The subscripts of an operand's dimensions.
    pub fn subscripts(&mut self, dims: &[Dim], place: impl Fn(Axis) -> Place) -> String {
        let subscripts: Vec<String> = dims.iter().map(|dim| self.subscript(dim, &place)).collect();
        subscripts.join(", ")
    }

    fn subscript(&mut self, dim: &Dim, place: impl Fn(Axis) -> Place) -> String {
        let (mut first, mut sum) = (0, None);
        for (axis, factor) in &dim.terms {
            let value = match place(*axis) {
                Place::Number(number) => {
                    first += number * factor;
                    continue;
                }
                Place::At(name) if *factor == 1 => format!("%{name}"),
                Place::At(name) => {
                    let factor = self.line(&format!("arith.constant {factor}"));
                    self.line(&format!("arith.muli %{name}, {factor}"))
                }
            };
            sum = Some(self.plus(sum, value));
        }
        if first == 0
            && let Some(sum) = sum
        {
            return sum;
        }
        let first = self.line(&format!("arith.constant {first}"));
        self.plus(sum, first)
    }

    fn plus(&mut self, sum: Option<String>, value: String) -> String {
        match sum {
            None => value,
            Some(sum) => self.line(&format!("arith.addi {sum}, {value}")),
        }
    }

    /// The name of a value.
    fn line(&mut self, op: &str) -> String {
        let name = format!("%v{}{}", self.prefix, self.count);
        self.count += 1;
        self.text += &format!("  {name} = {op} : index\n");
        name
    }
}
