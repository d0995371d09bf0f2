//! The processes of a browser, as Linux lists them in `/proc`: memory, and threads of workers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// All processes below a process, without this one.
pub(crate) fn descendants(root: u32) -> BTreeSet<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for id in numbers_in("/proc") {
        if let Some(parent) = parent(id) {
            children.entry(parent).or_default().push(id);
        }
    }
    let mut found = BTreeSet::new();
    let mut waiting = vec![root];
    while let Some(id) = waiting.pop() {
        for child in children.get(&id).into_iter().flatten() {
            if found.insert(*child) {
                waiting.push(*child);
            }
        }
    }
    found
}

/// The entries of a folder whose names are numbers.
fn numbers_in(folder: &str) -> Vec<u32> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

/// The parent of a process that has not ended.
fn parent(id: u32) -> Option<u32> {
    let status = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // The name in parentheses can contain spaces and parentheses. The state and the parent follow it.
    let (_, rest) = status.rsplit_once(") ")?;
    rest.split(' ').nth(1)?.parse().ok()
}

/// The memory of processes in bytes: memory that several processes share counts in equal parts. A process that has
/// ended counts 0.
pub(crate) fn memory<'a>(ids: impl IntoIterator<Item = &'a u32>) -> u64 {
    ids.into_iter().filter_map(|id| proportional_size(*id)).sum()
}

fn proportional_size(id: u32) -> Option<u64> {
    let sizes = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
    let line = sizes.lines().find_map(|line| line.strip_prefix("Pss:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes * 1024)
}

/// The number of threads whose names begin with a text. Linux keeps 15 characters of a name.
pub(crate) fn threads<'a>(ids: impl IntoIterator<Item = &'a u32>, name: &str) -> usize {
    let name: String = name.chars().take(15).collect();
    ids.into_iter()
        .flat_map(|id| {
            let folder = format!("/proc/{id}/task");
            numbers_in(&folder)
                .into_iter()
                .filter_map(move |thread| fs::read_to_string(format!("{folder}/{thread}/comm")).ok())
        })
        .filter(|thread| thread.trim_end().starts_with(&name))
        .count()
}

#[cfg(test)]
mod tests {
    use super::{descendants, memory, threads};

    #[test]
    fn a_child_is_found_with_its_memory_and_threads() {
        let mut child = std::process::Command::new("sleep")
            .arg("60")
            .spawn()
            .expect("a child");
        let found = descendants(std::process::id());
        assert!(found.contains(&child.id()), "{found:?}");
        let here = [child.id()];
        // The child can be between fork and exec: then its thread has the name of this one.
        let start = std::time::Instant::now();
        while threads(&here, "sleep") == 0 && start.elapsed().as_secs() < 10 {
            std::thread::yield_now();
        }
        assert_eq!(threads(&here, "sleep"), 1);
        assert!(memory(&here) > 0);
        child.kill().expect("the child");
        child.wait().expect("its end");
        assert_eq!(memory(&here), 0);
    }
}
