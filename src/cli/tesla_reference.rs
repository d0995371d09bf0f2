//! A reference implementation of corpus kernels for compute capability 1.x, where the multiply-add (FMAD) truncates the
//! product instead of keeping it exact.
//!
//! The reference is written by hand from the kernels' source and the documented arithmetic (CUDA C Programming Guide
//! 4.2, G.2), independent of compiler and simulator. It replaces the measured outputs, which come from fused
//! operations.

/// An argument before the launch.
#[derive(Clone, Copy, Debug)]
pub enum Before<'a> {
    /// The bytes of a buffer.
    Buffer(&'a [u8]),
    /// The bits of a scalar.
    Scalar(u64),
    /// The bytes of a struct.
    Bytes(&'a [u8]),
}

/// The threads of a launch in x and y.
#[derive(Clone, Copy, Debug)]
pub struct Threads {
    /// The threads of the whole grid.
    pub total: [usize; 2],
}

/// The written buffers, by argument index.
type Outputs = Vec<(usize, Vec<u8>)>;

/// Returns the buffers that `kernel` writes, by argument index, or `None` if the reference does not implement it.
pub fn outputs(kernel: &str, threads: Threads, args: &[Before<'_>], symbols: &[Vec<u8>]) -> Option<Outputs> {
    let args = Args(args);
    match kernel {
        "saxpy" => saxpy(&args),
        "matmul_naive" | "matmul_tiled" => matmul(&args),
        "dot_float4" => dot_float4(&args, threads),
        "hypotenuse" => hypotenuse(&args),
        "poly_f32" => polynomial(&args),
        "bounds_none" | "bounds_256" | "bounds_256_4" => bounds(&args, threads),
        "clamp_all" => clamp_all(&args),
        "complex_cubic" => complex_cubic(&args),
        "cross_and_dot" => cross_and_dot(&args),
        "expression_forms" => expression_forms(&args),
        "shared_products" => shared_products(&args),
        "mandelbrot" => mandelbrot(&args),
        "sgemm_registers" => sgemm(&args),
        "convolve" => convolve(&args, symbols),
        "heat" => heat(&args),
        _ => None,
    }
}

/// `y = alpha * x + y`.
fn saxpy(args: &Args<'_>) -> Option<Outputs> {
    let (n, alpha, x, mut y) = (args.int(0)?, args.float(1)?, args.floats(2)?, args.floats(3)?);
    for i in 0..n {
        y[i] = fmad(alpha, x[i], y[i]);
    }
    Some(vec![(3, bytes(&y))])
}

/// A product of square matrices.
fn matmul(args: &Args<'_>) -> Option<Outputs> {
    let (a, b, mut c, n) = (args.floats(0)?, args.floats(1)?, args.floats(2)?, args.int(3)?);
    for row in 0..n {
        for col in 0..n {
            c[row * n + col] = (0..n).fold(0.0, |acc, k| fmad(a[row * n + k], b[k * n + col], acc));
        }
    }
    Some(vec![(2, bytes(&c))])
}

/// A dot product of four components for each thread.
fn dot_float4(args: &Args<'_>, threads: Threads) -> Option<Outputs> {
    let (a, b, mut out) = (args.floats(0)?, args.floats(1)?, args.floats(2)?);
    for (i, out) in out.iter_mut().enumerate().take(threads.total[0]) {
        let (p, q) = (&a[4 * i..4 * i + 4], &b[4 * i..4 * i + 4]);
        let first_two = fmad(p[0], q[0], p[1] * q[1]);
        *out = fmad(p[3], q[3], fmad(p[2], q[2], first_two));
    }
    Some(vec![(2, bytes(&out))])
}

/// The lengths of vectors of two components.
fn hypotenuse(args: &Args<'_>) -> Option<Outputs> {
    let (x, y, mut len, n) = (args.floats(0)?, args.floats(1)?, args.floats(2)?, args.int(3)?);
    for i in 0..n {
        len[i] = fmad(x[i], x[i], y[i] * y[i]).sqrt();
    }
    Some(vec![(2, bytes(&len))])
}

/// A polynomial of degree five by Horner's method.
fn polynomial(args: &Args<'_>) -> Option<Outputs> {
    let (x, mut y, n) = (args.floats(0)?, args.floats(1)?, args.int(2)?);
    for i in 0..n {
        y[i] = [0.5, -1.0, 1.5, -2.25, 3.0]
            .into_iter()
            .fold(0.25, |r, c| fmad(r, x[i], c));
    }
    Some(vec![(1, bytes(&y))])
}

/// The same sums under several launch bounds.
fn bounds(args: &Args<'_>, threads: Threads) -> Option<Outputs> {
    let (input, mut out, n) = (args.floats(0)?, args.floats(1)?, args.int(2)?);
    for (i, out) in out.iter_mut().enumerate().take(threads.total[0]) {
        *out = rolling_products(&input, i, n);
    }
    Some(vec![(1, bytes(&out))])
}

/// Scaled values from 0 to 1.
fn clamp_all(args: &Args<'_>) -> Option<Outputs> {
    let (mut data, gain, n) = (args.floats(0)?, args.float(1)?, args.int(2)?);
    for value in &mut data[..n] {
        *value = fmad(*value, gain, -0.25).clamp(0.0, 1.0);
    }
    Some(vec![(0, bytes(&data))])
}

/// A cubic polynomial of complex numbers.
fn complex_cubic(args: &Args<'_>) -> Option<Outputs> {
    let (z, mut out, c, n) = (
        args.floats(0)?,
        args.floats(1)?,
        args.struct_floats(2)?,
        args.int(3)?,
    );
    for i in 0..n {
        let z = (z[2 * i], z[2 * i + 1]);
        let square = times(z, z, Fused::First);
        let cube = times(square, z, Fused::First);
        let linear = times((c[0], c[1]), z, Fused::Second);
        (out[2 * i], out[2 * i + 1]) = (cube.0 + linear.0, cube.1 + linear.1);
    }
    Some(vec![(1, bytes(&out))])
}

/// Cross and dot products.
fn cross_and_dot(args: &Args<'_>) -> Option<Outputs> {
    let (a, b, mut cross, mut dot) = (args.floats(0)?, args.floats(1)?, args.floats(2)?, args.floats(3)?);
    for i in 0..args.int(4)? {
        let (p, q) = (&a[3 * i..3 * i + 3], &b[3 * i..3 * i + 3]);
        for k in 0..3 {
            let (u, v) = ((k + 1) % 3, (k + 2) % 3);
            cross[3 * i + k] = fmad(p[u], q[v], -(p[v] * q[u]));
        }
        dot[i] = fmad(p[2], q[2], fmad(p[0], q[0], p[1] * q[1]));
    }
    Some(vec![(2, bytes(&cross)), (3, bytes(&dot))])
}

/// Forms of expressions with several candidates for a multiply-add.
fn expression_forms(args: &Args<'_>) -> Option<Outputs> {
    let (a, b, c, mut out) = (args.floats(0)?, args.floats(1)?, args.floats(2)?, args.floats(3)?);
    for i in 0..args.int(4)? {
        let at = 8 * i..8 * i + 8;
        out[at.clone()].copy_from_slice(&forms(&a[at.clone()], &b[at.clone()], &c[at]));
    }
    Some(vec![(3, bytes(&out))])
}

/// Products with several uses.
fn shared_products(args: &Args<'_>) -> Option<Outputs> {
    let (a, b) = (args.floats(0)?, args.floats(1)?);
    let (mut sum, mut diff, mut prod) = (args.floats(2)?, args.floats(3)?, args.floats(4)?);
    for i in 0..args.int(5)? {
        let (x, y) = (a[i], b[i]);
        let (yy, xy) = (y * y, x * y);
        sum[i] = fmad(x, x, yy);
        diff[i] = fmad(x, x, -yy);
        prod[i] = if xy > 0.0 { xy + 1.0 } else { 1.0 - xy };
    }
    Some(vec![(2, bytes(&sum)), (3, bytes(&diff)), (4, bytes(&prod))])
}

/// The steps of each pixel of the Mandelbrot set.
fn mandelbrot(args: &Args<'_>) -> Option<Outputs> {
    let (mut image, width, height) = (args.bytes(0)?, args.int(1)?, args.int(2)?);
    let (x0, y0, step, limit) = (args.float(3)?, args.float(4)?, args.float(5)?, args.int(6)?);
    for py in 0..height {
        for px in 0..width {
            let (cx, cy) = (fmad(px as f32, step, x0), fmad(py as f32, step, y0));
            image[py * width + px] = escape(cx, cy, limit) as u8;
        }
    }
    Some(vec![(0, image)])
}

/// `C = alpha * A * B + beta * C`.
fn sgemm(args: &Args<'_>) -> Option<Outputs> {
    let (m, n, k, alpha) = (args.int(0)?, args.int(1)?, args.int(2)?, args.float(3)?);
    let (a, b, beta, mut c) = (args.floats(4)?, args.floats(5)?, args.float(6)?, args.floats(7)?);
    for row in 0..m {
        for col in 0..n {
            let acc = (0..k).fold(0.0, |acc, p| fmad(a[row * k + p], b[p * n + col], acc));
            c[row * n + col] = fmad(alpha, acc, beta * c[row * n + col]);
        }
    }
    Some(vec![(7, bytes(&c))])
}

/// A filter of five rows and columns.
fn convolve(args: &Args<'_>, symbols: &[Vec<u8>]) -> Option<Outputs> {
    let (input, mut out, width, height) = (args.floats(0)?, args.floats(1)?, args.int(2)?, args.int(3)?);
    let filter = floats(symbols.first()?);
    let at = |x: usize, y: usize| {
        // Two columns and rows of halo: unsigned wraparound is out of range too.
        let (x, y) = (x.wrapping_sub(2), y.wrapping_sub(2));
        if x < width && y < height {
            input[y * width + x]
        } else {
            0.0
        }
    };
    for y in 0..height {
        for x in 0..width {
            out[y * width + x] = (0..25).fold(0.0, |sum, k| fmad(filter[k], at(x + k % 5, y + k / 5), sum));
        }
    }
    Some(vec![(1, bytes(&out))])
}

/// Steps of heat conduction on a grid of 16 by 16.
fn heat(args: &Args<'_>) -> Option<Outputs> {
    let (mut grid, steps) = (args.floats(0)?, args.int(1)?);
    for _ in 0..steps {
        let old = grid.clone();
        let at = |x: usize, y: usize| {
            if (1..17).contains(&x) && (1..17).contains(&y) {
                old[(y - 1) * 16 + x - 1]
            } else {
                0.0
            }
        };
        for y in 1..17 {
            for x in 1..17 {
                let v = at(x, y);
                let around = at(x, y - 1) + at(x, y + 1) + at(x - 1, y) + at(x + 1, y);
                grid[(y - 1) * 16 + x - 1] = fmad(0.2, fmad(-4.0, v, around), v);
            }
        }
    }
    Some(vec![(0, bytes(&grid))])
}

/// Returns the steps until a point leaves the circle of radius two.
///
/// The condition and the body both use the squares, so the squares are separate products.
fn escape(cx: f32, cy: f32, limit: usize) -> usize {
    let (mut x, mut y) = (0.0_f32, 0.0_f32);
    for n in 0..limit {
        let (xx, yy) = (x * x, y * y);
        if xx + yy >= 4.0 {
            return n;
        }
        (x, y) = (xx - yy + cx, fmad(2.0 * x, y, cy));
    }
    limit
}

/// Returns trunc(a * b) + c: the product truncated to 24 significant bits, the sum rounded to nearest, subnormals
/// flushed to zero.
fn fmad(a: f32, b: f32, c: f32) -> f32 {
    // The exact product of 24 by 24 bits fits in a double's 53 bits; the lowest 29 bits are truncated.
    let exact = f64::from(a) * f64::from(b);
    let cut = f64::from_bits(exact.to_bits() >> 29 << 29);
    flushed(flushed(cut as f32) + flushed(c))
}

fn flushed(v: f32) -> f32 {
    if v.is_subnormal() { 0.0_f32.copysign(v) } else { v }
}

/// The product of the imaginary part that is fused: the product whose operands are complete first.
#[derive(Clone, Copy)]
enum Fused {
    First,
    Second,
}

fn times(a: (f32, f32), b: (f32, f32), fused: Fused) -> (f32, f32) {
    let imaginary = match fused {
        Fused::First => fmad(a.0, b.1, a.1 * b.0),
        Fused::Second => fmad(a.1, b.0, a.0 * b.1),
    };
    (fmad(a.0, b.0, -(a.1 * b.1)), imaginary)
}

fn rolling_products(input: &[f32], i: usize, n: usize) -> f32 {
    const R: usize = 80;
    let mut r: Vec<f32> = (0..R).map(|k| input[(i + k * 5) % n]).collect();
    for _ in 0..2 {
        for k in 0..R {
            r[k] = fmad(r[k], r[(k + 7) % R], r[(k + 13) % R]);
        }
    }
    r.iter().fold(0.0, |sum, v| sum + v)
}

fn forms(x: &[f32], y: &[f32], z: &[f32]) -> [f32; 8] {
    [
        fmad(-x[0], y[0], z[0]),
        fmad(-x[1], y[1], -z[1]),
        fmad(x[2], z[2], fmad(y[2], z[2], x[2])),
        fmad(x[3] + y[3], y[3] - z[3], x[3]),
        fmad(x[4] * y[4], z[4], x[4] / y[4]),
        fmad(x[5], y[5], z[5] * 0.1),
        fmad(x[6], y[6], y[6] * z[6]) - fmad(z[6], x[6], -(x[6] * x[6])),
        fmad(x[7] * y[7], 0.5, z[7]),
    ]
}

struct Args<'a>(&'a [Before<'a>]);

impl Args<'_> {
    fn floats(&self, idx: usize) -> Option<Vec<f32>> {
        match self.0.get(idx)? {
            Before::Buffer(bytes) => Some(floats(bytes)),
            _ => None,
        }
    }

    fn bytes(&self, idx: usize) -> Option<Vec<u8>> {
        match self.0.get(idx)? {
            Before::Buffer(bytes) => Some(bytes.to_vec()),
            _ => None,
        }
    }

    fn struct_floats(&self, idx: usize) -> Option<Vec<f32>> {
        match self.0.get(idx)? {
            Before::Bytes(bytes) => Some(floats(bytes)),
            _ => None,
        }
    }

    fn bits(&self, idx: usize) -> Option<u64> {
        match self.0.get(idx)? {
            Before::Scalar(bits) => Some(*bits),
            _ => None,
        }
    }

    fn int(&self, idx: usize) -> Option<usize> {
        usize::try_from(self.bits(idx)? & 0xffff_ffff).ok()
    }

    fn float(&self, idx: usize) -> Option<f32> {
        Some(f32::from_bits(u32::try_from(self.bits(idx)?).ok()?))
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .collect()
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_truncated_and_the_sum_rounded() {
        let a = 1.0 + f32::EPSILON;
        // `a * a` = 1 + 2^-22 + 2^-46 is truncated to 1 + 2^-22; a fused operation would keep the rest.
        assert_eq!(fmad(a, a, -(1.0 + 2.0 * f32::EPSILON)), 0.0);
        assert!(a.mul_add(a, -(1.0 + 2.0 * f32::EPSILON)) > 0.0);
        // 3 * (1 + 2^-23) / 2 = 1.5 + 1.5 * 2^-23 rounds up as a product, is truncated here.
        assert!(fmad(1.5, a, 0.0) < 1.5 * a);
    }

    #[test]
    fn subnormal_results_are_zero() {
        assert_eq!(fmad(f32::MIN_POSITIVE, 0.5, 0.0), 0.0);
    }
}
