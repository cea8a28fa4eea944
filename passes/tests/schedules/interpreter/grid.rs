//! Runs kernels as a GPU does: the threads of a block side by side, op by op.
//!
//! A thread that waits for others after each op sees what a barrier would show it, so barriers need not be written. Two threads
//! that write another value to one element in the same op are an error, and so is a shared buffer that some threads do not make.

use super::{Datum, Machine, Number, Sharing};
use relay_dialects::{
    ir::{Block, Op, Value},
    ops::scf,
    tir::{AllocBuffer, For, Scope, Thread},
};
use std::collections::HashMap;

/// The axes along which the threads of a block are numbered.
const AXES: [Thread; 3] = [Thread::ThreadX, Thread::ThreadY, Thread::ThreadZ];

/// The threads of a block.
struct Threads {
    /// The extents of the block.
    extents: [i64; 3],
    /// What each thread knows.
    values: Vec<HashMap<Value, Datum>>,
}

impl Threads {
    /// The number of a thread along an axis.
    fn place(&self, thread: usize, axis: usize) -> i64 {
        let before: i64 = self.extents[..axis].iter().product();
        thread as i64 / before % self.extents[axis]
    }
}

impl Machine {
    /// Runs the ops of a kernel, each nest of loops as a grid.
    pub(super) fn launches(&mut self, kernel: Block) -> Result<(), String> {
        for op in kernel.ops() {
            let loops = For::all(op);
            let most = |axis: Thread| {
                let bound = loops.iter().filter(|known| known.thread() == Some(axis));
                bound.filter_map(|known| known.extent()).max().unwrap_or(1)
            };
            let extents = AXES.map(most);
            let count = extents.iter().product::<i64>() as usize;
            let mut threads = Threads {
                extents,
                values: vec![self.values.clone(); count],
            };
            let all: Vec<usize> = (0..count).collect();
            self.side_by_side(op, &mut threads, &all)?;
            if let Some(values) = threads.values.into_iter().next() {
                self.values = values;
            }
        }
        Ok(())
    }

    /// Runs an op in some threads; what a terminator yields.
    fn side_by_side(
        &mut self,
        op: Op,
        threads: &mut Threads,
        active: &[usize],
    ) -> Result<Option<Vec<Value>>, String> {
        if let Some(known) = For::of(op) {
            return self.for_side_by_side(known, threads, active).map(|()| None);
        }
        if op.is(scf::If::NAME) {
            return self.if_side_by_side(op, threads, active).map(|()| None);
        }
        if let Some(buffer) = AllocBuffer::of(op).filter(|buffer| buffer.scope() != Scope::Local) {
            if active.len() != threads.values.len() {
                return Err("some threads do not make a buffer that they share".into());
            }
            let shared = self.allocate(buffer.buffer().ty());
            for values in &mut threads.values {
                values.insert(buffer.buffer(), Datum::Buffer(shared));
            }
            return Ok(None);
        }
        self.parallel.push(Sharing::default());
        let mut yielded = None;
        for thread in active {
            if let Some(sharing) = self.parallel.last_mut() {
                sharing.iteration = *thread as i64;
            }
            yielded = self.in_thread(threads, *thread, |machine| machine.op(op))?;
        }
        self.parallel.pop();
        Ok(yielded)
    }

    /// Does something with what a thread knows.
    fn in_thread<T>(
        &mut self,
        threads: &mut Threads,
        thread: usize,
        act: impl FnOnce(&mut Self) -> Result<T, String>,
    ) -> Result<T, String> {
        std::mem::swap(&mut self.values, &mut threads.values[thread]);
        let result = act(self);
        std::mem::swap(&mut self.values, &mut threads.values[thread]);
        result
    }

    fn block_side_by_side(
        &mut self,
        block: Block,
        threads: &mut Threads,
        active: &[usize],
    ) -> Result<Vec<Value>, String> {
        let mut next = block.first();
        while let Some(op) = next.filter(|_| !active.is_empty()) {
            if let Some(yielded) = self.side_by_side(op, threads, active)? {
                return Ok(yielded);
            }
            next = op.next();
        }
        Ok(Vec::new())
    }

    fn for_side_by_side(
        &mut self,
        known: For,
        threads: &mut Threads,
        active: &[usize],
    ) -> Result<(), String> {
        let (low, high) = known.bounds();
        let mut ranges = Vec::new();
        for thread in active {
            let range = |machine: &mut Self| Ok(machine.bound(low)?..machine.bound(high)?);
            ranges.push(self.in_thread(threads, *thread, range)?);
        }
        let axis = AXES.iter().position(|axis| known.thread() == Some(*axis));
        let iteration = |at: i64| Datum::Scalar(Number::Int(at));
        if let Some(axis) = axis {
            let mut own = Vec::new();
            for (thread, range) in active.iter().zip(&ranges) {
                let place = threads.place(*thread, axis);
                if range.contains(&place) {
                    threads.values[*thread].insert(known.variable(), iteration(place));
                    own.push(*thread);
                }
            }
            return self
                .block_side_by_side(known.body(), threads, &own)
                .map(drop);
        }
        let first = ranges.iter().map(|range| range.start).min().unwrap_or(0);
        let end = ranges.iter().map(|range| range.end).max().unwrap_or(0);
        let is_grid = known.thread().is_some_and(Thread::is_block);
        if is_grid {
            self.parallel.push(Sharing::default());
        }
        for at in first..end {
            if is_grid && let Some(sharing) = self.parallel.last_mut() {
                sharing.iteration = at;
            }
            let running = active
                .iter()
                .zip(&ranges)
                .filter(|(_, range)| range.contains(&at));
            let running: Vec<usize> = running.map(|(thread, _)| *thread).collect();
            for thread in &running {
                threads.values[*thread].insert(known.variable(), iteration(at));
            }
            self.block_side_by_side(known.body(), threads, &running)?;
        }
        if is_grid {
            self.parallel.pop();
        }
        Ok(())
    }

    fn if_side_by_side(
        &mut self,
        op: Op,
        threads: &mut Threads,
        active: &[usize],
    ) -> Result<(), String> {
        let mut taken = [Vec::new(), Vec::new()];
        for thread in active {
            let holds = self.in_thread(threads, *thread, |machine| machine.int(op.operand(0)))?;
            taken[usize::from(holds == 0)].push(*thread);
        }
        for (number, active) in taken.iter().enumerate() {
            let Some(block) = op.block_in(number) else {
                continue;
            };
            let yielded = self.block_side_by_side(block, threads, active)?;
            for thread in active {
                for (result, value) in op.results().into_iter().zip(&yielded) {
                    let datum = threads.values[*thread].get(value);
                    let datum = datum.ok_or("a value is yielded before it is made")?.clone();
                    threads.values[*thread].insert(result, datum);
                }
            }
        }
        Ok(())
    }
}
