//! Measures this machine: `cargo run --release -p runtime --example load`.

mod measure;

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let estate = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/webshop"));
    let mut plan = measure::Plan {
        reviews: 5_000,
        in_flight: 64,
        singly: 300,
        directory: std::env::temp_dir(),
        estate,
        change: "changes/orders-scale-out.json".to_owned(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{name} needs a value"))?;
        match name.as_str() {
            "--reviews" => plan.reviews = value.parse()?,
            "--in-flight" => plan.in_flight = value.parse()?,
            "--singly" => plan.singly = value.parse()?,
            "--dir" => plan.directory = value.into(),
            "--estate" => plan.estate = value.into(),
            "--change" => plan.change = value,
            _ => {
                return Err(format!(
                    "{name}: known are --reviews, --in-flight, --singly, --dir, --estate, --change"
                )
                .into());
            }
        }
    }
    for (what, figure) in measure::run(&plan)?.lines {
        println!("{what:<60} {figure}");
    }
    Ok(())
}
