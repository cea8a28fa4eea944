//! Weights that are mostly zeros: which they are, and the sparse matrices that take their place.

mod blocks;
mod parameters;

pub use blocks::Matrix;

use crate::graph::{
    constants::of_bytes,
    operators::{constant, functions},
    rewrite,
};
use blocks::Blocks;
use parameters::Parameter;
use relay_dialects::{
    Element, inferred,
    ir::{Builder, Op, Type, Value},
    pass::{Default, OptionSpec, Options, PassFailed, PassResult, fail},
};
use std::collections::HashMap;

/// The option that names the weights.
pub const WEIGHTS: OptionSpec = OptionSpec {
    name: "weights",
    summary: "names of weights in the model, separated by commas; a parameter's name is followed by a colon and its \
              number of blocks; by default all constants with enough sparsity",
    default: Default::Str(""),
};

/// The option with the extents of a block.
pub const BLOCK_SIZE: OptionSpec = OptionSpec {
    name: "block-size",
    summary: "rows and columns of a block, separated by x",
    default: Default::Str("16x1"),
};

/// The option with the sparsity from which a constant is converted.
pub const SPARSITY: OptionSpec = OptionSpec {
    name: "sparsity",
    summary: "the minimum share of a constant's elements in blocks of zeros, from 0 to 1",
    default: Default::Str("0.8"),
};

/// The option that names the function with the parameters.
pub const FUNCTION: OptionSpec = OptionSpec {
    name: "function",
    summary: "the function with the weights as parameters",
    default: Default::Str("main"),
};

/// The extents of an operator's weight.
///
/// # Errors
/// If they are not known.
pub fn extents(op: Op) -> Result<Vec<usize>, String> {
    let shape = op.operand(1).ty().shape().into_iter();
    let extents: Result<_, _> = shape.map(usize::try_from).collect();
    extents.map_err(|_| NO_SHAPE.into())
}

/// Why a weight of open extents has no sparse form.
pub const NO_SHAPE: &str = "its shape is not known";

/// An operator that has a sparse form. Its weight is its second operand.
pub struct Conversion<'a> {
    /// Its full name.
    pub operator: &'static str,
    /// What its weight is as a matrix, or why it has no sparse form.
    pub matrix: &'a dyn Fn(Op) -> Result<Matrix, String>,
    /// Makes the sparse form on blocks, their columns, and the numbers of rows' first ones.
    pub make: &'a dyn Fn(&Builder, Op, [Value; 3]) -> Value,
}

/// Rows and columns of a block.
type Block = [usize; 2];

/// Gives the operators of a module whose weights are asked for their sparse forms.
///
/// # Errors
/// If options are wrong, or name a weight that cannot be sparse.
pub fn convert(module: Op, options: &Options, conversion: &Conversion<'_>) -> PassResult {
    inferred::check(module)?;
    let block = block(module, options)?;
    let weights = options.str(WEIGHTS.name).split(',').map(str::trim);
    let weights: Vec<&str> = weights.filter(|name| !name.is_empty()).collect();
    if weights.is_empty() {
        let least = sparsity(module, options)?;
        return functions(module)
            .into_iter()
            .try_for_each(|function| conversion.convert_from(function, block, least));
    }
    for weight in weights {
        match parameters::entries(weight) {
            Some((name, entries)) => {
                let parameter = Parameter {
                    function: options.str(FUNCTION.name),
                    name,
                    entries,
                };
                parameter.convert(module, block, conversion)?;
            }
            None => conversion.convert_named(module, weight, block)?,
        }
    }
    functions(module).into_iter().for_each(rewrite::erase_dead);
    Ok(())
}

/// The option `block-size`.
fn block(module: Op, options: &Options) -> Result<Block, PassFailed> {
    let text = options.str(BLOCK_SIZE.name);
    let parts = text.split_once('x');
    let parsed =
        parts.and_then(|(rows, columns)| Some([rows.parse().ok()?, columns.parse().ok()?]));
    match parsed.filter(|block: &Block| !block.contains(&0)) {
        Some(block) => Ok(block),
        None => fail(
            module,
            format!("block-size is {text}, expected rows and columns, such as 16x1"),
        ),
    }
}

/// The option `sparsity`.
fn sparsity(module: Op, options: &Options) -> Result<f64, PassFailed> {
    let text = options.str(SPARSITY.name);
    let share = text
        .parse::<f64>()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    match share {
        Some(share) => Ok(share),
        None => fail(
            module,
            format!("sparsity is {text}, expected a share from 0 to 1"),
        ),
    }
}

impl Conversion<'_> {
    /// Converts the operators of a function whose constant weights are sparse from `least` on.
    fn convert_from(&self, function: Op, block: Block, least: f64) -> PassResult {
        let mut known: HashMap<Value, Option<[Value; 3]>> = HashMap::new();
        rewrite::apply_each(function, &mut |op| {
            let weight = self.weight(op)?;
            constant(weight)?;
            let matrix = (self.matrix)(op).ok()?;
            let sparse = known.entry(weight).or_insert_with(|| {
                let (blocks, element) = blocks(weight, matrix, block)?;
                let is_sparse = blocks.sparsity(matrix, element) >= least;
                is_sparse.then(|| constants(weight, blocks, block))?
            });
            let operands = (*sparse)?;
            Some(vec![(self.make)(&Builder::before(op), op, operands)])
        })
    }

    /// Converts the operators whose weight is the constant of this name.
    fn convert_named(&self, module: Op, name: &str, block: Block) -> PassResult {
        let is_named = |weight: &Value| {
            let is_constant = constant(*weight).is_some();
            is_constant && weight.loc().names().iter().any(|known| known == name)
        };
        let functions = functions(module).into_iter();
        let operators = functions.flat_map(|function| function.find_all(self.operator));
        let read = |op: Op| Some((op, self.weight(op).filter(is_named)?));
        let readers: Vec<(Op, Value)> = operators.filter_map(read).collect();
        if readers.is_empty() {
            let operator = self.operator;
            return fail(
                module,
                format!("weights names '{name}', which is no constant weight of {operator}"),
            );
        }
        for (op, weight) in readers {
            let wrong = |reason: &str| fail(op, format!("weights names '{name}': {reason}"));
            let matrix = match (self.matrix)(op) {
                Ok(matrix) => matrix,
                Err(reason) => return wrong(&reason),
            };
            let [height, width] = block;
            let made = blocks(weight, matrix, block)
                .and_then(|(blocks, _)| constants(weight, blocks, block));
            let Some(operands) = made else {
                let Matrix { rows, columns, .. } = matrix;
                return wrong(&format!(
                    "blocks of {height}x{width} do not divide its {rows} rows and {columns} columns"
                ));
            };
            let result = (self.make)(&Builder::before(op), op, operands);
            op.replace_with(&[result]);
        }
        Ok(())
    }

    /// The weight of an operator of this kind.
    fn weight(&self, op: Op) -> Option<Value> {
        op.is(self.operator).then(|| op.operand(1))
    }
}

/// The blocks of a constant.
fn blocks(weight: Value, matrix: Matrix, block: Block) -> Option<(Blocks, Element)> {
    let element = Element::of(weight.ty().element())?;
    let blocks = constant(weight)?.read(|bytes| Blocks::of((bytes, element), matrix, block));
    Some((blocks??, element))
}

/// Blocks, their columns, and the numbers of rows' first ones, beside the constant that they are of.
fn constants(weight: Value, blocks: Blocks, block: Block) -> Option<[Value; 3]> {
    let builder = Builder::after(weight.def()?);
    let starts = blocks.starts.len() - 1;
    let types = types(weight.ty(), block, (blocks.indices.len(), starts));
    let integers = |numbers: &[i32]| -> Vec<u8> {
        let bytes = numbers.iter().map(|number| number.to_le_bytes());
        bytes.flatten().collect()
    };
    let all = [integers(&blocks.indices), integers(&blocks.starts)];
    let [indices, starts] = all;
    let [data_type, indices_type, starts_type] = types;
    Some([
        of_bytes(&builder, data_type, "sparse", blocks.data)?,
        of_bytes(&builder, indices_type, "sparse", indices)?,
        of_bytes(&builder, starts_type, "sparse", starts)?,
    ])
}

/// The types of blocks of a weight, of their columns, and of the numbers of rows' first ones.
fn types(weight: Type, [height, width]: Block, (entries, rows): (usize, usize)) -> [Type; 3] {
    let integer = Type::int(weight.ctx(), 32);
    let shape = [entries, height, width].map(|extent| extent as i64);
    [
        Type::tensor(&shape, weight.element()),
        Type::tensor(&[entries as i64], integer),
        Type::tensor(&[rows as i64 + 1], integer),
    ]
}
