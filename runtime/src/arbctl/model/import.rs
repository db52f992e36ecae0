//! `model import`: writes the part of a foreign file that a model needs into the model's directory.

use std::io::Write as _;
use std::path::Path;

use agents::input::InputError;
use agents::muninn::model::{reduce_backstage, reduce_terraform_state};
use serde_json::Value;

use super::super::arguments::{Imported, ModelImport};
use super::super::{Code, Failure, Outlet, inputs, render};
use super::write_new;

/// What makes the reduced form of a file.
type Reduce = fn(&str, &[u8]) -> Result<Value, InputError>;

pub(super) fn run(asked: &ModelImport, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    // The folder is the authority: what Backstage and a state say of one thing verifies it.
    match asked {
        ModelImport::Backstage(asked) => import(asked, "backstage/entities.json", reduce_backstage, outlet),
        ModelImport::TerraformState(asked) => {
            let path = format!("terraform/{}.json", stem(&asked.file));
            import(asked, &path, reduce_terraform_state, outlet)
        }
    }
}

/// The file's name without its ending; of standard input, what every state is.
fn stem(file: &Path) -> String {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().trim_matches(['-', '.']).to_owned());
    stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "state".to_owned())
}

fn import(asked: &Imported, path: &str, reduce: Reduce, outlet: &mut Outlet<'_>) -> Result<Code, Failure> {
    let file = inputs::file(&asked.file, outlet)?;
    let reduced = reduce(&file.path, file.text.as_bytes())?;
    let mut text = serde_json::to_string_pretty(&reduced).map_err(Failure::internal)?;
    text.push('\n');
    let path = asked.to.join(path);
    let shown = render::safe::line(&path.display().to_string());
    let written = if asked.replace { write(&path, &text) } else { write_new(&path, &text) };
    written.map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::bad_input(format!(
            "{shown}: it exists and is not overwritten; give --replace, or --to DIR"
        )),
        _ => Failure::bad_input(format!("{shown}: {error}")),
    })?;
    outlet.print(&format!("{shown}\n"))?;
    outlet.note(&format!("then: arbctl model check --model {}", asked.to.display()));
    Ok(Code::Done)
}

/// Replaces a file as a whole: who reads it meanwhile reads the old one.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(directory)?;
    let beside = path.with_extension("json.new");
    std::fs::File::create(&beside)?.write_all(text.as_bytes())?;
    std::fs::rename(beside, path)
}
