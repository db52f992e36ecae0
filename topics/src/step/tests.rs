//! Tests of steps.
