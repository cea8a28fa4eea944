//! What machine this is.

use crate::protocol::{Description, VERSION};
use relay_runtime::{features, host_cache, pool::available_threads};

/// The machine that this process runs on.
pub fn this_machine() -> Description {
    Description {
        version: VERSION,
        architecture: std::env::consts::ARCH.into(),
        features: features::present().map(str::to_owned).collect(),
        l2_bytes: host_cache::bytes(),
        cores: available_threads(),
    }
}
