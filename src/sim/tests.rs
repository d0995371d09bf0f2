//! Tests of the machine against the reference interpreter and against published figures.

mod builder;
mod control;
mod corpus;
mod figures;
mod livelock;
mod math;
mod memory;
mod pairs;
mod random;
