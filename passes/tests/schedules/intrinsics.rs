//! What schedules may tensorize loops with.

/// Intrinsics of length two, whose implementations go backwards.
pub fn all() -> String {
    let scalars = [
        Scalar {
            ty: "i32",
            add: "addi",
            mul: "muli",
            two: "2",
        },
        Scalar {
            ty: "f32",
            add: "addf",
            mul: "mulf",
            two: "2.0",
        },
    ];
    let of = |scalar: &Scalar| {
        let sums = [Sum::OfProducts, Sum::OfElements].map(|sum| scalar.reduction(sum));
        [&sums[..], &[scalar.double()]].concat()
    };
    scalars.iter().flat_map(of).collect()
}

const CONSTANTS: &str = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n";

/// An element type, with the operations on it.
struct Scalar {
    ty: &'static str,
    add: &'static str,
    mul: &'static str,
    two: &'static str,
}

/// What is added up.
#[derive(Clone, Copy)]
enum Sum {
    OfProducts,
    OfElements,
}

impl Sum {
    fn name(self) -> &'static str {
        match self {
            Self::OfProducts => "dot",
            Self::OfElements => "sum",
        }
    }

    fn operands(self) -> &'static [&'static str] {
        match self {
            Self::OfProducts => &["a", "b"],
            Self::OfElements => &["a"],
        }
    }
}

impl Scalar {
    fn read(&self, name: &str, from: &str) -> String {
        let ty = self.ty;
        format!("%{name} = tensor.extract %{from}[%k] : tensor<2x{ty}>\n")
    }

    fn load(&self, name: &str, from: &str, at: usize) -> String {
        let ty = self.ty;
        format!("%{name}{at} = memref.load %{from}[%c{at}] : memref<2x{ty}>\n")
    }

    /// A sum of two terms: the expression, and the loads and additions that implement it.
    fn reduction(&self, sum: Sum) -> String {
        let Self { ty, add, mul, .. } = self;
        let list = |kind: &str| {
            let operands = sum.operands().iter();
            let list: Vec<String> = operands
                .map(|name| format!("%{name}: {kind}<2x{ty}>"))
                .collect();
            list.join(", ")
        };
        let mut text = format!("te.tensor_intrin @{}_{ty} {{\n", sum.name());
        text += &format!("^bb0({}):\n", list("tensor"));
        text += "%s = te.compute \"s\" () sum (%k: 2) {\n";
        text += &self.read("x", "a");
        let term = match sum {
            Sum::OfProducts => {
                text += &self.read("y", "b");
                text += &format!("%p = arith.{mul} %x, %y : {ty}\n");
                "%p"
            }
            Sum::OfElements => "%x",
        };
        text += &format!("te.yield {term} : {ty}\n}} : tensor<{ty}>\n");
        text += &format!("te.yield %s : tensor<{ty}>\n}} implementation {{\n");
        text += &format!("^bb0({}, %s: memref<{ty}>):\n{CONSTANTS}", list("memref"));
        text += &format!("%s2 = memref.load %s[] : memref<{ty}>\n");
        for at in [1, 0] {
            text += &self.load("x", "a", at);
            if let Sum::OfProducts = sum {
                text += &self.load("y", "b", at);
                text += &format!("%p{at} = arith.{mul} %x{at}, %y{at} : {ty}\n");
            }
            let before = at + 1;
            text += &format!("%s{at} = arith.{add} %s{before}, {term}{at} : {ty}\n");
        }
        text + &format!("memref.store %s0, %s[] : memref<{ty}>\n}}\n")
    }

    /// Two elements, each with two added.
    fn double(&self) -> String {
        let Self { ty, add, two, .. } = self;
        let mut text = format!(
            "te.tensor_intrin @double_{ty} {{\n^bb0(%a: tensor<2x{ty}>):\n\
             %s = te.compute \"s\" (%k: 2) {{\n{}\
             %two = arith.constant {two} : {ty}\n%y = arith.{add} %x, %two : {ty}\n\
             te.yield %y : {ty}\n}} : tensor<2x{ty}>\nte.yield %s : tensor<2x{ty}>\n\
             }} implementation {{\n^bb0(%a: memref<2x{ty}>, %s: memref<2x{ty}>):\n{CONSTANTS}\
             %two = arith.constant {two} : {ty}\n",
            self.read("x", "a")
        );
        for at in [1, 0] {
            text += &self.load("x", "a", at);
            text += &format!("%y{at} = arith.{add} %x{at}, %two : {ty}\n");
            text += &format!("memref.store %y{at}, %s[%c{at}] : memref<2x{ty}>\n");
        }
        text + "}\n"
    }
}
