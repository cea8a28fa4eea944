//! How many bytes tensor expressions read and write.

use relay_dialects::{
    index::product,
    ir::{Op, Type, Value},
    ops::tensor,
    te::Compute,
};

/// The bytes that one call of a function of `te.compute` ops moves at least: each input that its expressions
/// read, and each result, once. If an expression reads only a few elements of an input, as a gather does, only
/// those count. What its stages pass to each other does not count.
pub fn bytes(func: Op) -> u64 {
    let ops = func.body().ops().into_iter();
    let computes: Vec<Compute> = ops.filter_map(Compute::of).collect();
    let read: u64 = func
        .body()
        .args()
        .into_iter()
        .map(|input| read(input, &computes))
        .sum();
    let returned = func
        .body()
        .terminator()
        .map(Op::operands)
        .unwrap_or_default();
    read + returned
        .into_iter()
        .map(|result| size(result.ty(), count(&result.ty().shape())))
        .sum::<u64>()
}

/// The bytes of `input` that are read: as many elements as there are evaluations of expressions
/// that read it, and no more than it has.
fn read(input: Value, computes: &[Compute]) -> u64 {
    if !input.ty().is_tensor() {
        return 0;
    }
    let reads = computes
        .iter()
        .map(|compute| reads(input, *compute))
        .fold(0, u64::saturating_add);
    size(input.ty(), reads.min(count(&input.ty().shape())))
}

/// How many elements of `input` a compute reads; an element counts as often as it is read.
fn reads(input: Value, compute: Compute) -> u64 {
    let mut sites = 0;
    for op in compute.op().body().ops() {
        op.walk(|op| {
            sites += u64::from(op.is(tensor::Extract::NAME) && op.operand(0) == input);
        });
    }
    count(&compute.extents()).saturating_mul(sites)
}

fn count(extents: &[i64]) -> u64 {
    product(extents).max(0).cast_unsigned()
}

fn size(ty: Type, elements: u64) -> u64 {
    elements.saturating_mul(ty.element().byte_width() as u64)
}

#[cfg(test)]
mod tests {
    use super::bytes;
    use relay_dialects::{context, ir::Op, pass::run_pipeline};

    fn of_main(text: &str) -> u64 {
        crate::register();
        let context = context();
        let mut module = melior::ir::Module::parse(&context, text).expect("the text is a module");
        run_pipeline(&context, &mut module, "attach-target,fuse-ops,relay-to-te")
            .expect("the pipeline runs");
        let functions = Op::of_module(&module).functions();
        let kernel = functions
            .into_iter()
            .find(|func| func.has_attr(relay_dialects::attrs::PRIMITIVE));
        bytes(kernel.expect("fuse-ops makes a function"))
    }

    #[test]
    fn inputs_and_results_count_once() {
        let text =
            "func.func @main(%x: tensor<4x64xf32>, %w: tensor<32x64xf32>) -> tensor<4x32xf32> {
            %0 = relay.nn.dense %x, %w : (tensor<4x64xf32>, tensor<32x64xf32>) -> tensor<4x32xf32>
            %1 = relay.nn.relu %0 : (tensor<4x32xf32>) -> tensor<4x32xf32>
            return %1 : tensor<4x32xf32>
        }";
        assert_eq!(of_main(text), 4 * (4 * 64 + 32 * 64 + 4 * 32));
    }

    #[test]
    fn of_a_gathered_table_the_rows_count() {
        let text = "func.func @main(%t: tensor<1000x16xf32>, %i: tensor<3xi64>) -> tensor<3x16xf32> {
            %0 = relay.take %t, %i {axis = 0 : i64} : (tensor<1000x16xf32>, tensor<3xi64>) -> tensor<3x16xf32>
            return %0 : tensor<3x16xf32>
        }";
        // Each row of the result reads its index 16 times, which are 3 indices.
        assert_eq!(of_main(text), 3 * 16 * 4 + 3 * 8 + 3 * 16 * 4);
    }
}
