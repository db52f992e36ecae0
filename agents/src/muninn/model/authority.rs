//! Who stands behind a file: two sources are independent when their authority differs.

use ontology::Name;
use ontology::policy::Catalog;
use ontology::policy::catalog::wildcard;

use crate::input::InputError;

/// The authority of the file at `path`: the catalog's table (the pattern with most literal characters wins), else
/// what the file says of itself, else its top folder, else its path.
pub(super) fn of(path: &str, stated: Option<Name>, catalog: &Catalog) -> Result<Name, InputError> {
    let literal = |pattern: &str| pattern.chars().filter(|character| *character != '*').count();
    let closest = catalog
        .authorities
        .iter()
        .filter(|(pattern, _)| wildcard(pattern, path))
        .max_by(|a, b| literal(a.0).cmp(&literal(b.0)).then_with(|| b.0.cmp(a.0)));
    if let Some((_, authority)) = closest {
        return Ok(authority.clone());
    }
    if let Some(authority) = stated {
        return Ok(authority);
    }
    let folder = path.split_once('/').map_or(path, |(folder, _)| folder);
    Name::new(folder).map_err(|error| InputError::at(path, "", error.to_string()))
}
