//! What integration tests share. The tests themselves are one binary, `tests/tests/main.rs`, a module an idea.
