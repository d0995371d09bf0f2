//! Dimensions of the grid and the block: from text to numbers and back.

/// Dimensions in the usual notation, `2 × 2`, without trailing ones.
pub fn dims_text(dims: [u32; 3]) -> String {
    match dims {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} × {y}"),
        [x, y, z] => format!("{x} × {y} × {z}"),
    }
}

/// Parses dimensions: one to three whole numbers of at least 1, separated by `×`, `x`, `*`, commas, or spaces.
///
/// # Errors
/// A sentence for the user.
pub fn parse_dims(text: &str) -> Result<[u32; 3], String> {
    let mut dims = [1; 3];
    let parts: Vec<&str> = text
        .split(|c: char| matches!(c, '×' | 'x' | 'X' | '*' | ',') || c.is_whitespace())
        .filter(|part| !part.is_empty())
        .collect();
    if parts.is_empty() || parts.len() > 3 {
        return Err("Write one to three whole numbers, for example 2 × 2.".to_owned());
    }
    for (dim, part) in dims.iter_mut().zip(&parts) {
        *dim = match part.parse() {
            Ok(0) => return Err("Each dimension must be at least 1.".to_owned()),
            Ok(number) => number,
            Err(_) => return Err(format!("“{part}” is not a whole number in range.")),
        };
    }
    Ok(dims)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_are_read_as_people_write_them() {
        for (text, dims) in [
            ("2 × 2", [2, 2, 1]),
            ("16x16", [16, 16, 1]),
            (" 8 ", [8, 1, 1]),
            ("4,2,3", [4, 2, 3]),
            ("4*2*3", [4, 2, 3]),
            ("32 8", [32, 8, 1]),
        ] {
            assert_eq!(parse_dims(text), Ok(dims), "{text}");
        }
    }

    #[test]
    fn invalid_dimensions_are_rejected_with_a_sentence() {
        for text in ["", "0", "2 × 0", "a", "1,2,3,4", "-1", "99999999999"] {
            assert!(parse_dims(text).is_err_and(|why| why.ends_with('.')), "{text}");
        }
    }

    #[test]
    fn written_dimensions_parse_back() {
        for dims in [[1, 1, 1], [7, 1, 1], [2, 3, 1], [2, 1, 3]] {
            assert_eq!(parse_dims(&dims_text(dims)), Ok(dims));
        }
    }
}
