//! Rules that are part of the compiler.

use super::{rewriter::Rewriter, rules::RuleSet};
use relay_dialects::{
    ir::Op,
    pass::{PassFailed, PassResult},
};
use std::{cell::RefCell, collections::HashMap, rc::Rc};

/// A file of rules that is compiled in.
pub struct Embedded {
    /// Its path, as diagnostics name it.
    pub path: &'static str,
    /// What is in it.
    pub text: &'static str,
}

/// Embeds a file of `passes/rules/`.
macro_rules! embedded {
    ($name:literal) => {
        Embedded {
            path: concat!("passes/rules/", $name),
            text: include_str!(concat!("../../rules/", $name)),
        }
    };
}

/// The rules of `simplify-expr`.
pub const SIMPLIFY_EXPR: Embedded = embedded!("simplify_expr.pat");
/// The rules of `div-to-mul`.
pub const DIV_TO_MUL: Embedded = embedded!("div_to_mul.pat");
/// The rules of `flatten-atrous-conv`.
pub const FLATTEN_ATROUS_CONV: Embedded = embedded!("flatten_atrous_conv.pat");
/// The rules of `simplify-inference`.
pub const SIMPLIFY_INFERENCE: Embedded = embedded!("simplify_inference.pat");
/// The rules of `canonicalize-ops`.
pub const CANONICALIZE_OPS: Embedded = embedded!("canonicalize_ops.pat");
/// The rules of `fast-math`.
pub const FAST_MATH: Embedded = embedded!("fast_math.pat");
/// The rules of `fold-explicit-padding`.
pub const FOLD_EXPLICIT_PADDING: Embedded = embedded!("fold_explicit_padding.pat");
/// The rules of `simplify-quantized`.
pub const SIMPLIFY_QUANTIZED: Embedded = embedded!("simplify_quantized.pat");

/// All of them.
pub const ALL: &[Embedded] = &[
    SIMPLIFY_EXPR,
    DIV_TO_MUL,
    FLATTEN_ATROUS_CONV,
    SIMPLIFY_INFERENCE,
    CANONICALIZE_OPS,
    FAST_MATH,
    FOLD_EXPLICIT_PADDING,
    SIMPLIFY_QUANTIZED,
];

thread_local! {
    /// What has been read. Rules hold nothing of a context.
    static READ: RefCell<HashMap<&'static str, Rc<RuleSet>>> = RefCell::default();
}

impl Embedded {
    /// The rules; `around` is an op with a body.
    ///
    /// # Errors
    /// If the file is wrong, which tests see.
    pub fn load(&self, around: Op) -> Result<Rc<RuleSet>, PassFailed> {
        if let Some(known) = READ.with_borrow(|read| read.get(self.path).cloned()) {
            return Ok(known);
        }
        let rules = Rc::new(RuleSet::load(around, self.path, self.text)?);
        READ.with_borrow_mut(|read| read.insert(self.path, Rc::clone(&rules)));
        Ok(rules)
    }

    /// Applies the rules to a function until none applies.
    ///
    /// # Errors
    /// As [`Rewriter::apply`].
    pub fn apply(&self, function: Op) -> PassResult {
        Rewriter::new(&*self.load(function)?).apply(function)
    }
}
