//! A file that is not a log, or no longer one, is said to be damaged. Never a panic.

use runtime::log::Unavailable;
use runtime::log::embedded::EmbeddedLog;

use super::steps::{added, put, review, whole};
use super::{Bench, Embedded};

/// Opens and reads everything, and tells how far that went.
fn read_all(path: &std::path::Path) -> Result<usize, Unavailable> {
    let log = EmbeddedLog::open(path)?;
    runtime::log::LocalLog::tail_now(&log, None, usize::MAX).map(|found| found.len())
}

fn check(what: &str, bytes: &[u8]) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("log.redb");
    std::fs::write(&path, bytes).expect("a file");
    let outcome = read_all(&path);
    assert!(matches!(outcome, Err(Unavailable::Damaged(_))), "{what}: {outcome:?}");
}

/// The bytes of a log of some steps.
fn sound() -> Vec<u8> {
    let mut bench = Embedded::fresh();
    for number in 0..40 {
        put(bench.log(), &added(&review(number), "ada"));
    }
    bench.log = None;
    std::fs::read(bench.path()).expect("it is there")
}

#[test]
fn garbage_is_damaged() {
    check("text", b"this is no log, whatever its name says\n");
    check("zeros", &[0; 8192]);
    check(
        "noise",
        &(0..65_536_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>(),
    );
}

#[test]
fn a_truncated_file_is_damaged() {
    let sound = sound();
    for kept in [1, 100, 4_096, sound.len() / 2, sound.len() - 4_096] {
        check(&format!("{kept} of {} bytes", sound.len()), &sound[..kept]);
    }
}

#[test]
fn a_file_of_another_layout_is_damaged() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("log.redb");
    drop(EmbeddedLog::open(&path).expect("a new log"));
    let mut bytes = std::fs::read(&path).expect("it is there");
    // The table's keys lie side by side, and so do its values: the incarnation in 64 digits, then the version.
    const KEYS: &[u8] = b"incarnationversion";
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(KEYS)).collect();
    let mut altered = 0;
    for at in places {
        let version = at + KEYS.len() + 64;
        if bytes[version] == b'1' {
            bytes[version] = b'9';
            altered += 1;
        }
    }
    assert!(altered > 0, "the layout's version is in the file");
    check("layout 9", &bytes);
}

#[test]
fn an_empty_log_is_sound() {
    let mut bench = Embedded::fresh();
    assert!(whole(bench.log()).is_empty());
    bench.log = None;
    assert_eq!(read_all(&bench.path()), Ok(0));
}
