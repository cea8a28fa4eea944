//! Products of bf16 and of bytes on machines with AMX.

use super::{Doc, Fixed, Template, Way};
use crate::{
    intrin::x86_amx::{Conv, Dense, Numbers},
    schedule::{
        Machine, Stage,
        cost::{Cycles, amx, memory},
        epilogue::Epilogue,
        x86_amx,
    },
};
use relay_dialects::te::build::ScheduleBuilder;

/// What AMX's tiles compute: the shape of its intrinsic leaves nothing to choose.
pub enum Blocks {
    /// A matrix product.
    Product(Dense),
    /// A matrix product of two operands that are known at run time only.
    Matmul(Dense),
    /// A convolution.
    Conv(Conv),
}

impl Blocks {
    /// What the tiles multiply.
    fn numbers(&self) -> Numbers {
        match self {
            Self::Product(tile) | Self::Matmul(tile) => tile.numbers(),
            Self::Conv(tile) => tile.numbers(),
        }
    }
}

/// A product, or a convolution, on AMX's tiles.
pub struct Amx {
    /// The stage.
    pub stage: Stage,
    /// What is computed with it.
    pub epilogue: Epilogue,
    /// Its intrinsic.
    pub blocks: Blocks,
}

impl Template for Amx {
    type Knobs = Fixed;

    const DOC: Doc = Doc {
        name: "amx",
        applies: "A product or a convolution of bf16 or of bytes, if the machine has AMX tiles and they fit the shapes.",
        ways: &[Way {
            knobs: "",
            loops: "The intrinsic's: AMX tiles of rows, AMX tiles of columns, reduction.",
            kept: "Registers: up to four AMX tiles of sums. L1: the buffer of sums that the epilogue reads.",
        }],
    };

    fn space(&self, _: Machine) -> Vec<Fixed> {
        vec![Fixed]
    }

    fn cost(&self, _: &Fixed, machine: Machine) -> Cycles {
        let operands = memory::stream(self.stage.read_bytes(), machine);
        amx::products(self.blocks.numbers(), self.stage.work())
            + operands
            + self.epilogue.cost(machine)
    }

    fn emit(&self, _: &Fixed, s: &ScheduleBuilder, machine: Machine) {
        self.epilogue.inline(s);
        let stages = (self.stage, self.epilogue.last);
        match self.blocks {
            Blocks::Product(tile) => x86_amx::product(s, stages, tile, machine),
            Blocks::Matmul(tile) => x86_amx::matmul(s, stages, tile, machine),
            Blocks::Conv(tile) => x86_amx::conv2d(s, stages, tile, machine),
        }
    }
}
