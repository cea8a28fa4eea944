//! Which values a pattern takes.

use crate::Value;
use relay_dialects::relay::language::pattern::Pattern;

/// The values of a pattern's names, in order; `None` if it does not take the value.
pub(crate) fn bind(pattern: &Pattern, value: &Value) -> Option<Vec<Value>> {
    let mut names = Vec::new();
    takes(pattern, value, &mut names).then_some(names)
}

fn takes(pattern: &Pattern, value: &Value, names: &mut Vec<Value>) -> bool {
    match (pattern, value) {
        (Pattern::Wildcard, _) => true,
        (Pattern::Name(_), value) => {
            names.push(value.clone());
            true
        }
        (Pattern::Tuple(patterns), Value::Tuple(fields)) => all(patterns, fields, names),
        (Pattern::Constructor { of, name, fields }, Value::Data(data)) => {
            data.of == *of && data.constructor == *name && all(fields, &data.fields, names)
        }
        _ => false,
    }
}

fn all(patterns: &[Pattern], fields: &[Value], names: &mut Vec<Value>) -> bool {
    let mut pairs = patterns.iter().zip(fields);
    patterns.len() == fields.len() && pairs.all(|(pattern, field)| takes(pattern, field, names))
}
