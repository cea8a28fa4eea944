//! Programs of tensor expressions: their text, and what they compute by brute force.
//!
//! All values are small integers, exact in `i32` and in `f32`, so that results are the same in
//! whatever order a reduction runs.

use std::fmt::Write;

/// The type of a tensor's elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// `i32`.
    I32,
    /// `f32`.
    F32,
    /// `i1`.
    I1,
}

impl Scalar {
    /// The name in MLIR.
    pub fn name(self) -> &'static str {
        match self {
            Self::I32 => "i32",
            Self::F32 => "f32",
            Self::I1 => "i1",
        }
    }
}

/// A subscript, from the axes of a compute.
#[derive(Clone, Debug)]
pub enum Index {
    /// `constant + sum of coefficient * axis`.
    Linear(i64, Vec<(usize, i64)>),
    /// `index / divisor`.
    Div(Box<Index>, i64),
    /// `index % divisor`.
    Mod(Box<Index>, i64),
    /// `index`, but from 0 to `high`.
    Clamp(Box<Index>, i64),
}

impl Index {
    /// The axis itself.
    pub fn axis(axis: usize) -> Self {
        Self::Linear(0, vec![(axis, 1)])
    }

    fn value(&self, point: &[i64]) -> i64 {
        match self {
            Self::Linear(constant, terms) => {
                let sum: i64 = terms.iter().map(|(axis, by)| point[*axis] * by).sum();
                constant + sum
            }
            Self::Div(index, by) => index.value(point) / by,
            Self::Mod(index, by) => index.value(point) % by,
            Self::Clamp(index, high) => index.value(point).clamp(0, *high),
        }
    }
}

/// How two values become one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Binary {
    /// The sum.
    Add,
    /// The difference.
    Sub,
    /// The product.
    Mul,
    /// The larger.
    Max,
}

/// An element of a tensor.
#[derive(Clone, Debug)]
pub enum Expr {
    /// An element of another tensor.
    Read(usize, Vec<Index>),
    /// A number.
    Constant(i64),
    /// A subscript as a number.
    Position(Index),
    /// Two values combined.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// The value where each index is at least 0 and below its limit, and the constant elsewhere.
    Padded(Vec<(Index, i64)>, Box<Expr>, i64),
    /// Whether the value is positive.
    Positive(Box<Expr>),
}

/// A tensor.
#[derive(Clone, Debug)]
pub struct Tensor {
    /// Its shape.
    pub shape: Vec<i64>,
    /// Its elements' type.
    pub scalar: Scalar,
}

/// How the values along reduce axes are combined.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reducer {
    /// The sum.
    Sum,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// The largest and where it is first.
    ArgMax,
}

/// A `te.compute`.
#[derive(Clone, Debug)]
pub struct Compute {
    /// The tensors that it gives.
    pub results: Vec<usize>,
    /// The extents of its reduce axes.
    pub extents: Vec<i64>,
    /// How they are combined.
    pub reducer: Option<Reducer>,
    /// One value per result; axes are those of the shape, then the reduce axes.
    pub body: Vec<Expr>,
    /// Of a `te.scan`, the tensor with the first step; each later one is the one before it plus the
    /// value of the body.
    pub init: Option<usize>,
}

/// Inputs and the computes on them.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Inputs and results, by number.
    pub tensors: Vec<Tensor>,
    /// How many of them, the first ones, are inputs... by number.
    pub inputs: Vec<usize>,
    /// The computes in order.
    pub computes: Vec<Compute>,
    /// The tensors that the function returns.
    pub returned: Vec<usize>,
}

/// Calls `visit` for all points of a box, in order.
pub fn for_each_point(shape: &[i64], mut visit: impl FnMut(&[i64])) {
    if shape.contains(&0) {
        return;
    }
    let mut point = vec![0; shape.len()];
    loop {
        visit(&point);
        let Some(dim) = (0..shape.len())
            .rev()
            .find(|&dim| point[dim] + 1 < shape[dim])
        else {
            return;
        };
        point[dim] += 1;
        point[dim + 1..].fill(0);
    }
}

/// The place of a point in row-major order.
pub fn offset(shape: &[i64], point: &[i64]) -> usize {
    let offset = shape
        .iter()
        .zip(point)
        .fold(0, |sum, (dim, at)| sum * dim + at);
    offset as usize
}

impl Program {
    /// The values of all tensors, given those of the inputs.
    pub fn evaluate(&self, inputs: &[Vec<i64>]) -> Vec<Vec<i64>> {
        let mut values: Vec<Vec<i64>> = vec![Vec::new(); self.tensors.len()];
        for (tensor, input) in self.inputs.iter().zip(inputs) {
            values[*tensor] = input.clone();
        }
        for compute in &self.computes {
            let shape = &self.tensors[compute.results[0]].shape;
            for_each_point(shape, |point| {
                let mut element = self.element(compute, point, &values);
                if let Some(init) = compute.init {
                    let steps = &values[compute.results[0]];
                    let step: i64 = shape[1..].iter().product();
                    element[0] = match steps.len().checked_sub(step as usize) {
                        Some(before) => steps[before] + element[0],
                        None => values[init][offset(&shape[1..], &point[1..])],
                    };
                }
                for (tensor, value) in compute.results.iter().zip(element) {
                    values[*tensor].push(value);
                }
            });
        }
        values
    }

    fn element(&self, compute: &Compute, point: &[i64], values: &[Vec<i64>]) -> Vec<i64> {
        let at = |point: &[i64]| -> Vec<i64> {
            let body = compute.body.iter();
            body.map(|expr| self.value(expr, point, values)).collect()
        };
        let Some(reducer) = compute.reducer else {
            return at(point);
        };
        let mut all: Option<Vec<i64>> = None;
        for_each_point(&compute.extents, |step| {
            let new = at(&[point, step].concat());
            all = Some(match (&all, reducer) {
                (None, _) => new,
                (Some(old), Reducer::Sum) => vec![old[0] + new[0]],
                (Some(old), Reducer::Max) => vec![old[0].max(new[0])],
                (Some(old), Reducer::Min) => vec![old[0].min(new[0])],
                (Some(old), Reducer::ArgMax) if new[0] > old[0] => new,
                (Some(old), Reducer::ArgMax) => old.clone(),
            });
        });
        all.expect("reduce extents are positive")
    }

    fn value(&self, expr: &Expr, point: &[i64], values: &[Vec<i64>]) -> i64 {
        match expr {
            Expr::Read(tensor, subscripts) => {
                let at: Vec<i64> = subscripts.iter().map(|index| index.value(point)).collect();
                let shape = &self.tensors[*tensor].shape;
                assert!(at.iter().zip(shape).all(|(at, dim)| (0..*dim).contains(at)));
                values[*tensor][offset(shape, &at)]
            }
            Expr::Constant(value) => *value,
            Expr::Position(index) => index.value(point),
            Expr::Binary(op, lhs, rhs) => {
                let lhs = self.value(lhs, point, values);
                let rhs = self.value(rhs, point, values);
                match op {
                    Binary::Add => lhs + rhs,
                    Binary::Sub => lhs - rhs,
                    Binary::Mul => lhs * rhs,
                    Binary::Max => lhs.max(rhs),
                }
            }
            Expr::Padded(inside, value, otherwise) => {
                let is_inside =
                    |(index, limit): &(Index, i64)| (0..*limit).contains(&index.value(point));
                if inside.iter().all(is_inside) {
                    self.value(value, point, values)
                } else {
                    *otherwise
                }
            }
            Expr::Positive(value) => i64::from(self.value(value, point, values) > 0),
        }
    }

    /// The tensor's type in MLIR.
    pub fn ty(&self, tensor: usize) -> String {
        let Tensor { shape, scalar } = &self.tensors[tensor];
        let dims: String = shape.iter().map(|dim| format!("{dim}x")).collect();
        format!("tensor<{dims}{}>", scalar.name())
    }

    fn types(&self, tensors: &[usize]) -> String {
        let types: Vec<String> = tensors.iter().map(|tensor| self.ty(*tensor)).collect();
        types.join(", ")
    }

    /// The program as the function `@f`, with the lines of a `te.schedule`.
    pub fn text(&self, schedule: Option<&[String]>) -> String {
        let mut text = String::new();
        let parameters: Vec<String> = self
            .inputs
            .iter()
            .map(|tensor| format!("%t{tensor}: {}", self.ty(*tensor)))
            .collect();
        let _ = writeln!(
            text,
            "func.func @f({}) -> ({}) {{",
            parameters.join(", "),
            self.types(&self.returned)
        );
        for (number, compute) in self.computes.iter().enumerate() {
            text.push_str(&Writer::new(self, compute).compute(number));
        }
        if let Some(lines) = schedule {
            let _ = writeln!(text, "  te.schedule {{\n    {}\n  }}", lines.join("\n    "));
        }
        let values: Vec<String> = self.returned.iter().map(|t| format!("%t{t}")).collect();
        let types = self.types(&self.returned);
        let _ = writeln!(text, "  return {} : {types}\n}}", values.join(", "));
        text
    }
}

/// How a compute reduces over the named axes, and from what.
fn reduction(reducer: Reducer, axes: &str, scalar: Scalar) -> String {
    let name = match reducer {
        Reducer::Sum => "sum",
        Reducer::Max => "max",
        Reducer::Min => "min",
        Reducer::ArgMax => "custom",
    };
    let identity = match (reducer, scalar) {
        (Reducer::ArgMax, Scalar::F32) => " identity [0xFF800000 : f32, 2147483647 : i32]",
        (Reducer::ArgMax, _) => " identity [-2147483648 : i32, 2147483647 : i32]",
        _ => "",
    };
    format!(" {name} ({axes}){identity}")
}

/// Writes one compute.
struct Writer<'a> {
    program: &'a Program,
    compute: &'a Compute,
    text: String,
    next: usize,
}

impl<'a> Writer<'a> {
    fn new(program: &'a Program, compute: &'a Compute) -> Self {
        Self {
            program,
            compute,
            text: String::new(),
            next: 0,
        }
    }

    fn compute(mut self, number: usize) -> String {
        let Compute {
            results,
            extents,
            reducer,
            body,
            init,
        } = self.compute;
        if let Some(init) = init {
            return self.scan(number, *init);
        }
        let names: Vec<String> = results.iter().map(|result| format!("%t{result}")).collect();
        let scalar = |result: &usize| self.program.tensors[*result].scalar;
        let scalars: Vec<Scalar> = results.iter().map(scalar).collect();
        let shape = &self.program.tensors[results[0]].shape;
        let axes: Vec<String> = shape
            .iter()
            .chain(extents)
            .enumerate()
            .map(|(axis, extent)| format!("%x{axis}: {extent}"))
            .collect();
        let (spatial, reduce) = axes.split_at(shape.len());
        let reduction = match reducer {
            Some(reducer) => reduction(*reducer, &reduce.join(", "), scalars[0]),
            None => String::new(),
        };
        let _ = writeln!(
            self.text,
            "  {} = te.compute \"s{number}\" ({}){reduction} {{",
            names.join(", "),
            spatial.join(", "),
        );
        let values: Vec<String> = body
            .iter()
            .zip(&scalars)
            .map(|(expr, scalar)| self.expr(expr, *scalar))
            .collect();
        let types: Vec<&str> = scalars.iter().map(|scalar| scalar.name()).collect();
        let _ = writeln!(
            self.text,
            "    te.yield {} : {}",
            values.join(", "),
            types.join(", ")
        );
        if *reducer == Some(Reducer::ArgMax) {
            self.combiner(scalars[0]);
        }
        let _ = writeln!(self.text, "  }} : {}", self.program.types(results));
        self.text
    }

    fn scan(mut self, number: usize, init: usize) -> String {
        let result = self.compute.results[0];
        let (ty, init_ty) = (self.program.ty(result), self.program.ty(init));
        let Tensor { shape, scalar } = &self.program.tensors[result];
        let axes: Vec<String> = (0..shape.len()).map(|axis| format!("%x{axis}")).collect();
        let typed: String = axes.iter().map(|axis| format!(", {axis}: index")).collect();
        let _ = writeln!(
            self.text,
            "  %t{result} = te.scan \"s{number}\" (%t{init}) {{\n  ^bb0(%state: {ty}{typed}):"
        );
        let value = self.expr(&self.compute.body[0], *scalar);
        let before = self.index(&Index::Linear(-1, vec![(0, 1)]));
        let at = [&[before], &axes[1..]].concat().join(", ");
        let old = self.op(&format!("tensor.extract %state[{at}] : {ty}"));
        let add = if *scalar == Scalar::F32 {
            "addf"
        } else {
            "addi"
        };
        let scalar = scalar.name();
        let sum = self.op(&format!("arith.{add} {old}, {value} : {scalar}"));
        let _ = writeln!(
            self.text,
            "    te.yield {sum} : {scalar}\n  }} : ({init_ty}) -> {ty}"
        );
        self.text
    }

    /// The larger value, and of equal ones the first.
    fn combiner(&mut self, scalar: Scalar) {
        let ty = scalar.name();
        let (greater, equal) = match scalar {
            Scalar::F32 => ("cmpf ogt", "cmpf oeq"),
            _ => ("cmpi sgt", "cmpi eq"),
        };
        let _ = writeln!(
            self.text,
            "  }} combiner {{
  ^bb0(%av: {ty}, %an: i32, %bv: {ty}, %bn: i32):
    %greater = arith.{greater}, %bv, %av : {ty}
    %equal = arith.{equal}, %bv, %av : {ty}
    %before = arith.cmpi slt, %bn, %an : i32
    %first = arith.andi %equal, %before : i1
    %take = arith.ori %greater, %first : i1
    %rv = arith.select %take, %bv, %av : {ty}
    %rn = arith.select %take, %bn, %an : i32
    te.yield %rv, %rn : {ty}, i32"
        );
    }

    fn op(&mut self, text: &str) -> String {
        let name = format!("%v{}", self.next);
        self.next += 1;
        let _ = writeln!(self.text, "    {name} = {text}");
        name
    }

    fn number(&mut self, value: i64) -> String {
        self.op(&format!("arith.constant {value} : index"))
    }

    fn index(&mut self, index: &Index) -> String {
        match index {
            Index::Linear(constant, terms) => {
                let mut sum: Option<String> = None;
                for (axis, by) in terms {
                    let mut term = format!("%x{axis}");
                    if *by != 1 {
                        let by = self.number(*by);
                        term = self.op(&format!("arith.muli {term}, {by} : index"));
                    }
                    sum = Some(match sum {
                        Some(sum) => self.op(&format!("arith.addi {sum}, {term} : index")),
                        None => term,
                    });
                }
                match sum {
                    Some(sum) if *constant == 0 => sum,
                    Some(sum) => {
                        let constant = self.number(*constant);
                        self.op(&format!("arith.addi {sum}, {constant} : index"))
                    }
                    None => self.number(*constant),
                }
            }
            Index::Div(index, by) => {
                let (index, by) = (self.index(index), self.number(*by));
                self.op(&format!("arith.divsi {index}, {by} : index"))
            }
            Index::Mod(index, by) => {
                let (index, by) = (self.index(index), self.number(*by));
                self.op(&format!("arith.remsi {index}, {by} : index"))
            }
            Index::Clamp(index, high) => {
                let (index, low, high) = (self.index(index), self.number(0), self.number(*high));
                let index = self.op(&format!("arith.maxsi {index}, {low} : index"));
                self.op(&format!("arith.minsi {index}, {high} : index"))
            }
        }
    }

    fn constant(&mut self, value: i64, scalar: Scalar) -> String {
        match scalar {
            Scalar::F32 => self.op(&format!("arith.constant {value}.0 : f32")),
            _ => self.op(&format!("arith.constant {value} : {}", scalar.name())),
        }
    }

    fn expr(&mut self, expr: &Expr, scalar: Scalar) -> String {
        let ty = scalar.name();
        match expr {
            Expr::Read(tensor, subscripts) => {
                let at: Vec<String> = subscripts.iter().map(|index| self.index(index)).collect();
                let source = self.program.ty(*tensor);
                self.op(&format!(
                    "tensor.extract %t{tensor}[{}] : {source}",
                    at.join(", ")
                ))
            }
            Expr::Constant(value) => self.constant(*value, scalar),
            Expr::Position(index) => {
                let index = self.index(index);
                let value = self.op(&format!("arith.index_cast {index} : index to i32"));
                match scalar {
                    Scalar::F32 => self.op(&format!("arith.sitofp {value} : i32 to f32")),
                    _ => value,
                }
            }
            Expr::Binary(op, lhs, rhs) => {
                let (lhs, rhs) = (self.expr(lhs, scalar), self.expr(rhs, scalar));
                let name = match (op, scalar) {
                    (Binary::Add, Scalar::F32) => "addf",
                    (Binary::Add, _) => "addi",
                    (Binary::Sub, Scalar::F32) => "subf",
                    (Binary::Sub, _) => "subi",
                    (Binary::Mul, Scalar::F32) => "mulf",
                    (Binary::Mul, _) => "muli",
                    (Binary::Max, Scalar::F32) => "maximumf",
                    (Binary::Max, _) => "maxsi",
                };
                self.op(&format!("arith.{name} {lhs}, {rhs} : {ty}"))
            }
            Expr::Padded(inside, value, otherwise) => {
                self.padded(inside, value, *otherwise, scalar)
            }
            Expr::Positive(value) => {
                // Of the type that the read tensor has.
                let of = self.operand_scalar(value);
                let (value, zero) = (self.expr(value, of), self.constant(0, of));
                let (compare, of) = match of {
                    Scalar::F32 => ("cmpf ogt", "f32"),
                    _ => ("cmpi sgt", "i32"),
                };
                self.op(&format!("arith.{compare}, {value}, {zero} : {of}"))
            }
        }
    }

    fn operand_scalar(&self, expr: &Expr) -> Scalar {
        match expr {
            Expr::Read(tensor, _) => self.program.tensors[*tensor].scalar,
            _ => Scalar::I32,
        }
    }

    fn padded(
        &mut self,
        inside: &[(Index, i64)],
        value: &Expr,
        otherwise: i64,
        scalar: Scalar,
    ) -> String {
        let ty = scalar.name();
        let mut all: Option<String> = None;
        for (index, limit) in inside {
            let (index, low, limit) = (self.index(index), self.number(0), self.number(*limit));
            for condition in [
                format!("arith.cmpi sge, {index}, {low} : index"),
                format!("arith.cmpi slt, {index}, {limit} : index"),
            ] {
                let condition = self.op(&condition);
                all = Some(match all {
                    Some(all) => self.op(&format!("arith.andi {all}, {condition} : i1")),
                    None => condition,
                });
            }
        }
        let Some(all) = all else {
            return self.expr(value, scalar);
        };
        let name = format!("%v{}", self.next);
        self.next += 1;
        let _ = writeln!(self.text, "    {name} = scf.if {all} -> ({ty}) {{");
        let value = self.expr(value, scalar);
        let _ = writeln!(self.text, "    scf.yield {value} : {ty}\n    }} else {{");
        let otherwise = self.constant(otherwise, scalar);
        let _ = writeln!(self.text, "    scf.yield {otherwise} : {ty}\n    }}");
        name
    }
}
