//! Two branches, of which one runs.

use super::{builder::GraphBuilder, error::Result, value::Value};
use relay_dialects::{
    ir::{Block, Builder},
    names::relay,
};

/// A branch that is written, and belongs to nothing yet.
pub struct Branch {
    block: Block,
    values: Vec<Value>,
}

impl Branch {
    /// What it returns.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Whether it computes nothing: what it returns is there without it.
    fn is_empty(&self) -> bool {
        self.block.ops().len() <= 1
    }
}

impl GraphBuilder {
    /// Writes the branch that runs if a condition, a boolean of rank 0, is `taken_if`.
    ///
    /// # Errors
    /// If `write` fails: then nothing is left of it.
    pub fn branch(
        &mut self,
        (condition, taken_if): (&Value, bool),
        write: impl FnOnce(&mut Self) -> Result<Vec<Value>>,
    ) -> Result<Branch> {
        let block = Block::new(self.ctx(), &[]);
        let values = self.guarded((condition, taken_if), |b| b.region(block, write))?;
        Ok(Branch { block, values })
    }

    /// Writes what is of use if a condition is `taken_if`, and computed always: then sizes that it computes may be dimensions of what
    /// follows. It checks sizes only where the condition is so.
    pub fn guarded<T>(
        &mut self,
        (condition, taken_if): (&Value, bool),
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.guards().push((condition.clone(), taken_if));
        let written = write(self);
        self.guards().pop();
        written
    }

    /// Whether ops go where sizes may be computed that are dimensions of what follows.
    pub fn may_compute_sizes(&self) -> bool {
        self.is_root() || self.is_in_step()
    }

    /// Gives up a branch.
    pub fn give_up(&mut self, branch: Branch) {
        self.discard(branch.block);
    }

    /// What the first of two branches returns if a condition, a boolean of rank 0, holds, or else the second one. Only the one that is
    /// chosen runs. They return values of the same types.
    ///
    /// # Errors
    /// If the condition cannot be computed.
    pub fn either(&mut self, condition: &Value, branches: [Branch; 2]) -> Result<Vec<Value>> {
        if branches.iter().all(Branch::is_empty) {
            let [yes, no] = branches;
            let pairs = yes.values.iter().zip(&no.values);
            let chosen = pairs.map(|(yes, no)| {
                let operands = [condition.clone(), yes.clone(), no.clone()];
                self.op("where", &operands, &[])
            });
            let chosen = chosen.collect();
            self.discard(yes.block);
            self.discard(no.block);
            return chosen;
        }
        let condition = self.materialize(condition)?;
        let types = self.types(&branches[0].values);
        let blocks = branches.map(|branch| Some(branch.block));
        let builder = Builder::at_end(self.block(), self.loc(), self.ctx());
        let op = builder.region_op(relay::IF, &[condition], &types, &[], &blocks);
        op.results().into_iter().map(Value::computed).collect()
    }
}
