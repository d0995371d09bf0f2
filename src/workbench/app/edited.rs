//! Whether a text is an edit of another one, or another program.

use std::collections::BTreeMap;

use crate::names::is_part_of_name;

/// The lines that two texts must share, if the names of their kernels are no evidence.
/// Assumption: kernels without a relation share a few, such as the one that computes an index.
const SHARED_LINES: usize = 4;

/// Whether most lines of the shorter text are in the other text: a person has changed some lines, and not replaced all.
/// Blank lines and single characters, such as braces, do not count.
pub(super) fn is_edit(before: &str, now: &str) -> bool {
    let lines = |text: &str| {
        let mut lines: BTreeMap<String, usize> = BTreeMap::new();
        for line in text.lines().map(str::trim).filter(|line| line.len() > 1) {
            *lines.entry(line.to_owned()).or_default() += 1;
        }
        lines
    };
    let (before_lines, now_lines) = (lines(before), lines(now));
    let common: usize = before_lines
        .iter()
        .filter_map(|(line, num)| Some(*num.min(now_lines.get(line)?)))
        .sum();
    let num_lines = |lines: &BTreeMap<String, usize>| lines.values().sum::<usize>();
    let shorter = num_lines(&before_lines).min(num_lines(&now_lines)).max(1);
    2 * common >= shorter && (common >= SHARED_LINES || shares_kernel(before, now))
}

/// Whether both texts define a kernel of one name.
fn shares_kernel(before: &str, now: &str) -> bool {
    let names = kernel_names(now);
    kernel_names(before).iter().any(|name| names.contains(name))
}

/// The words before the parameters of what is declared `__global__`.
fn kernel_names(text: &str) -> Vec<&str> {
    text.split("__global__")
        .skip(1)
        .filter_map(name_of_declaration)
        .collect()
}

fn name_of_declaration(declaration: &str) -> Option<&str> {
    let (head, rest) = declaration.split_once('(')?;
    let name = head.trim_end().rsplit(|c: char| !is_part_of_name(c)).next()?;
    match name {
        "" => None,
        // An attribute with arguments.
        "__launch_bounds__" | "__cluster_dims__" => name_of_declaration(rest),
        name => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::{is_edit, kernel_names};
    use crate::library;
    use crate::names::has_word;

    const SCALE: &str = "__global__ void scale(float *a, float by)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] *= by;
}
";

    #[test]
    fn changed_lines_are_an_edit_and_another_kernel_is_not() {
        let transpose = library::kernel("transpose-tiled").unwrap().source;
        assert!(is_edit(
            transpose,
            &transpose.replace("tile[TILE][TILE]", "tile[TILE][TILE + 1]")
        ));
        assert!(!is_edit(transpose, SCALE));
        assert!(is_edit(SCALE, &SCALE.replace("*=", "+=")));
        let add = SCALE
            .replace("scale", "add")
            .replace("a[i] *= by", "a[i] = a[i] + by");
        assert!(!is_edit(SCALE, &add), "only the line of the index is shared");
        let saxpy = library::kernel("saxpy").unwrap();
        let matmul = library::kernel("matmul-tiled").unwrap();
        assert!(!is_edit(saxpy.source, matmul.source));
    }

    #[test]
    fn names_are_whole_words() {
        assert_eq!(kernel_names(SCALE), ["scale"]);
        assert_eq!(
            kernel_names("__global__ void __launch_bounds__(256)\nk2 (int)"),
            ["k2"]
        );
        assert!(has_word("kernel<<<1, 2>>>()", "kernel"));
        assert!(!has_word("scale_kernel(); kernels", "kernel"));
        assert!(!has_word("", ""));
    }
}
