//! Read model of a review (S-02, S-04).
