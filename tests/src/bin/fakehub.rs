//! `fakehub`: a GitHub to look at, on this machine, with nothing real in it.

use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use ontology::Timestamp;
use tests::fakehub::demo::{CONTRIBUTOR_TOKEN, OWNER_TOKEN, demo};
use tests::fakehub::serve::serve;

const HELP: &str = "fakehub: a GitHub to test against, on this machine

  fakehub [ADDRESS]    serve on ADDRESS, else on 127.0.0.1:4000; port 0 takes a free one

It holds acme/shop with four pull requests: one ready, one that conflicts, a draft, one from a fork.
Everything is gone when it ends. docs/fakehub.md has more to try.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let argument = std::env::args().nth(1);
    if argument.as_deref().is_some_and(|argument| argument.starts_with('-')) {
        println!("{HELP}");
        return Ok(());
    }
    let listener = tokio::net::TcpListener::bind(argument.as_deref().unwrap_or("127.0.0.1:4000")).await?;
    let base = format!("http://{}", listener.local_addr()?);
    let folder = tempfile::tempdir()?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let now = Timestamp::from_micros(i64::try_from(since.as_micros())?);
    let (hub, held) = demo(folder.path(), now);
    println!(
        "fakehub serves {base}\n\n\
         curl -s {base}/repos/acme/shop/pulls\n\
         curl -s -H 'authorization: Bearer {OWNER_TOKEN}' {base}/repos/acme/shop/pulls/1\n\
         GH_TOKEN={CONTRIBUTOR_TOKEN} gh api {base}/repos/acme/shop/issues/2/timeline\n\
         git clone {base}/acme/shop.git\n\n\
         The App is {}, its installation on acme is {}. End it with ctrl-c.",
        held.app, held.installation
    );
    let hub = Arc::new(Mutex::new(hub));
    tokio::select! {
        served = serve(hub, listener) => served?,
        stopped = tokio::signal::ctrl_c() => stopped?,
    }
    Ok(())
}
