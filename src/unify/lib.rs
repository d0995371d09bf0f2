//! Has no code; `Cargo.toml` says what it is for.
