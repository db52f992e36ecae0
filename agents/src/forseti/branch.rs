//! The name of a scenario branch: safe everywhere, whatever the change is called (S-32).

use ontology::Digest;

/// Characters of a branch id at most: what every system that has branches takes.
const BRANCH_ID_CHARACTERS_MAX: usize = 64;
/// What every branch id starts with.
const PREFIX: &str = "arb-";
/// Hexadecimal digits of the change's digest: 128 bits tell any two changes apart.
const DIGEST_DIGITS: usize = 32;
/// What is left for the readable part, between the prefix and a dash.
const READABLE_CHARACTERS_MAX: usize = BRANCH_ID_CHARACTERS_MAX - PREFIX.len() - 1 - DIGEST_DIGITS;
/// The readable part of a name that has no readable character.
const FALLBACK: &str = "change";

/// `arb-`, what is readable of `name`, `-` and 32 digits of the change's digest: ASCII, at most 64 characters.
pub(super) fn id(name: &str, change_digest: Digest) -> String {
    let readable: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .take(READABLE_CHARACTERS_MAX)
        .collect();
    let readable = readable.trim_matches('-');
    let readable = if readable.is_empty() { FALLBACK } else { readable };
    format!("{PREFIX}{readable}-{}", &change_digest.hex()[..DIGEST_DIGITS])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s32_a_branch_id_is_short_ascii_whatever_the_change_is_called() {
        let digest = Digest::of(b"a change");
        let digits = &digest.hex()[..32];
        let check = |name: &str, readable: &str| {
            let id = id(name, digest);
            assert_eq!(id, format!("arb-{readable}-{digits}"), "of {name:?}");
            assert!(id.len() <= 64 && id.is_ascii());
        };
        check("PR 412: Resize orders", "pr-412--resize-orders");
        check("변경", "change");
        check(&"x".repeat(300), &"x".repeat(27));
        check(&"é".repeat(300), "change");
        check("4c1d04c4-8dd0-5d3c-9e1b-3a302dc17f52", "4c1d04c4-8dd0-5d3c-9e1b-3a3");
    }

    #[test]
    fn s32_two_changes_of_one_name_have_two_branches() {
        assert_ne!(id("same", Digest::of(b"one")), id("same", Digest::of(b"two")));
    }
}
