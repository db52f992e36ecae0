//! Making something once: what it bears is looked for before, and again when the reply was lost.

use std::future::Future;

use super::super::limits::{BACK_OFF_MS, RETRIES_MAX};
use super::{Actor, Answer, Call, Client, Failure, Wire};

/// How it came to be there.
#[derive(Debug, Clone)]
pub enum Made<T> {
    /// It was there already, or an attempt whose reply was lost had made it.
    Found(T),
    /// This call made it.
    New(Box<Answer>),
}

impl<W: Wire> Client<W> {
    /// Makes what `look` does not find. A request whose outcome is in doubt is sent again only after `look` found
    /// nothing twice, a while apart: a listing may lag behind what it lists (research 138).
    ///
    /// # Errors
    /// When it cannot be looked for, was refused, or is still in doubt after every attempt.
    pub async fn make_once<T, F, L>(&self, actor: Actor, call: &Call, look: L) -> Result<Made<T>, Failure>
    where
        L: Fn() -> F,
        F: Future<Output = Result<Option<T>, Failure>>,
    {
        if let Some(found) = look().await? {
            return Ok(Made::Found(found));
        }
        let mut attempt = 0;
        loop {
            match self.call(actor, call).await {
                Ok(answer) => return Ok(Made::New(Box::new(answer))),
                Err(doubt @ Failure::InDoubt { .. }) => {
                    for _ in 0..2 {
                        self.pause(BACK_OFF_MS << attempt).await;
                        if let Some(found) = look().await? {
                            return Ok(Made::Found(found));
                        }
                    }
                    if attempt >= RETRIES_MAX {
                        return Err(doubt);
                    }
                    attempt += 1;
                }
                Err(failure) => return Err(failure),
            }
        }
    }
}
