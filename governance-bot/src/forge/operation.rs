//! The closed table of operations: what may be asked of the forge, and what may be done when no answer comes.

use std::fmt;

/// An HTTP method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Method {
    /// Reads.
    Get,
    /// Makes, or does.
    Post,
    /// Sets as a whole, or does.
    Put,
    /// Sets in part.
    Patch,
    /// Takes away.
    Delete,
}

impl Method {
    /// Its name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// What may be done when the outcome is in doubt (research 1.14: one policy for all verbs made duplicates).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// Changes nothing: sent again.
    Read,
    /// Carried out twice, it leaves the same: sent again.
    Repeatable,
    /// Makes something that bears a marker: sent again only after the marker was looked for and not found.
    Marked,
    /// Never sent again. Whether it happened is found out by reading refs and trees.
    Once,
}

/// One operation of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// GitHub's `operationId`.
    pub name: &'static str,
    /// The method.
    pub method: Method,
    /// The path with its parameters in braces.
    pub path: &'static str,
    /// What may be done when the outcome is in doubt.
    pub class: Class,
    /// Whether it counts against the limits on creating content (80 a minute, 500 an hour).
    pub creates_content: bool,
    /// Where the items of a listing stand: in the array under this name, else the body is the array.
    pub envelope: Option<&'static str>,
}

/// The table: constant, `operationId`, method, path, class, words.
macro_rules! operations {
    ($($constant:ident = $name:literal, $method:ident $path:literal, $class:ident $(, $word:ident $(= $value:literal)?)?;)*) => {
        impl Operation {
            $(
                #[doc = concat!("`", $name, "`")]
                pub const $constant: Self = Self {
                    name: $name,
                    method: Method::$method,
                    path: $path,
                    class: Class::$class,
                    creates_content: operations!(@creates $($word)?),
                    envelope: operations!(@envelope $($word $(= $value)?)?),
                };
            )*
            /// Every operation.
            pub const ALL: &'static [Self] = &[$(Self::$constant),*];
        }
    };
    (@creates creates) => { true };
    (@creates $($other:ident)?) => { false };
    (@envelope within = $value:literal) => { Some($value) };
    (@envelope $($other:ident)?) => { None };
}

operations! {
    GET_APP = "apps/get-authenticated", Get "/app", Read;
    LIST_INSTALLATIONS = "apps/list-installations", Get "/app/installations", Read;
    CREATE_TOKEN = "apps/create-installation-access-token", Post "/app/installations/{installation_id}/access_tokens", Repeatable;
    LIST_DELIVERIES = "apps/list-webhook-deliveries", Get "/app/hook/deliveries", Read;
    REDELIVER = "apps/redeliver-webhook-delivery", Post "/app/hook/deliveries/{delivery_id}/attempts", Repeatable;
    LIST_REPOSITORIES = "apps/list-repos-accessible-to-installation", Get "/installation/repositories", Read, within = "repositories";
    GET_RATE_LIMIT = "rate-limit/get", Get "/rate_limit", Read;
    LIST_TEAM_MEMBERS = "teams/list-members-in-org", Get "/orgs/{org}/teams/{team_slug}/members", Read;

    GET_REPOSITORY = "repos/get", Get "/repos/{owner}/{repo}", Read;
    GET_BRANCH = "repos/get-branch", Get "/repos/{owner}/{repo}/branches/{branch}", Read;
    GET_PROTECTION = "repos/get-branch-protection", Get "/repos/{owner}/{repo}/branches/{branch}/protection", Read;
    LIST_BRANCH_RULES = "repos/get-branch-rules", Get "/repos/{owner}/{repo}/rules/branches/{branch}", Read;
    LIST_COMMITS = "repos/list-commits", Get "/repos/{owner}/{repo}/commits", Read;
    GET_COMMIT = "repos/get-commit", Get "/repos/{owner}/{repo}/commits/{ref}", Read;
    LIST_PULLS_OF_COMMIT = "repos/list-pull-requests-associated-with-commit", Get "/repos/{owner}/{repo}/commits/{commit_sha}/pulls", Read;
    COMPARE = "repos/compare-commits", Get "/repos/{owner}/{repo}/compare/{base}...{head}", Read, within = "commits";
    GET_CONTENT = "repos/get-content", Get "/repos/{owner}/{repo}/contents/{path}", Read;
    PUT_CONTENT = "repos/create-or-update-file-contents", Put "/repos/{owner}/{repo}/contents/{path}", Once;
    LIST_ARTIFACTS = "actions/list-artifacts-for-repo", Get "/repos/{owner}/{repo}/actions/artifacts", Read, within = "artifacts";
    LIST_RUNS = "actions/list-workflow-runs-for-repo", Get "/repos/{owner}/{repo}/actions/runs", Read, within = "workflow_runs";

    GET_REF = "git/get-ref", Get "/repos/{owner}/{repo}/git/ref/{ref}", Read;
    CREATE_REF = "git/create-ref", Post "/repos/{owner}/{repo}/git/refs", Once;
    UPDATE_REF = "git/update-ref", Patch "/repos/{owner}/{repo}/git/refs/{ref}", Once;
    DELETE_REF = "git/delete-ref", Delete "/repos/{owner}/{repo}/git/refs/{ref}", Once;
    GET_GIT_COMMIT = "git/get-commit", Get "/repos/{owner}/{repo}/git/commits/{commit_sha}", Read;
    GET_TREE = "git/get-tree", Get "/repos/{owner}/{repo}/git/trees/{tree_sha}", Read;
    GET_BLOB = "git/get-blob", Get "/repos/{owner}/{repo}/git/blobs/{file_sha}", Read;

    LIST_PULLS = "pulls/list", Get "/repos/{owner}/{repo}/pulls", Read;
    GET_PULL = "pulls/get", Get "/repos/{owner}/{repo}/pulls/{pull_number}", Read;
    LIST_PULL_COMMITS = "pulls/list-commits", Get "/repos/{owner}/{repo}/pulls/{pull_number}/commits", Read;
    LIST_PULL_FILES = "pulls/list-files", Get "/repos/{owner}/{repo}/pulls/{pull_number}/files", Read;
    LIST_REVIEWS = "pulls/list-reviews", Get "/repos/{owner}/{repo}/pulls/{pull_number}/reviews", Read;
    CREATE_PULL = "pulls/create", Post "/repos/{owner}/{repo}/pulls", Marked, creates;
    UPDATE_PULL = "pulls/update", Patch "/repos/{owner}/{repo}/pulls/{pull_number}", Repeatable;
    UPDATE_BRANCH = "pulls/update-branch", Put "/repos/{owner}/{repo}/pulls/{pull_number}/update-branch", Once;
    MERGE = "pulls/merge", Put "/repos/{owner}/{repo}/pulls/{pull_number}/merge", Once;

    LIST_CHECK_RUNS = "checks/list-for-ref", Get "/repos/{owner}/{repo}/commits/{ref}/check-runs", Read, within = "check_runs";
    LIST_CHECK_SUITES = "checks/list-suites-for-ref", Get "/repos/{owner}/{repo}/commits/{ref}/check-suites", Read, within = "check_suites";
    CREATE_CHECK_RUN = "checks/create", Post "/repos/{owner}/{repo}/check-runs", Marked, creates;
    UPDATE_CHECK_RUN = "checks/update", Patch "/repos/{owner}/{repo}/check-runs/{check_run_id}", Repeatable;
    GET_STATUS = "repos/get-combined-status-for-ref", Get "/repos/{owner}/{repo}/commits/{ref}/status", Read, within = "statuses";
    CREATE_STATUS = "repos/create-commit-status", Post "/repos/{owner}/{repo}/statuses/{sha}", Repeatable, creates;

    LIST_ISSUES = "issues/list-for-repo", Get "/repos/{owner}/{repo}/issues", Read;
    GET_ISSUE = "issues/get", Get "/repos/{owner}/{repo}/issues/{issue_number}", Read;
    LIST_TIMELINE = "issues/list-events-for-timeline", Get "/repos/{owner}/{repo}/issues/{issue_number}/timeline", Read;
    LIST_COMMENTS = "issues/list-comments", Get "/repos/{owner}/{repo}/issues/{issue_number}/comments", Read;
    LIST_REACTIONS = "reactions/list-for-issue", Get "/repos/{owner}/{repo}/issues/{issue_number}/reactions", Read;
    CREATE_ISSUE = "issues/create", Post "/repos/{owner}/{repo}/issues", Marked, creates;
    UPDATE_ISSUE = "issues/update", Patch "/repos/{owner}/{repo}/issues/{issue_number}", Repeatable;
    CREATE_COMMENT = "issues/create-comment", Post "/repos/{owner}/{repo}/issues/{issue_number}/comments", Marked, creates;
    UPDATE_COMMENT = "issues/update-comment", Patch "/repos/{owner}/{repo}/issues/comments/{comment_id}", Repeatable;
    DELETE_COMMENT = "issues/delete-comment", Delete "/repos/{owner}/{repo}/issues/comments/{comment_id}", Repeatable;
    ADD_LABELS = "issues/add-labels", Post "/repos/{owner}/{repo}/issues/{issue_number}/labels", Repeatable;
    REMOVE_LABEL = "issues/remove-label", Delete "/repos/{owner}/{repo}/issues/{issue_number}/labels/{name}", Repeatable;
}

impl Operation {
    /// A GraphQL query: reads, and is no operation of the REST description.
    pub const GRAPHQL_QUERY: Self = Self {
        name: "graphql/query",
        method: Method::Post,
        path: "/graphql",
        class: Class::Read,
        creates_content: false,
        envelope: None,
    };
    /// A GraphQL mutation: never sent again.
    pub const GRAPHQL_MUTATION: Self =
        Self { name: "graphql/mutation", class: Class::Once, ..Self::GRAPHQL_QUERY };
}
