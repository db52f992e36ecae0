use proptest::prelude::*;

use super::*;

const MERGE: &str = "tree 1111111111111111111111111111111111111111
parent 2222222222222222222222222222222222222222
parent 3333333333333333333333333333333333333333
author A <a@example.org> 1796000000 +0100
committer B <b@example.org> 1796000001 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 
 parent 4444444444444444444444444444444444444444
 -----END PGP SIGNATURE-----

Merge x

parent 5555555555555555555555555555555555555555
";

#[test]
fn b93_parents_are_counted_in_the_object_and_nowhere_else() {
    let commit = parse("aa", MERGE.as_bytes()).expect("a commit");
    assert_eq!(
        commit.parents.len(),
        2,
        "neither the signature nor the message adds one: {:?}",
        commit.parents
    );
    assert!(commit.signed);
    assert_eq!(commit.author, "A <a@example.org> 1796000000 +0100");
    assert!(commit.message.starts_with("Merge x\n"));
}

#[test]
fn a_batch_is_read_to_its_end_or_not_at_all() {
    let batch = format!("aa commit {}\n{MERGE}\nbb commit {}\n{MERGE}\n", MERGE.len(), MERGE.len());
    assert_eq!(parse_batch(batch.as_bytes()).map(|commits| commits.len()), Ok(2));
    assert!(parse_batch(&batch.as_bytes()[..batch.len() - 20]).is_err(), "cut short");
    assert!(parse_batch(b"aa missing\n").is_err());
    assert!(parse_batch(b"aa blob 3\nabc\n").is_err());
}

proptest! {
    #[test]
    fn no_bytes_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = parse("aa", &bytes);
        let _ = parse_batch(&bytes);
    }
}
