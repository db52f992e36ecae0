//! Issues, comments, labels, reactions, the timeline.

use serde_json::{Value, json};

use super::super::{Asked, Hub, Said};

impl Hub {
    pub(super) fn route_issues(&mut self, operation: &str, asked: &Asked<'_>, repository: u64) -> Said {
        match operation {
            "issues/list-for-repo" => return self.list_issues(asked, repository),
            "issues/create" => return self.create_issue(asked, repository),
            "issues/update-comment" | "issues/delete-comment" => {
                return self.change_comment(operation, asked, repository);
            }
            _ => {}
        }
        let number = asked.number("issue_number");
        let Some(issue) = self.world.repositories[&repository].issues.get(&number) else {
            return Said::missing();
        };
        match operation {
            "issues/get" => Said::ok(self.issue(repository, number)),
            "issues/list-events-for-timeline" => Said::list(self.timeline(repository, number)),
            "issues/list-comments" => {
                Said::list(issue.comments.iter().map(|comment| self.comment(comment)).collect())
            }
            "reactions/list-for-issue" => {
                Said::list(issue.reactions.iter().map(|reaction| self.reaction(reaction)).collect())
            }
            _ => match self.forbidden(asked, "issues", "write") {
                Some(refusal) => refusal,
                None => self.change_issue(operation, asked, repository, number),
            },
        }
    }

    fn change_issue(&mut self, operation: &str, asked: &Asked<'_>, repository: u64, number: u64) -> Said {
        let actor = self.world.actor(asked.who);
        match operation {
            "issues/create-comment" => {
                let id = self.comment_by(repository, number, actor, &asked.text("body").unwrap_or_default());
                let comments = &self.world.repositories[&repository].issues[&number].comments;
                let comment = comments.iter().find(|comment| comment.id == id).expect("it was just made");
                Said::with(201, self.comment(comment))
            }
            "issues/add-labels" => {
                let names = asked.body["labels"].as_array().or_else(|| asked.body.as_array());
                let names: Vec<String> =
                    names.into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
                for name in names {
                    self.label(repository, number, &name, actor);
                }
                Said::ok(self.issue(repository, number)["labels"].clone())
            }
            "issues/remove-label" => {
                if !self.unlabel(repository, number, asked.parameter("name"), actor) {
                    return Said::refused(404, "Label does not exist");
                }
                Said::ok(self.issue(repository, number)["labels"].clone())
            }
            "reactions/create-for-issue" => {
                let content = asked.text("content").unwrap_or_default();
                self.react(repository, number, actor, &content);
                let reactions = &self.world.repositories[&repository].issues[&number].reactions;
                Said::with(201, self.reaction(reactions.last().expect("it was just made")))
            }
            "issues/update" => {
                self.edit(repository, number, asked.text("title"), asked.text("body"), actor);
                if let Some(state) = asked.text("state") {
                    self.set_open(repository, number, state == "open", actor);
                }
                Said::ok(self.issue(repository, number))
            }
            _ => Said::missing(),
        }
    }

    fn list_issues(&self, asked: &Asked<'_>, repository: u64) -> Said {
        let found = &self.world.repositories[&repository];
        let state = asked.query.get("state").map_or("open", String::as_str);
        let wanted: Vec<&str> =
            asked.query.get("labels").map(|labels| labels.split(',').collect()).unwrap_or_default();
        let mut numbers: Vec<u64> = found
            .issues
            .values()
            .filter(|issue| state == "all" || issue.open == (state == "open"))
            .filter(|issue| wanted.iter().all(|label| issue.labels.iter().any(|has| has == label)))
            .map(|issue| issue.number)
            .collect();
        if asked.query.get("direction").is_none_or(|direction| direction == "desc") {
            numbers.reverse();
        }
        Said::list(numbers.into_iter().map(|number| self.issue(repository, number)).collect())
    }

    fn create_issue(&mut self, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "issues", "write") {
            return refusal;
        }
        let author = self.world.actor(asked.who);
        let (title, body) = (asked.text("title").unwrap_or_default(), asked.text("body").unwrap_or_default());
        let number = self.open_issue(repository, &title, &body, author);
        let labels = asked.body["labels"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for label in labels.map(ToOwned::to_owned).collect::<Vec<_>>() {
            self.label(repository, number, &label, author);
        }
        Said::with(201, self.issue(repository, number))
    }

    fn change_comment(&mut self, operation: &str, asked: &Asked<'_>, repository: u64) -> Said {
        if let Some(refusal) = self.forbidden(asked, "issues", "write") {
            return refusal;
        }
        let (id, now) = (asked.number("comment_id"), self.world.now);
        let found = self.world.repositories.get_mut(&repository).expect("it was resolved");
        let Some(issue) =
            found.issues.values_mut().find(|issue| issue.comments.iter().any(|comment| comment.id == id))
        else {
            return Said::missing();
        };
        issue.updated_at = now;
        let number = issue.number;
        if operation == "issues/delete-comment" {
            issue.comments.retain(|comment| comment.id != id);
            self.emit(
                "issue_comment",
                Some("deleted"),
                Some(repository),
                json!({ "issue": { "number": number } }),
            );
            return Said::with(204, Value::Null);
        }
        let comment = issue.comments.iter_mut().find(|comment| comment.id == id).expect("it was found");
        comment.body = asked.text("body").unwrap_or_default();
        comment.updated_at = now;
        let comment = comment.clone();
        self.emit(
            "issue_comment",
            Some("edited"),
            Some(repository),
            json!({ "issue": { "number": number } }),
        );
        Said::ok(self.comment(&comment))
    }
}
