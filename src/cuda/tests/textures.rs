//! Texture fetches and surface accesses, from source to memory contents.

use super::{compile, root};
use engine::arch::{ArchId, architecture};
use engine::isa::{CompileOptions, ElemType, ImageShape};
use engine::launch::texture::{AddressMode, Filter, Layout, Sampler, Texture};
use engine::launch::{Argument, Fill, Launch, Pattern, Role};
use engine::sim::{Machine, MachineOptions, reference};

const ARCHS: [ArchId; 4] = [ArchId::Gf100, ArchId::Gk110, ArchId::Tu102, ArchId::Gh100];

fn texture(shape: ImageShape, extent: [u32; 3], elem: ElemType, channels: u8) -> Texture {
    Texture {
        elem,
        channels,
        shape,
        extent,
        layout: Layout::Array,
        sampler: Sampler::default(),
        fill: Fill {
            modulo: Some(97),
            ..Fill::of(Pattern::Iota)
        },
        role: Role::In,
    }
}

fn words(role: Role, values: &[u32]) -> Argument {
    Argument::Buffer {
        elem: ElemType::U32,
        len: values.len() as u32,
        fill: Fill::of(Pattern::List(values.iter().copied().map(f64::from).collect())),
        role,
        start: 0,
    }
}

/// The bytes of an argument after a block of `threads`. Checks that the machine and the interpreter agree.
fn left(source: &str, arch: ArchId, threads: u32, args: Vec<Argument>, argument: usize) -> Vec<u8> {
    let compiled = compile(source, None, arch, &CompileOptions::default()).unwrap_or_else(|errors| {
        let messages: Vec<_> = errors.iter().map(|error| &error.message).collect();
        panic!("{arch:?}: {messages:?}")
    });
    let launch = Launch {
        grid: [1, 1, 1],
        block: [threads, 1, 1],
        dynamic_shared: 0,
        args,
        symbols: Vec::new(),
    };
    let untimed = reference::run(&compiled.program, &launch).unwrap();
    let mut machine = Machine::new(
        architecture(arch),
        &compiled.program,
        &launch,
        MachineOptions::default(),
    )
    .unwrap();
    machine.run(&mut ());
    let untimed = untimed.argument(argument).unwrap();
    assert_eq!(machine.outputs().argument(argument).unwrap(), untimed, "{arch:?}");
    untimed
}

fn as_words(bytes: &[u8]) -> Vec<u32> {
    bytes
        .chunks_exact(4)
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect()
}

/// The expected results are computed in exact fractions by `tests/textures/reference.py`.
#[test]
fn texture_fetches_match_the_formulas_of_the_programming_guide() {
    let table = std::fs::read_to_string(root().join("tests/textures/expected.txt")).unwrap();
    let mut num_groups = 0;
    let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split(' ').collect()).collect();
    for group in lines.chunk_by(|a, b| a[..4] == b[..4]) {
        let dims: usize = group[0][0].parse().unwrap();
        let (shape, extent, call) = match dims {
            1 => (ImageShape::D1, [13, 1, 1], "tex1D<float>(t, x[i])"),
            2 => (ImageShape::D2, [13, 7, 1], "tex2D<float>(t, x[i], y[i])"),
            _ => (ImageShape::D3, [13, 7, 5], "tex3D<float>(t, x[i], y[i], z[i])"),
        };
        let mode = match group[0][2] {
            "clamp" => AddressMode::Clamp,
            "wrap" => AddressMode::Wrap,
            "mirror" => AddressMode::Mirror,
            _ => AddressMode::Border,
        };
        let sampler = Sampler {
            filter: if group[0][1] == "linear" {
                Filter::Linear
            } else {
                Filter::Point
            },
            address: [mode; 3],
            normalized: group[0][3] == "normalized",
            reads_fractions: false,
        };
        let word = |line: &Vec<&str>, at: usize| u32::from_str_radix(line[4 + at], 16).unwrap();
        let column = |at: usize| -> Vec<u32> {
            let at = at.min(dims);
            group.iter().map(|line| word(line, at)).collect()
        };
        let source = format!(
            "__global__ void k(float *out, cudaTextureObject_t t, const float *x, const float *y, const float *z)
             {{ int i = threadIdx.x; out[i] = {call}; }}"
        );
        let args = vec![
            words(Role::Out, &vec![0; group.len()]),
            Argument::Texture(Box::new(Texture {
                sampler,
                ..texture(shape, extent, ElemType::F32, 1)
            })),
            words(Role::In, &column(0)),
            words(Role::In, &column(1)),
            words(Role::In, &column(2)),
        ];
        let got = as_words(&left(&source, ArchId::Tu102, group.len() as u32, args, 0));
        for ((line, got), expected) in group.iter().zip(got).zip(column(dims)) {
            assert_eq!(
                f32::from_bits(got),
                f32::from_bits(expected),
                "{}",
                line.join(" ")
            );
        }
        num_groups += 1;
    }
    assert_eq!(num_groups, 36);
}

#[test]
fn all_forms_of_a_texture_fetch_return_the_same_value() {
    for arch in ARCHS {
        // Texture objects need compute capability 3.0.
        let objects = arch != ArchId::Gf100;
        let mut sources = vec![
            "texture<float, 2, cudaReadModeElementType> t;
             __global__ void k(float *out) { int i = threadIdx.x; out[i] = tex2D(t, i, 3); }",
        ];
        if objects {
            sources.extend([
                "__device__ float at(cudaTextureObject_t t, int i) { return tex2D<float>(t, i, 3); }
                 __global__ void k(float *out, cudaTextureObject_t t) { int i = threadIdx.x; out[i] = at(t, i); }",
                "__global__ void k(float *out, cudaTextureObject_t t) {
                     int i = threadIdx.x; float v; tex2D(&v, t, i, 3.5f); out[i] = v; }",
                "__global__ void k(float *out, cudaTextureObject_t t) {
                     int i = threadIdx.x; out[i] = tex2DLod<float>(t, i, 3, 2.f); }",
                "__global__ void k(float *out, cudaTextureObject_t t) {
                     int i = threadIdx.x;
                     out[i] = tex2DGrad<float>(t, i, 3, make_float2(i, 1), make_float2(2, i)); }",
                "__global__ void k(float *out, cudaTextureObject_t t) {
                     int i = threadIdx.x; float4 v = tex2Dgather<float4>(t, i + 1, 4, 0); out[i] = v.w; }",
            ]);
        }
        for source in sources {
            let args = vec![
                words(Role::Out, &[0; 8]),
                Argument::Texture(Box::new(texture(ImageShape::D2, [16, 8, 1], ElemType::F32, 1))),
            ];
            let got = as_words(&left(source, arch, 8, args, 0))
                .into_iter()
                .map(f32::from_bits);
            let expected = (48..56).map(|value| value as f32);
            assert!(got.eq(expected), "{arch:?}: {source}");
        }
    }
}

#[test]
fn fetches_select_layers_and_cube_faces() {
    let source = "__global__ void k(float *out, cudaTextureObject_t lines, cudaTextureObject_t layers,
                      cudaTextureObject_t cube, cudaTextureObject_t cubes) {
        float sign = threadIdx.x & 1 ? -1 : 1;
        float x = threadIdx.x / 2 == 0 ? sign : 0, y = threadIdx.x / 2 == 1 ? sign : 0,
              z = threadIdx.x / 2 == 2 ? sign : 0;
        out[4 * threadIdx.x] = tex1DLayered<float>(lines, 2, threadIdx.x);
        out[4 * threadIdx.x + 1] = tex2DLayered<float>(layers, 1, 1, threadIdx.x);
        out[4 * threadIdx.x + 2] = texCubemap<float>(cube, x, y, z);
        out[4 * threadIdx.x + 3] = texCubemapLayered<float>(cubes, x, y, z, 1);
    }";
    let image = |shape, extent| Argument::Texture(Box::new(texture(shape, extent, ElemType::F32, 1)));
    let args = vec![
        words(Role::Out, &[0; 24]),
        image(ImageShape::Layered1, [4, 1, 6]),
        image(ImageShape::Layered2, [2, 2, 6]),
        image(ImageShape::Cube, [1, 1, 6]),
        image(ImageShape::LayeredCube, [1, 1, 12]),
    ];
    let got = as_words(&left(source, ArchId::Tu102, 6, args, 0));
    let expected = (0..6).flat_map(|i| [4 * i + 2, 4 * i + 3, i, i + 6]);
    assert!(
        got.into_iter()
            .map(f32::from_bits)
            .eq(expected.map(|value| value as f32))
    );
}

#[test]
fn narrow_channels_are_extended_or_normalized() {
    let source = "__global__ void k(int *out, cudaTextureObject_t t) {
        int i = threadIdx.x; char4 c = tex2D<char4>(t, i, 0); out[i] = c.x + 1000 * c.w; }";
    let narrow = Texture {
        fill: Fill {
            offset: Some(-4.0),
            ..Fill::of(Pattern::Iota)
        },
        ..texture(ImageShape::D2, [4, 1, 1], ElemType::I8, 4)
    };
    let args = vec![words(Role::Out, &[0; 4]), Argument::Texture(Box::new(narrow))];
    let got = as_words(&left(source, ArchId::Tu102, 4, args, 0));
    let expected = [-4 - 1000, 3000, 4 + 7000, 8 + 11000].map(i32::cast_unsigned);
    assert_eq!(got, expected);

    let source = "texture<uchar4, 2, cudaReadModeNormalizedFloat> t;
        __global__ void k(float *out) { int i = threadIdx.x; out[i] = tex2D(t, i, 0).y; }";
    let mut bytes = texture(ImageShape::D2, [4, 1, 1], ElemType::U8, 4);
    bytes.sampler.reads_fractions = true;
    let args = vec![words(Role::Out, &[0; 4]), Argument::Texture(Box::new(bytes))];
    let got = as_words(&left(source, ArchId::Tu102, 4, args, 0));
    assert_eq!(
        got,
        [1.0, 5.0, 9.0, 13.0].map(|value: f32| (value / 255.0).to_bits())
    );
}

#[test]
fn surface_coordinates_count_bytes() {
    let source = "__global__ void k(cudaSurfaceObject_t s) {
        int i = threadIdx.x;
        uchar4 v = surf2Dread<uchar4>(s, i * 4, 1, cudaBoundaryModeClamp);
        short2 zero; surf2Dread(&zero, s, i * 4, 9, cudaBoundaryModeZero);
        surf2Dwrite(make_uchar4(v.w, v.z, v.y, v.x + zero.x), s, i * 4, 0);
        surf2Dwrite((unsigned char)7, s, 4 * i + 64, 2, cudaBoundaryModeZero);
    }";
    for arch in [ArchId::Gk110, ArchId::Tu102] {
        let surface = Texture {
            role: Role::InOut,
            fill: Fill::of(Pattern::Iota),
            ..texture(ImageShape::D2, [4, 3, 1], ElemType::U8, 4)
        };
        let args = vec![Argument::Texture(Box::new(surface))];
        let got = left(source, arch, 4, args, 0);
        let mut expected: Vec<u8> = (0..48).collect();
        for i in 0..4 {
            for channel in 0..4 {
                expected[4 * i + channel] = (16 + 4 * i + 3 - channel) as u8;
            }
        }
        assert_eq!(got, expected, "{arch:?}");
    }
}

#[test]
fn texture_handles_are_numbers() {
    let source = "__global__ void k(unsigned *out, cudaTextureObject_t t, CUtexObject u)
        { out[0] = (unsigned)(t & 0xFFFFFFFF); out[1] = (unsigned)(u >> 32); }";
    let number = |bits| Argument::Scalar {
        ty: ElemType::U64,
        bits,
    };
    let args = vec![words(Role::Out, &[0; 2]), number(5 << 32 | 4), number(3 << 32)];
    assert_eq!(as_words(&left(source, ArchId::Tu102, 1, args, 0)), [4, 3]);
}

#[test]
fn an_invalid_texture_handle_faults() {
    let source = "__global__ void k(float *out, cudaTextureObject_t t) { out[0] = tex2D<float>(t, 0, 0); }";
    let compiled = compile(source, None, ArchId::Tu102, &CompileOptions::default()).unwrap();
    for (argument, message) in [
        (words(Role::In, &[1, 2]), "is not a texture or surface"),
        (
            Argument::Texture(Box::new(texture(ImageShape::D3, [2, 2, 2], ElemType::F32, 1))),
            "A 2D access reads a 3D texture.",
        ),
    ] {
        let launch = Launch {
            grid: [1, 1, 1],
            block: [1, 1, 1],
            dynamic_shared: 0,
            args: vec![words(Role::Out, &[0]), argument],
            symbols: Vec::new(),
        };
        let error = reference::run(&compiled.program, &launch)
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
    }
}
