//! Matrix instructions: what they multiply, how much of it, and how fast.

use relay_dialects::{Element, ops::amx};

/// An instruction that multiplies a matrix of `rows` x `depth` by one of `depth` x `columns`, and adds the products to a matrix of
/// sums.
#[derive(Debug, PartialEq)]
pub struct MatrixUnit {
    /// Its name, as a module's target lists it.
    pub name: &'static str,
    /// How messages call the instructions: `AMX`.
    pub instructions: &'static str,
    /// The architecture, by the name in LLVM's triples.
    pub architecture: &'static str,
    /// LLVM's features that a CPU must have, `+a,+b`.
    pub features: &'static str,
    /// The elements of the first matrix, any of these.
    pub lhs: &'static [Element],
    /// The elements of the second matrix, any of these.
    pub rhs: &'static [Element],
    /// The elements of the sums.
    pub sum: Element,
    /// The most rows of the first matrix and of the sums.
    pub rows: i64,
    /// The columns of the second matrix and of the sums.
    pub columns: i64,
    /// The most elements that a sum is made of.
    pub depth: i64,
    /// How many rows of the second matrix lie beside each other: the elements that are multiplied and added to one lane.
    pub pack: i64,
    /// The registers that hold matrices.
    pub registers: i64,
    /// The multiply-adds of elements in a cycle.
    pub per_cycle: f64,
    /// The cycles from an instruction to the next one that adds to its sums.
    pub latency: i64,
    /// Whether the matrices are in tile registers, which a process must ask Linux for, and which no call of a function keeps.
    pub is_of_tiles: bool,
    /// The op of MLIR that is the instruction.
    pub op: &'static str,
}

/// AMX tiles of bf16. Speed and latency: Intel's optimization manual, "Intel AMX". Processors with tiles also round to bf16
/// (avx512bf16); without that, LLVM calls a function, and no tile outlives a call.
pub const AMX_BF16: MatrixUnit = MatrixUnit {
    name: "amx-bf16",
    instructions: "AMX",
    architecture: "x86_64",
    features: "+amx-tile,+amx-bf16,+avx512bf16",
    lhs: &[Element::Bf16],
    rhs: &[Element::Bf16],
    sum: Element::F32,
    rows: 16,
    columns: 16,
    depth: 32,
    pack: 2,
    registers: 8,
    per_cycle: 512.0,
    latency: 52,
    is_of_tiles: true,
    op: amx::TileMulF::NAME,
};

/// AMX tiles of bytes. Speed and latency: as [`AMX_BF16`].
pub const AMX_INT8: MatrixUnit = MatrixUnit {
    name: "amx-int8",
    instructions: "AMX",
    architecture: "x86_64",
    features: "+amx-tile,+amx-int8",
    lhs: &[Element::I8, Element::U8],
    rhs: &[Element::I8, Element::U8],
    sum: Element::I32,
    rows: 16,
    columns: 16,
    depth: 64,
    pack: 4,
    registers: 8,
    per_cycle: 1024.0,
    latency: 52,
    is_of_tiles: true,
    op: amx::TileMulI::NAME,
};

/// All of them.
pub const UNITS: &[MatrixUnit] = &[AMX_BF16, AMX_INT8];

/// The units of a machine: a set of [`UNITS`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Units(u32);

impl Units {
    /// The units of an architecture whose features a CPU has.
    pub fn of(architecture: &str, has: &dyn Fn(&str) -> bool) -> Self {
        Self::chosen(|unit| unit.architecture == architecture && has(unit.features))
    }

    /// The units of these names; `None` if one of them is unknown.
    pub fn named(names: &[String]) -> Option<Self> {
        let is_known = |name: &String| UNITS.iter().any(|unit| unit.name == name);
        let all = names.iter().all(is_known);
        all.then(|| Self::chosen(|unit| names.iter().any(|name| name == unit.name)))
    }

    fn chosen(wanted: impl Fn(&MatrixUnit) -> bool) -> Self {
        let bits = UNITS.iter().enumerate();
        let bits = bits.filter(|(_, unit)| wanted(unit));
        Self(bits.fold(0, |set, (at, _)| set | 1 << at))
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = &'static MatrixUnit> {
        let all = UNITS.iter().enumerate();
        all.filter(move |(at, _)| self.0 >> at & 1 == 1)
            .map(|(_, unit)| unit)
    }

    /// The unit that multiplies these elements, if there is one.
    pub fn find(self, lhs: Element, rhs: Element) -> Option<&'static MatrixUnit> {
        self.iter()
            .find(|unit| unit.lhs.contains(&lhs) && unit.rhs.contains(&rhs))
    }

    /// What messages call the instructions of all of them, each once.
    pub fn instructions(self) -> Vec<&'static str> {
        let mut names: Vec<_> = self.iter().map(|unit| unit.instructions).collect();
        names.dedup();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_follow_from_features() {
        let all = Units::of("x86_64", &|_| true);
        assert_eq!(all.iter().count(), 2);
        assert_eq!(all.instructions(), ["AMX"]);
        let unit = all.find(Element::U8, Element::I8).expect("there is one");
        assert_eq!(unit.name, "amx-int8");
        assert!(all.find(Element::F32, Element::F32).is_none());
        let bytes = Units::of("x86_64", &|features| !features.contains("bf16"));
        assert!(bytes.find(Element::Bf16, Element::Bf16).is_none());
        assert_eq!(Units::of("aarch64", &|_| true), Units::default());
        let names = [String::from("amx-int8")];
        assert_eq!(Units::named(&names), Some(bytes));
        assert_eq!(Units::named(&["amx".into()]), None);
    }

    #[test]
    fn operands_fill_registers_of_sums() {
        for unit in UNITS {
            assert_eq!(unit.depth % unit.pack, 0, "{}", unit.name);
            let bits = |elements: &[Element]| elements[0].bits() as i64;
            // A row of the second matrix fills as many bytes as one of sums.
            assert_eq!(
                unit.pack * bits(unit.rhs),
                bits(&[unit.sum]),
                "{}",
                unit.name
            );
        }
    }
}
