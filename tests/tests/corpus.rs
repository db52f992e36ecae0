//! The fuzz corpus, replayed as it is and mutated: no parser panics.

use std::path::PathBuf;

use tests::fuzzing::TARGETS;

/// Mutants of each corpus file.
const MUTANTS: usize = 60;

fn corpus(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../fuzz/corpus")).join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Flips, cuts, repeats and splices: what a fuzzer does first.
fn mutate(bytes: &[u8], rng: &mut fastrand::Rng) -> Vec<u8> {
    let mut mutant = bytes.to_vec();
    for _ in 0..rng.usize(1..4) {
        let length = mutant.len();
        if length == 0 {
            return mutant;
        }
        let at = rng.usize(0..length);
        match rng.u8(0..5) {
            0 => mutant[at] = rng.u8(..),
            1 => mutant.truncate(at),
            2 => mutant.insert(at, *rng.choice(b"{}[]\",:\0\xff-0e9\n ").unwrap()),
            3 => {
                let until = (at + rng.usize(1..64)).min(length);
                let piece = mutant[at..until].to_vec();
                mutant.splice(at..at, piece);
            }
            _ => {
                let until = (at + rng.usize(1..64)).min(length);
                mutant.drain(at..until);
            }
        }
    }
    mutant
}

#[test]
fn no_parser_panics_on_the_corpus_or_its_mutants() {
    let mut rng = fastrand::Rng::with_seed(9);
    for (name, run) in TARGETS {
        let files = corpus(name);
        assert!(files.len() >= 2, "the corpus of {name} is thin");
        for (path, bytes) in files {
            for number in 0..=MUTANTS {
                let bytes = if number == 0 { bytes.clone() } else { mutate(&bytes, &mut rng) };
                let panicked = std::panic::catch_unwind(|| run(&bytes)).is_err();
                assert!(
                    !panicked,
                    "{name}: mutant {number} of {}: {:?}",
                    path.display(),
                    String::from_utf8_lossy(&bytes)
                );
            }
        }
    }
}
