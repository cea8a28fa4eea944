//! Containers that a file may nest as deep as it likes.

use std::ops::{Deref, DerefMut};

/// The stack that dropping one container takes at most, and how much is added where less is left. Both in bytes.
const STACK: (usize, usize) = (64 << 10, 1 << 20);

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
    stacker::maybe_grow(STACK.0, STACK.1, || drop(inner));
}
