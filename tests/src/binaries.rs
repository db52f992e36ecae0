//! The real programs, as a user runs them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Once;

/// The program `name` of the `runtime` crate, built from this tree.
///
/// # Panics
/// When it cannot be built.
#[must_use]
pub fn binary(name: &str) -> PathBuf {
    static BUILT: Once = Once::new();
    BUILT.call_once(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--package", "runtime", "--bins"])
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .status();
        assert!(built.is_ok_and(|status| status.success()), "cargo build -p runtime --bins");
    });
    // target/debug/deps/integration-… → target/debug
    let deps = std::env::current_exe().expect("a test knows its own path");
    let profile = deps.parent().and_then(|deps| deps.parent()).expect("tests live in target/PROFILE/deps");
    profile.join(name)
}
