//! What one question about index values has found out so far.
//!
//! Index arithmetic shares its parts: the quotient and the remainder of one sum read the sum twice, and each of them is
//! read again. A question that looks at every part each time that it is read takes twice as long with every such level.
//! So each part is looked at once per question. Between questions the IR may change, and everything is forgotten.

use std::{
    cell::{Cell, RefCell},
    collections::HashMap,
    hash::Hash,
    thread::LocalKey,
};

thread_local! {
    /// How many questions are open: the first one, and those for its parts.
    static OPEN: Cell<usize> = const { Cell::new(0) };
    /// The number of the first one.
    static NUMBER: Cell<u64> = const { Cell::new(0) };
}

/// Answers of one kind for parts of the values in question.
pub struct Answers<K, T> {
    /// The question that they are of.
    number: u64,
    found: HashMap<K, T>,
}

impl<K, T> Default for Answers<K, T> {
    fn default() -> Self {
        Self {
            number: 0,
            found: HashMap::new(),
        }
    }
}

impl<K, T> Answers<K, T> {
    /// Those of the question that is open.
    fn now(&mut self) -> &mut HashMap<K, T> {
        if self.number != NUMBER.get() {
            *self = Self {
                number: NUMBER.get(),
                found: HashMap::new(),
            };
        }
        &mut self.found
    }
}

/// A question that is open; when the first one closes, also by a panic, the next has another number.
struct Question;

impl Question {
    fn open() -> Self {
        OPEN.set(OPEN.get() + 1);
        Self
    }
}

impl Drop for Question {
    fn drop(&mut self) {
        OPEN.set(OPEN.get() - 1);
        if OPEN.get() == 0 {
            NUMBER.set(NUMBER.get() + 1);
        }
    }
}

/// The answer for `key` in this question, which `find` finds if it is not known.
pub fn answer<K: Eq + Hash, T: Clone>(
    answers: &'static LocalKey<RefCell<Answers<K, T>>>,
    key: K,
    find: impl FnOnce() -> T,
) -> T {
    let known = answers.with_borrow_mut(|answers| answers.now().get(&key).cloned());
    if let Some(known) = known {
        return known;
    }
    let question = Question::open();
    let found = find();
    answers.with_borrow_mut(|answers| answers.now().insert(key, found.clone()));
    drop(question);
    found
}
