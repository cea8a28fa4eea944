//! What places hold.

use super::{
    state::{Machine, Places},
    value::{Form, Known, Partial},
};
use relay_dialects::{ir::Op, names::relay, pass::PassFailed};
use std::mem::take;

impl Machine<'_> {
    /// Notes that what places hold is not known any more: something has run that may write to any.
    pub fn forget(&mut self) {
        self.places.clear();
        self.wrote = true;
    }

    /// Begins what runs at another time: nothing is known of places there. Gives what `restore_places` takes.
    pub fn forget_places(&mut self) -> (Places, bool) {
        (take(&mut self.places), self.wrote)
    }

    /// Ends it.
    pub fn restore_places(&mut self, (places, wrote): (Places, bool)) {
        self.places = places;
        self.wrote = wrote;
    }

    /// Begins what may run or not. Gives what `end_branch` takes.
    pub fn begin_branch(&mut self) -> (Places, bool) {
        (self.places.clone(), take(&mut self.wrote))
    }

    /// Ends it; whether it may have written to places.
    pub fn end_branch(&mut self, (places, wrote): (Places, bool)) -> bool {
        let writes = self.wrote;
        self.restore_places((places, wrote));
        writes
    }

    /// Makes a place, reads one or writes to one.
    pub fn refer(
        &mut self,
        op: Op,
        operands: &[Partial],
        known: &mut Known,
    ) -> Result<(), PassFailed> {
        let number = match operands[0].form {
            Form::Reference(number) => Some(number),
            _ => None,
        };
        let ty = op.result(0).ty();
        if op.is(relay::REF_READ)
            && let Some(held) = number.and_then(|number| self.places.get(&number))
            && held.ty == ty
        {
            known.insert(op.result(0), held.clone());
            return Ok(());
        }
        let made = self.copy(op, operands)?.result(0);
        let value = match op.name().as_str() {
            relay::REF_CREATE => {
                let number = self.made;
                self.made += 1;
                self.places.insert(number, operands[0].clone());
                let place = self.node(ty, Form::Reference(number));
                place.residual.set(Some(made));
                place
            }
            relay::REF_WRITE => {
                match number {
                    Some(number) => {
                        self.places.insert(number, operands[1].clone());
                        self.wrote = true;
                    }
                    None => self.forget(),
                }
                self.node(ty, Form::Tuple(Vec::new()))
            }
            _ => {
                let read = self.unknown(made);
                if let Some(number) = number {
                    self.places.insert(number, read.clone());
                }
                read
            }
        };
        known.insert(op.result(0), value);
        Ok(())
    }
}
