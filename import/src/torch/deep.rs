//! What a file may nest as deep as it likes: containers, and calls.

use std::ops::{Deref, DerefMut};

/// Below this number of free bytes the stack is continued elsewhere, and by how many bytes.
const STACK: (usize, usize) = (256 << 10, 2 << 20);

/// A container. Those in it are dropped on a stack that grows, so that no depth overflows it.
#[derive(Clone, Debug, Default)]
pub struct Deep<T: Default>(T);

impl<T: Default> From<T> for Deep<T> {
    fn from(inner: T) -> Self {
        Self(inner)
    }
}

impl<T: Default> Deref for Deep<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Default> DerefMut for Deep<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Default> Drop for Deep<T> {
    fn drop(&mut self) {
        drop_deep(std::mem::take(&mut self.0));
    }
}

/// Drops what a container holds, on a stack that grows.
pub fn drop_deep<T>(inner: T) {
    with_stack(|| drop(inner));
}

/// Calls what may call itself as often as a file says.
pub fn with_stack<T>(call: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK.0, STACK.1, call)
}
