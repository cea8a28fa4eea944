//! What makes the evaluation end: a function that is being called is called again only for arguments that are less.

use super::{
    state::{Frame, Machine},
    value::{Form, Function, Partial},
};
use relay_dialects::{
    ir::{Op, Type},
    pass::PassFailed,
};

/// The measure of what is not known: it is less than nothing.
const ABSENT: i64 = i64::MAX;

impl Machine<'_> {
    /// Whether a call may be carried out; then it counts as being carried out. Gives what `leave` needs.
    pub fn enter(
        &mut self,
        function: &Function,
        arguments: &[Partial],
    ) -> Result<Option<Option<Frame>>, PassFailed> {
        let given = given(function, arguments);
        let Some(frame) = self.frames.get(&function.op) else {
            let frame = Frame { given, least: None };
            self.frames.insert(function.op, frame);
            return Ok(Some(None));
        };
        let least = match &frame.least {
            Some(least) => least.clone(),
            None => {
                let first = frame.given.clone();
                self.measures(function.op, &first)?
            }
        };
        let measures = self.measures(function.op, &given)?;
        if !measures.iter().zip(&least).any(|(new, old)| new < old) {
            return Ok(None);
        }
        let pairs = measures.iter().zip(&least);
        let least = pairs.map(|(new, old)| *new.min(old)).collect();
        let least = Some(least);
        let outer = self.frames.insert(function.op, Frame { given, least });
        Ok(Some(outer))
    }

    /// Ends what `enter` began.
    pub fn leave(&mut self, op: Op, outer: Option<Frame>) {
        match outer {
            Some(frame) => self.frames.insert(op, frame),
            None => self.frames.remove(&op),
        };
    }

    /// Numbers for values that become less from call to call where a program comes to an end: integers that count down,
    /// and when data and functions were made, which is before what they are part of.
    fn measures(&mut self, op: Op, values: &[Partial]) -> Result<Vec<i64>, PassFailed> {
        let mut found = Vec::new();
        for value in values {
            self.measure(op, value, &mut found)?;
        }
        Ok(found)
    }

    fn measure(&mut self, op: Op, value: &Partial, found: &mut Vec<i64>) -> Result<(), PassFailed> {
        match &value.form {
            Form::Tuple(fields) => {
                for field in fields {
                    self.measure(op, field, found)?;
                }
            }
            Form::Constant | Form::Computed(..) => {
                let number = self.integer(op, value)?;
                found.push(number.map_or(ABSENT, |number| number.max(0)));
            }
            Form::Data(..) | Form::Function(_) => found.push(value.born),
            Form::Unknown | Form::Reference(_) => absent(value.ty, found),
        }
        Ok(())
    }
}

/// All that a call depends on.
fn given(function: &Function, arguments: &[Partial]) -> Vec<Partial> {
    let around = function.around.iter().map(|(_, value)| value);
    let all = function.first.iter().chain(arguments).chain(around);
    all.cloned().collect()
}

/// As many measures as a known value of the type has.
fn absent(ty: Type, found: &mut Vec<i64>) {
    match ty.fields() {
        Some(fields) => fields.into_iter().for_each(|field| absent(field, found)),
        None => found.push(ABSENT),
    }
}
