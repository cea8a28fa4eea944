//! What MLIR reports while a module is made.

use melior::Context;
use std::{cell::RefCell, rc::Rc};

/// The messages so far. Copies share them.
pub type Diagnostics = Rc<RefCell<Vec<String>>>;

/// Runs `body`. MLIR's messages, which it reports through the context, are collected meanwhile, so that they can become part of
/// an error.
pub fn collect<T>(context: &Context, body: impl FnOnce(&Diagnostics) -> T) -> T {
    let diagnostics = Diagnostics::default();
    let sink = Rc::clone(&diagnostics);
    let handler = context.attach_diagnostic_handler(move |diagnostic| {
        sink.borrow_mut().push(diagnostic.to_string());
        true
    });
    let result = body(&diagnostics);
    context.detach_diagnostic_handler(handler);
    result
}
