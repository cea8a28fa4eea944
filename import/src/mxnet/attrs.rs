//! Attributes, which are texts as Python writes values: `(1, 1)`, `True`, `1e-05`.

use crate::graph::error::Result;
use std::{
    cell::RefCell,
    collections::{BTreeMap, HashSet},
};

/// Attributes that say nothing of what is computed: how a library computes, where, and how it is trained.
const NEEDLESS: &[&str] = &[
    "cudnn_algo_verbose",
    "cudnn_algo_bwd_data",
    "cudnn_algo_bwd_filter",
    "cudnn_algo_fwd",
    "cudnn_off",
    "cudnn_tensor_core_only",
    "cudnn_tune",
    "ctx_group",
    "ctx",
    "force_mirroring",
    "grad_scale",
    "lr_mult",
    "momentum",
    "normalization",
    "num_args",
    "sparse_grad",
    "use_global_stats",
    "wd_mult",
    "weight_lr_mult",
    "workspace",
];

/// The attributes of a node, and which of them were read.
#[derive(Debug)]
pub struct Attrs<'m> {
    given: &'m BTreeMap<String, String>,
    read: RefCell<HashSet<&'m str>>,
}

impl<'m> Attrs<'m> {
    /// Those of a node.
    pub fn new(given: &'m BTreeMap<String, String>) -> Self {
        Self {
            given,
            read: RefCell::default(),
        }
    }

    /// A text; `None` if it is not given, or nothing.
    pub fn text(&self, name: &str) -> Option<&'m str> {
        let (name, text) = self.given.get_key_value(name)?;
        self.read.borrow_mut().insert(name);
        let text = text.trim();
        (text != "None").then_some(text)
    }

    /// A text, or what it is by default.
    pub fn text_or(&self, name: &str, default: &'m str) -> &'m str {
        self.text(name).unwrap_or(default)
    }

    fn parsed<T>(
        &self,
        name: &str,
        what: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        let Some(text) = self.text(name) else {
            return Ok(None);
        };
        let parsed = parse(text);
        parsed
            .map(Some)
            .ok_or_else(|| format!("attribute '{name}' is '{text}', which is no {what}"))
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> Result<Option<i64>> {
        self.parsed(name, "whole number", int)
    }

    /// A whole number that has to be there.
    pub fn required(&self, name: &str) -> Result<i64> {
        self.int(name)?.ok_or_else(|| missing(name))
    }

    /// A number.
    pub fn float(&self, name: &str, default: f64) -> Result<f64> {
        let parsed = self.parsed(name, "number", |text| text.parse().ok())?;
        Ok(parsed.unwrap_or(default))
    }

    /// Whether something holds.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        let parsed = self.parsed(name, "boolean", |text| match text {
            "True" | "true" | "1" => Some(true),
            "False" | "false" | "0" => Some(false),
            _ => None,
        })?;
        Ok(parsed.unwrap_or(default))
    }

    /// A list of whole numbers; one number is a list of one.
    pub fn ints(&self, name: &str) -> Result<Option<Vec<i64>>> {
        self.parsed(name, "list of whole numbers", |text| {
            items(text).into_iter().map(int).collect()
        })
    }

    /// A list of whole numbers that has to be there.
    pub fn required_ints(&self, name: &str) -> Result<Vec<i64>> {
        self.ints(name)?.ok_or_else(|| missing(name))
    }

    /// A list of whole numbers, some of which may be nothing.
    pub fn open_ints(&self, name: &str) -> Result<Option<Vec<Option<i64>>>> {
        self.parsed(name, "list of whole numbers", |text| {
            let items = items(text).into_iter();
            let open = items.map(|item| match item {
                "None" => Some(None),
                item => int(item).map(Some),
            });
            open.collect()
        })
    }

    /// Fails if there are attributes that nothing has read.
    pub fn check(&self) -> Result<()> {
        let read = self.read.borrow();
        let mut names = self.given.keys().map(String::as_str);
        let unread = names.find(|name| {
            !read.contains(name) && !name.starts_with("__") && !NEEDLESS.contains(name)
        });
        match unread {
            Some(name) => Err(format!(
                "attribute '{name}' ({}) is not supported",
                self.given[name]
            )),
            None => Ok(()),
        }
    }
}

fn missing(name: &str) -> String {
    format!("attribute '{name}' is missing")
}

/// The items of a list, whose brackets are round or square; a text without is one item.
fn items(text: &str) -> Vec<&str> {
    let inner = text
        .strip_prefix(['(', '['])
        .and_then(|rest| rest.strip_suffix([')', ']']))
        .unwrap_or(text);
    let items = inner.split(',').map(str::trim);
    items.filter(|item| !item.is_empty()).collect()
}

/// A whole number, which old files write with an `L`.
fn int(text: &str) -> Option<i64> {
    text.trim_end_matches('L').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_python_writes_them() {
        let given = [
            ("kernel", "(3, 3)"),
            ("one", "4"),
            ("open", "(None, 2L)"),
            ("none", "None"),
            ("flag", "True"),
            ("wrong", "(1, x)"),
            ("__shape__", "(0,)"),
        ];
        let given: BTreeMap<String, String> = given
            .into_iter()
            .map(|(name, text)| (name.into(), text.into()))
            .collect();
        let attrs = Attrs::new(&given);
        assert_eq!(attrs.ints("kernel"), Ok(Some(vec![3, 3])));
        assert_eq!(attrs.ints("one"), Ok(Some(vec![4])));
        assert_eq!(attrs.open_ints("open"), Ok(Some(vec![None, Some(2)])));
        assert_eq!(attrs.int("none"), Ok(None));
        assert_eq!(attrs.flag("flag", false), Ok(true));
        assert_eq!(attrs.float("missing", 0.5), Ok(0.5));
        assert!(attrs.required("missing").is_err());
        assert!(attrs.check().is_err_and(|error| error.contains("wrong")));
        assert!(attrs.ints("wrong").is_err());
        assert_eq!(attrs.check(), Ok(()));
    }
}
