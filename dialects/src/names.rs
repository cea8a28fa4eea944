//! The names of all ops of our dialects: a constant for each op that TableGen declares, such as
//! `names::te::COMPUTE` for `te.compute`. A name that is not declared does not compile.

include!(concat!(env!("OUT_DIR"), "/op_names.rs"));
