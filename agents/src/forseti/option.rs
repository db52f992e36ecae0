//! The change as one option carries it out.

use std::borrow::Cow;

use ontology::records::evaluation::{AS_PROPOSED, NO_ACTION};
use ontology::records::{Action, ChangeDocument, OptionDraft, Target};

/// An option with the change that is left of it.
pub(super) struct Course<'a> {
    /// The option.
    pub(super) draft: Cow<'a, OptionDraft>,
    /// What rules see: targets that are left out are as they were before. Doing nothing shows them nothing.
    pub(super) document: Cow<'a, ChangeDocument>,
}

impl<'a> Course<'a> {
    /// What `draft` leaves of the change.
    pub(super) fn of(document: &'a ChangeDocument, draft: Cow<'a, OptionDraft>) -> Self {
        let document = if draft.id.as_str() == NO_ACTION {
            Cow::Owned(caveats(document))
        } else if draft.without.is_empty() {
            Cow::Borrowed(document)
        } else {
            Cow::Owned(reduced(document, &draft))
        };
        Self { draft, document }
    }

    /// Whether it is the change as it came.
    pub(super) fn as_proposed(&self) -> bool {
        self.draft.id.as_str() == AS_PROPOSED
    }

    /// Whether it does anything.
    pub(super) fn acts(&self) -> bool {
        self.draft.id.as_str() != NO_ACTION
    }

    /// The targets that it carries out.
    pub(super) fn changed(&self) -> impl Iterator<Item = &Target> {
        self.document.changed()
    }
}

fn reduced(document: &ChangeDocument, draft: &OptionDraft) -> ChangeDocument {
    let kept = |target: &Target| !target.action.changes() || !draft.leaves_out(&target.address);
    let targets = document
        .targets
        .iter()
        .filter_map(|target| if kept(target) { Some(target.clone()) } else { untouched(target) });
    let links =
        document.links.iter().filter(|link| !draft.leaves_out(&link.from) && !draft.leaves_out(&link.to));
    ChangeDocument { targets: targets.collect(), links: links.cloned().collect(), ..caveats(document) }
}

/// What a document says beside what it does.
fn caveats(document: &ChangeDocument) -> ChangeDocument {
    ChangeDocument {
        format: document.format,
        format_version: document.format_version.clone(),
        tool: document.tool.clone(),
        workspace: document.workspace.clone(),
        targets: Vec::new(),
        drift: document.drift.clone(),
        links: Vec::new(),
        outputs: document.outputs.clone(),
        errored: document.errored,
        incomplete: document.incomplete,
        sensitivity_unmarked: document.sensitivity_unmarked,
        withheld_unkeyed: document.withheld_unkeyed,
        withheld: document.withheld,
    }
}

/// A target as it stays when it is left out; nothing, where it would have been created.
fn untouched(target: &Target) -> Option<Target> {
    let before = target.before.clone()?;
    Some(Target {
        action: Action::NoOp,
        action_reason: None,
        after: Some(before.clone()),
        before: Some(before),
        unknown: Default::default(),
        replace_paths: Default::default(),
        object: None,
        ..target.clone()
    })
}
