//! A model revision, validated and indexed once.

use std::sync::OnceLock;

use crate::graph::Bindings;
use crate::graph::quality::Standing;
use crate::model::{LINKS_MAX, Link, Model, OBJECTS_MAX, Object, Source};
use crate::release::{Cardinality, LinkType};
use crate::{Digest, Name, ObjectId};

/// An object's number in a view: below the model's count, its place there; above, an object that an overlay added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Node(pub u32);

/// A model that breaks a rule of the ontology, in words that name the object or link.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("index the model: {0}")]
pub struct InvalidModel(pub String);

/// A model revision with its adjacency.
#[derive(Debug)]
pub struct Graph {
    model: Model,
    ends: Vec<(Node, Node)>,
    /// The types of the links, close together: a traversal reads little else.
    kinds: Vec<LinkType>,
    out: Adjacency,
    into: Adjacency,
    bindings: Bindings,
    digest: OnceLock<Digest>,
    object_digests: Vec<OnceLock<Digest>>,
    link_digests: Vec<OnceLock<Digest>>,
    link_standings: Vec<OnceLock<Standing>>,
}

/// Link numbers by (node, link type), as compressed rows: the rows of one node lie side by side.
#[derive(Debug)]
struct Adjacency {
    offsets: Vec<u32>,
    links: Vec<u32>,
}

impl Adjacency {
    /// Sorts link numbers into rows by counting; a row keeps the model's order of links.
    fn new(nodes: usize, keys: &[(Node, LinkType)]) -> Self {
        let mut offsets = vec![0_u32; nodes * LinkType::ALL.len() + 1];
        for key in keys {
            offsets[row(*key) + 1] += 1;
        }
        for index in 1..offsets.len() {
            offsets[index] += offsets[index - 1];
        }
        let mut next = offsets.clone();
        let mut links = vec![0_u32; keys.len()];
        for (number, key) in (0_u32..).zip(keys) {
            let place = &mut next[row(*key)];
            links[*place as usize] = number;
            *place += 1;
        }
        Self { offsets, links }
    }

    fn row(&self, node: Node, kind: LinkType) -> &[u32] {
        let row = row((node, kind));
        self.between(row, row + 1)
    }

    /// The rows of all types, one after another.
    fn rows(&self, node: Node) -> &[u32] {
        let row = row((node, LinkType::ALL[0]));
        self.between(row, row + LinkType::ALL.len())
    }

    fn between(&self, from: usize, to: usize) -> &[u32] {
        match (self.offsets.get(from), self.offsets.get(to)) {
            (Some(from), Some(to)) => &self.links[*from as usize..*to as usize],
            _ => &[],
        }
    }
}

fn row((node, kind): (Node, LinkType)) -> usize {
    node.0 as usize * LinkType::ALL.len() + kind as usize
}

impl Graph {
    /// Validates and indexes a model.
    ///
    /// # Errors
    /// [`InvalidModel`] when something is out of order, twice, dangling, of the wrong type or over a cardinality.
    pub fn index(model: Model) -> Result<Self, InvalidModel> {
        check_bounds_and_order(&model)?;
        let mut ends = Vec::with_capacity(model.links.len());
        for link in &model.links {
            ends.push(check_link(&model, link)?);
        }
        let keys = |end: fn(&(Node, Node)) -> Node| -> Vec<(Node, LinkType)> {
            ends.iter().zip(&model.links).map(|(ends, link)| (end(ends), link.kind)).collect()
        };
        let out = Adjacency::new(model.objects.len(), &keys(|ends| ends.0));
        let into = Adjacency::new(model.objects.len(), &keys(|ends| ends.1));
        check_cardinalities(&model, &ends, &out, &into)?;
        check_sources(&model)?;
        Ok(Self {
            bindings: Bindings::new(&model.bindings),
            digest: OnceLock::new(),
            object_digests: model.objects.iter().map(|_| OnceLock::new()).collect(),
            link_digests: model.links.iter().map(|_| OnceLock::new()).collect(),
            link_standings: model.links.iter().map(|_| OnceLock::new()).collect(),
            kinds: model.links.iter().map(|link| link.kind).collect(),
            model,
            ends,
            out,
            into,
        })
    }

    /// The model as it was given.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The digest that pins it, computed once a revision.
    #[must_use]
    pub fn digest(&self) -> Digest {
        *self.digest.get_or_init(|| self.model.digest())
    }

    /// The node of an object.
    #[must_use]
    pub fn node(&self, id: &ObjectId) -> Option<Node> {
        find_object(&self.model, id)
    }

    /// The object at a node of the model itself.
    #[must_use]
    pub fn object(&self, node: Node) -> Option<&Object> {
        self.model.objects.get(node.0 as usize)
    }

    /// Numbers, in the model's list, of links of `kind` that start at `node`, sorted by where they end.
    #[must_use]
    pub fn links_from(&self, node: Node, kind: LinkType) -> &[u32] {
        self.out.row(node, kind)
    }

    /// Numbers, in the model's list, of links of `kind` that end at `node`, sorted by where they start.
    #[must_use]
    pub fn links_to(&self, node: Node, kind: LinkType) -> &[u32] {
        self.into.row(node, kind)
    }

    /// Calls `found` with the type, the way (outward or not) and the other end of every link at `node`: those that
    /// start there, then those that end there, each by type and other end.
    pub(super) fn around(&self, node: Node, mut found: impl FnMut(LinkType, bool, Node)) {
        for link in self.out.rows(node) {
            found(self.kinds[*link as usize], true, self.ends[*link as usize].1);
        }
        for link in self.into.rows(node) {
            found(self.kinds[*link as usize], false, self.ends[*link as usize].0);
        }
    }

    /// Numbers of all links that start at `node`, sorted.
    pub(super) fn links_out(&self, node: Node) -> &[u32] {
        self.out.rows(node)
    }

    /// Both ends of the link with this number.
    ///
    /// # Panics
    /// When the model has no such link.
    #[must_use]
    pub fn ends(&self, link: u32) -> (Node, Node) {
        self.ends[link as usize]
    }

    /// The link with this number.
    ///
    /// # Panics
    /// When the model has no such link.
    #[must_use]
    pub fn link(&self, link: u32) -> &Link {
        &self.model.links[link as usize]
    }

    /// The source of this id.
    #[must_use]
    pub fn source(&self, id: &Name) -> Option<&Source> {
        find_source(&self.model, id)
    }

    /// SHA-256 of the object's canonical CBOR, computed once a revision, when it is first asked for.
    ///
    /// # Panics
    /// When the model itself has no such node.
    #[must_use]
    pub fn object_digest(&self, node: Node) -> Digest {
        let index = node.0 as usize;
        *self.object_digests[index].get_or_init(|| Digest::of_value(&self.model.objects[index]))
    }

    /// SHA-256 of the link's canonical CBOR, computed once a revision, when it is first asked for.
    ///
    /// # Panics
    /// When the model has no such link.
    #[must_use]
    pub fn link_digest(&self, link: u32) -> Digest {
        let index = link as usize;
        *self.link_digests[index].get_or_init(|| Digest::of_value(&self.model.links[index]))
    }

    /// What the sources of a link make of it, computed once a revision, when it is first asked for.
    pub(super) fn link_standing(&self, link: u32) -> &Standing {
        let index = link as usize;
        self.link_standings[index].get_or_init(|| Standing::of(self, &self.model.links[index]))
    }

    /// The bindings, prepared.
    #[must_use]
    pub fn bindings(&self) -> &Bindings {
        &self.bindings
    }
}

fn find_object(model: &Model, id: &ObjectId) -> Option<Node> {
    let index = model.objects.binary_search_by(|object| object.id.cmp(id)).ok()?;
    u32::try_from(index).ok().map(Node)
}

fn find_source<'a>(model: &'a Model, id: &Name) -> Option<&'a Source> {
    let index = model.sources.binary_search_by(|source| source.id.cmp(id)).ok()?;
    model.sources.get(index)
}

fn check_bounds_and_order(model: &Model) -> Result<(), InvalidModel> {
    for (what, count, max) in
        [("objects", model.objects.len(), OBJECTS_MAX), ("links", model.links.len(), LINKS_MAX)]
    {
        if count > max {
            return Err(InvalidModel(format!("it has {count} {what}, at most {max} are allowed")));
        }
    }
    if let Some(pair) = model.sources.windows(2).find(|pair| pair[0].id >= pair[1].id) {
        return Err(InvalidModel(format!("source {} is out of order or twice", pair[1].id)));
    }
    if let Some(pair) = model.objects.windows(2).find(|pair| pair[0].id >= pair[1].id) {
        return Err(InvalidModel(format!("object {} is out of order or twice", pair[1].id)));
    }
    let ordered = |a: &Link, b: &Link| (a.kind, &a.from, &a.to) < (b.kind, &b.from, &b.to);
    if let Some(pair) = model.links.windows(2).find(|pair| !ordered(&pair[0], &pair[1])) {
        let Link { kind, from, to, .. } = &pair[1];
        return Err(InvalidModel(format!("link {} is out of order or twice", name(*kind, from, to))));
    }
    Ok(())
}

/// A link's name for people and pairs: `type:from:to`.
pub(crate) fn name(kind: LinkType, from: &ObjectId, to: &ObjectId) -> String {
    format!("{}:{from}:{to}", kind.as_str())
}

fn check_link(model: &Model, link: &Link) -> Result<(Node, Node), InvalidModel> {
    let fault = |why: String| InvalidModel(format!("link {} {why}", name(link.kind, &link.from, &link.to)));
    let end = |id: &ObjectId| {
        find_object(model, id).ok_or_else(|| fault(format!("leads to {id}, which is no object")))
    };
    let (from, to) = (end(&link.from)?, end(&link.to)?);
    let kind_of = |node: Node| model.objects[node.0 as usize].detail.object_type();
    match broken_ends(link.kind, from == to, kind_of(from), kind_of(to)) {
        Some(why) => Err(fault(why)),
        None => Ok((from, to)),
    }
}

/// Why a link of this kind may not join these ends, if it may not (arb.md 4.2).
pub(super) fn broken_ends(
    kind: LinkType,
    to_itself: bool,
    from: crate::release::ObjectType,
    to: crate::release::ObjectType,
) -> Option<String> {
    let declaration = kind.declaration();
    if to_itself {
        return Some("leads from an object to itself".to_owned());
    }
    if !declaration.from.contains(&from) {
        return Some(format!("may not start at a {from:?}"));
    }
    if !declaration.to.contains(&to) {
        return Some(format!("may not end at a {to:?}"));
    }
    None
}

/// Whether rows of these lengths at a link's two ends keep its type's cardinality.
pub(super) fn keeps_cardinality(kind: LinkType, out_of_from: usize, into_to: usize) -> bool {
    match kind.declaration().cardinality {
        Cardinality::OneToMany => into_to <= 1,
        Cardinality::ManyToOne => out_of_from <= 1,
        Cardinality::ManyToMany => true,
    }
}

fn check_cardinalities(
    model: &Model,
    ends: &[(Node, Node)],
    out: &Adjacency,
    into: &Adjacency,
) -> Result<(), InvalidModel> {
    for (link, (from, to)) in model.links.iter().zip(ends) {
        if !keeps_cardinality(link.kind, out.row(*from, link.kind).len(), into.row(*to, link.kind).len()) {
            let name = name(link.kind, &link.from, &link.to);
            return Err(InvalidModel(format!("link {name} is one too many of its type there")));
        }
    }
    Ok(())
}

/// Every fact's sources are listed, sorted and unique; every binding's object exists.
fn check_sources(model: &Model) -> Result<(), InvalidModel> {
    let check = |sources: &[Name], whose: &dyn Fn() -> String| -> Result<(), InvalidModel> {
        if let Some(pair) = sources.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(InvalidModel(format!("{}: source {} is out of order or twice", whose(), pair[1])));
        }
        match sources.iter().find(|id| find_source(model, id).is_none()) {
            Some(id) => Err(InvalidModel(format!("{}: there is no source {id}", whose()))),
            None => Ok(()),
        }
    };
    for object in &model.objects {
        check(&object.sources, &|| format!("object {}", object.id))?;
    }
    for link in &model.links {
        let whose = || format!("link {}", name(link.kind, &link.from, &link.to));
        check(&link.sources, &whose)?;
        check(&link.denied_by, &whose)?;
    }
    for binding in &model.bindings {
        let whose = || format!("the binding of {}", binding.object);
        check(std::slice::from_ref(&binding.source), &whose)?;
        if find_object(model, &binding.object).is_none() {
            return Err(InvalidModel(format!("{} names no object of the model", whose())));
        }
    }
    Ok(())
}
