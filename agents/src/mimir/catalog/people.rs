//! `people.yaml` (`arb: people/1`): who is who, and who has which role (U13).

use std::collections::{BTreeMap, BTreeSet};

use ontology::policy::People;
use ontology::policy::people::PEOPLE_MAX;
use ontology::{Name, Principal};
use serde::Deserialize;

use super::CatalogFile;
use crate::input::{InputError, yaml};

/// The only kind of SSH key that answers are signed with: small, and with one form of signature.
const KEY_TYPE: &str = "ssh-ed25519";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    arb: String,
    people: Vec<Person>,
    #[serde(default)]
    roles: BTreeMap<Name, BTreeSet<Name>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Person {
    id: Name,
    /// User names on the node's machine.
    #[serde(default)]
    unix: BTreeSet<Name>,
    /// Names of tokens of the node's `arb.toml`.
    #[serde(default)]
    tokens: BTreeSet<Name>,
    /// Public keys, as in `authorized_keys`.
    #[serde(default)]
    ssh: BTreeSet<String>,
    /// The numeric id at GitHub: logins change hands.
    #[serde(default)]
    github: Option<u64>,
    #[serde(default)]
    oidc: BTreeSet<Principal>,
}

/// Reads the people. No identity belongs to two of them, and every role's members are among them.
pub(super) fn read(file: &CatalogFile) -> Result<People, InputError> {
    let read: File = yaml::parse(&file.path, &file.bytes)?;
    let fault = |at: String, message: String| InputError::at(&file.path, format!("$.{at}"), message);
    if read.arb != "people/1" {
        return Err(fault("arb".into(), "expected people/1".into()));
    }
    if read.people.len() > PEOPLE_MAX {
        let count = read.people.len();
        return Err(fault("people".into(), format!("{count} people, at most {PEOPLE_MAX} are allowed")));
    }
    let mut people = People::default();
    let mut whose: BTreeMap<Principal, Name> = BTreeMap::new();
    for (number, person) in read.people.into_iter().enumerate() {
        let at = |field: &str| format!("people[{number}]{field}");
        let identities = identities(&person).map_err(|message| fault(at(".ssh"), message))?;
        for identity in &identities {
            if let Some(other) = whose.insert(identity.clone(), person.id.clone()) {
                return Err(fault(at(""), format!("{identity} is {other} already")));
            }
        }
        if people.identities.insert(person.id.clone(), identities).is_some() {
            return Err(fault(at(".id"), format!("{} is listed twice", person.id)));
        }
    }
    for (role, members) in &read.roles {
        if let Some(unknown) = members.iter().find(|member| !people.identities.contains_key(*member)) {
            return Err(fault(format!("roles.{role}"), format!("{unknown} is nobody under $.people")));
        }
    }
    people.roles = read.roles;
    Ok(people)
}

fn identities(person: &Person) -> Result<BTreeSet<Principal>, String> {
    let principal = |issuer: &str, subject: Name| Principal { issuer: literal(issuer), subject };
    let mut identities = person.oidc.clone();
    identities.extend(person.unix.iter().map(|user| principal("unix", user.clone())));
    identities.extend(person.tokens.iter().map(|token| principal("token", token.clone())));
    identities.extend(person.github.map(|id| principal("github", literal(&id.to_string()))));
    for key in &person.ssh {
        identities.insert(principal("ssh", public_key(key)?));
    }
    Ok(identities)
}

/// The type and the key itself, without the comment.
fn public_key(written: &str) -> Result<Name, String> {
    let mut words = written.split_whitespace();
    let (kind, key) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    if kind != KEY_TYPE {
        return Err(format!(
            "expected \"{KEY_TYPE} AAAA…\", as `ssh-keygen -t ed25519` writes it to a .pub file"
        ));
    }
    let base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    // 4 + 11 + 4 + 32 bytes in base64.
    if key.len() != 68 || !key.bytes().all(base64) {
        return Err("the key itself is not 51 bytes of base64".to_owned());
    }
    Name::new(format!("{kind} {key}")).map_err(|error| error.to_string())
}

fn literal(text: &str) -> Name {
    Name::new(text).expect("a short literal or number")
}
