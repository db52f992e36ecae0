//! Addresses of resources: `module.db[0].aws_db_instance.main["a.b"]`.

/// One step of an address: a name and the index that chooses an instance of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Step<'a> {
    pub(super) name: &'a str,
    /// With its brackets; empty where there is none.
    pub(super) index: &'a str,
}

/// The steps of an address. Brackets and quotes are respected: a key may hold dots.
pub(super) fn steps(address: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut rest = address;
    while !rest.is_empty() {
        let end = end_of_step(rest);
        let (step, tail) = rest.split_at(end);
        let (name, index) = step.split_at(step.find('[').unwrap_or(step.len()));
        steps.push(Step { name, index });
        rest = tail.strip_prefix('.').unwrap_or(tail);
    }
    steps
}

/// The address without any index: what a configuration calls all instances together.
pub(crate) fn without_indices(address: &str) -> String {
    let names: Vec<&str> = steps(address).into_iter().map(|step| step.name).collect();
    names.join(".")
}

/// Whether two addresses lie in the same instances of the modules that they share.
pub(crate) fn same_instances(one: &str, other: &str) -> bool {
    for pair in steps(one).chunks(2).zip(steps(other).chunks(2)) {
        match pair {
            ([module, one], [other_module, other])
                if module.name == "module" && other_module.name == "module" && one.name == other.name =>
            {
                if one.index != other.index {
                    return false;
                }
            }
            _ => return true,
        }
    }
    true
}

fn end_of_step(text: &str) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b'.' if depth == 0 => return at,
            _ => {}
        }
    }
    text.len()
}
