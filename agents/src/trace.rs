//! The observation trace of an evaluation (S-19, S-20).
