//! Tests of the machine against the reference interpreter and against published figures.

mod apart;
mod builder;
mod control;
mod figures;
mod limits;
mod livelock;
mod memory;
mod pairs;
mod random;
