//! What a planned change does, normalised and redacted: the same shape for every input format.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Detail;
use crate::release::LinkType;
use crate::value::Attributes;
use crate::{Digest, ObjectId};

/// Targets of one change at most.
pub const TARGETS_MAX: usize = 20_000;
/// Media type of a change document's body.
pub const MEDIA_TYPE: &str = "application/vnd.arb.change+cbor";

/// A planned change as it is reviewed. Rules see exactly this and nothing else (U3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeDocument {
    /// The format it came in.
    pub format: Format,
    /// That format's version, as the file says.
    pub format_version: String,
    /// The tool and version that made it, as the file says.
    pub tool: Option<String>,
    /// The workspace, stack or cluster it belongs to, where known.
    pub workspace: Option<String>,
    /// What changes, sorted by address, unique. No-ops and reads are listed too: rules compare with them.
    pub targets: Vec<Target>,
    /// Addresses whose real state differs from the recorded one, sorted.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub drift: BTreeSet<ObjectId>,
    /// Relations that the change adds or removes (our own format).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkEdit>,
    /// Outputs whose value changes.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub outputs: BTreeSet<String>,
    /// The tool said the plan failed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub errored: bool,
    /// The tool said the plan leaves things out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
    /// The format marks no sensitive values (reason `sensitivity_unmarked`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitivity_unmarked: bool,
    /// Values were withheld without a key (reason `withheld_unkeyed`).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withheld_unkeyed: bool,
    /// How many values were withheld.
    pub withheld: u32,
}

/// An input format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// `terraform show -json` of Terraform or OpenTofu.
    TerraformPlan,
    /// Our own YAML or JSON.
    ArbChange,
    /// Kubernetes manifests, before and after.
    KubernetesManifests,
}

impl Format {
    /// For people.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TerraformPlan => "terraform",
            Self::ArbChange => "arb change",
            Self::KubernetesManifests => "kubernetes",
        }
    }
}

/// One thing that a change touches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Its address in the plan, `NAMESPACE/KIND/NAME` of a manifest, or the object's id in our own format.
    pub address: ObjectId,
    /// `aws_db_instance`, `Deployment`, or the kind of our own format.
    pub kind: String,
    /// The provider, as the plan names it.
    pub provider: Option<String>,
    /// What is done to it.
    pub action: Action,
    /// Why, in the plan's own word (`replace_because_tainted`).
    pub action_reason: Option<String>,
    /// Where it was before a move.
    pub moved_from: Option<ObjectId>,
    /// It is read, not managed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub data: bool,
    /// It is imported by this change.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imported: bool,
    /// Attributes before, of those that are kept. Absent where there was nothing.
    pub before: Option<Attributes>,
    /// Attributes after, of those that are kept. Absent where there will be nothing.
    pub after: Option<Attributes>,
    /// Attribute paths known only after apply.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unknown: BTreeSet<String>,
    /// Attribute paths that force a replacement.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub replace_paths: BTreeSet<String>,
    /// Addresses in this plan that it needs, by the plan's own references.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub needs: BTreeSet<ObjectId>,
    /// Provider tags after (before, where there is no after), used to bind it (U7).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub tags: BTreeMap<String, String>,
    /// The object as our own format describes it after the change.
    pub object: Option<Detail>,
}

/// What is done to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// It appears.
    Create,
    /// It is altered in place.
    Update,
    /// It disappears.
    Delete,
    /// It disappears and a new one appears.
    Replace,
    /// It is looked at.
    Read,
    /// Nothing, beyond perhaps a move or an import.
    NoOp,
    /// It stays, and is no longer managed.
    Forget,
}

impl Action {
    /// Every action, in order.
    pub const ALL: [Self; 7] =
        [Self::Create, Self::Update, Self::Delete, Self::Replace, Self::Read, Self::NoOp, Self::Forget];

    /// The stable text.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Replace => "replace",
            Self::Read => "read",
            Self::NoOp => "no-op",
            Self::Forget => "forget",
        }
    }

    /// Whether it alters the world.
    #[must_use]
    pub const fn changes(self) -> bool {
        matches!(self, Self::Create | Self::Update | Self::Delete | Self::Replace | Self::Forget)
    }

    /// Whether what was there before is lost.
    #[must_use]
    pub const fn destroys(self) -> bool {
        matches!(self, Self::Delete | Self::Replace)
    }
}

/// A relation that a change adds or removes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinkEdit {
    /// Added; else removed.
    pub add: bool,
    /// What the relation says.
    #[serde(rename = "type")]
    pub kind: LinkType,
    /// Where it starts.
    pub from: ObjectId,
    /// Where it ends.
    pub to: ObjectId,
}

impl ChangeDocument {
    /// The targets that alter the world.
    pub fn changed(&self) -> impl Iterator<Item = &Target> {
        self.targets.iter().filter(|target| target.action.changes())
    }

    /// The digest of what the change *is*: targets, relations, outputs and the tool's own caveats; not the
    /// format's or tool's version, nor any time (U5).
    #[must_use]
    pub fn content_digest(&self) -> Digest {
        Digest::of_value(&(
            &self.targets,
            &self.links,
            &self.drift,
            &self.outputs,
            self.errored,
            self.incomplete,
            self.workspace.as_deref().unwrap_or_default(),
        ))
    }
}
