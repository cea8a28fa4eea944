//! Tuning: what is tuned, and how other schedules than the default are found.
//!
//! Nothing here compiles or runs a kernel: that is the driver's part.
