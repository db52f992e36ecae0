//! The client of the forge against the fake GitHub, and both against what GitHub publishes.

mod black_box;
mod branches;
mod conformance;
mod costs;
mod described;
mod gathering;
mod landed;
mod limits;
mod numbers;
mod recorded;
mod seeds;
mod sending;
mod served;
mod stage;
mod ugly;
