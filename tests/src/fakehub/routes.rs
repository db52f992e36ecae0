//! Which function answers which operation.

mod apps;
mod checks;
mod git_data;
mod issues;
mod merging;
mod pulls;
mod repositories;

use super::{Asked, Hub, Said};

impl Hub {
    /// Carries an operation out.
    pub(crate) fn route(&mut self, operation: &str, asked: &Asked<'_>) -> Said {
        match operation {
            "graphql" => return self.graphql(asked),
            "rate-limit/get" => return self.rate_limit(),
            "users/get-authenticated" => return self.authenticated(asked),
            "teams/list-members-in-org" => return self.team_members(asked),
            "apps/list-repos-accessible-to-installation" => return self.accessible(asked),
            _ if operation.starts_with("apps/") => return self.route_app(operation, asked),
            _ => {}
        }
        // What may not be seen is not there.
        let repository = self.world.repository_id(asked.parameter("owner"), asked.parameter("repo"));
        let Some(repository) = repository.filter(|repository| self.may_see(asked.who, *repository)) else {
            return Said::missing();
        };
        match operation.split_once('/').map_or("", |(group, _)| group) {
            "repos" => self.route_repository(operation, asked, repository),
            "git" => self.route_git(operation, asked, repository),
            "pulls" => self.route_pulls(operation, asked, repository),
            "issues" | "reactions" => self.route_issues(operation, asked, repository),
            "checks" | "actions" => self.route_checks(operation, asked, repository),
            _ => Said::missing(),
        }
    }

    /// The refusal of an actor without a permission.
    pub(crate) fn forbidden(&self, asked: &Asked<'_>, permission: &str, level: &str) -> Option<Said> {
        if self.may(asked.who, permission, level) {
            None
        } else if matches!(asked.who, super::Who::Anonymous) {
            Some(Said::refused(401, "Requires authentication"))
        } else {
            Some(Said::refused(403, "Resource not accessible by integration"))
        }
    }

    /// The commit that a name means: a SHA, a branch, `heads/…`.
    pub(crate) fn resolve(&self, repository: u64, name: &str) -> Option<String> {
        let found = &self.world.repositories[&repository];
        let branch = name.strip_prefix("refs/").unwrap_or(name);
        let branch = branch.strip_prefix("heads/").unwrap_or(branch);
        found.branches.get(branch).cloned().or_else(|| {
            let is_sha = name.len() == 40 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
            (is_sha && found.bare.has(name)).then(|| name.to_owned())
        })
    }
}
