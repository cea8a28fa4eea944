//! Random schedules: lines of a `te.schedule`, most of which can be carried out.

#[path = "vectors.rs"]
mod vectors;

use crate::program::{Expr, Program};
use crate::tape::Tape;
use std::collections::HashSet;

/// Marks schedules in which the iterations of one loop share buffers of several stages.
pub const SEVERAL_BUFFERS: &str = "// Several buffers in one loop.";

/// Marks schedules that compute a stage in a loop of a scan.
pub const IN_SCAN: &str = "// In a loop of a scan.";

/// A stage as the schedule knows it.
#[derive(Default)]
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
    /// Whether it is zero outside of a condition.
    pads_zeros: bool,
    /// Whether it is a scan.
    is_scan: bool,
    /// Whether no primitive has touched its loops.
    is_fresh: bool,
    /// The number of data axes.
    rank: usize,
    /// The axes that it was made with.
    axes: Vec<String>,
    /// The tensors that its expression reads.
    tensors: Vec<usize>,
    /// Whether it is computed in a loop of another.
    is_attached: bool,
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
        writer.primitive(program, tape);
    }
    once(writer.lines)
}

/// The lines without those that would take back what an earlier one says.
fn once(lines: Vec<String>) -> Vec<String> {
    let mut said = HashSet::new();
    let is_new = |line: &String| said_of(line).is_none_or(|said_of| said.insert(said_of));
    lines.into_iter().filter(is_new).collect()
}

/// What can be said once of which stage or loop, if a line says such a thing.
fn said_of(line: &str) -> Option<(&'static str, String)> {
    let mut words = line.split([' ', ',']).filter(|word| !word.is_empty());
    let (first, second) = (words.next()?, words.next()?);
    let what = match first {
        "te.vectorize" | "te.unroll" | "te.parallel" | "te.bind" => "kind",
        "te.compute_at" | "te.compute_inline" => "place",
        "te.set_scope" => "scope",
        "te.transform_layout" => "layout",
        _ if line.contains("= te.cache_") => return Some(("scope", first.into())),
        _ => return None,
    };
    Some((what, second.into()))
}

/// The tensors that an expression reads.
fn reads(expr: &Expr, found: &mut Vec<usize>) {
    match expr {
        Expr::Read(tensor, _) => found.push(*tensor),
        Expr::Binary(_, lhs, rhs) => {
            reads(lhs, found);
            reads(rhs, found);
        }
        Expr::Padded(_, value, _) | Expr::Positive(value) => reads(value, found),
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
        let mut tensors = Vec::new();
        compute
            .body
            .iter()
            .for_each(|expr| reads(expr, &mut tensors));
        let computes = program.computes.iter().enumerate();
        let sources =
            computes.filter(|(_, other)| tensors.iter().any(|t| other.results.contains(t)));
        self.stages.push(Stage {
            handle,
            axes: loops.iter().map(|(name, _)| name.clone()).collect(),
            loops,
            reads: sources.map(|(number, _)| number).collect(),
            tensors,
            is_result: compute
                .results
                .iter()
                .any(|result| program.returned.contains(result)),
            reduces: !compute.extents.is_empty(),
            pads_zeros: matches!(compute.body[..], [Expr::Padded(_, _, 0)]),
            is_scan: compute.init.is_some(),
            is_fresh: true,
            rank,
            ..Stage::default()
        });
    }

    fn axes(&mut self, stage: &str, data: usize, reduce: usize) -> Vec<(String, bool)> {
        let loops: Vec<(String, bool)> = (0..data + reduce)
            .map(|axis| (self.name("a"), axis >= data))
            .collect();
        if !loops.is_empty() {
            let names: Vec<&str> = loops.iter().map(|(name, _)| name.as_str()).collect();
            let names = names.join(", ");
            self.lines.push(format!("{names} = te.axes {stage}"));
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

    fn primitive(&mut self, program: &Program, tape: &mut Tape<'_>) {
        // From the last stage on, which the others may be computed in.
        let stage = self.stages.len() - 1 - tape.below(self.stages.len());
        match tape.below(40) {
            0..=2 => self.split(tape, stage),
            3 => self.tile(tape, stage),
            4 => self.fuse(tape, stage),
            5..=6 => self.reorder(tape, stage),
            7 => self.mark(tape, stage, "vectorize"),
            8 => self.mark(tape, stage, "unroll"),
            9 => self.mark(tape, stage, "parallel"),
            10..=12 => self.compute_at(tape, stage),
            13 | 30 => self.compute_inline(tape, stage),
            14 => self.cache_write(tape, stage),
            15 => self.set_scope(tape, stage),
            16..=17 => self.cache_read(program, tape, stage),
            18..=19 => self.rfactor(tape, stage),
            20..=21 => self.transform_layout(tape, stage),
            22 => self.storage_align(tape, stage),
            23..=24 => self.buffering(tape, stage, "double_buffer"),
            25..=26 => self.buffering(tape, stage, "rolling_buffer"),
            27 => self.prefetch(program, tape, stage),
            28 => self.bind(tape, stage),
            29 => self.tensorize(program, tape, stage),
            32..=33 => self.attach_all(tape),
            34..=36 => self.window(tape, stage),
            37 => self.strided(tape, stage),
            38..=39 => self.lanes(tape, stage),
            _ => self.pragma(tape, stage),
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
        let may_shift = !self.stages[stage].reduces || tape.once_in(12);
        let shifts = if may_shift && tape.once_in(3) {
            ", shift_inwards"
        } else {
            ""
        };
        let (outer, inner) = (self.name("o"), self.name("i"));
        self.lines.push(format!(
            "{outer}, {inner} = te.split {axis} {{{by} = {size}{shifts}}}"
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
        self.lines.push(format!("te.reorder {}", names.join(", ")));
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
        if reduces && mark == "parallel" && !tape.once_in(8) {
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
        self.attach(stage, parent, &axis);
    }

    fn compute_inline(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let Stage {
            handle,
            is_result,
            reduces,
            pads_zeros,
            ..
        } = &self.stages[stage];
        if !(*is_result || *reduces) || tape.once_in(12) {
            let guards = (*pads_zeros && tape.once_in(2)) || tape.once_in(24);
            let guards = if guards { " {guards}" } else { "" };
            self.lines
                .push(format!("te.compute_inline {handle}{guards}"));
        }
    }

    fn set_scope(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let Stage {
            handle, is_result, ..
        } = &self.stages[stage];
        let scope = match tape.pick(&["local", "global"]) {
            "local" if *is_result && !tape.once_in(12) => "global",
            scope => scope,
        };
        self.lines.push(format!("te.set_scope {handle} {scope}"));
    }

    fn attributed(&mut self, tape: &mut Tape<'_>, stage: usize, text: &str) {
        let Some((place, axis)) = self.pick_loop(tape, stage) else {
            return;
        };
        if self.stages[stage].loops[place].1 && text.contains("bind") && !tape.once_in(8) {
            return;
        }
        self.lines.push(text.replace('@', &axis));
        self.stages[stage].is_fresh = false;
    }

    fn bind(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let thread = tape.pick(&["blockIdx.x", "threadIdx.x", "vthread"]);
        self.attributed(tape, stage, &format!("te.bind @ {thread}"));
    }

    /// All that a result is made of, in one of its loops.
    fn attach_all(&mut self, tape: &mut Tape<'_>) {
        let Some(parent) = (0..self.stages.len()).find(|stage| self.stages[*stage].is_result)
        else {
            return;
        };
        let Some((_, axis)) = self.pick_loop(tape, parent) else {
            return;
        };
        let sources = self.stages[parent].reads.clone();
        if tape.once_in(3) && !sources.is_empty() {
            return self.attach_group(tape.pick(&sources), parent, &axis);
        }
        let mut inside = vec![parent];
        let mut next = 0;
        while let Some(reader) = inside.get(next).copied() {
            for source in self.stages[reader].reads.clone() {
                if !inside.contains(&source) && !self.stages[source].is_result {
                    inside.push(source);
                    self.attach(source, parent, &axis);
                }
            }
            next += 1;
        }
    }

    /// All that one stage is made of, by one primitive.
    fn attach_group(&mut self, output: usize, parent: usize, axis: &str) {
        let group = format!("%group{}", self.lines.len());
        let handle = &self.stages[output].handle;
        self.lines
            .push(format!("{group} = te.create_group {handle}"));
        let parent = &self.stages[parent].handle;
        self.lines
            .push(format!("te.compute_at {group}, {parent}, {axis}"));
        self.has_attached.push(axis.into());
        let mut members = vec![output];
        while let Some(member) = members.pop() {
            self.stages[member].is_attached = true;
            members.extend(self.stages[member].reads.clone());
        }
    }

    fn attach(&mut self, stage: usize, parent: usize, axis: &str) {
        if self.stages[parent].is_scan {
            self.lines.push(IN_SCAN.into());
        }
        let (handle, parent) = (&self.stages[stage].handle, &self.stages[parent].handle);
        self.lines
            .push(format!("te.compute_at {handle}, {parent}, {axis}"));
        self.has_attached.push(axis.into());
        self.stages[stage].is_attached = true;
    }

    /// Stages in a loop of their reader whose iterations share buffers: one source of it, or all and
    /// what they are made of.
    fn window(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let sources = self.stages[stage].reads.clone();
        if sources.is_empty() || self.stages[stage].loops.is_empty() {
            return;
        }
        // The last data loop, or the one outside of it.
        let data = self.stages[stage]
            .loops
            .iter()
            .filter(|(_, reduces)| !reduces);
        let data: Vec<String> = data.map(|(name, _)| name.clone()).collect();
        let back = tape.below(2) + 1;
        let Some(axis) = data
            .len()
            .checked_sub(back)
            .map(|place| data[place].clone())
            .filter(|axis| !self.has_attached.contains(axis))
        else {
            return;
        };
        let mut inside = vec![tape.pick(&sources)];
        if !tape.once_in(3) {
            inside.extend(sources);
            inside.extend(self.stages[inside[0]].reads.clone());
            inside.sort_unstable();
            inside.dedup();
        }
        inside.retain(|source| !self.stages[*source].is_result);
        let mut buffered = 0;
        for source in inside {
            self.attach(source, stage, &axis);
            let name = tape.pick(&["rolling_buffer", "rolling_buffer", "double_buffer", ""]);
            if !name.is_empty() {
                buffered += 1;
                self.lines
                    .push(format!("te.{name} {}", self.stages[source].handle));
            }
        }
        if buffered > 1 {
            self.lines.push(SEVERAL_BUFFERS.into());
        }
    }

    /// The insides of parts shared among threads, outside of the parts.
    fn strided(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let Some((place, axis)) = self.pick_loop(tape, stage) else {
            return;
        };
        if self.stages[stage].loops[place].1 || self.has_attached.contains(&axis) {
            return;
        }
        let (outer, inner) = (self.name("o"), self.name("i"));
        let factor = tape.pick(&[3, 4, 2, 5]);
        self.lines.push(format!(
            "{outer}, {inner} = te.split {axis} {{factor = {factor}}}"
        ));
        self.lines.push(format!("te.reorder {inner}, {outer}"));
        self.lines.push(format!("te.parallel {inner}"));
        self.replace(stage, place..place + 1, &[inner, outer]);
    }

    /// The innermost loop, cut to the length that the intrinsics of [`intrinsics`](crate::intrinsics::all) have.
    fn tensorize(&mut self, program: &Program, tape: &mut Tape<'_>, stage: usize) {
        let Some((axis, reduces)) = self.stages[stage].loops.last().cloned() else {
            return;
        };
        let Some(tensor) = self.stages[stage].tensors.first() else {
            return;
        };
        let scalar = program.tensors[*tensor].scalar.name();
        if !reduces && self.stages[stage].tensors.len() > 1 || !tape.once_in(2) {
            return;
        }
        let (outer, inner) = (self.name("o"), self.name("i"));
        self.lines
            .push(format!("{outer}, {inner} = te.split {axis} {{factor = 2}}"));
        let place = self.stages[stage].loops.len() - 1;
        self.replace(stage, place..place + 1, &[outer, inner.clone()]);
        let name = match (reduces, self.stages[stage].tensors.len()) {
            (true, 1) => "sum",
            (true, _) => "dot",
            (false, _) => "double",
        };
        self.lines.push(format!(
            "te.tensorize {inner} {{intrin = @{name}_{scalar}}}"
        ));
    }

    fn pragma(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let pragma = tape.pick(&[
            "auto_unroll_max_step = 8",
            "auto_unroll_max_step = 64",
            "loop_partition_hint = 1",
            "unroll_explicit = 0",
        ]);
        self.attributed(tape, stage, &format!("te.pragma @ {pragma}"));
    }

    fn prefetch(&mut self, program: &Program, tape: &mut Tape<'_>, stage: usize) {
        let tensors: Vec<usize> = self.stages[stage].tensors.clone();
        if tensors.is_empty() {
            return;
        }
        let (tensor, offset) = (tape.pick(&tensors), tape.below(3));
        let ty = program.ty(tensor);
        let is_stage = !program.inputs.contains(&tensor);
        if is_stage && !tape.once_in(3) {
            return;
        }
        let into = tape.pick(&["", " into l1", " into l2"]);
        let over = self.over(tape, stage);
        let every = match over.as_str() {
            "" => "",
            _ => tape.pick(&["", ", every = 2", ", every = 3"]),
        };
        self.attributed(
            tape,
            stage,
            &format!("te.prefetch %t{tensor}, @{into}{over} {{offset = {offset}{every}}} : {ty}"),
        );
    }

    /// Perhaps the loop over which requests are spread: of the stage, or of one before it.
    fn over(&mut self, tape: &mut Tape<'_>, stage: usize) -> String {
        if tape.once_in(2) {
            return String::new();
        }
        let other = tape.below(stage + 1);
        let inner = tape.pick(&[stage, other]);
        let axis = self.pick_loop(tape, inner);
        axis.map_or(String::new(), |(_, axis)| format!(" over {axis}"))
    }

    fn buffering(&mut self, tape: &mut Tape<'_>, stage: usize, name: &str) {
        let handle = self.stages[stage].handle.clone();
        if self.stages[stage].is_attached || tape.once_in(12) {
            self.lines.push(format!("te.{name} {handle}"));
        }
    }

    fn transform_layout(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let Stage {
            handle,
            rank,
            is_result,
            ..
        } = &self.stages[stage];
        if *is_result && !tape.once_in(12) {
            return;
        }
        let map = match rank {
            1 => tape.pick(&[
                "(i) -> (i floordiv 4, i mod 4)",
                "(i) -> (i * 2 + 1)",
                "(i) -> (i floordiv 4)",
            ]),
            2 => tape.pick(&[
                "(i, j) -> (j, i)",
                "(i, j) -> (j floordiv 3, i, j mod 3)",
                "(i, j) -> (i * 16 + j)",
            ]),
            3 => tape.pick(&[
                "(i, j, k) -> (k, i, j)",
                "(i, j, k) -> (i, k floordiv 2, j, k mod 2)",
            ]),
            _ => return,
        };
        self.lines.push(format!(
            "te.transform_layout {handle} {{map = affine_map<{map}>}}"
        ));
    }

    fn storage_align(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let (factor, offset) = (tape.pick(&[4, 8, 3]), tape.below(2));
        let Stage {
            handle,
            axes,
            rank,
            is_result,
            ..
        } = &self.stages[stage];
        if *rank < 2 || (*is_result && !tape.once_in(12)) {
            return;
        }
        let axis = &axes[tape.below(*rank - 1)];
        self.lines.push(format!(
            "te.storage_align {handle}, {axis} {{factor = {factor}, offset = {offset}}}"
        ));
    }

    /// The new stage copies a tensor that the old one reads.
    fn cache_read(&mut self, program: &Program, tape: &mut Tape<'_>, stage: usize) {
        let tensors = &self.stages[stage].tensors;
        if tensors.is_empty() {
            return;
        }
        let tensor = tape.pick(tensors);
        let scope = tape.pick(&["local", "global"]);
        let mut readers = vec![stage];
        for other in 0..self.stages.len() {
            if other != stage && self.stages[other].tensors.contains(&tensor) && tape.once_in(2) {
                readers.push(other);
            }
        }
        let handle = self.name("s");
        let names: Vec<&str> = readers
            .iter()
            .map(|reader| self.stages[*reader].handle.as_str())
            .collect();
        self.lines.push(format!(
            "{handle} = te.cache_read %t{tensor} for {} in {scope} : {}",
            names.join(", "),
            program.ty(tensor)
        ));
        let number = self.stages.len();
        let source = program
            .computes
            .iter()
            .position(|other| other.results.contains(&tensor));
        for reader in readers {
            let reader = &mut self.stages[reader];
            reader.reads.push(number);
            reader.tensors.retain(|other| *other != tensor);
        }
        let rank = program.tensors[tensor].shape.len();
        let loops = self.axes(&handle, rank, 0);
        self.stages.push(Stage {
            handle,
            axes: loops.iter().map(|(name, _)| name.clone()).collect(),
            loops,
            reads: source.into_iter().collect(),
            tensors: vec![tensor],
            rank,
            is_fresh: true,
            ..Stage::default()
        });
    }

    /// The new stage holds partial results; the old one reduces them.
    fn rfactor(&mut self, tape: &mut Tape<'_>, stage: usize) {
        let old = &self.stages[stage];
        let reduce: Vec<usize> = (0..old.loops.len())
            .filter(|place| old.loops[*place].1)
            .collect();
        if reduce.is_empty() || old.loops.len() - reduce.len() != old.rank {
            return;
        }
        let axis = old.loops[tape.pick(&reduce)].0.clone();
        let dimension = tape.below(old.rank + 1);
        self.factor(stage, &axis, dimension);
    }

    /// A stage of which one of its reduce loops is a dimension; nothing if its data axes were split.
    fn factor(&mut self, stage: usize, axis: &str, dimension: usize) {
        let old = &self.stages[stage];
        let reduce = old.loops.iter().filter(|(_, reduces)| *reduces).count();
        if old.loops.len() - reduce != old.rank {
            return;
        }
        let handle = self.name("s");
        let old = &self.stages[stage];
        self.lines.push(format!(
            "{handle} = te.rfactor {}, {axis} {{factor_axis = {dimension}}}",
            old.handle
        ));
        let (data, left) = (old.rank + 1, reduce - 1);
        let number = self.stages.len();
        let loops = self.axes(&handle, data, left);
        let old = &mut self.stages[stage];
        let moved: Vec<String> = old
            .loops
            .iter()
            .filter(|(_, reduces)| *reduces)
            .map(|(name, _)| name.clone())
            .collect();
        old.loops.retain(|(_, reduces)| !reduces);
        old.gone.extend(moved);
        let (reads, tensors) = (old.reads.clone(), old.tensors.clone());
        old.reads = vec![number];
        old.tensors = Vec::new();
        self.stages.push(Stage {
            handle,
            axes: loops.iter().map(|(name, _)| name.clone()).collect(),
            loops,
            reads,
            tensors,
            rank: data,
            reduces: true,
            ..Stage::default()
        });
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
            "{handle} = te.cache_write {} in {scope}",
            old.handle
        ));
        let (reads, reduces) = (old.reads.clone(), old.reduces);
        let tensors = std::mem::take(&mut old.tensors);
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
            axes: loops.iter().map(|(name, _)| name.clone()).collect(),
            loops,
            reads,
            tensors,
            reduces,
            is_fresh: true,
            rank,
            ..Stage::default()
        });
    }
}
