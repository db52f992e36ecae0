//! Which nodes a traversal has seen: a table whose size depends on the bound of a traversal and not on the model.

use super::NODES_MAX;
use crate::graph::Node;

/// Places of the table: a power of two, at most half full.
const PLACES: usize = (NODES_MAX * 2).next_power_of_two();

/// A number for each of at most [`NODES_MAX`] nodes.
pub(super) struct Seen {
    /// Node and number, each plus one; zero where a place is free.
    places: Vec<(u32, u32)>,
}

impl Seen {
    pub(super) fn new() -> Self {
        Self { places: vec![(0, 0); PLACES] }
    }

    pub(super) fn get(&self, node: Node) -> Option<usize> {
        let (key, number) = self.places[self.place(node)];
        (key != 0).then(|| number as usize - 1)
    }

    /// Notes the number of a node that was not seen.
    pub(super) fn insert(&mut self, node: Node, number: usize) {
        let place = self.place(node);
        let number =
            u32::try_from(number + 1).expect("a traversal arrives at most twice at each of its nodes");
        self.places[place] = (node.0.wrapping_add(1), number);
    }

    /// The node's place, or the free one where it would go.
    fn place(&self, node: Node) -> usize {
        let key = node.0.wrapping_add(1);
        // Neighbouring numbers are spread by Fibonacci hashing.
        let mut place = (key.wrapping_mul(0x9e37_79b9) >> (32 - PLACES.trailing_zeros())) as usize;
        while self.places[place].0 != key && self.places[place].0 != 0 {
            place = (place + 1) % PLACES;
        }
        place
    }
}
