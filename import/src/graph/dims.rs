//! The sizes of dimensions that a model names, by a word (`batch`) or by arithmetic on words (`past + seq`).

mod expression;
mod open;

use super::{
    constant::check_dims,
    error::Result,
    options::{Extent, Options, Unsaid},
    port::{Dimension, Input, Port},
};
use expression::Expression;
use open::Symbols;
use relay_dialects::{dim::Dim, symbols::Symbol};
use std::collections::{BTreeMap, HashMap};

/// How a model declares a dimension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Declared<'m> {
    /// As a number.
    Known(i64),
    /// By a name, which stands for one size in the whole model.
    Named(&'m str),
    /// As open.
    Open,
}

impl<'m> Declared<'m> {
    fn of(dim: &'m Dimension) -> Self {
        match dim {
            Dimension::Known(size) => Self::Known(*size),
            Dimension::Named(name) => Self::Named(name),
            Dimension::Open => Self::Open,
        }
    }

    fn is_arithmetic(self) -> bool {
        let Self::Named(name) = self else {
            return false;
        };
        matches!(Expression::parse(name), Some(Expression::Infix(..)))
    }

    /// As messages write it.
    fn text(self) -> String {
        match self {
            Self::Known(value) => value.to_string(),
            Self::Named(name) => name.into(),
            Self::Open => "?".into(),
        }
    }
}

/// What the names of dimensions stand for.
#[derive(Debug, Default)]
pub struct Sizes<'m> {
    of_names: HashMap<&'m str, Dim>,
    /// The shapes that are given, by input.
    shapes: HashMap<&'m str, Vec<Dim>>,
    symbols: Symbols,
    /// What no shape gives, so that it is taken to be 1: the dimensions in the order of the inputs.
    assumed: Vec<(&'m str, Vec<String>)>,
}

/// A dimension of an input, and what is given for it.
#[derive(Clone, Copy)]
struct Given<'m> {
    input: &'m str,
    name: &'m str,
    extent: &'m Extent,
}

impl<'m> Sizes<'m> {
    /// The sizes that follow from shapes and from sizes of names. `unsaid` says what other dimensions are; `bounds` bounds those
    /// that stay open, by name.
    ///
    /// # Errors
    /// If the model does not allow a shape or a size.
    pub fn of_inputs(
        inputs: &[&'m Port],
        bounds: &'m BTreeMap<String, Extent>,
        options: &'m Options,
        unsaid: Unsaid,
    ) -> Result<Self> {
        let (shapes, of_names) = (&options.shapes, &options.dims);
        let mut sizes = Self::default();
        let mut given = Vec::new();
        for &port in inputs {
            if let Some(shape) = shapes.get(&port.name) {
                given.extend(named(port, shape).map_err(|reason| of_input(&port.name, reason))?);
            }
        }
        for (name, extent) in of_names {
            given.push(of_name(inputs, name, extent)?);
        }
        for given in &given {
            if let Extent::Size(size) = *given.extent {
                sizes.bind(given, Dim::Known(size))?;
            }
        }
        sizes.solve(&given);
        for given in &given {
            sizes.open(inputs, given)?;
        }
        match unsaid {
            Unsaid::Open => sizes.open_others(inputs, shapes, bounds)?,
            Unsaid::One => sizes.assume(inputs, shapes),
        }
        for given in &given {
            sizes.check(given)?;
        }
        for &port in inputs {
            if let Some(shape) = shapes.get(&port.name) {
                let shape = sizes.given_shape(port, shape);
                let shape = shape.map_err(|reason| of_input(&port.name, reason))?;
                sizes.shapes.insert(&port.name, shape);
            }
        }
        Ok(sizes)
    }

    /// The symbols that stand for dimensions.
    pub fn symbols(&self) -> &[Symbol] {
        self.symbols.all()
    }

    /// Whether dimensions are taken to be 1 because nothing was said of them.
    pub fn assumes(&self) -> bool {
        !self.assumed.is_empty()
    }

    /// An input of `@main` for an input of the model.
    ///
    /// # Errors
    /// If its type is not supported, or its shape is not known.
    pub fn input(&self, port: &Port) -> Result<Input> {
        let element = port.element.clone()?;
        let dims = match (self.shape(&port.name), &port.dims) {
            (Some(given), _) => given.to_vec(),
            (None, None) => {
                return Err(format!(
                    "not even its rank is known; give its shape: --shape {}=...",
                    port.name
                ));
            }
            (None, Some(dims)) => dims
                .iter()
                .map(|dim| self.dim(dim))
                .collect::<Result<_>>()?,
        };
        check_dims(&dims)?;
        Ok(Input {
            name: port.name.clone(),
            element,
            dims,
        })
    }

    /// The shape that is given for an input.
    fn shape(&self, input: &str) -> Option<&[Dim]> {
        self.shapes.get(input).map(Vec::as_slice)
    }

    /// Notes what a name stands for.
    fn bind(&mut self, given: &Given<'m>, dim: Dim) -> Result<()> {
        let Given { input, name, .. } = *given;
        let bound = *self.of_names.entry(name).or_insert(dim);
        if bound == dim {
            return Ok(());
        }
        let reason = format!("dimension '{name}' is given as {bound} and as {dim}");
        Err(of_input(input, reason))
    }

    /// Finds names that occur only in arithmetic whose value is given: of `past + seq`, if one of the two is known.
    fn solve(&mut self, given: &[Given<'m>]) {
        let arithmetic = given.iter().filter_map(|given| {
            let Extent::Size(size) = *given.extent else {
                return None;
            };
            Some((Expression::parse(given.name)?, size))
        });
        let mut open: Vec<_> = arithmetic.collect();
        loop {
            let before = open.len();
            open.retain(
                |(expression, size)| match self.solution(expression, *size) {
                    Some((name, found)) => {
                        self.of_names.insert(name, Dim::Known(found));
                        false
                    }
                    None => true,
                },
            );
            if open.len() == before {
                return;
            }
        }
    }

    /// The one unknown name of an expression and its size, if the value of the expression says it: the expression is
    /// a line in it.
    fn solution(&self, expression: &Expression<'m>, value: i64) -> Option<(&'m str, i64)> {
        let mut unknown = expression.names();
        unknown.retain(|name| !self.of_names.contains_key(name));
        let (name, None) = (unknown.pop_first()?, unknown.pop_first()) else {
            return None;
        };
        let at = |size: i64| {
            expression.value(&|other| match other == name {
                true => Some(size),
                false => self.of_names.get(other)?.known(),
            })
        };
        let (start, slope) = (at(0)?, at(1)?.checked_sub(at(0)?)?);
        let size = value.checked_sub(start)?.checked_div(slope)?;
        (size >= 0 && at(size) == Some(value)).then_some((name, size))
    }

    /// Takes names to be 1 that no shape says anything of.
    fn assume(&mut self, inputs: &[&'m Port], shapes: &BTreeMap<String, Vec<Extent>>) {
        for (port, axis, dim) in names_first(&without_shape(inputs, shapes)) {
            if self.is_known(dim) {
                continue;
            }
            self.assumed_of(&port.name)
                .push(format!("dimension {axis} ({})", dim.text()));
            if let Declared::Named(name) = dim {
                self.of_names.insert(name, Dim::Known(1));
            }
        }
    }

    fn assumed_of(&mut self, input: &'m str) -> &mut Vec<String> {
        let at = self.assumed.iter().position(|(known, _)| *known == input);
        let at = at.unwrap_or_else(|| {
            self.assumed.push((input, Vec::new()));
            self.assumed.len() - 1
        });
        &mut self.assumed[at].1
    }

    /// Whether nothing has to be assumed of a dimension. Arithmetic without a value is an error when its size is asked for.
    fn is_known(&self, dim: Declared<'m>) -> bool {
        match dim {
            Declared::Known(_) => true,
            Declared::Open => false,
            Declared::Named(name) => {
                self.of_names.contains_key(name)
                    || Expression::parse(name).is_some_and(|expression| self.knows(&expression))
            }
        }
    }

    fn knows(&self, expression: &Expression) -> bool {
        let mut names = expression.names().into_iter();
        names.all(|name| self.of_names.contains_key(name))
    }

    /// Checks what is given for arithmetic against the names in it.
    fn check(&self, given: &Given<'m>) -> Result<()> {
        let Given { input, name, .. } = *given;
        let expression = Expression::parse(name).filter(|expression| self.knows(expression));
        let (Some(expression), Some(bound)) = (expression, self.of_names.get(name)) else {
            return Ok(());
        };
        let value = self.value(name, &expression);
        match value.map_err(|reason| of_input(input, reason))? {
            value if value == *bound => Ok(()),
            value => {
                let with = self.with(&expression);
                let reason =
                    format!("dimension '{name}' is given as {bound}, but is {value}{with}");
                Err(of_input(input, reason))
            }
        }
    }

    /// The value of arithmetic whose names are known.
    fn value(&self, name: &str, expression: &Expression) -> Result<Dim> {
        let with = self.with(expression);
        match expression.dim(&|name| self.of_names.get(name).copied()) {
            Some(Dim::Known(value)) if value < 0 => Err(format!(
                "dimension '{name}' is {value}{with}; no dimension is negative"
            )),
            Some(dim) => Ok(dim),
            None => Err(format!(
                "dimension '{name}' has no size{with}; give the shapes of the inputs"
            )),
        }
    }

    /// ` where past = 3 and seq = 4`.
    fn with(&self, expression: &Expression) -> String {
        let names = expression.names().into_iter();
        let sizes: Vec<String> = names
            .filter_map(|name| Some(format!("{name} = {}", self.of_names.get(name)?)))
            .collect();
        match sizes.is_empty() {
            true => String::new(),
            false => format!(" where {}", sizes.join(" and ")),
        }
    }

    /// Warns of what is taken to be 1.
    pub fn warn(&self) {
        let inputs = self.assumed.iter();
        let dims: Vec<String> = inputs
            .map(|(input, dims)| of_input(input, dims.join(", ")))
            .collect();
        let flags: Vec<String> = (self.assumed.iter())
            .map(|(input, _)| format!("--shape {input}=..."))
            .collect();
        let is_one = self
            .assumed
            .iter()
            .map(|(_, dims)| dims.len())
            .sum::<usize>()
            == 1;
        let (are, them) = if is_one {
            ("is", "it")
        } else {
            ("are", "them")
        };
        if !dims.is_empty() {
            tracing::warn!(
                "{} {are} unknown and taken to be 1; set {them} with {}, where '?' keeps a dimension open",
                dims.join("; "),
                flags.join(" ")
            );
        }
    }

    /// A dimension of an input without a given shape.
    ///
    /// # Errors
    /// If it is arithmetic, and the sizes of its names give none.
    fn dim(&self, dim: &Dimension) -> Result<Dim> {
        match Declared::of(dim) {
            Declared::Known(value) => Ok(Dim::Known(value)),
            Declared::Open => Ok(Dim::Known(1)),
            Declared::Named(name) => self.of_name(name),
        }
    }

    /// What a name stands for.
    fn of_name(&self, name: &str) -> Result<Dim> {
        match (self.of_names.get(name), Expression::parse(name)) {
            (None, Some(expression)) => self.value(name, &expression),
            (known, _) => Ok(known.copied().unwrap_or(Dim::Known(1))),
        }
    }
}

/// The size of a name, with the first input that has a dimension of this name.
fn of_name<'m>(inputs: &[&'m Port], name: &str, extent: &'m Extent) -> Result<Given<'m>> {
    let mut known: Vec<&str> = Vec::new();
    for &port in inputs {
        for dim in dims(port) {
            let Declared::Named(found) = dim else {
                continue;
            };
            if found == name.trim() {
                let (input, name) = (&port.name[..], found);
                return Ok(Given {
                    input,
                    name,
                    extent,
                });
            }
            if !known.contains(&found) {
                known.push(found);
            }
        }
    }
    let there_are = match known.is_empty() {
        true => "the inputs name no dimension".into(),
        false => format!("the dimensions with a name are {}", known.join(", ")),
    };
    Err(format!(
        "a size is given for the dimension '{name}', which no input has; {there_are}"
    ))
}

fn of_input(input: &str, reason: String) -> String {
    format!("input '{input}': {reason}")
}

/// The inputs that no shape is given for.
fn without_shape<'m>(inputs: &[&'m Port], shapes: &BTreeMap<String, Vec<Extent>>) -> Vec<&'m Port> {
    let has_none = |port: &&Port| !shapes.contains_key(&port.name);
    inputs.iter().copied().filter(has_none).collect()
}

/// The dimensions of inputs with their axes. Arithmetic comes last, because it is of the names of other dimensions.
fn names_first<'m>(inputs: &[&'m Port]) -> Vec<(&'m Port, usize, Declared<'m>)> {
    let all = inputs.iter().flat_map(|&port| {
        let dims = dims(port).enumerate();
        dims.map(move |(axis, dim)| (port, axis, dim))
    });
    let (arithmetic, others): (Vec<_>, Vec<_>) = all.partition(|(.., dim)| dim.is_arithmetic());
    [others, arithmetic].concat()
}

/// The dimensions that a model declares of an input; none if it does not say how many there are.
fn dims(port: &Port) -> impl Iterator<Item = Declared<'_>> {
    let dims = port.dims.iter().flatten();
    dims.map(Declared::of)
}

/// The names of an input's dimensions with what is given for them.
fn named<'m>(port: &'m Port, shape: &'m [Extent]) -> Result<Vec<Given<'m>>> {
    if port.dims.is_none() {
        return Ok(Vec::new());
    }
    let declared: Vec<Declared> = dims(port).collect();
    let fits = |(dim, extent): (&Declared, &Extent)| match dim {
        Declared::Known(known) => *extent == Extent::Size(*known),
        Declared::Named(_) | Declared::Open => true,
    };
    if declared.len() != shape.len() || !declared.iter().zip(shape).all(fits) {
        let (shape, ty) = (shape.iter().map(Extent::to_string), &port.text);
        let shape = shape.collect::<Vec<_>>().join(", ");
        return Err(format!("the shape given, [{shape}], is not one of {ty}"));
    }
    let named = declared.into_iter().zip(shape);
    let named = named.filter_map(|(dim, extent)| match dim {
        Declared::Named(name) => Some(Given {
            input: &port.name,
            name,
            extent,
        }),
        _ => None,
    });
    Ok(named.collect())
}
