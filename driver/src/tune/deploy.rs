//! Brings a runner to another machine by `ssh`, and says how it is started there.

use crate::DriverError;
use relay_codegen::installation;
use relay_runner::input::Input;
use sha2::{Digest, Sha256};
use std::{
    ffi::OsString,
    fs,
    io::Write,
    process::{Command, Stdio},
};

/// Where runners lie on a machine, each under a name of its content.
const FOLDER: &str = "$HOME/.cache/relay-mlir";

/// The command that starts a runner on a machine, where models may take so many bytes of memory. The runner is copied there if it is
/// not there yet.
///
/// # Errors
/// If the machine cannot be reached, or there is no runner for its architecture.
pub fn to_host(host: &str, memory: u64) -> Result<Vec<OsString>, DriverError> {
    if host.is_empty() || host.starts_with('-') {
        let reason = format!("'{host}' is no machine; name one as ssh does, such as user@board");
        return Err(DriverError::Usage(reason));
    }
    let said = run(
        host,
        &format!("uname -m; ls \"{FOLDER}\" 2>/dev/null; true"),
        &[],
    )?;
    let mut lines = said.lines().map(str::trim);
    let architecture = lines.next().unwrap_or_default();
    let program = installation::runner(architecture)?;
    let content = fs::read(&program).map_err(DriverError::io(program))?;
    let name = format!("relay-runner-{}", &digest(&content)[..16]);
    if !lines.any(|line| line == name) {
        // Nobody starts what is not there whole.
        let script = format!(
            "umask 077; mkdir -p \"{FOLDER}\" && cd \"{FOLDER}\" && cat >{name}.$$ && chmod 700 {name}.$$ && mv {name}.$$ {name}"
        );
        run(host, &script, &content)?;
    }
    let start = format!("exec \"{FOLDER}/{name}\" --memory={memory}");
    Ok(words(host, &start))
}

/// The command that runs a script of the shell on a machine. `ssh` asks nothing, and notices a machine that is gone.
fn words(host: &str, script: &str) -> Vec<OsString> {
    // Whatever the user's shell is there. No script has an apostrophe.
    let script = format!("exec sh -c '{script}'");
    let options = [
        "BatchMode=yes",
        "ConnectTimeout=15",
        "ServerAliveInterval=15",
    ];
    let options = options.iter().flat_map(|option| ["-o", option]);
    let words = ["ssh"].into_iter().chain(options).chain([host, &script]);
    words.map(OsString::from).collect()
}

/// Runs a script on a machine, which reads some input; what it prints.
fn run(host: &str, script: &str, input: &[u8]) -> Result<String, DriverError> {
    let words = words(host, script);
    let (mut pipe, stdin) = Input::new().map_err(DriverError::io(&words[0]))?;
    let child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(stdin)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(DriverError::io(&words[0]))?;
    // One that does not read says why at its end.
    let _ = pipe.write_all(input);
    drop(pipe);
    let result = child
        .wait_with_output()
        .map_err(DriverError::io(&words[0]))?;
    if result.status.success() {
        return Ok(String::from_utf8_lossy(&result.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&result.stderr);
    Err(DriverError::Usage(format!(
        "{host} cannot be reached: {}; \"ssh {host} true\" has to work without a password: set up a key, and what else it \
         needs, in ~/.ssh/config",
        match said.trim() {
            "" => result.status.to_string(),
            said => said.to_owned(),
        }
    )))
}

/// The name of what has this content: the digits of its SHA-256.
pub fn digest(content: &[u8]) -> String {
    let digest = Sha256::digest(content);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
