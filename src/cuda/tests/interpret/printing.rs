//! `printf`: the interpreter, the untimed interpreter of machine code, and the machine print the same text.

use super::{Limits, OPTIONS, buffer, integers, run, unit_for};
use cuda::compile;
use engine::arch::{ArchId, architecture};
use engine::launch::{Launch, Role};
use engine::printf::Printed;
use engine::sim::{Machine, MachineOptions, Sink, reference};

const SOURCE: &str = r#"
__device__ int say(const char *who, int n) { return printf("%s says %d\n", who, n); }
__global__ void k(const int *in, int *out)
{
    __shared__ char word[4];
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) { word[0] = 'h'; word[1] = 'i'; word[2] = 0; }
    __syncthreads();
    char letters[4] = { 'a', (char)('a' + i % 26), (char)in[i], 0 };
    out[i] = -1;
    if (i % 7 == 3) out[i] = printf("%u %s %8.3f|%-6d|%llx %c %%\n", i, word, in[i] * 0.25f, in[i], (long long)i << 33, 'x');
    if (i % 5 == 1) out[i] = printf("[%*s] %hhd %p\n", 6, letters, in[i] * 100, (void *)0);
    for (int n = 0; n < (int)i % 3; n++) out[i] += say(n ? "again" : "first", n);
    if (i == 40) out[i] = printf("none\n");
}
"#;

/// The output of each thread, by block and thread.
fn by_thread(calls: &[Printed]) -> Vec<([u32; 3], [u32; 3], String)> {
    let mut calls: Vec<_> = calls
        .iter()
        .map(|call| (call.block, call.thread, call.text()))
        .collect();
    calls.sort_by_key(|(block, thread, _)| (*block, *thread));
    calls
}

#[derive(Default)]
struct Prints(Vec<Printed>);

impl Sink for Prints {
    fn printed(&mut self, printed: Printed) {
        self.0.push(printed);
    }
}

#[test]
fn all_machines_print_the_same() {
    let input: Vec<i32> = (0..64).map(|i| 97 + i % 20).collect();
    let launch = Launch {
        grid: [2, 1, 1],
        block: [32, 1, 1],
        dynamic_shared: 0,
        args: vec![buffer(&input, Role::In), buffer(&[0; 64], Role::Out)],
        symbols: Vec::new(),
    };
    for arch in [ArchId::Gf100, ArchId::Gp104, ArchId::Tu102, ArchId::Gh100] {
        let unit = unit_for(SOURCE, arch);
        let interpreted = run(&unit, "k", &launch, Limits::default()).expect("the interpreter runs it");
        assert_eq!(interpreted.undefined, []);
        let program = compile(SOURCE, Some("k"), arch, &OPTIONS)
            .expect("it compiles")
            .program;
        let (outputs, untimed) = reference::run_printing(&program, &launch).expect("it runs");
        let mut machine = Machine::new(architecture(arch), &program, &launch, MachineOptions::default())
            .expect("it fits the chip");
        let mut timed = Prints::default();
        machine.run_until(engine::ids::Cycle(u64::MAX), &mut timed);
        let expected = by_thread(&interpreted.printed);
        assert_eq!(expected.len(), 9 + 13 + 63 + 1, "{arch}");
        assert_eq!(by_thread(&untimed), expected, "{arch}");
        assert_eq!(by_thread(&timed.0), expected, "{arch}");
        let cycles: Vec<_> = timed.0.iter().map(|call| call.cycle).collect();
        assert!(cycles.is_sorted(), "{arch}");
        let results = integers(&outputs.argument(1).expect("a buffer"));
        assert_eq!(results[3], 6, "{arch}");
        assert_eq!(results[40], 0, "{arch}");
        assert_eq!(results, integers(&interpreted.buffers[1].bytes), "{arch}");
        assert_eq!(
            results,
            integers(&machine.outputs().argument(1).expect("a buffer")),
            "{arch}"
        );
    }
}

#[test]
fn the_text_equals_the_c_library() {
    let unit = unit_for(SOURCE, ArchId::Tu102);
    let launch = Launch {
        grid: [1, 1, 1],
        block: [4, 1, 1],
        dynamic_shared: 0,
        args: vec![
            buffer(&[100, 101, 102, 103], Role::In),
            buffer(&[0; 4], Role::Out),
        ],
        symbols: Vec::new(),
    };
    let interpreted = run(&unit, "k", &launch, Limits::default()).expect("the interpreter runs it");
    let text: Vec<String> = by_thread(&interpreted.printed)
        .into_iter()
        .map(|call| call.2)
        .collect();
    assert_eq!(
        text,
        [
            "[   abe] 116 (nil)\n",
            "first says 0\n",
            "first says 0\n",
            "again says 1\n",
            "3 hi   25.750|103   |600000000 x %\n",
        ]
    );
}
