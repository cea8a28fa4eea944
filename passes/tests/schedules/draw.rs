//! Random programs.

use crate::program::{Binary, Compute, Expr, Index, Program, Reducer, Scalar, Tensor};
use crate::tape::Tape;

/// The most elements of a tensor.
const ELEMENTS: i64 = 300;

/// A random program of one to four computes.
pub fn program(tape: &mut Tape<'_>) -> Program {
    let scalar = tape.pick(&[Scalar::I32, Scalar::F32]);
    let rank = tape.pick(&[2, 1, 3]);
    let mut draw = Draw {
        program: Program::default(),
        scalar,
    };
    let shape: Vec<i64> = (0..rank).map(|_| draw.dim(tape, rank)).collect();
    draw.input(shape);
    let count = tape.pick(&[1, 2, 3, 4, 3, 2]);
    while draw.program.computes.len() < count {
        draw.compute(tape);
    }
    let mut program = draw.program;
    program.returned = program
        .computes
        .last()
        .map(|last| last.results.clone())
        .unwrap_or_default();
    if tape.once_in(4) {
        // A result in the middle.
        let middle = tape.pick(&program.computes).results[0];
        if !program.returned.contains(&middle) {
            program.returned.push(middle);
        }
    }
    program
}

struct Draw {
    program: Program,
    scalar: Scalar,
}

impl Draw {
    fn dim(&self, tape: &mut Tape<'_>, rank: usize) -> i64 {
        match rank {
            1 => tape.between(4, 23),
            2 => tape.between(2, 11),
            _ => tape.between(1, 7),
        }
    }

    fn tensor(&mut self, shape: Vec<i64>, scalar: Scalar) -> usize {
        self.program.tensors.push(Tensor { shape, scalar });
        self.program.tensors.len() - 1
    }

    fn input(&mut self, shape: Vec<i64>) -> usize {
        let tensor = self.tensor(shape, self.scalar);
        self.program.inputs.push(tensor);
        tensor
    }

    fn shape(&self, tensor: usize) -> Vec<i64> {
        self.program.tensors[tensor].shape.clone()
    }

    /// An element type that expressions take, and not a truth value.
    fn is_number(&self, tensor: usize) -> bool {
        self.program.tensors[tensor].scalar == self.scalar
    }

    /// A tensor to read, more often a late one than an early one.
    fn source(&self, tape: &mut Tape<'_>) -> usize {
        let numbers: Vec<usize> = (0..self.program.tensors.len())
            .rev()
            .filter(|tensor| self.is_number(*tensor))
            .collect();
        // A weight is an input that only one compute reads.
        let reads = tape.below(4);
        if reads < 3 {
            numbers[0]
        } else {
            tape.pick(&numbers)
        }
    }

    fn add(&mut self, shape: Vec<i64>, extents: Vec<i64>, reducer: Option<Reducer>, expr: Expr) {
        let result = self.tensor(shape, self.scalar);
        self.program.computes.push(Compute {
            results: vec![result],
            extents,
            reducer,
            body: vec![expr],
            init: None,
        });
    }

    fn compute(&mut self, tape: &mut Tape<'_>) {
        let source = self.source(tape);
        let shape = self.shape(source);
        match (tape.below(16), shape.len()) {
            (1, 1..) => self.reduce_axis(tape, source, &shape),
            (2, 2) => self.matmul(tape, source, &shape),
            (3, 1..) => self.window(tape, source, &shape),
            (4, 1..) => self.pad(tape, source, &shape, -1),
            (5, 1..) => self.arg_max(tape, source, &shape),
            (6, 2) => self.flatten(source, &shape),
            (7, 2) => self.transpose(source, &shape),
            (8, 1..) => self.neighbours(tape, source, &shape),
            (9, 2) => self.centre(source, &shape),
            (10, 2..) => self.window2(tape, source, &shape),
            (11, 1..) if tape.once_in(2) => self.positive(source, &shape),
            (13, 1..) => self.padded_window(tape, source, &shape),
            (14, 1..) => self.neighbours(tape, source, &shape),
            (15, 2..) => self.window2(tape, source, &shape),
            (12, 1..) if shape[0] > 1 && tape.once_in(2) => self.scan(source, &shape),
            _ => self.map(tape, source, &shape),
        }
    }

    /// Running sums.
    fn scan(&mut self, source: usize, shape: &[i64]) {
        let mut first = shape.to_vec();
        first[0] = 1;
        let init = self.input(first);
        let identity: Vec<Index> = (0..shape.len()).map(Index::axis).collect();
        self.add(
            shape.to_vec(),
            Vec::new(),
            None,
            Expr::Read(source, identity),
        );
        if let Some(scan) = self.program.computes.last_mut() {
            scan.init = Some(init);
        }
    }

    /// The element of each point, combined with that of another tensor of this shape or a number.
    fn map(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        let identity: Vec<Index> = (0..shape.len()).map(Index::axis).collect();
        let others: Vec<usize> = (0..self.program.tensors.len())
            .filter(|other| self.shape(*other) == shape && self.is_number(*other))
            .collect();
        let other = match tape.below(4) {
            0 => Expr::Constant(2),
            1 if !shape.is_empty() => Expr::Position(Index::Linear(-1, vec![(0, 2)])),
            _ => Expr::Read(tape.pick(&others), identity.clone()),
        };
        let op = tape.pick(&[Binary::Add, Binary::Sub, Binary::Max]);
        let value = Expr::Binary(op, Expr::Read(source, identity).into(), other.into());
        self.add(shape.to_vec(), Vec::new(), None, value);
    }

    fn reduce_axis(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        let axis = tape.below(shape.len());
        let mut result = shape.to_vec();
        let extent = result.remove(axis);
        let subscripts = (0..shape.len())
            .map(|dim| match dim.cmp(&axis) {
                std::cmp::Ordering::Less => Index::axis(dim),
                std::cmp::Ordering::Equal => Index::axis(result.len()),
                std::cmp::Ordering::Greater => Index::axis(dim - 1),
            })
            .collect();
        let reducer = tape.pick(&[Reducer::Sum, Reducer::Max, Reducer::Min]);
        self.add(
            result,
            vec![extent],
            Some(reducer),
            Expr::Read(source, subscripts),
        );
    }

    fn matmul(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        let columns = tape.between(1, 9);
        let weight = self.input(vec![shape[1], columns]);
        let product = Expr::Binary(
            Binary::Mul,
            Expr::Read(source, vec![Index::axis(0), Index::axis(2)]).into(),
            Expr::Read(weight, vec![Index::axis(2), Index::axis(1)]).into(),
        );
        self.add(
            vec![shape[0], columns],
            vec![shape[1]],
            Some(Reducer::Sum),
            product,
        );
    }

    /// A sum over windows of the last dimension.
    fn window(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        let last = shape.len() - 1;
        let width = tape.between(2, 3).min(shape[last]);
        let (stride, dilation) = (tape.between(1, 2), tape.between(1, 2));
        let span = (width - 1) * dilation + 1;
        if span > shape[last] {
            return self.map(tape, source, shape);
        }
        let mut result = shape.to_vec();
        result[last] = (shape[last] - span) / stride + 1;
        let mut subscripts: Vec<Index> = (0..last).map(Index::axis).collect();
        subscripts.push(Index::Linear(0, vec![(last, stride), (last + 1, dilation)]));
        let weight = self.input(vec![width]);
        let product = Expr::Binary(
            Binary::Mul,
            Expr::Read(source, subscripts).into(),
            Expr::Read(weight, vec![Index::axis(last + 1)]).into(),
        );
        self.add(result, vec![width], Some(Reducer::Sum), product);
    }

    /// The largest in windows of the last two dimensions.
    fn window2(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        let rank = shape.len();
        if shape[rank - 2] < 2 || shape[rank - 1] < 2 {
            return self.map(tape, source, shape);
        }
        let mut result = shape.to_vec();
        result[rank - 2] -= 1;
        result[rank - 1] -= 1;
        let mut subscripts: Vec<Index> = (0..rank - 2).map(Index::axis).collect();
        subscripts
            .extend((rank - 2..rank).map(|dim| Index::Linear(0, vec![(dim, 1), (dim + 2, 1)])));
        let reducer = tape.pick(&[Reducer::Sum, Reducer::Max]);
        self.add(
            result,
            vec![2, 2],
            Some(reducer),
            Expr::Read(source, subscripts),
        );
    }

    /// A sum of products of data with zeros around it.
    fn padded_window(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        self.pad(tape, source, shape, 0);
        let padded = self.program.tensors.len() - 1;
        let shape = self.shape(padded);
        self.window(tape, padded, &shape);
    }

    fn pad(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64], other: i64) {
        let (before, after) = (tape.between(1, 2), tape.between(0, 2));
        let last = shape.len() - 1;
        let mut result = shape.to_vec();
        result[last] += before + after;
        if result.iter().product::<i64>() > ELEMENTS {
            return self.map(tape, source, shape);
        }
        let moved = Index::Linear(-before, vec![(last, 1)]);
        let mut subscripts: Vec<Index> = (0..last).map(Index::axis).collect();
        subscripts.push(moved.clone());
        let value = Expr::Read(source, subscripts).into();
        let padded = Expr::Padded(vec![(moved, shape[last])], value, other);
        self.add(result, Vec::new(), None, padded);
    }

    fn arg_max(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        let axis = tape.below(shape.len());
        let mut result = shape.to_vec();
        let extent = result.remove(axis);
        let step = Index::axis(result.len());
        let mut subscripts: Vec<Index> = (0..result.len()).map(Index::axis).collect();
        subscripts.insert(axis, step.clone());
        let results = vec![
            self.tensor(result.clone(), self.scalar),
            self.tensor(result, Scalar::I32),
        ];
        self.program.computes.push(Compute {
            results,
            extents: vec![extent],
            reducer: Some(Reducer::ArgMax),
            body: vec![Expr::Read(source, subscripts), Expr::Position(step)],
            init: None,
        });
    }

    fn flatten(&mut self, source: usize, shape: &[i64]) {
        let flat = Index::axis(0);
        let subscripts = vec![
            Index::Div(flat.clone().into(), shape[1]),
            Index::Mod(flat.into(), shape[1]),
        ];
        self.add(
            vec![shape[0] * shape[1]],
            Vec::new(),
            None,
            Expr::Read(source, subscripts),
        );
    }

    fn transpose(&mut self, source: usize, shape: &[i64]) {
        let subscripts = vec![Index::axis(1), Index::axis(0)];
        self.add(
            vec![shape[1], shape[0]],
            Vec::new(),
            None,
            Expr::Read(source, subscripts),
        );
    }

    /// The sum of an element and the one after it, at the end itself.
    fn neighbours(&mut self, tape: &mut Tape<'_>, source: usize, shape: &[i64]) {
        let dim = tape.below(shape.len());
        let by = tape.pick(&[1, -1, 2]);
        let here: Vec<Index> = (0..shape.len()).map(Index::axis).collect();
        let mut there = here.clone();
        there[dim] = Index::Clamp(Index::Linear(by, vec![(dim, 1)]).into(), shape[dim] - 1);
        let sum = Expr::Binary(
            Binary::Add,
            Expr::Read(source, here).into(),
            Expr::Read(source, there).into(),
        );
        self.add(shape.to_vec(), Vec::new(), None, sum);
    }

    /// Rows less their maximum: a reduction and its input have one reader.
    fn centre(&mut self, source: usize, shape: &[i64]) {
        let row = Expr::Read(source, vec![Index::axis(0), Index::axis(1)]);
        self.add(
            vec![shape[0]],
            vec![shape[1]],
            Some(Reducer::Max),
            row.clone(),
        );
        let largest = self.program.tensors.len() - 1;
        let largest = Expr::Read(largest, vec![Index::axis(0)]);
        let value = Expr::Binary(Binary::Sub, row.into(), largest.into());
        self.add(shape.to_vec(), Vec::new(), None, value);
    }

    fn positive(&mut self, source: usize, shape: &[i64]) {
        let identity: Vec<Index> = (0..shape.len()).map(Index::axis).collect();
        let result = self.tensor(shape.to_vec(), Scalar::I1);
        self.program.computes.push(Compute {
            results: vec![result],
            extents: Vec::new(),
            reducer: None,
            body: vec![Expr::Positive(Expr::Read(source, identity).into())],
            init: None,
        });
    }
}
