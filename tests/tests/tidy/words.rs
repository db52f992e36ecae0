//! The project speaks of itself alone.

use super::assert_tidy;
use super::repository::{File, files};

/// Places of a machine and names of other projects. Put together here, so that this file does not hold them.
const FOREIGN: [&str; 9] = [
    concat!("/wo", "rk/"),
    concat!("/ro", "ot/"),
    concat!("/home", "/"),
    concat!("/tmp", "/deny"),
    concat!("/tmp", "/bash"),
    concat!("fd", "ai"),
    concat!("artif", "actory"),
    concat!("jf", "rog"),
    concat!("nex", "us."),
];

fn foreign(file: &File) -> Vec<String> {
    let lines = file.text.lines().enumerate();
    lines
        .flat_map(|(at, line)| {
            let lower = line.to_lowercase();
            let words = FOREIGN.iter().filter(move |word| lower.contains(**word));
            words.map(move |word| format!("{}:{}: {word:?} is foreign to this project", file.path, at + 1))
        })
        .collect()
}

#[test]
fn a_foreign_word_is_a_fault() {
    for word in FOREIGN {
        let file = File { path: "x.md".to_owned(), text: format!("first\nsee {}x\n", word.to_uppercase()) };
        assert_eq!(foreign(&file).len(), 1, "{word}");
    }
}

#[test]
fn the_project_speaks_of_itself_alone() {
    let texts = files(&[".rs", ".md", ".toml", ".yaml", ".yml", ".json", ".snap", "run", "test", "LICENSE"]);
    assert_tidy(&texts.iter().flat_map(foreign).collect::<Vec<_>>());
}
