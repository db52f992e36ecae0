//! The timeline: commits, events, comments and reviews, oldest first.

use ontology::Timestamp;
use serde_json::{Value, json};

use super::super::Hub;
use super::super::bare::GitCommit;
use super::super::description::description;
use super::super::world::{Comment, Event, Review};
use super::time;

impl Hub {
    /// The timeline of an issue or pull request.
    pub(crate) fn timeline(&self, repository: u64, number: u64) -> Vec<Value> {
        let found = &self.world.repositories[&repository];
        let issue = &found.issues[&number];
        let pull = found.pulls.get(&number);
        let mut entries: Vec<(Timestamp, u64, Value)> = Vec::new();
        for (at, commit) in (0..).zip(pull.map(|pull| self.commits_of(repository, pull)).unwrap_or_default())
        {
            entries.push((issue.created_at, at, self.committed(&commit)));
        }
        entries.extend(issue.events.iter().map(|event| (event.at, event.id, self.event(event))));
        entries.extend(
            issue.comments.iter().map(|comment| (comment.created_at, comment.id, self.commented(comment))),
        );
        let reviews = pull.map(|pull| pull.reviews.as_slice()).unwrap_or_default();
        entries.extend(reviews.iter().map(|review| (review.at, review.id, self.reviewed(review))));
        entries.sort_by_key(|(at, id, _)| (*at, *id));
        entries.into_iter().map(|(_, _, entry)| entry).collect()
    }

    fn committed(&self, commit: &GitCommit) -> Value {
        let url = self.url(&format!("/git/commits/{}", commit.sha));
        let signatory =
            |of: &[String; 3]| json!({ "name": of[0], "email": of[1], "date": super::utc(&of[2]) });
        let parent = |sha: &String| json!({ "sha": sha, "url": url, "html_url": url });
        json!({
            "event": "committed", "sha": commit.sha, "node_id": format!("C_{}", commit.sha), "url": url, "html_url": url,
            "author": signatory(&commit.author), "committer": signatory(&commit.committer),
            "tree": { "sha": commit.tree, "url": url }, "message": commit.message.trim_end_matches('\n'),
            "parents": commit.parents.iter().map(parent).collect::<Vec<_>>(),
            "verification": { "verified": false, "reason": "unsigned", "signature": null, "payload": null, "verified_at": null },
        })
    }

    fn event(&self, event: &Event) -> Value {
        let mut value = json!({
            "id": event.id, "node_id": format!("E_{}", event.id), "url": self.url("/events"), "actor": self.user(event.actor),
            "event": event.kind, "commit_id": event.commit, "commit_url": event.commit.as_ref().map(|_| self.url("/commit")),
            "created_at": time(event.at), "performed_via_github_app": null,
        });
        if let Some(label) = &event.label {
            value["label"] = json!({ "name": label, "color": "ededed" });
        }
        if let Some((from, to)) = &event.rename {
            value["rename"] = json!({ "from": from, "to": to });
        }
        value
    }

    fn commented(&self, comment: &Comment) -> Value {
        let mut value = self.comment(comment);
        value["event"] = json!("commented");
        value["actor"] = self.user(comment.author);
        value
    }

    fn reviewed(&self, review: &Review) -> Value {
        let mut value = description().shaped("timeline-reviewed-event", self.review(review));
        value["event"] = json!("reviewed");
        value["state"] = json!(review.state.to_lowercase());
        value
    }
}
