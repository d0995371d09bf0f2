//! Types and values of calls of math functions with mixed arguments: nvcc's types, and g++'s values.

use super::*;

/// The argument types of the tables.
const TYPES: [(&str, &str); 10] = [
    ("bool", "bool"),
    ("char", "char"),
    ("uchar", "unsigned char"),
    ("short", "short"),
    ("int", "int"),
    ("uint", "unsigned"),
    ("ll", "long long"),
    ("ull", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
];

fn table(name: &str) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(root().join("tests/overloads").join(name)).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|row| row.split(',').map(str::to_owned).collect())
        .collect()
}

/// The bytes that a kernel `k` with one parameter writes.
pub(super) fn written(source: &str, elem: ElemType, len: usize) -> Vec<u8> {
    let compiled = compile(source, None, ArchId::Tu102, &CompileOptions::default())
        .unwrap_or_else(|error| panic!("{source}: {error:?}"));
    let launch = Launch {
        grid: [1, 1, 1],
        block: [1, 1, 1],
        dynamic_shared: 0,
        args: vec![Argument::Buffer {
            elem,
            len: len as u32,
            fill: Fill::of(Pattern::Zero),
            role: Role::Out,
            start: 0,
        }],
        symbols: Vec::new(),
    };
    let outputs = reference::run(&compiled.program, &launch).unwrap();
    outputs.argument(0).unwrap().clone()
}

#[test]
fn results_have_the_types_of_nvcc() {
    let mut head = String::from("template <class T> struct Type { static const int id = -1; };\n");
    for (id, (_, text)) in TYPES.iter().enumerate() {
        head += &format!("template <> struct Type<{text}> {{ static const int id = {id}; }};\n");
    }
    let variables = TYPES.map(|(name, text)| format!("{text} v_{name};\n")).concat();
    let mut wrong = Vec::new();
    let mut num = 0;
    for row in table("types.csv") {
        let [function, result, calls] = &row[..] else {
            panic!("{row:?}")
        };
        let calls: Vec<String> = calls
            .split(';')
            .map(|call| {
                let args: Vec<String> = call.split(' ').map(|name| format!("v_{name}")).collect();
                format!("{function}({})", args.join(", "))
            })
            .collect();
        let store = |(at, call): (usize, &String)| format!("o[{at}] = Type<decltype({call})>::id;\n");
        let stores = calls.iter().enumerate().map(store).collect::<Vec<_>>().concat();
        let source = format!("{head}__global__ void k(int *o) {{\n{variables}{stores}}}\n");
        let bytes = written(&source, ElemType::I32, calls.len());
        for (call, id) in calls.iter().zip(bytes.chunks_exact(4)) {
            let id = i32::from_le_bytes(id.try_into().unwrap());
            let got = usize::try_from(id).map_or("another type", |id| TYPES[id].0);
            num += 1;
            if got != result {
                wrong.push(format!("{call} is {got}, not {result}"));
            }
        }
    }
    assert!(num > 2_000, "{num}");
    assert!(
        wrong.is_empty(),
        "{} of {num}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn results_have_the_values_of_cpp() {
    let rows = table("values.csv");
    let text = |ty: &str, value: &str| {
        let ty = TYPES.iter().find(|(name, _)| *name == ty).unwrap().1;
        format!("({ty}){value}")
    };
    let mut wrong = Vec::new();
    for rows in rows.chunks(128) {
        let calls: Vec<String> = rows
            .iter()
            .map(|row| {
                let (x, y) = (text(&row[1], &row[3]), text(&row[2], &row[4]));
                format!("{}({x}, {y})", row[0])
            })
            .collect();
        let store = |(at, call): (usize, &String)| format!("o[{at}] = {call};\n");
        let stores = calls.iter().enumerate().map(store).collect::<Vec<_>>().concat();
        let source = format!("__global__ void k(double *o) {{\n{stores}}}\n");
        let bytes = written(&source, ElemType::F64, calls.len());
        for ((row, call), got) in rows.iter().zip(&calls).zip(bytes.chunks_exact(8)) {
            let got = f64::from_le_bytes(got.try_into().unwrap());
            let is_right = match &*row[6] {
                "nan" => got.is_nan(),
                bits => {
                    let want = f64::from_bits(u64::from_str_radix(bits, 16).unwrap());
                    // Those that round more than once. The Programming Guide allows float 4 ulp in `powf`.
                    let rounds = matches!(&*row[0], "pow" | "atan2" | "hypot");
                    let distance = if row[5] == "4" {
                        u64::from((want as f32).to_bits().abs_diff((got as f32).to_bits())) / 4
                    } else {
                        want.to_bits().abs_diff(got.to_bits())
                    };
                    distance <= u64::from(rounds) || got == want
                }
            };
            if !is_right {
                wrong.push(format!("{call} is {got}, not {}", row[6]));
            }
        }
    }
    assert!(rows.len() > 1_900, "{}", rows.len());
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        rows.len(),
        wrong.join("\n")
    );
}

#[test]
fn functions_of_half_headers_leave_integers_alone() {
    for head in ["", "#include <cuda_fp16.h>\n"] {
        let source = format!(
            "{head}__global__ void k(int *o) {{ int a = 100001, b = 100000; o[0] = __hadd(a, b); o[1] = __rhadd(a, b); }}"
        );
        let bytes = written(&source, ElemType::I32, 2);
        let values: Vec<i32> = bytes
            .chunks_exact(4)
            .map(|bytes| i32::from_le_bytes(bytes.try_into().unwrap()))
            .collect();
        assert_eq!(values, [100_000, 100_001], "{head}");
    }
}
