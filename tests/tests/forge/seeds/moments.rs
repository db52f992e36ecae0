//! Moments of the world, and whether a snapshot is one of them.

use std::collections::{BTreeMap, BTreeSet};

use governance_bot::facts::PullFacts;
use serde_json::Value;
use tests::fakehub::Hub;

use crate::forge::stage::objects;

/// A moment of the world, as far as a snapshot tells of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Moment {
    main: String,
    /// What must be of one moment: the pull request, its events, its reviews.
    whole: BTreeMap<u64, Value>,
    reactions: BTreeMap<u64, Vec<u64>>,
    artifacts: Vec<u64>,
    /// Check runs and statuses by commit.
    checks: BTreeMap<String, BTreeSet<(u64, String)>>,
    statuses: BTreeMap<String, BTreeSet<(u64, String)>>,
}

pub(super) fn moment(hub: &Hub, shop: u64) -> Moment {
    let found = &hub.world.repositories[&shop];
    let mut checks: BTreeMap<String, BTreeSet<(u64, String)>> = BTreeMap::new();
    for run in found.check_runs.values() {
        checks
            .entry(run.head.clone())
            .or_default()
            .insert((run.id, run.conclusion.clone().unwrap_or_default()));
    }
    let mut newest: BTreeMap<(String, String), (u64, String)> = BTreeMap::new();
    for status in &found.statuses {
        newest.insert((status.head.clone(), status.context.clone()), (status.id, status.state.clone()));
    }
    let mut statuses: BTreeMap<String, BTreeSet<(u64, String)>> = BTreeMap::new();
    for ((head, _), status) in newest {
        statuses.entry(head).or_default().insert(status);
    }
    let whole = found.pulls.values().map(|pull| {
        let issue = &found.issues[&pull.number];
        let comments: Vec<_> =
            issue.comments.iter().map(|comment| (comment.id, comment.body.clone())).collect();
        let events: BTreeSet<u64> = issue.events.iter().map(|event| event.id).collect();
        let reviews: Vec<_> = pull.reviews.iter().map(|review| (review.id, review.state.clone())).collect();
        let labels: BTreeSet<&String> = issue.labels.iter().collect();
        let value = serde_json::json!([
            pull.head,
            pull.base_branch,
            pull.draft,
            issue.open,
            issue.title,
            labels,
            comments,
            events,
            reviews,
        ]);
        (pull.number, value)
    });
    let reactions = found
        .issues
        .values()
        .map(|issue| (issue.number, issue.reactions.iter().map(|reaction| reaction.id).collect()));
    Moment {
        main: found.branches["main"].clone(),
        whole: whole.collect(),
        reactions: reactions.collect(),
        artifacts: found.artifacts.keys().copied().collect(),
        checks,
        statuses,
    }
}

/// The same of a snapshot.
pub(super) fn told(facts: &PullFacts) -> Value {
    let content = &facts.content;
    let pull = &content.pull;
    let of =
        |kind: &str| content.timeline.items.iter().filter(move |event| event.is(kind)).collect::<Vec<_>>();
    let comments: Vec<_> = of("commented")
        .iter()
        .map(|event| (event.id.unwrap_or(0), event.body.clone().unwrap_or_default()))
        .collect();
    let others = content.timeline.items.iter();
    let others =
        others.filter(|event| !["commented", "reviewed", "committed"].iter().any(|kind| event.is(kind)));
    let events: BTreeSet<u64> = others.filter_map(|event| event.id).collect();
    let reviews: Vec<_> =
        content.reviews.items.iter().map(|review| (review.id, review.state.word().to_owned())).collect();
    let labels: BTreeSet<&String> = pull.labels.iter().map(|label| &label.name).collect();
    serde_json::json!([
        pull.head.sha,
        pull.base.branch,
        pull.draft,
        pull.state.word() == "open",
        pull.title,
        labels,
        comments,
        events,
        reviews,
    ])
}

/// Why a snapshot that claims to be whole is no moment of the world.
pub(super) fn untruths(facts: &PullFacts, moments: &[Moment]) -> Vec<&'static str> {
    let content = &facts.content;
    let (number, head) = (content.pull.number, &content.pull.head.sha);
    let ever = |is: &dyn Fn(&Moment) -> bool| moments.iter().any(is);
    let told = told(facts);
    let none = BTreeSet::new();
    let checks: BTreeSet<(u64, String)> = content
        .check_runs
        .items
        .iter()
        .map(|run| (run.id, run.conclusion.as_ref().map_or("", |word| word.word()).to_owned()))
        .collect();
    let statuses: BTreeSet<(u64, String)> =
        content.statuses.items.iter().map(|status| (status.id, status.state.word().to_owned())).collect();
    let reactions: Vec<u64> = content.reactions.items.iter().map(|reaction| reaction.id).collect();
    let base = content.base_head.clone().unwrap_or_default();
    let bare = objects();
    let commits: Vec<String> = bare.commits(Some(&base), head).into_iter().map(|commit| commit.sha).collect();
    let listed: Vec<String> = content.commits.items.iter().map(|commit| commit.sha.clone()).collect();
    let parted = bare.merge_base(&base, head).unwrap_or_default();
    let files: Vec<String> = bare.files(&parted, head).into_iter().map(|file| file.path).collect();
    let shown: Vec<String> = content.files.items.iter().map(|file| file.filename.clone()).collect();
    let claims = [
        (
            "the pull request, its events and reviews",
            ever(&|moment| moment.whole.get(&number) == Some(&told)),
        ),
        ("check runs", ever(&|moment| *moment.checks.get(head).unwrap_or(&none) == checks)),
        ("statuses", ever(&|moment| *moment.statuses.get(head).unwrap_or(&none) == statuses)),
        ("reactions", ever(&|moment| moment.reactions.get(&number) == Some(&reactions))),
        (
            "artifacts",
            ever(&|moment| content.artifacts.items.iter().all(|it| moment.artifacts.contains(&it.id))),
        ),
        ("the base", ever(&|moment| moment.main == base)),
        ("commits", commits == listed),
        ("files", files == shown),
        ("up to date", content.behind_by == Some(bare.behind_ahead(&base, head).0)),
    ];
    claims.into_iter().filter(|(_, is)| !is).map(|(claim, _)| claim).collect()
}
