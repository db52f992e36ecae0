//! The daemon: holds the log of a directory, runs every agent, keeps the door open until it is told to stop.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use ontology::{Digest, Name};
use tokio::net::{TcpListener, UnixListener};
use tokio::signal::unix::{SignalKind, signal};

use crate::config::{Config, TokenSource};
use crate::door::server::{Peer, Shared, bind_unix, router};
use crate::door::this_user;
use crate::node::{Directories, NodeHandle, serve};

/// Exit code where the log cannot be had (architecture.md).
const EXIT_LOG_UNAVAILABLE: u8 = 69;
/// Exit code of a wrong call.
const EXIT_USAGE: u8 = 2;

/// Holds the log of a directory, runs every agent on it, and keeps the door open.
#[derive(Debug, Parser)]
#[command(name = "arbd", version, about, after_help = EXAMPLES)]
struct Arguments {
    /// The data directory; it is made where there is none.
    #[arg(long, env = "ARB_DATA")]
    dir: PathBuf,
    /// The model directory, instead of the one in arb.toml.
    #[arg(long)]
    model: Option<PathBuf>,
    /// The catalog directory, instead of the one in arb.toml.
    #[arg(long)]
    catalog: Option<PathBuf>,
    /// A TCP address for the door, beside DIR/door.sock; callers there need a token of arb.toml.
    #[arg(long)]
    listen: Option<SocketAddr>,
    /// Logs as JSON, a line each.
    #[arg(long)]
    log_json: bool,
}

const EXAMPLES: &str = "Examples:
  arbd --dir /var/lib/arb --model ./model --catalog ./catalog
  arbd --dir /var/lib/arb --listen 127.0.0.1:7433
Everything arbctl does with the same --dir then goes through DIR/door.sock.";

/// Runs the daemon.
#[must_use]
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let filter = tracing_subscriber::EnvFilter::try_from_default_env().unwrap_or_else(|_| "info".into());
    let logs = tracing_subscriber::fmt().with_writer(std::io::stderr).with_env_filter(filter);
    if arguments.log_json {
        logs.json().init()
    } else {
        logs.init()
    }
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!("{error:#}");
            let unusable = error
                .chain()
                .any(|cause| cause.downcast_ref::<crate::call::CallError>().is_some_and(is_input));
            ExitCode::from(if unusable { EXIT_USAGE } else { EXIT_LOG_UNAVAILABLE })
        }
    }
}

fn is_input(error: &crate::call::CallError) -> bool {
    error.code == crate::call::ErrorCode::BadInput
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let config = Config::read(&arguments.dir)?;
    let directories = Directories::new(
        arguments.model.or_else(|| config.model.dir.clone()),
        arguments.catalog.or_else(|| config.catalog.dir.clone()),
    );
    let node = serve::embedded(&arguments.dir, directories, this_user())?;
    let listen = arguments.listen.or(config.door.listen);
    let tokens = tokens(&config)?;
    anyhow::ensure!(
        listen.is_none() || !tokens.is_empty(),
        "a TCP door needs a token: set [door.tokens] in {}",
        arguments.dir.join(crate::config::FILE).display()
    );
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("start the door")?;
    let socket = arguments.dir.join("door.sock");
    let served = runtime.block_on(serve(node, &socket, listen, tokens));
    let _ = std::fs::remove_file(socket);
    served
}

/// The digest of each token, by its principal's name. The tokens themselves are forgotten.
fn tokens(config: &Config) -> anyhow::Result<Vec<(Digest, Name)>> {
    let read = |source: &TokenSource| match source {
        TokenSource::Env(variable) => {
            std::env::var(variable).with_context(|| format!("read the token in ${variable}"))
        }
        TokenSource::File(path) => {
            std::fs::read_to_string(path).with_context(|| format!("read the token in {}", path.display()))
        }
    };
    let tokens = config.door.tokens.iter().map(|(name, source)| {
        let token = read(source)?;
        anyhow::ensure!(token.trim().len() >= 16, "the token of {name} is too short: at least 16 characters");
        Ok((Digest::of(token.trim().as_bytes()), Name::new(name.as_str())?))
    });
    tokens.collect()
}

async fn serve(
    node: NodeHandle,
    socket: &std::path::Path,
    listen: Option<SocketAddr>,
    tokens: Vec<(Digest, Name)>,
) -> anyhow::Result<()> {
    let app = router(Shared::new(node, tokens));
    let unix = UnixListener::from_std(bind_unix(socket)?).context("open the door")?;
    let (stop, _) = tokio::sync::watch::channel(false);
    let stopped = |mut stop: tokio::sync::watch::Receiver<bool>| async move {
        let _ = stop.wait_for(|stopped| *stopped).await;
    };
    let local = axum::serve(unix, app.clone().into_make_service_with_connect_info::<Peer>())
        .with_graceful_shutdown(stopped(stop.subscribe()));
    let local = tokio::spawn(async move { local.await });
    let mut network = None;
    if let Some(address) = listen {
        let listener = TcpListener::bind(address).await.with_context(|| format!("listen at {address}"))?;
        tracing::info!("the door listens at http://{}", listener.local_addr()?);
        let served = axum::serve(listener, app.into_make_service_with_connect_info::<Peer>())
            .with_graceful_shutdown(stopped(stop.subscribe()));
        network = Some(tokio::spawn(async move { served.await }));
    }
    tracing::info!("the door is open at {}", socket.display());
    let (mut terminated, mut interrupted) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    tokio::select! {
        _ = terminated.recv() => {}
        _ = interrupted.recv() => {}
    }
    tracing::info!("closing the door; what was accepted is stored");
    let _ = stop.send(true);
    local.await.context("close the door")??;
    if let Some(network) = network {
        network.await.context("close the door")??;
    }
    Ok(())
}
