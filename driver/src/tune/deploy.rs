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
        run(host, &take_in(&name, content.len()), &content)?;
    }
    let start = format!("exec \"{FOLDER}/{name}\" --memory={memory}");
    Ok(words(host, &start))
}

/// The script that takes in a program of so many bytes. It has its name once it is there whole: where the connection is cut off, the input
/// ends, too.
fn take_in(name: &str, bytes: usize) -> String {
    let part = format!("{name}.$$");
    format!(
        "umask 077; mkdir -p \"{FOLDER}\" && cd \"{FOLDER}\" || exit; \
         cat >{part} && test $(wc -c <{part}) -eq {bytes} && chmod 700 {part} && mv {part} {name} && exit; \
         rm -f {part}; echo \"not all of {name} has come\" >&2; exit 1"
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_is_not_there() {
        let home = tempfile::tempdir().expect("there is a folder for temporary files");
        let take = |content: &[u8]| {
            let (mut pipe, stdin) = Input::new().expect("there are files left");
            let mut shell = Command::new("sh")
                .args(["-c", &take_in("program", 5)])
                .env("HOME", home.path())
                .stdin(stdin)
                .stderr(Stdio::null())
                .spawn()
                .expect("there is a shell");
            pipe.write_all(content).expect("the shell reads");
            drop(pipe);
            shell.wait().expect("it ends").success()
        };
        let names = || {
            let folder = home.path().join(".cache/relay-mlir");
            let files = fs::read_dir(folder).expect("the shell has made it");
            let names = files.flatten().map(|file| file.file_name());
            names.collect::<Vec<_>>()
        };
        assert!(!take(b"abcd"));
        assert!(names().is_empty());
        assert!(take(b"abcde"));
        assert_eq!(names(), ["program"]);
    }
}
