//! The architectures, with every number and its source.

use serde_json::{Value, json};

use engine::arch::{ArchId, architecture};

/// All architectures, oldest first.
pub fn architectures() -> Value {
    ArchId::ALL
        .into_iter()
        .map(|id| {
            let arch = architecture(id);
            json!({
                "id": id.text(),
                "name": arch.name,
                "generation": arch.generation.text(),
                "computeCapability": arch.compute_capability.to_string(),
                "year": arch.year.value,
                "part": arch.chip.example_part.value,
                "sms": arch.chip.num_sms.value,
                "schedulers": arch.issue.schedulers.value,
                "values": arch.values(),
            })
        })
        .collect()
}
