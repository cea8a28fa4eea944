//! Calls of operators that are declared outside of this project. Their declarations say what attributes hold.

use super::{Reader, Result};
use crate::relay_text::{operators, syntax::Call};
use relay_dialects::{
    ir::{Builder, Value},
    names::relay,
    relay::{
        custom::{self, Operator},
        ops::rows,
    },
    similar::suggestion,
};
use std::ops::Range;

impl Reader<'_> {
    /// The call of an operator that is none of the tree's.
    pub(super) fn outside(
        &self,
        b: Builder,
        name: &str,
        operands: &[Value],
        call: &Call,
        span: &Range<usize>,
    ) -> Result<Value> {
        match custom::find(name) {
            Ok(known) => self.custom(b, known, operands, call, span),
            Err(reason) => {
                let meant = suggestion(name, rows().map(|row| row.name));
                let reason = match meant.is_empty() && name.contains('.') {
                    true => format!("; {reason}"),
                    false => meant,
                };
                let message = format!("there is no operator `{name}`{reason}");
                Err(self.error(&call.callee.span, message))
            }
        }
    }

    /// The call of an operator from outside.
    fn custom(
        &self,
        b: Builder,
        operator: &Operator,
        operands: &[Value],
        call: &Call,
        span: &Range<usize>,
    ) -> Result<Value> {
        let name = operator.name();
        let declared = &operator.declaration.attributes;
        let mut attrs = vec![custom::named_operator(self.ctx, name)];
        for given in &call.attributes {
            let known = declared.iter().find(|known| known.name == given.name);
            let attr = match known {
                Some(known) => operators::held(self.ctx, known.holds, &given.value)
                    .ok_or_else(|| format!("{given} is not {}", known.holds.text())),
                None => {
                    let names = declared.iter().map(|known| known.name.as_str());
                    let meant = suggestion(&given.name, names);
                    Err(format!("has no attribute '{}'{meant}", given.name))
                }
            };
            let attr = attr.map_err(|reason| self.error(span, format!("`{name}`: {reason}")))?;
            attrs.push((given.name.as_str(), attr));
        }
        let made = self.made(b, relay::CUSTOM, operands, &attrs, span)?;
        match made.results()[..] {
            [result] => Ok(result),
            ref results => {
                let tuple = self.made(b, relay::TUPLE, results, &[], span)?;
                Ok(tuple.result(0))
            }
        }
    }
}
