//! GraphQL: as much of it as a client's few operations need, held against GitHub's published schema.

mod document;
mod schema;

pub use document::{Document, Field, Selection, parse};
pub use schema::faults;

use serde_json::{Map, Value, json};

use super::world::{Pull, Who};
use super::{Asked, Hub, Said};

impl Hub {
    pub(crate) fn graphql(&mut self, asked: &Asked<'_>) -> Said {
        if asked.who == Who::Anonymous {
            return Said::refused(401, "This endpoint requires you to be authenticated.");
        }
        let failed = |message: &str| Said::ok(json!({ "errors": [{ "message": message }] }));
        let query = asked.text("query").unwrap_or_default();
        let document = match parse(&query, &asked.body["variables"]) {
            Ok(document) => document,
            Err(why) => return failed(&format!("Parse error: {why}")),
        };
        if let Some(fault) = faults(&document).into_iter().next() {
            return failed(&fault);
        }
        let mut data = Map::new();
        for selection in &document.selections {
            let Selection::Field(field) = selection else { continue };
            let value = match field.name.as_str() {
                "repository" => self.repository_node(field, asked),
                "updatePullRequestBranch" => match self.update_branch_node(field, asked) {
                    Ok(value) => value,
                    Err(message) => {
                        return Said::ok(
                            json!({ "data": null, "errors": [{ "type": "UNPROCESSABLE", "message": message }] }),
                        );
                    }
                },
                _ => Value::Null,
            };
            data.insert(field.name.clone(), shown(&value, &field.selections));
        }
        Said::ok(json!({ "data": data }))
    }

    fn repository_node(&self, field: &Field, asked: &Asked<'_>) -> Value {
        let text = |name: &str| field.arguments.get(name).and_then(Value::as_str).unwrap_or_default();
        let id = self.world.repository_id(text("owner"), text("name"));
        let Some(id) = id.filter(|id| self.may_see(asked.who, *id)) else { return Value::Null };
        let wanted =
            field.selections.iter().filter_map(Selection::field).find(|field| field.name == "pullRequest");
        let number = wanted.and_then(|field| field.arguments.get("number")).and_then(Value::as_u64);
        let pull = number.and_then(|number| self.world.repositories[&id].pulls.get(&number));
        json!({ "pullRequest": pull.map_or(Value::Null, |pull| self.pull_node(id, pull, wanted)) })
    }

    fn pull_node(&self, repository: u64, pull: &Pull, field: Option<&Field>) -> Value {
        let found = &self.world.repositories[&repository];
        let contexts = field.and_then(|field| field.find("contexts"));
        let argument = |name: &str| contexts.and_then(|field| field.arguments.get(name));
        let first = argument("first").and_then(Value::as_u64).unwrap_or(100).min(100);
        let after =
            argument("after").and_then(Value::as_str).and_then(|after| after.parse().ok()).unwrap_or(0);
        let required = self.required_checks(repository, &pull.base_branch);
        let is_required = |name: &str, app: Option<i64>| {
            required.iter().any(|(required, pinned)| {
                required == name && pinned.is_none_or(|id| id < 0 || Some(id) == app)
            })
        };
        let upper = |text: &str| text.to_uppercase();
        let runs = found.check_runs.values().filter(|run| run.head == pull.head).map(|run| {
            json!({
                "__typename": "CheckRun", "databaseId": run.id, "name": run.name, "status": upper(&run.status),
                "conclusion": run.conclusion.as_deref().map(upper), "isRequired": is_required(&run.name, Some(run.app.cast_signed())),
            })
        });
        let statuses = found.statuses.iter().filter(|status| status.head == pull.head).map(|status| {
            json!({
                "__typename": "StatusContext", "context": status.context, "state": upper(&status.state),
                "isRequired": is_required(&status.context, None),
            })
        });
        let all: Vec<Value> = runs.chain(statuses).collect();
        let end = (after + first as usize).min(all.len());
        let nodes = all.get(after..end).unwrap_or_default();
        let page = json!({ "hasNextPage": end < all.len(), "endCursor": end.to_string() });
        let contexts = json!({ "totalCount": all.len(), "pageInfo": page, "nodes": nodes });
        json!({
            "id": format!("PR_{}", pull.id), "databaseId": pull.id, "number": pull.number, "headRefOid": pull.head,
            "baseRefOid": pull.base, "isDraft": pull.draft, "mergeable": "UNKNOWN",
            "statusCheckRollup": if all.is_empty() { Value::Null } else { json!({ "contexts": contexts }) },
        })
    }

    fn update_branch_node(&mut self, field: &Field, asked: &Asked<'_>) -> Result<Value, String> {
        let input = &field.arguments["input"];
        let id = input["pullRequestId"].as_str().unwrap_or_default().to_owned();
        let pulls = self.world.repositories.values().flat_map(|found| {
            found.pulls.values().map(move |pull| (found.id, pull.number, format!("PR_{}", pull.id)))
        });
        let found = pulls.into_iter().find(|(_, _, node)| *node == id);
        let Some((repository, number, _)) =
            found.filter(|(repository, ..)| self.may_see(asked.who, *repository))
        else {
            return Err(format!("Could not resolve to a node with the global id of '{id}'"));
        };
        if !self.may(asked.who, "pull_requests", "write") {
            return Err("Resource not accessible by integration".to_owned());
        }
        let rebase = input["updateMethod"] == "REBASE";
        let expected = input["expectedHeadOid"].as_str();
        self.bring_up_to_date(repository, number, expected, rebase, asked)
            .map_err(|(_, message)| message.to_owned())?;
        let pull = &self.world.repositories[&repository].pulls[&number];
        Ok(json!({ "pullRequest": self.pull_node(repository, pull, None), "clientMutationId": null }))
    }
}

/// What of a value is selected.
fn shown(value: &Value, selections: &[Selection]) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| shown(item, selections)).collect(),
        Value::Object(object) if !selections.is_empty() => {
            let mut picked = Map::new();
            for selection in selections {
                match selection {
                    Selection::Field(field) => {
                        let inner = object.get(&field.name).unwrap_or(&Value::Null);
                        picked.insert(field.name.clone(), shown(inner, &field.selections));
                    }
                    Selection::On(kind, inner)
                        if object.get("__typename").is_none_or(|name| name == kind) =>
                    {
                        if let Value::Object(inner) = shown(value, inner) {
                            picked.extend(inner);
                        }
                    }
                    Selection::On(..) => {}
                }
            }
            Value::Object(picked)
        }
        other => other.clone(),
    }
}
