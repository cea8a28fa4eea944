//! Random schedules: lines of a `te.schedule`, most of which can be carried out.

use crate::program::{Expr, Program};
use crate::tape::Tape;

/// A stage as the schedule knows it.
struct Stage {
    /// Its handle.
    handle: String,
    /// Its loops as they stand, with whether they reduce.
    loops: Vec<(String, bool)>,
    /// Handles that are no longer loops.
    gone: Vec<String>,
    /// The stages that it reads, by number.
    reads: Vec<usize>,
    /// Whether the function returns what it computes.
    is_result: bool,
    /// Whether it reduces.
    reduces: bool,
    /// Whether no primitive has touched its loops.
    is_fresh: bool,
    /// The number of data axes.
    rank: usize,
}

/// A random schedule of the program.
pub fn schedule(program: &Program, tape: &mut Tape<'_>) -> Vec<String> {
    let mut writer = Writer {
        lines: Vec::new(),
        has_attached: Vec::new(),
        stages: Vec::new(),
        next: 0,
    };
    for (number, compute) in program.computes.iter().enumerate() {
        let tensor = compute.results[0];
        let rank = program.tensors[tensor].shape.len();
        writer.stage(
            program,
            number,
            &format!("%t{tensor} : {}", program.ty(tensor)),
            rank,
        );
    }
    for _ in 0..14 {
        if tape.is_at_end() {
            break;
        }
        writer.primitive(tape);
    }
    writer.lines
}

/// The computes that an expression reads.
fn reads(program: &Program, expr: &Expr, found: &mut Vec<usize>) {
    match expr {
        Expr::Read(tensor, _) => {
            let stage = program
                .computes
                .iter()
                .position(|other| other.results.contains(tensor));
            found.extend(stage);
        }
        Expr::Binary(_, lhs, rhs) => {
            reads(program, lhs, found);
            reads(program, rhs, found);
        }
        Expr::Padded(_, value, _) | Expr::Positive(value) => reads(program, value, found),
        Expr::Constant(_) | Expr::Position(_) => {}
    }
}

struct Writer {
    lines: Vec<String>,
    /// Loops in which stages are computed: they are to stay loops.
    has_attached: Vec<String>,
    stages: Vec<Stage>,
    next: usize,
}

impl Writer {
    fn name(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("%{prefix}{}", self.next)
    }

    fn stage(&mut self, program: &Program, number: usize, tensor: &str, rank: usize) {
        let compute = &program.computes[number];
        let handle = self.name("s");
        self.lines.push(format!("{handle} = te.stage {tensor}"));
        let loops = self.axes(&handle, rank, compute.extents.len());
        let mut found = Vec::new();
        compute
            .body
            .iter()
            .for_each(|expr| reads(program, expr, &mut found));
        self.stages.push(Stage {
            handle,
            loops,
            gone: Vec::new(),
            reads: found,
            is_result: compute
                .results
                .iter()
                .any(|result| program.returned.contains(result)),
            reduces: !compute.extents.is_empty(),
            is_fresh: true,
            rank,
        });
    }

    fn axes(&mut self, stage: &str, data: usize, reduce: usize) -> Vec<(String, bool)> {
        let loops: Vec<(String, bool)> = (0..data + reduce)
            .map(|axis| (self.name("a"), axis >= data))
            .collect();
        if !loops.is_empty() {
            let names: Vec<&str> = loops.iter().map(|(name, _)| name.as_str()).collect();
            let types = vec!["!te.axis"; loops.len()];
            self.lines.push(format!(
                "{} = te.axes {stage} -> {}",
                names.join(", "),
                types.join(", ")
            ));
        }
        loops
    }

    /// One of a stage's loops by place; rarely one that is none any more.
    fn pick_loop(&self, tape: &mut Tape<'_>, stage: usize) -> Option<(usize, String)> {
        let Stage { loops, gone, .. } = &self.stages[stage];
        if loops.is_empty() {
            return None;
        }
        if !gone.is_empty() && tape.once_in(60) {
            return Some((0, tape.pick(gone)));
        }
        let place = tape.below(loops.len());
        Some((place, loops[place].0.clone()))
    }

    fn primitive(&mut self, tape: &mut Tape<'_>) {
        // From the last stage on, which the others may be computed in.
        let stage = self.stages.len() - 1 - tape.below(self.stages.len());
        match tape.below(16) {
            0..=2 => self.split(tape, stage),
            3 => self.tile(tape, stage),
            4 => self.fuse(tape, stage),
            5..=6 => self.reorder(tape, stage),
            7 => self.mark(tape, stage, "vectorize"),
            8 => self.mark(tape, stage, "unroll"),
            9 => self.mark(tape, stage, "parallel"),
            10..=12 => self.compute_at(tape, stage),
            13 => self.compute_inline(tape, stage),
            14 => self.cache_write(tape, stage),
            _ => self.set_scope(tape, stage),
        }
    }

    fn split(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let Some((place, axis)) = self.pick_loop(tape, stage) else {
            return;
        };
        if self.has_attached.contains(&axis) && !tape.once_in(12) {
            return;
        }
        let by = tape.pick(&["factor", "factor", "nparts"]);
        let size = tape.pick(&[2, 3, 4, 5, 1, 8, 16]);
        let (outer, inner) = (self.name("o"), self.name("i"));
        self.lines.push(format!(
            "{outer}, {inner} = te.split {axis} {{{by} = {size}}}"
        ));
        self.replace(stage, place..place + 1, &[outer, inner]);
    }

    /// Puts new loops in the place of those in a range.
    fn replace(&mut self, stage: usize, places: std::ops::Range<usize>, names: &[String]) {
        let stage = &mut self.stages[stage];
        let reduces = stage.loops[places.start].1;
        let new = names.iter().map(|name| (name.clone(), reduces));
        let old: Vec<(String, bool)> = stage.loops.splice(places, new).collect();
        stage.gone.extend(old.into_iter().map(|(name, _)| name));
        stage.is_fresh = false;
    }

    fn tile(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let (Some((first, x)), Some((second, y))) =
            (self.pick_loop(tape, stage), self.pick_loop(tape, stage))
        else {
            return;
        };
        if [&x, &y].iter().any(|axis| self.has_attached.contains(axis)) && !tape.once_in(12) {
            return;
        }
        if first == second && !tape.once_in(12) {
            return;
        }
        let (x_factor, y_factor) = (tape.pick(&[2, 3, 4]), tape.pick(&[2, 3, 4]));
        let names: Vec<String> = (0..4).map(|_| self.name("t")).collect();
        self.lines.push(format!(
            "{} = te.tile {x}, {y} {{x_factor = {x_factor}, y_factor = {y_factor}}}",
            names.join(", ")
        ));
        if first == second {
            return;
        }
        // The outer ones first, in the places that the four hold together.
        let (low, high) = (first.min(second), first.max(second));
        let kinds = [
            self.stages[stage].loops[first].1,
            self.stages[stage].loops[second].1,
        ];
        self.replace(stage, high..high + 1, &names[2..]);
        self.replace(stage, low..low + 1, &names[..2]);
        let loops = &mut self.stages[stage].loops;
        let places: Vec<usize> = (0..loops.len())
            .filter(|place| names.contains(&loops[*place].0))
            .collect();
        for (number, place) in places.into_iter().enumerate() {
            loops[place] = (names[number].clone(), kinds[number % 2]);
        }
    }

    fn fuse(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let count = self.stages[stage].loops.len();
        if count < 2 {
            return;
        }
        let place = tape.below(count - 1);
        let loops = &self.stages[stage].loops;
        let ((outer, reduces), (inner, also)) = (loops[place].clone(), loops[place + 1].clone());
        if [&outer, &inner]
            .iter()
            .any(|axis| self.has_attached.contains(axis))
        {
            return;
        }
        if reduces != also && !tape.once_in(8) {
            return;
        }
        let fused = self.name("f");
        self.lines
            .push(format!("{fused} = te.fuse {outer}, {inner}"));
        self.replace(stage, place..place + 2, &[fused]);
    }

    fn reorder(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let count = self.stages[stage].loops.len();
        if count < 2 {
            return;
        }
        let mut left: Vec<usize> = (0..count).collect();
        let mut order = Vec::new();
        for _ in 0..tape.between(2, count as i64) {
            order.push(left.remove(tape.below(left.len())));
        }
        let loops = self.stages[stage].loops.clone();
        let names: Vec<&str> = order.iter().map(|place| loops[*place].0.as_str()).collect();
        let types = vec!["!te.axis"; names.len()];
        self.lines.push(format!(
            "te.reorder {} : {}",
            names.join(", "),
            types.join(", ")
        ));
        self.stages[stage].is_fresh = false;
        let mut places = order.clone();
        places.sort_unstable();
        for (place, from) in places.into_iter().zip(order) {
            self.stages[stage].loops[place] = loops[from].clone();
        }
    }

    fn mark(&mut self, tape: &mut Tape<'_>, stage: usize, mark: &str) {
        let Some((place, axis)) = self.pick_loop(tape, stage) else {
            return;
        };
        let reduces = self.stages[stage].loops[place].1;
        if reduces && mark != "unroll" && !tape.once_in(8) {
            return;
        }
        self.lines.push(format!("te.{mark} {axis}"));
        self.stages[stage].is_fresh = false;
    }

    fn compute_at(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let readers: Vec<usize> = (0..self.stages.len())
            .filter(|other| self.stages[*other].reads.contains(&stage))
            .collect();
        let parent = if tape.once_in(24) {
            tape.below(self.stages.len())
        } else if readers.is_empty() {
            return;
        } else {
            tape.pick(&readers)
        };
        if self.stages[stage].is_result && !tape.once_in(12) {
            return;
        }
        let Some((_, axis)) = self.pick_loop(tape, parent) else {
            return;
        };
        let (handle, parent) = (&self.stages[stage].handle, &self.stages[parent].handle);
        self.lines
            .push(format!("te.compute_at {handle}, {parent}, {axis}"));
        self.has_attached.push(axis);
    }

    fn compute_inline(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let Stage {
            handle,
            is_result,
            reduces,
            ..
        } = &self.stages[stage];
        if !(*is_result || *reduces) || tape.once_in(12) {
            self.lines.push(format!("te.compute_inline {handle}"));
        }
    }

    fn set_scope(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let scope = tape.pick(&["local", "global"]);
        let handle = &self.stages[stage].handle;
        self.lines
            .push(format!("te.set_scope {handle} {{scope = \"{scope}\"}}"));
    }

    /// The new stage computes; the old one copies what it has.
    fn cache_write(&mut self, tape: &mut Tape<'_>, stage: usize) {
        if !self.stages[stage].is_fresh && !tape.once_in(12) {
            return;
        }
        let scope = tape.pick(&["local", "global"]);
        let handle = self.name("s");
        let number = self.stages.len();
        let old = &mut self.stages[stage];
        let (data, reduce) = (old.rank, old.loops.len() - old.rank.min(old.loops.len()));
        self.lines.push(format!(
            "{handle} = te.cache_write {} {{scope = \"{scope}\"}}",
            old.handle
        ));
        let (reads, reduces) = (old.reads.clone(), old.reduces);
        old.reads = vec![number];
        old.reduces = false;
        old.gone.extend(
            old.loops
                .iter()
                .filter(|(_, reduces)| *reduces)
                .map(|(name, _)| name.clone()),
        );
        old.loops.retain(|(_, reduces)| !reduces);
        let rank = old.rank;
        let loops = self.axes(&handle, data, reduce);
        self.stages.push(Stage {
            handle,
            loops,
            gone: Vec::new(),
            reads,
            is_result: false,
            reduces,
            is_fresh: true,
            rank,
        });
    }
}
