//! The types of tensors: one row for each.

use super::blocks::{self, Blocks, Unpack};
use crate::graph::error::Result;
use relay_dialects::element::Element;

/// A type of tensors.
#[derive(Debug)]
pub struct TensorType {
    /// The number that files give to it.
    pub number: u32,
    /// Its name in llama.cpp.
    pub name: &'static str,
    /// The numbers of a block; 1 if each is stored on its own.
    pub numbers: i64,
    /// The bytes of a block.
    pub bytes: usize,
    /// What is stored.
    pub stored: Stored,
}

/// What a block stores.
#[derive(Clone, Copy, Debug)]
pub enum Stored {
    /// A number of this type.
    Element(Element),
    /// Integers that share scales.
    Blocks(Blocks),
    /// Something that is not imported.
    Unsupported,
}

const fn element(number: u32, name: &'static str, element: Element, bytes: usize) -> TensorType {
    TensorType {
        number,
        name,
        numbers: 1,
        bytes,
        stored: Stored::Element(element),
    }
}

/// A type whose blocks have 32 numbers and one scale of f16.
const fn legacy(
    (number, name, bytes): (u32, &'static str, usize),
    (bits, zero, has_least): (i64, u8, bool),
    unpack: Unpack,
) -> TensorType {
    let stored = Stored::Blocks(Blocks {
        group: 32,
        bits,
        zero,
        scale: Element::F16,
        has_least,
        unpack,
    });
    TensorType {
        number,
        name,
        numbers: 32,
        bytes,
        stored,
    }
}

/// A type whose blocks have 256 numbers, and groups with scales that are products.
const fn grouped(
    (number, name, bytes): (u32, &'static str, usize),
    (group, bits, zero, has_least): (i64, i64, u8, bool),
    unpack: Unpack,
) -> TensorType {
    let stored = Stored::Blocks(Blocks {
        group,
        bits,
        zero,
        scale: Element::F32,
        has_least,
        unpack,
    });
    TensorType {
        number,
        name,
        numbers: 256,
        bytes,
        stored,
    }
}

const fn refused(number: u32, name: &'static str, numbers: i64, bytes: usize) -> TensorType {
    TensorType {
        number,
        name,
        numbers,
        bytes,
        stored: Stored::Unsupported,
    }
}

/// The types. Numbers, names and sizes are those of `ggml.h` and `ggml-common.h`.
const TYPES: &[TensorType] = &[
    element(0, "F32", Element::F32, 4),
    element(1, "F16", Element::F16, 2),
    element(30, "BF16", Element::Bf16, 2),
    legacy((2, "Q4_0", 18), (4, 8, false), blocks::q4_0),
    legacy((3, "Q4_1", 20), (4, 0, true), blocks::q4_1),
    legacy((6, "Q5_0", 22), (8, 16, false), blocks::q5_0),
    legacy((7, "Q5_1", 24), (8, 0, true), blocks::q5_1),
    legacy((8, "Q8_0", 34), (8, 128, false), blocks::q8_0),
    grouped((12, "Q4_K", 144), (32, 4, 0, true), blocks::q4_k),
    grouped((13, "Q5_K", 176), (32, 8, 0, true), blocks::q5_k),
    grouped((14, "Q6_K", 210), (16, 8, 32, false), blocks::q6_k),
    refused(9, "Q8_1", 32, 36),
    refused(10, "Q2_K", 256, 84),
    refused(11, "Q3_K", 256, 110),
    refused(15, "Q8_K", 256, 292),
    refused(16, "IQ2_XXS", 256, 66),
    refused(17, "IQ2_XS", 256, 74),
    refused(18, "IQ3_XXS", 256, 98),
    refused(19, "IQ1_S", 256, 50),
    refused(20, "IQ4_NL", 32, 18),
    refused(21, "IQ3_S", 256, 110),
    refused(22, "IQ2_S", 256, 82),
    refused(23, "IQ4_XS", 256, 136),
    refused(24, "I8", 1, 1),
    refused(25, "I16", 1, 2),
    refused(26, "I32", 1, 4),
    refused(27, "I64", 1, 8),
    refused(28, "F64", 1, 8),
    refused(29, "IQ1_M", 256, 56),
    refused(34, "TQ1_0", 256, 54),
    refused(35, "TQ2_0", 256, 66),
    refused(39, "MXFP4", 32, 17),
];

impl TensorType {
    /// The type of a number.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(number: u32) -> Result<&'static Self> {
        let found = TYPES.iter().find(|kind| kind.number == number);
        found.ok_or_else(|| format!("there is no type of tensors with number {number}"))
    }

    /// Whether tensors of it are imported.
    pub fn is_supported(&self) -> bool {
        !matches!(self.stored, Stored::Unsupported)
    }
}

/// The names of types that are imported.
pub fn names() -> Vec<&'static str> {
    let supported = TYPES.iter().filter(|kind| kind.is_supported());
    supported.map(|kind| kind.name).collect()
}
