//! What logs say of how long a trial took: both tuners say it in the same way.

use serde_json::Value as Json;

/// The mean of the seconds of a trial, of its list of costs, an error number and more.
///
/// # Errors
/// If it did not run, or is no such list.
pub fn seconds(result: &Json) -> Result<f64, String> {
    let wrong = "has no result of costs and an error number";
    let number = result[1].as_i64().ok_or(wrong)?;
    if number != 0 {
        return Err(format!("failed in TVM, with error {number}"));
    }
    let costs = result[0].as_array().filter(|costs| !costs.is_empty());
    let costs = costs.ok_or(wrong)?.iter().map(Json::as_f64);
    let costs: Vec<f64> = costs.collect::<Option<_>>().ok_or(wrong)?;
    Ok(costs.iter().sum::<f64>() / costs.len() as f64)
}
