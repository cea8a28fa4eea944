//! The standard orders of passes, written here and only here.

use crate::relay;
use relay_dialects::pass::PassSpec;

/// What the standard pipelines depend on.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// 0: no fusion, 1: fusion, 2: constants are folded, 3: everything.
    pub opt_level: u8,
    /// The width of the target's vectors.
    pub vector_bits: u32,
}

/// Relay's passes in order, each with the least optimisation level at which it runs.
///
/// Biases are additions and constants are folded before factors move into weights, because factors
/// move past additions of constants only. Transforms of weights are folded after the layouts are
/// chosen, and common expressions once more, because blocks of one constant are made at each use.
const RELAY: &[(u8, &PassSpec)] = &[
    (0, &relay::infer_type::SPEC),
    (0, &relay::simplify_inference::SPEC),
    (0, &relay::canonicalize_ops::SPEC),
    (2, &relay::eliminate_common_subexpr::SPEC),
    (2, &relay::fold_constant::SPEC),
    (1, &relay::simplify_expr::SPEC),
    (3, &relay::fold_scale_axis::SPEC),
    (2, &relay::fold_constant::SPEC),
    (1, &relay::simplify_expr::SPEC),
    (3, &relay::alter_op_layout::SPEC),
    (3, &relay::simplify_expr::SPEC),
    (3, &relay::eliminate_common_subexpr::SPEC),
    (2, &relay::fold_constant::SPEC),
    (1, &relay::dead_code_elimination::SPEC),
    (0, &relay::fuse_ops::SPEC),
];

/// The textual pipeline that takes a model to primitive functions. From level 2 on it needs an
/// [evaluator](crate::evaluator), which must itself compile at level 1 at most.
pub fn relay(config: Config) -> String {
    let steps = RELAY.iter().filter(|(level, _)| *level <= config.opt_level);
    steps
        .map(|(_, pass)| step(pass, config))
        .collect::<Vec<_>>()
        .join(",")
}

fn step(pass: &PassSpec, config: Config) -> String {
    let options = match pass.flag {
        "alter-op-layout" => format!("{{vector-bits={}}}", config.vector_bits),
        "fuse-ops" => format!("{{enabled={}}}", config.opt_level > 0),
        _ => String::new(),
    };
    match pass.anchor {
        "builtin.module" => format!("{}{options}", pass.flag),
        anchor => format!("{anchor}({}{options})", pass.flag),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use relay_dialects::{context, ir::Op, pass::run_pipeline};

    #[test]
    fn every_level_runs() {
        crate::register();
        let context = context();
        for opt_level in 0..=3 {
            let text = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
                %0 = relay.abs %x : (tensor<4xf32>) -> tensor<4xf32>
                %1 = relay.nn.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
                return %1 : tensor<4xf32>
            }";
            let mut module = melior::ir::Module::parse(&context, text).unwrap();
            run_pipeline(
                &context,
                &mut module,
                &relay(Config {
                    opt_level,
                    vector_bits: 512,
                }),
            )
            .unwrap();
            let calls = Op::of_module(&module).find_all("func.call").len();
            assert_eq!(
                calls,
                if opt_level == 0 { 2 } else { 1 },
                "level {opt_level}"
            );
        }
    }
}
