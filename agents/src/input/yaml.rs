//! Strict YAML.
