//! Declarations that public programs write: constants of the device, names of enums, types of the runtime, and
//! functions of the host.

use super::tiles::{kernel_with, lanes};
use super::*;

fn check(declarations: &str, body: &str, expected: u32) {
    let source = kernel_with(declarations, body);
    assert_eq!(
        lanes(&source, ArchId::Tu102, &[7], 32),
        Ok(vec![expected; 32]),
        "{source}"
    );
}

#[test]
fn variables_do_not_hide_the_enum_before_a_scope() {
    let declarations = "enum dir { first, second }; enum class kind { a, b, c };
__device__ unsigned of(int dir) { return dir * 10 + dir::second; }";
    check(
        declarations,
        "unsigned dir = 5; out[t] = dir * 10 + dir::second;",
        51,
    );
    check(declarations, "out[t] = of(3);", 31);
    check(
        declarations,
        "int kind = 4; out[t] = kind * 10 + (int)kind::c;",
        42,
    );
}

#[test]
fn const_integers_of_the_device_are_constant_expressions() {
    let declarations = "static __device__ const unsigned char low = 15;
static __device__ const unsigned char high = low << 4;
__device__ const int size = low + 1;";
    check(declarations, "out[t] = high;", 240);
    check(
        declarations,
        "unsigned values[size]; values[t % size] = 3; out[t] = values[t % size] + sizeof(values);",
        67,
    );
    check(
        declarations,
        "switch (in[0] + 8) { case low: out[t] = 1; break; default: out[t] = 2; }",
        1,
    );
}

#[test]
fn enums_of_the_runtime_are_types() {
    let declarations =
        "template <cudaTextureReadMode Mode> struct Read { static const cudaTextureReadMode mode = Mode; };
template <typename T> struct Info;
template <> struct Info<float> { static const cudaTextureReadMode mode = cudaReadModeElementType; };";
    check(
        declarations,
        "out[t] = Read<cudaReadModeNormalizedFloat>::mode;",
        1,
    );
    check(declarations, "out[t] = Info<float>::mode + 2;", 2);
    check(
        "",
        "cudaTextureFilterMode mode = cudaFilterModeLinear; out[t] = mode;",
        1,
    );
}

#[test]
fn specialized_functions_of_the_host_are_skipped() {
    let declarations = "#include <string>
class Options { public: template <typename T> T get(const std::string &name) const; };
template <> inline bool Options::get<bool>(const std::string &name) const { return name == \"on\"; }
template <> int Options::get<int>(const std::string &name) const { return name.size(); }";
    check(declarations, "out[t] = 9;", 9);
}
