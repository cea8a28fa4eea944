//! The records of TableGen, as `llvm-tblgen -dump-json` writes them.

use serde_json::{Map, Value};

/// All records of a file and of the files that it includes.
pub struct Records(Map<String, Value>);

/// One record.
#[derive(Clone, Copy)]
pub struct Record<'a> {
    all: &'a Records,
    /// What the file calls it.
    pub name: &'a str,
    fields: &'a Value,
}

impl Records {
    /// Reads a dump.
    pub fn of_json(text: &[u8]) -> Result<Self, String> {
        match serde_json::from_slice(text) {
            Ok(Value::Object(records)) => Ok(Self(records)),
            Ok(_) => Err("the dump holds no records".to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// The records of a class.
    pub fn of_class(&self, class: &str) -> Vec<Record<'_>> {
        let names = self.0.get("!instanceof").and_then(|all| all.get(class));
        let names = names.and_then(Value::as_array).into_iter().flatten();
        names.filter_map(|name| self.find(name.as_str()?)).collect()
    }

    fn find(&self, name: &str) -> Option<Record<'_>> {
        let (name, fields) = self.0.get_key_value(name)?;
        Some(Record {
            all: self,
            name,
            fields,
        })
    }
}

impl<'a> Record<'a> {
    /// Whether it is of a class.
    pub fn is(self, class: &str) -> bool {
        let classes = self.fields.get("!superclasses").and_then(Value::as_array);
        classes.is_some_and(|classes| classes.iter().any(|known| known == class))
    }

    /// Whether its file knows a record of that name.
    pub fn knows(self, name: &str) -> bool {
        self.all.find(name).is_some()
    }

    /// A string; the empty one where there is none.
    pub fn text(self, field: &str) -> &'a str {
        let text = self.fields.get(field).and_then(Value::as_str);
        text.unwrap_or_default().trim()
    }

    /// A number.
    pub fn number(self, field: &str) -> Option<i64> {
        self.fields.get(field).and_then(Value::as_i64)
    }

    /// Another record that this one names.
    pub fn record(self, field: &str) -> Option<Record<'a>> {
        self.referred(self.fields.get(field)?)
    }

    /// The records in a list.
    pub fn records(self, field: &str) -> Vec<Record<'a>> {
        let list = self.fields.get(field).and_then(Value::as_array);
        let list = list.into_iter().flatten();
        list.filter_map(|value| self.referred(value)).collect()
    }

    /// The strings in a list.
    pub fn texts(self, field: &str) -> Vec<&'a str> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect()
    }

    /// The arguments of a `dag`, with their names.
    pub fn arguments(self, field: &str) -> Vec<(Record<'a>, &'a str)> {
        let dag = self.fields.get(field).and_then(|dag| dag.get("args"));
        let pairs = dag.and_then(Value::as_array).into_iter().flatten();
        pairs
            .filter_map(|pair| {
                let record = self.referred(pair.get(0)?)?;
                let name = pair.get(1).and_then(Value::as_str).unwrap_or_default();
                Some((record, name))
            })
            .collect()
    }

    fn referred(self, value: &Value) -> Option<Record<'a>> {
        self.all.find(value.get("def")?.as_str()?)
    }
}
