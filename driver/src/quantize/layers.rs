//! The layers of a model that are marked to be quantised.

use crate::exposed;
use melior::ir::Module;
use relay_passes::simulated::{Product, Simulated, products};

/// A product with marked operands.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The product.
    pub product: Product,
    /// The name of its data in the table of ranges.
    pub tensor: String,
}

/// The layers of a module: products of `@main` itself, in order, whose operands are marked.
pub fn layers(module: &Module<'_>) -> Vec<Layer> {
    let main = exposed::main(module);
    let body = main.body();
    let all = products(main).into_iter();
    let found = all.filter_map(|product| {
        let mark = Simulated::of(product.op.operand(0))?;
        let tensor = mark.tensor()?;
        (product.op.block() == Some(body)).then_some(Layer { product, tensor })
    });
    found.collect()
}

/// The products of `@main` that could be quantised, by name and operator.
pub fn candidates(module: &Module<'_>) -> Vec<Product> {
    products(exposed::main(module))
}

/// Takes the marks from a product.
pub fn unmark(product: &Product) {
    for place in 0..2 {
        if let Some(mark) = Simulated::of(product.op.operand(place)) {
            product.op.set_operand(place, mark.source());
        }
    }
}
