//! How many floating-point operations tensor expressions take.

use relay_dialects::{
    dim::{DYNAMIC, Dim},
    index::product,
    ir::{Attr, Block, Op},
    names::relay,
    ops::{arith, func, math},
    relay::language::Scan,
    te::Compute,
};
use std::collections::HashMap;

/// The floating-point operations of one call of a function of `te.compute` ops, or of the calls in a function:
/// for each element of each stage, and each step of its reductions, those of its expression and its reducer. `None` if a
/// function is called that calls itself, also by way of others: its data decide how often; or if extents are open.
///
/// A multiply-add counts as two operations. A function of the `math` dialect counts as one; comparisons,
/// selections and conversions do not count, nor does integer arithmetic. Both sides of a branch count. A loop counts one step if the
/// number of its steps is not known.
pub fn flops(func: Op, module: Op) -> Option<u64> {
    let mut calls = Calls {
        module,
        known: HashMap::new(),
    };
    calls.of(func)
}

/// What the functions of a module take.
struct Calls {
    module: Op,
    /// Those that were counted, and, without a number, those that are being counted or have none.
    known: HashMap<Op, Option<u64>>,
}

impl Calls {
    fn of(&mut self, func: Op) -> Option<u64> {
        if let Some(known) = self.known.get(&func) {
            return *known;
        }
        self.known.insert(func, None);
        let sum = self.of_block(func.body());
        self.known.insert(func, sum);
        sum
    }

    fn of_block(&mut self, block: Block) -> Option<u64> {
        let mut sum = Some(0);
        for op in block.ops() {
            let operations = self.of_op(op);
            sum = sum
                .zip(operations)
                .map(|(sum, more): (u64, u64)| sum.saturating_add(more));
        }
        sum
    }

    fn of_op(&mut self, op: Op) -> Option<u64> {
        match op.name().as_str() {
            Compute::NAME => Compute::of(op).map_or(Some(0), of_compute),
            func::Call::NAME => {
                let callee = op.attr("callee").and_then(Attr::as_symbol);
                let callee = callee.and_then(|name| self.module.function(&name));
                match callee.filter(|callee| callee.block_in(0).is_some()) {
                    Some(callee) => self.of(callee),
                    None => Some(0),
                }
            }
            relay::SCAN | relay::WHILE => {
                let trips = Scan::of(op).and_then(Scan::trips).and_then(Dim::known);
                let trips = trips.map_or(1, |trips| trips.max(0).cast_unsigned());
                let step = op.block_in(0).map_or(Some(0), |body| self.of_block(body))?;
                Some(step.saturating_mul(trips))
            }
            _ => Some(0),
        }
    }
}

/// `None` with open extents.
fn of_compute(compute: Compute) -> Option<u64> {
    let extents = compute.reduce_extents();
    let expression = in_block(compute.op().body());
    let combination = match compute.combiner() {
        Some(combiner) => in_block(combiner),
        None => u64::from(!extents.is_empty() && compute.op().result(0).ty().element().is_float()),
    };
    let each = expression + combination;
    count(&compute.extents()).map(|count| count.saturating_mul(each))
}

/// How many elements have these extents; `None` if one is [open](DYNAMIC).
fn count(extents: &[i64]) -> Option<u64> {
    let is_open = extents.contains(&DYNAMIC);
    (!is_open).then(|| product(extents).max(0).cast_unsigned())
}

fn in_block(block: Block) -> u64 {
    let mut sum = 0;
    for op in block.ops() {
        op.walk(|op| sum += u64::from(is_operation(op)));
    }
    sum
}

fn is_operation(op: Op) -> bool {
    let arithmetic = [
        arith::AddF::NAME,
        arith::SubF::NAME,
        arith::MulF::NAME,
        arith::DivF::NAME,
        arith::RemF::NAME,
        arith::NegF::NAME,
        arith::MaximumF::NAME,
        arith::MinimumF::NAME,
    ];
    let name = op.name();
    let on_floats = || op.results().iter().all(|result| result.ty().is_float());
    arithmetic.contains(&name.as_str()) || (name.starts_with(math::PREFIX) && on_floats())
}

#[cfg(test)]
mod tests {
    use super::flops;
    use relay_dialects::{context, ir::Op, pass::run_pipeline};

    /// Two operations for each product of a weight and an element, and one for each sum; the maximum of relu
    /// does not count.
    #[test]
    fn a_convolution_with_its_epilogue() {
        crate::register();
        let context = context();
        let text = "func.func @main(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32> {
            %0 = relay.nn.conv2d %x, %w {strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, dilation = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<1x4x6x6xf32>
            %1 = relay.add %0, %0 : (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
            %2 = relay.nn.relu %1 : (tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
            return %2 : tensor<1x4x6x6xf32>
        }";
        let mut module = melior::ir::Module::parse(&context, text).expect("the text is a module");
        run_pipeline(&context, &mut module, "attach-target,fuse-ops,relay-to-te")
            .expect("the pipeline runs");
        let module = Op::of_module(&module);
        let main = module.lookup("main").expect("there is a main");
        let results = 4 * 6 * 6;
        let counted = results * 3 * 3 * 3 * 2 + results;
        assert_eq!(flops(main, module), Some(counted));
    }

    /// What a run takes depends on its sizes.
    #[test]
    fn open_extents_have_no_count() {
        let context = context();
        let text = r#"func.func @main(%x: tensor<?x?xf32, ["n", "m"]>) {
            %y = te.compute "y" (%i: "n", %j: "m") {
                %a = tensor.extract %x[%i, %j] : tensor<?x?xf32, ["n", "m"]>
                %b = arith.addf %a, %a : f32
                te.yield %b : f32
            } : tensor<?x?xf32, ["n", "m"]>
            return
        }"#;
        let module = melior::ir::Module::parse(&context, text).expect("the text is a module");
        let module = Op::of_module(&module);
        let main = module.lookup("main").expect("there is a main");
        assert_eq!(flops(main, module), None);
    }

    /// Each function is counted once, whoever calls it.
    #[test]
    fn calls_of_calls_are_counted_and_those_of_itself_are_not() {
        let context = context();
        let links = (1..64).map(|link| {
            let next = link - 1;
            format!(
                "func.func private @f{link}(%x: tensor<4xf32>) {{
                    call @f{next}(%x) : (tensor<4xf32>) -> ()
                    call @f{next}(%x) : (tensor<4xf32>) -> ()
                    return
                }}"
            )
        });
        let text = format!(
            "func.func private @f0(%x: tensor<4xf32>) {{
                %y = te.compute \"y\" (%i: 4) {{
                    %a = tensor.extract %x[%i] : tensor<4xf32>
                    %b = arith.addf %a, %a : f32
                    te.yield %b : f32
                }} : tensor<4xf32>
                return
            }}
            {}
            func.func private @even(%x: tensor<4xf32>) {{
                call @odd(%x) : (tensor<4xf32>) -> ()
                return
            }}
            func.func private @odd(%x: tensor<4xf32>) {{
                call @even(%x) : (tensor<4xf32>) -> ()
                return
            }}",
            links.collect::<String>()
        );
        let module = melior::ir::Module::parse(&context, &text).expect("the text is a module");
        let module = Op::of_module(&module);
        let of = |name: &str| flops(module.function(name).expect("it is there"), module);
        assert_eq!(of("f10"), Some(4 << 10));
        assert_eq!(of("f63"), Some(u64::MAX));
        assert_eq!(of("even"), None);
    }
}
