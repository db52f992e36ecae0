//! Stories of the command line, told through its own entry with streams of a test; a few through the real process.

mod bad_inputs;
mod desk;
mod exit_codes;
mod first_hour;
mod importing;
mod keeping;
mod kubernetes;
mod modelling;
mod offline;
mod people;
mod pipeline;
mod policies;
mod process;
mod screens;
mod secrets;
