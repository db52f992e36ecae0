//! Which names and texts look like secrets, whatever a plan marks (U3).

/// Words of a name that make it suspicious.
const SUSPICIOUS: [&str; 20] = [
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "pass",
    "secret",
    "secrets",
    "token",
    "tokens",
    "credential",
    "credentials",
    "cred",
    "creds",
    "private",
    "auth",
    "key",
    "keys",
    "apikey",
];

/// Two words that are suspicious side by side.
const SUSPICIOUS_PAIRS: [(&str, &str); 4] =
    [("connection", "string"), ("connection", "strings"), ("connection", "url"), ("sas", "url")];

/// Runs of words that hold a suspicious one and name no secret: what is left after they are taken out decides.
/// An address, an identifier, a kind or a switch can be read by anybody who may read the plan.
const INNOCENT: [&[&str]; 38] = [
    // The name of a key pair, the id or address of a key: whoever holds them holds no key.
    &["key", "name"],
    &["key", "pair"],
    &["key", "id"],
    &["key", "ids"],
    &["key", "arn"],
    &["kms", "key"],
    &["key", "vault"],
    &["key", "spec"],
    &["key", "usage"],
    &["key", "type"],
    &["key", "rotation"],
    &["key", "algorithm"],
    &["key", "source"],
    &["key", "enabled"],
    &["public", "key"],
    // Keys of tables and maps.
    &["hash", "key"],
    &["range", "key"],
    &["sort", "key"],
    &["partition", "key"],
    &["object", "key"],
    &["routing", "key"],
    &["topology", "key"],
    // Networks that are private.
    &["private", "ip"],
    &["private", "ips"],
    &["private", "ipv4"],
    &["private", "dns"],
    &["private", "subnet"],
    &["private", "subnets"],
    &["private", "endpoint"],
    &["private", "access"],
    &["private", "zone"],
    &["private", "link"],
    &["private", "cluster"],
    &["private", "nodes"],
    &["private", "network"],
    // Whether the instance metadata service demands session tokens.
    &["http", "tokens"],
    &["auth", "type"],
    &["secret", "arn"],
];

/// Whether a name looks as if a secret stood under it.
#[must_use]
pub(crate) fn looks_secret(name: &str) -> bool {
    let words = words(name);
    let mut rest: &[String] = &words;
    let mut before: Option<&str> = None;
    while let Some((word, tail)) = rest.split_first() {
        if let Some(run) = INNOCENT.iter().find(|run| starts_with(rest, run)) {
            rest = &rest[run.len()..];
            before = None;
            continue;
        }
        let pair = before.is_some_and(|before| SUSPICIOUS_PAIRS.contains(&(before, word)));
        if pair || SUSPICIOUS.contains(&word.as_str()) || word.contains("password") || word.contains("secret")
        {
            return true;
        }
        before = Some(word);
        rest = tail;
    }
    false
}

/// Whether a text is a secret by its own form, under whatever name it stands: a private key, a URL with a password,
/// a token with a well-known prefix.
#[must_use]
pub(crate) fn is_secret_text(text: &str) -> bool {
    const PREFIXES: [&str; 10] =
        ["AKIA", "ASIA", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "sk_live_"];
    text.contains("PRIVATE KEY-----")
        || PREFIXES.iter().any(|prefix| text.starts_with(prefix))
        || text.match_indices("://").any(|(at, _)| has_password(&text[at + 3..]))
}

/// Whether what follows `://` is `user:password@`.
fn has_password(authority: &str) -> bool {
    let end = authority.find(|c: char| c == '/' || c.is_whitespace()).unwrap_or(authority.len());
    let user = authority[..end].rsplit_once('@').map(|(user, _)| user);
    user.and_then(|user| user.split_once(':')).is_some_and(|(_, password)| !password.is_empty())
}

fn starts_with(words: &[String], run: &[&str]) -> bool {
    words.len() >= run.len() && words.iter().zip(run).all(|(word, expected)| word == expected)
}

/// The words of `snake_case`, `kebab-case`, `dotted.names` and `camelCase`, in lower case.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut lower_before = false;
    for c in name.chars() {
        if !c.is_alphanumeric() {
            words.push(String::new());
            lower_before = false;
            continue;
        }
        if c.is_uppercase() && lower_before {
            words.push(String::new());
        }
        lower_before = c.is_lowercase() || c.is_numeric();
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}
