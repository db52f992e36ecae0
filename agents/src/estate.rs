//! Read model of the key `estate`: which changes are open.
