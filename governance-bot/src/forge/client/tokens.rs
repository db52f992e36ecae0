//! Tokens of installations: fetched with the App's own, renewed before they end.

use ontology::Timestamp;

use super::super::limits::TOKEN_MARGIN_S;
use super::super::view::Token;
use super::{Actor, Call, Client, Credentials, Failure, Operation, Secret, Stop, Wire};

impl<W: Wire> Client<W> {
    /// Sees to it that the actor's token lives for another five minutes (fault 82).
    pub(super) async fn renew(&self, actor: Actor) -> Result<(), Failure> {
        let (Actor::Installation(id), Credentials::App(_)) = (actor, &self.credentials) else {
            return Ok(());
        };
        let soonest = self.server_now().plus_seconds(TOKEN_MARGIN_S);
        if self.state().tokens.get(&id).is_some_and(|(_, end)| *end > soonest) {
            return Ok(());
        }
        let operation = Operation::CREATE_TOKEN;
        let call = Call::new(operation).at("installation_id", id);
        let answer = match self.attempts(Actor::App, &call).await {
            // The clock was wrong: the reply's `Date` has put it right.
            Err(Stop::Unauthorised(_)) => self.attempts(Actor::App, &call).await,
            first => first,
        };
        let answer = answer.map_err(|stop| match stop {
            Stop::Unauthorised(failure) | Stop::Failed(failure) => failure,
        })?;
        let token: Token = answer.view(operation)?;
        self.state().tokens.insert(id, (Secret::new(token.token), token.expires_at));
        Ok(())
    }

    pub(super) fn forget_token(&self, actor: Actor) {
        if let Actor::Installation(id) = actor {
            self.state().tokens.remove(&id);
        }
    }

    /// What proves who calls.
    pub(super) fn bearer(&self, actor: Actor) -> Result<Secret, Failure> {
        match (&self.credentials, actor) {
            (Credentials::Token(token), _) => Ok(token.clone()),
            (Credentials::App(key), Actor::App) => key.token(self.server_now()).map(Secret::new),
            (Credentials::App(_), Actor::Installation(id)) => {
                let token = self.state().tokens.get(&id).map(|(token, _)| token.clone());
                token.ok_or_else(|| Failure::Key(format!("there is no token of installation {id}")))
            }
        }
    }

    /// The token of an installation, for git over HTTPS, and when it ends.
    ///
    /// # Errors
    /// When it cannot be fetched.
    pub async fn token(&self, actor: Actor) -> Result<(Secret, Option<Timestamp>), Failure> {
        self.renew(actor).await?;
        let end = match actor {
            Actor::Installation(id) => self.state().tokens.get(&id).map(|(_, end)| *end),
            Actor::App => None,
        };
        Ok((self.bearer(actor)?, end))
    }
}
