//! Element types: the numbers that tensors hold. There are these and no others.

use crate::{
    ir::{Ctx, Type},
    minifloat::{Minifloat, Specials},
};
use std::fmt;

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Element {
    /// A boolean: `i1`, a byte of 0 or 1 in memory.
    Bool,
    /// A signed integer of 8 bits.
    I8,
    /// A signed integer of 16 bits.
    I16,
    /// A signed integer of 32 bits.
    I32,
    /// A signed integer of 64 bits.
    I64,
    /// An unsigned integer of 8 bits.
    U8,
    /// An unsigned integer of 16 bits.
    U16,
    /// An unsigned integer of 32 bits.
    U32,
    /// An unsigned integer of 64 bits.
    U64,
    /// IEEE 754's binary16.
    F16,
    /// The first half of an f32: its sign, its exponent, and 7 bits of its fraction.
    Bf16,
    /// IEEE 754's binary32.
    F32,
    /// IEEE 754's binary64.
    F64,
    /// A float with 4 bits of exponent and 3 of fraction, without infinities.
    F8E4M3FN,
    /// The same without a negative zero, whose bits are the NaN.
    F8E4M3FNUZ,
    /// A float with 5 bits of exponent and 2 of fraction: the first half of an f16.
    F8E5M2,
    /// The same without infinities and negative zero, whose bits are the NaN.
    F8E5M2FNUZ,
    /// A float with 2 bits of exponent and 1 of fraction, without infinities and NaN.
    F4E2M1FN,
    /// A signed integer of 4 bits.
    I4,
    /// An unsigned integer of 4 bits.
    U4,
    /// A signed integer of 2 bits.
    I2,
    /// An unsigned integer of 2 bits.
    U2,
}

/// What the bits of an element say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A whole number in two's complement.
    Signed,
    /// A whole number that is not negative.
    Unsigned,
    /// A float in one of IEEE 754's formats.
    Float,
    /// A float in the first half of an f32.
    Brain,
    /// A float of 8 bits or fewer.
    Mini,
}

/// A row of the table below.
struct Facts {
    element: Element,
    kind: Kind,
    /// The bits of a value.
    bits: u32,
    /// MLIR's spelling.
    name: &'static str,
    /// The `descr` of NumPy's files, little-endian; numpy itself has no bf16, ml_dtypes writes it so, and bytes for the types of 8 bits
    /// and fewer that numpy lacks.
    numpy: &'static str,
    /// The type of the numbers that kernels compute with: narrow floats are widened when they are loaded.
    computed_in: Element,
}

/// A row of a type that kernels compute with as it is.
const fn facts(
    element: Element,
    kind: Kind,
    bits: u32,
    name: &'static str,
    numpy: &'static str,
) -> Facts {
    Facts {
        element,
        kind,
        bits,
        name,
        numpy,
        computed_in: element,
    }
}

/// A row of a type that kernels compute with in another type.
const fn stored(computed_in: Element, facts: Facts) -> Facts {
    Facts {
        computed_in,
        ..facts
    }
}

/// In the order of the variants.
const TABLE: [Facts; 22] = [
    facts(Element::Bool, Kind::Bool, 1, "i1", "|b1"),
    facts(Element::I8, Kind::Signed, 8, "i8", "|i1"),
    facts(Element::I16, Kind::Signed, 16, "i16", "<i2"),
    facts(Element::I32, Kind::Signed, 32, "i32", "<i4"),
    facts(Element::I64, Kind::Signed, 64, "i64", "<i8"),
    facts(Element::U8, Kind::Unsigned, 8, "ui8", "|u1"),
    facts(Element::U16, Kind::Unsigned, 16, "ui16", "<u2"),
    facts(Element::U32, Kind::Unsigned, 32, "ui32", "<u4"),
    facts(Element::U64, Kind::Unsigned, 64, "ui64", "<u8"),
    stored(
        Element::F32,
        facts(Element::F16, Kind::Float, 16, "f16", "<f2"),
    ),
    stored(
        Element::F32,
        facts(Element::Bf16, Kind::Brain, 16, "bf16", "<V2"),
    ),
    facts(Element::F32, Kind::Float, 32, "f32", "<f4"),
    facts(Element::F64, Kind::Float, 64, "f64", "<f8"),
    facts(Element::F8E4M3FN, Kind::Mini, 8, "f8E4M3FN", BYTE),
    facts(Element::F8E4M3FNUZ, Kind::Mini, 8, "f8E4M3FNUZ", BYTE),
    facts(Element::F8E5M2, Kind::Mini, 8, "f8E5M2", "<f1"),
    facts(Element::F8E5M2FNUZ, Kind::Mini, 8, "f8E5M2FNUZ", BYTE),
    facts(Element::F4E2M1FN, Kind::Mini, 4, "f4E2M1FN", BYTE),
    facts(Element::I4, Kind::Signed, 4, "i4", BYTE),
    facts(Element::U4, Kind::Unsigned, 4, "ui4", BYTE),
    facts(Element::I2, Kind::Signed, 2, "i2", BYTE),
    facts(Element::U2, Kind::Unsigned, 2, "ui2", BYTE),
];

/// What ml_dtypes writes for a byte that numpy has no type for.
const BYTE: &str = "<V1";

impl Element {
    /// Every element type.
    pub const ALL: [Self; 22] = {
        let mut all = [Self::Bool; 22];
        let mut index = 0;
        while index < all.len() {
            all[index] = TABLE[index].element;
            index += 1;
        }
        all
    };

    /// That of an MLIR type; `None` for `index`, vectors, complex numbers and other widths.
    /// Signless integers count as signed.
    pub fn of(ty: Type) -> Option<Self> {
        if ty.is_int() {
            let kind = match (ty.is_unsigned(), ty.is_signless(), ty.bit_width()) {
                (true, _, _) => Kind::Unsigned,
                (_, true, 1) => Kind::Bool,
                (_, true, _) => Kind::Signed,
                _ => return None,
            };
            return Self::find(|facts| facts.kind == kind && facts.bits == ty.bit_width());
        }
        if ty.is_bf16() {
            return Some(Self::Bf16);
        }
        let ieee = [
            (ty.is_f16(), Self::F16),
            (ty.is_f32(), Self::F32),
            (ty.is_f64(), Self::F64),
        ];
        ieee.into_iter()
            .find_map(|(is, element)| is.then_some(element))
            .or_else(|| Self::of_minifloat(ty))
    }

    fn of_minifloat(ty: Type) -> Option<Self> {
        let is_small = ty.is_float() && ty.bit_width() <= 8;
        is_small.then(|| Self::parse(&ty.to_string())).flatten()
    }

    /// That of an MLIR type.
    ///
    /// # Errors
    /// That it is none, as a clause of a diagnostic.
    pub fn require(ty: Type) -> Result<Self, String> {
        Self::of(ty).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            format!("{ty} is no element type; these are: {names}")
        })
    }

    /// Checks what a kernel's tensor or buffer holds: elements, or indices.
    ///
    /// # Errors
    /// As [`Element::require`].
    pub fn require_in_kernel(ty: Type) -> Result<(), String> {
        match ty.is_index() {
            true => Ok(()),
            false => Self::require(ty).map(drop),
        }
    }

    /// That of MLIR's spelling: `f32`, `ui8`, `i1`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::find(|facts| facts.name == name)
    }

    fn find(matches: impl Fn(&Facts) -> bool) -> Option<Self> {
        let facts = TABLE.iter().find(|facts| matches(facts));
        facts.map(|facts| facts.element)
    }

    fn facts(self) -> &'static Facts {
        &TABLE[self as usize]
    }

    /// The MLIR type: signless for booleans and signed integers.
    pub fn ty(self, ctx: Ctx) -> Type {
        match (self.kind(), self.bits()) {
            _ if self == Self::F8E4M3FN => Type::f8_e4m3fn(ctx),
            _ if self == Self::F8E4M3FNUZ => Type::f8_e4m3fnuz(ctx),
            _ if self == Self::F8E5M2 => Type::f8_e5m2(ctx),
            _ if self == Self::F8E5M2FNUZ => Type::f8_e5m2fnuz(ctx),
            (Kind::Mini, _) => Type::f4_e2m1fn(ctx),
            (Kind::Bool | Kind::Signed, bits) => Type::int(ctx, bits),
            (Kind::Unsigned, bits) => Type::unsigned(ctx, bits),
            (Kind::Brain, _) => Type::bf16(ctx),
            (Kind::Float, 16) => Type::f16(ctx),
            (Kind::Float, 32) => Type::f32(ctx),
            (Kind::Float, _) => Type::f64(ctx),
        }
    }

    /// What the bits say.
    pub fn kind(self) -> Kind {
        self.facts().kind
    }

    /// The bits of a value: 1 of a boolean.
    pub fn bits(self) -> u32 {
        self.facts().bits
    }

    /// The bytes of an element in memory.
    pub fn bytes(self) -> usize {
        self.bits().div_ceil(8) as usize
    }

    /// MLIR's spelling.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The `descr` of NumPy's files; that of a type which numpy lacks is what the package ml_dtypes writes.
    pub fn numpy(self) -> &'static str {
        self.facts().numpy
    }

    /// DLPack's `code` and `bits` of a `DLDataType` of one lane (dlpack.h, version 1.1). DLPack packs types of fewer than 8 bits;
    /// ours have a byte for each element, so they are bytes.
    pub fn dlpack(self) -> (u8, u8) {
        let code = match (self, self.kind()) {
            (Self::F8E4M3FN, _) => 10,
            (Self::F8E4M3FNUZ, _) => 11,
            (Self::F8E5M2, _) => 12,
            (Self::F8E5M2FNUZ, _) => 13,
            (_, Kind::Bool) => 6,
            _ if self.bits() < 8 => 1,
            (_, Kind::Signed) => 0,
            (_, Kind::Unsigned | Kind::Mini) => 1,
            (_, Kind::Float) => 2,
            (_, Kind::Brain) => 4,
        };
        (code, self.bytes() as u8 * 8)
    }

    /// The format of a float of 8 bits or fewer.
    pub fn minifloat(self) -> Option<Minifloat> {
        let (exponent, fraction, specials) = match self {
            Self::F8E4M3FN => (4, 3, Specials::OneNan),
            Self::F8E4M3FNUZ => (4, 3, Specials::NegativeZero),
            Self::F8E5M2 => (5, 2, Specials::Ieee),
            Self::F8E5M2FNUZ => (5, 2, Specials::NegativeZero),
            Self::F4E2M1FN => (2, 1, Specials::Finite),
            _ => return None,
        };
        Some(Minifloat::new(exponent, fraction, specials))
    }

    /// Whether nothing is computed with it: it is moved, and converted from and to other types. Elements are the low bits of bytes,
    /// whose other bits are 0; who reads them does not look at those.
    pub fn is_stored_only(self) -> bool {
        self.kind() == Kind::Mini || self.is_integer() && self.bits() < 8
    }

    /// The number that the low bits of a byte are, for an integer of 8 bits or fewer.
    pub fn small_integer(self, byte: u8) -> i8 {
        let above = 8 - self.bits();
        match self.kind() {
            Kind::Unsigned => (byte << above >> above) as i8,
            _ => (byte << above) as i8 >> above,
        }
    }

    /// The type of the same elements in numpy's files, which have no narrow floats but f16, and no integers of fewer than 8 bits.
    pub fn in_files(self) -> Self {
        match self.kind() {
            Kind::Brain | Kind::Mini => Self::F32,
            Kind::Signed if self.bits() < 8 => Self::I8,
            Kind::Unsigned if self.bits() < 8 => Self::U8,
            _ => self,
        }
    }

    /// Whether it is a float of a format that operators compute with.
    pub fn is_float(self) -> bool {
        matches!(self.kind(), Kind::Float | Kind::Brain)
    }

    /// Whether it is a whole number, which a boolean is not.
    pub fn is_integer(self) -> bool {
        matches!(self.kind(), Kind::Signed | Kind::Unsigned)
    }

    /// The least number: minus infinity of a float.
    pub fn least(self) -> f64 {
        match self.kind() {
            Kind::Float | Kind::Brain | Kind::Mini => f64::NEG_INFINITY,
            Kind::Unsigned | Kind::Bool => 0.0,
            Kind::Signed => -(2f64.powi(self.bits() as i32 - 1)),
        }
    }

    /// The greatest number: infinity of a float.
    pub fn greatest(self) -> f64 {
        match self.kind() {
            Kind::Float | Kind::Brain | Kind::Mini => f64::INFINITY,
            Kind::Bool => 1.0,
            Kind::Unsigned => 2f64.powi(self.bits() as i32) - 1.0,
            Kind::Signed => 2f64.powi(self.bits() as i32 - 1) - 1.0,
        }
    }

    /// The type of the numbers that kernels compute with.
    pub fn computed_in(self) -> Self {
        self.facts().computed_in
    }

    /// Whether kernels store it only, and compute in a wider float: f16 or bf16.
    pub fn is_narrow_float(self) -> bool {
        self.computed_in() != self
    }
}

impl fmt::Display for Element {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// A set of element types, as an operator says what it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elements {
    members: u32,
    /// What diagnostics and reference pages call it.
    name: &'static str,
}

impl Elements {
    /// All of them, also those that are only stored.
    pub const ANY: Self = Self::of("any elements", &Element::ALL);
    /// All that are computed with.
    pub const VALUES: Self = Self::NUMBERS.and(Self::BOOLEANS, "numbers or booleans");
    /// Booleans.
    pub const BOOLEANS: Self = Self::of("booleans", &[Element::Bool]);
    /// Floats.
    pub const FLOATS: Self = Self::of(
        "floats",
        &[Element::F16, Element::Bf16, Element::F32, Element::F64],
    );
    /// Integers.
    pub const INTEGERS: Self = Self::of(
        "integers",
        &[
            Element::I8,
            Element::I16,
            Element::I32,
            Element::I64,
            Element::U8,
            Element::U16,
            Element::U32,
            Element::U64,
        ],
    );
    /// Integers and booleans.
    pub const BITS: Self = Self::INTEGERS.and(Self::BOOLEANS, "integers or booleans");
    /// Integers and floats.
    pub const NUMBERS: Self = Self::INTEGERS.and(Self::FLOATS, "integers or floats");

    const fn of(name: &'static str, elements: &[Element]) -> Self {
        let (mut members, mut index) = (0, 0);
        while index < elements.len() {
            members |= 1 << elements[index] as u16;
            index += 1;
        }
        Self { members, name }
    }

    /// These and others, by a name of both.
    const fn and(self, others: Self, name: &'static str) -> Self {
        Self {
            members: self.members | others.members,
            name,
        }
    }

    /// Whether an element type is one of them.
    pub fn contains(self, element: Element) -> bool {
        self.members & (1 << element as u16) != 0
    }

    /// What diagnostics call them: `floats`.
    pub fn name(self) -> &'static str {
        self.name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_variants() {
        for (index, element) in Element::ALL.into_iter().enumerate() {
            assert_eq!(element as usize, index, "{element}");
        }
    }

    #[test]
    fn narrow_floats_alone_are_computed_in_another_type() {
        for element in Element::ALL {
            let is_narrow = element.is_float() && element.bits() < 32;
            assert_eq!(
                element.is_stored_only(),
                element.bits() < 8 && element != Element::Bool || element.minifloat().is_some()
            );
            let computed_in = if is_narrow { Element::F32 } else { element };
            assert_eq!(element.computed_in(), computed_in, "{element}");
            assert_eq!(element.is_narrow_float(), is_narrow, "{element}");
        }
    }

    #[test]
    fn types_and_names_lead_back() {
        let context = melior::Context::new();
        let ctx = Ctx::of(&context);
        for element in Element::ALL {
            let ty = element.ty(ctx);
            assert_eq!(Element::of(ty), Some(element));
            assert_eq!(Type::parse(ctx, element.name()), Some(ty));
            assert_eq!(ty.byte_width(), element.bytes());
            assert_eq!(Element::parse(element.name()), Some(element));
        }
    }

    #[test]
    fn nothing_else_is_an_element() {
        let context = melior::Context::new();
        let ctx = Ctx::of(&context);
        let others = [
            "index",
            "i3",
            "si8",
            "ui1",
            "i128",
            "f80",
            "f128",
            "tf32",
            "f8E3M4",
            "complex<f32>",
            "vector<4xf32>",
            "tensor<f32>",
            "none",
        ];
        for text in others {
            let ty = Type::parse(ctx, text).unwrap_or_else(|| panic!("{text} is a type"));
            assert_eq!(Element::of(ty), None, "{text}");
        }
    }

    #[test]
    fn sets_hold_what_they_are_called() {
        assert!(Element::ALL.iter().all(|e| Elements::ANY.contains(*e)));
        for element in Element::ALL {
            assert_ne!(Elements::VALUES.contains(element), element.is_stored_only());
            if element.is_stored_only() {
                continue;
            }
            assert_eq!(Elements::FLOATS.contains(element), element.is_float());
            let is_bits = !element.is_float();
            assert_eq!(Elements::BITS.contains(element), is_bits);
            let is_number = element != Element::Bool;
            assert_eq!(Elements::INTEGERS.contains(element), is_bits && is_number);
            assert_eq!(Elements::NUMBERS.contains(element), is_number);
            assert_eq!(
                Elements::BOOLEANS.contains(element),
                element == Element::Bool
            );
        }
    }
}
