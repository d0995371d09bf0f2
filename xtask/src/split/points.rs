//! Places in a function's code to which control can come by another way than from the line above:
//! what lies between two of them runs as a whole.

use wasmparser::{FunctionBody, Operator};

/// An instruction and where it lies in the module.
pub(crate) struct Op<'a> {
    pub(crate) operator: Operator<'a>,
    /// The bytes of the module at which it starts and ends.
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The instructions of a function, the last `end` among them.
pub(crate) fn ops<'a>(body: &FunctionBody<'a>) -> Result<Vec<Op<'a>>, String> {
    let told = |error: wasmparser::BinaryReaderError| error.to_string();
    let mut reader = body.get_operators_reader().map_err(told)?;
    let mut ops: Vec<Op<'a>> = Vec::new();
    while !reader.eof() {
        let (operator, from) = reader.read_with_offset().map_err(told)?;
        if let Some(last) = ops.last_mut() {
            last.to = from;
        }
        ops.push(Op {
            operator,
            from,
            to: body.range().end,
        });
    }
    Ok(ops)
}

/// The points of a function: each the number of the instruction before which it lies.
pub(crate) fn points(ops: &[Op<'_>]) -> Vec<usize> {
    let mut points = vec![0];
    for (number, pair) in ops.windows(2).enumerate() {
        let opens = matches!(
            pair[0].operator,
            Operator::Loop { .. }
                | Operator::If { .. }
                | Operator::Else
                | Operator::End
                | Operator::BrIf { .. }
        );
        // Nothing lies between here and the end.
        let is_empty = matches!(pair[1].operator, Operator::End | Operator::Else);
        if opens && !is_empty {
            points.push(number + 1);
        }
    }
    points
}

/// A letter for each point, by the kinds of the instructions that follow it: by these, points are
/// found again when the code around them has changed.
pub(crate) fn letters(bytes: &[u8], ops: &[Op<'_>], points: &[usize]) -> Vec<u8> {
    (points.iter().enumerate())
        .map(|(number, from)| {
            let until = points.get(number + 1).copied().unwrap_or(ops.len());
            let mut hash: u32 = 0x811c_9dc5;
            for op in &ops[*from..until] {
                // An opcode of two bytes starts with one of these.
                let num = if matches!(bytes[op.from], 0xfb..=0xfe) {
                    2
                } else {
                    1
                };
                for byte in &bytes[op.from..op.from + num] {
                    hash = (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
                }
            }
            b'a' + ((hash >> 7) % 26) as u8
        })
        .collect()
}

/// Which points of a function were passed, told by a profile of it as it once was: capital letters are
/// points that were passed. A point that the profile does not know counts as passed.
pub(crate) fn passed(letters: &[u8], profile: &[u8]) -> Vec<bool> {
    let mut passed = vec![true; letters.len()];
    let known = |byte: u8| byte.is_ascii_uppercase();
    // What is the same at both ends, and what is most alike between.
    let same = |a: &u8, b: &u8| *a == b.to_ascii_lowercase();
    let front = letters
        .iter()
        .zip(profile)
        .take_while(|(a, b)| same(a, b))
        .count();
    let most = letters.len().min(profile.len()) - front;
    let back = (letters.iter().rev().zip(profile.iter().rev()).take(most))
        .take_while(|(a, b)| same(a, b))
        .count();
    for (to, from) in passed.iter_mut().zip(profile).take(front) {
        *to = known(*from);
    }
    for (to, from) in passed.iter_mut().rev().zip(profile.iter().rev()).take(back) {
        *to = known(*from);
    }
    let (new, old) = (
        &letters[front..letters.len() - back],
        &profile[front..profile.len() - back],
    );
    if new.is_empty() || old.is_empty() {
        return passed;
    }
    // The longest common subsequence.
    let width = old.len() + 1;
    let mut common = vec![0_u16; (new.len() + 1) * width];
    for (row, a) in new.iter().enumerate().rev() {
        for (column, b) in old.iter().enumerate().rev() {
            let below = common[(row + 1) * width + column];
            let right = common[row * width + column + 1];
            common[row * width + column] = if same(a, b) {
                common[(row + 1) * width + column + 1] + 1
            } else {
                below.max(right)
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    while row < new.len() && column < old.len() {
        if same(&new[row], &old[column]) {
            passed[front + row] = known(old[column]);
            row += 1;
            column += 1;
        } else if common[(row + 1) * width + column] >= common[row * width + column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    passed
}

#[cfg(test)]
mod tests {
    use super::passed;

    #[test]
    fn points_are_found_again_after_a_change() {
        let told = |letters: &str, profile: &str| -> String {
            (passed(letters.as_bytes(), profile.as_bytes()).into_iter())
                .map(|passed| if passed { '1' } else { '0' })
                .collect()
        };
        assert_eq!(told("abcd", "AbCd"), "1010");
        // New points count as passed.
        assert_eq!(told("abxcd", "AbCd"), "10110");
        // Points that are gone are left out.
        assert_eq!(told("acd", "AbCd"), "110");
        assert_eq!(told("axybcd", "aqbcd"), "011000");
    }
}
