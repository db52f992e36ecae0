//! Questions out, answers in.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use topics::{Agent, Answer, Ask, Library, Question, Step};

use super::Action;
use super::fold::{Fold, words};
use super::saying::Saying;

/// Answers that wait for an append at most; a question's answer beyond it is asked for again.
const ANSWERS_MAX: usize = 64;

impl<A: Agent> Fold<A> {
    /// Takes the next waiting answer, then asks what is owed and was not asked yet.
    pub(super) fn ask(&mut self, library: &Library, actions: &mut Vec<Action>) {
        while self.saying.is_none() {
            let Some((question, answer)) = self.answers.pop_front() else { break };
            self.take(&question, &answer, library, actions);
        }
        for question in A::owed(&self.state).questions {
            if !self.slot_filled(&question.cause) && self.asked.insert(question.cause.clone()) {
                actions.push(Action::Ask { key: self.key.clone(), question });
            }
        }
    }

    pub(super) fn answer(
        &mut self,
        question: Question,
        answer: Answer,
        library: &Library,
        actions: &mut Vec<Action>,
    ) {
        if !self.is_live() || self.saying.is_some() {
            if self.answers.len() < ANSWERS_MAX {
                self.answers.push_back((question, answer));
            } else {
                self.asked.remove(&question.cause);
            }
            return;
        }
        self.take(&question, &answer, library, actions);
        if self.saying.is_none() {
            self.advance(library, actions);
        }
    }

    /// Makes the observed step of an answer. A filled slot, or a question that is owed no more, says nothing.
    fn take(&mut self, question: &Question, answer: &Answer, library: &Library, actions: &mut Vec<Action>) {
        if self.slot_filled(&question.cause) {
            return;
        }
        let owed = question.ask == Ask::Intake
            || A::owed(&self.state).questions.iter().any(|owed| owed.cause == question.cause);
        if !owed {
            return;
        }
        let observed = catch_unwind(AssertUnwindSafe(|| A::observe(question, answer, library)));
        let objects = match observed {
            Ok(objects) if objects.is_empty() => return,
            Ok(objects) => objects,
            Err(panic) => {
                tracing::error!(agent = %A::ROLE, key = %self.key, "observe: {}", words(panic.as_ref()));
                return;
            }
        };
        match Step::observed(self.key.clone(), A::ROLE, self.logic, question.cause.clone(), None, objects) {
            Ok(step) => {
                self.saying =
                    Some(Saying { steps: VecDeque::from([step]), derived: false, sent: false, waits: false });
                self.send(actions);
            }
            Err(error) => tracing::error!(agent = %A::ROLE, key = %self.key, "observe: {error}"),
        }
    }
}
