//! What model files become, and what is said of those that are wrong.

mod backstage;
mod faults;
mod init;
mod kubernetes;
mod own_formats;
mod owners;
mod sources;
mod webshop;

use ontology::graph::Graph;
use ontology::model::{Link, Object};
use ontology::policy::Catalog;
use ontology::release::LinkType;
use ontology::{Name, ObjectId};

use super::*;

fn catalog() -> Catalog {
    Catalog::empty(Name::new("test").unwrap())
}

fn file(path: &str, text: &str) -> ModelFile {
    ModelFile { path: path.into(), bytes: text.into(), asserted_at: None, observed_at: None }
}

/// Compiles files and holds the result to what every result keeps: it indexes.
fn compiled(files: &[(&str, &str)]) -> Compiled {
    let files: Vec<ModelFile> = files.iter().map(|(path, text)| file(path, text)).collect();
    let compiled = compile(&files, &catalog()).unwrap();
    Graph::index(compiled.model.clone()).unwrap();
    compiled
}

fn error(files: &[(&str, &str)]) -> String {
    let files: Vec<ModelFile> = files.iter().map(|(path, text)| file(path, text)).collect();
    compile(&files, &catalog()).unwrap_err().to_string()
}

impl Compiled {
    fn object(&self, id: &str) -> &Object {
        self.model
            .objects
            .iter()
            .find(|object| object.id.as_str() == id)
            .unwrap_or_else(|| panic!("no object {id}"))
    }

    fn find_link(&self, kind: LinkType, from: &str, to: &str) -> Option<&Link> {
        self.model.links.iter().find(|it| it.kind == kind && it.from.as_str() == from && it.to.as_str() == to)
    }

    fn link(&self, kind: LinkType, from: &str, to: &str) -> &Link {
        self.find_link(kind, from, to).unwrap_or_else(|| panic!("no link {kind:?} {from} {to}"))
    }

    /// Links as `from type to`.
    fn links(&self) -> Vec<String> {
        self.model.links.iter().map(|it| format!("{} {} {}", it.from, it.kind.as_str(), it.to)).collect()
    }
}

fn names(names: &[Name]) -> Vec<&str> {
    names.iter().map(Name::as_str).collect()
}

fn ids(ids: &[ObjectId]) -> Vec<&str> {
    ids.iter().map(ObjectId::as_str).collect()
}

/// A component of this name, with more of its spec.
fn component(name: &str, spec: &str) -> String {
    format!(
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: {name}\nspec:\n  type: service\n{spec}\n"
    )
}

/// An entity of this kind and name, and nothing else.
fn entity(kind: &str, name: &str) -> String {
    format!("apiVersion: backstage.io/v1alpha1\nkind: {kind}\nmetadata:\n  name: {name}\nspec: {{}}\n")
}

fn documents(documents: &[String]) -> String {
    documents.join("---\n")
}
