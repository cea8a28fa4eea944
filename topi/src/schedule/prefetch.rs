//! What tiles in registers ask for before they read it, as `te.prefetch`: vectors of the second operand that
//! follow one another, lines of the first one, and the panel of the next tile of columns. [`cost`] says what is
//! worth it.

pub use super::cost::prefetch::Panel as PanelSize;
use super::{Machine, Stage, cost::prefetch as cost, stage::Read};
use relay_dialects::{
    ir::{Op, Value},
    ops::tensor,
    te::{
        Cache,
        build::{Prefetch, ScheduleBuilder},
    },
};

/// The arguments that a product or a convolution multiplies.
#[derive(Clone, Copy, Default)]
pub struct Operands {
    /// Whose vectors are loaded.
    pub vectors: Option<Value>,
    /// Whose numbers are shared by the lanes of a vector.
    pub numbers: Option<Value>,
}

impl Operands {
    /// Those of a stage. What it reads of other stages has just been computed.
    pub fn of(stage: Stage) -> Self {
        let mut found = Self::default();
        stage.op.walk(|op: Op| {
            if !op.is(tensor::Extract::NAME) || op.operand(0).def().is_some() {
                return;
            }
            let read = Read { op, reader: stage };
            let side = match read.follows_last_axis() {
                true => &mut found.vectors,
                false => &mut found.numbers,
            };
            *side = Some(op.operand(0));
        });
        found
    }
}

/// The innermost reduce axis of a tile: a step loads `lanes` columns of each block of the second operand, which
/// follow those of the step before.
#[derive(Clone, Copy)]
pub struct Stream {
    /// The axis.
    pub axis: Value,
    /// Its extent.
    pub extent: i64,
    /// The lanes of a block.
    pub lanes: i64,
    /// How many steps read one after the other, all loops together.
    pub steps: i64,
    /// The registers of sums of a tile.
    pub sums: i64,
}

impl Stream {
    /// Asks for the stream's vectors some steps before they are read, each line once. Returns the loops that the
    /// axis becomes.
    pub fn ask(self, s: &ScheduleBuilder, vectors: Option<Value>, machine: Machine) -> Vec<Value> {
        let found = vectors.and_then(|vectors| Some((vectors, self.ahead(vectors, machine)?)));
        let Some((vectors, (ahead, shared))) = found else {
            return vec![self.axis];
        };
        let loops = if shared == 1 {
            vec![self.axis]
        } else {
            let (outer, inner) = s.split(self.axis, shared);
            s.unroll(inner);
            vec![outer, inner]
        };
        s.prefetch(vectors, loops[0], Prefetch::ahead(ahead / shared));
        loops
    }

    /// How many steps before they are read vectors are asked for, and how many steps share a line and ask together.
    fn ahead(self, vectors: Value, machine: Machine) -> Option<(i64, i64)> {
        let bytes = self.lanes * vectors.ty().element().byte_width() as i64;
        let shared = (machine.line_bytes / bytes.max(1)).max(1);
        let ahead = cost::steps_ahead(bytes, bytes * self.steps, self.sums, machine)?;
        (self.extent % shared == 0).then_some((ahead, shared))
    }
}

/// What the tiles of some columns read of the second operand, over and over.
#[derive(Clone, Copy)]
pub struct Panel {
    /// Its size, and what reads it.
    pub size: PanelSize,
    /// The loop in which panels change.
    pub axis: Value,
    /// After how many of its iterations.
    pub every: i64,
}

impl Panel {
    /// Whether it is worth asking for while tiles read the one before.
    pub fn is_worth_asking(self, machine: Machine) -> bool {
        self.size.is_worth_asking(machine)
    }

    /// Asks for the next panel, evenly over the iterations of the loop `over`, which loads of it.
    pub fn ask(self, s: &ScheduleBuilder, vectors: Option<Value>, over: Value) {
        if let Some(vectors) = vectors {
            let next = Prefetch::ahead(self.every).shared(self.every);
            s.prefetch(vectors, self.axis, next.spread(over).into(Cache::Second));
        }
    }
}

/// Has the sums of a product ask for what they read soon. Returns the loops that the axis of the stream becomes.
pub fn ask(
    s: &ScheduleBuilder,
    operands: Operands,
    (panel, stream): (Option<Panel>, Stream),
    machine: Machine,
) -> Vec<Value> {
    let panel = panel.filter(|panel| panel.is_worth_asking(machine));
    let together = panel.and_then(|panel| {
        let depth = stream.steps.max(stream.extent);
        panel.size.steps_together(stream.extent, depth, machine)
    });
    let (Some(panel), Some(together)) = (panel, together.filter(|_| operands.vectors.is_some()))
    else {
        return stream.ask(s, operands.vectors, machine);
    };
    let (outer, axis) = s.split(stream.axis, together);
    panel.ask(s, operands.vectors, outer);
    let inner = Stream {
        axis,
        extent: together,
        ..stream
    };
    let inner = inner.ask(s, operands.vectors, machine);
    [&[outer], &inner[..]].concat()
}
