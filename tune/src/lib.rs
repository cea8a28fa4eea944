//! Tuning: what is tuned, and how other schedules than the default are found.
//!
//! A kernel is known by its [`Key`], a schedule is a [`ScheduleText`], and what was found goes into a file of [`record`]s. Nothing
//! here compiles or runs a kernel: that is the driver's part.

pub mod choices;
pub mod cost;
pub mod database;
pub mod edits;
pub mod key;
pub mod knobs;
pub mod operator;
pub mod pbqp;
pub mod record;
pub mod schedule;
pub mod scheduler;
pub mod sketch;
pub mod space;
pub mod tuners;
pub mod tvm;

pub use database::{Database, DatabaseError, Fit, Writer};
pub use key::Key;
pub use schedule::ScheduleText;
