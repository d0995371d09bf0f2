//! `new`, `delete`, `malloc`, and `free` in kernels, and objects at a given address.

use super::tiles::{kernel_with, lanes};
use super::*;

fn outputs(declarations: &str, body: &str) -> Result<Vec<u32>, String> {
    lanes(&kernel_with(declarations, body), ArchId::Gh100, &[7, 8, 9], 32)
}

#[test]
fn objects_have_their_values_until_they_are_freed() {
    let bodies = [
        "unsigned *p = new unsigned(t); out[t] = *p * 3; delete p;",
        "unsigned *p = new unsigned; *p = t; out[t] = *p + 2 * t; delete p;",
        "unsigned *p = new unsigned[t + 1]; for (int i = 0; i <= t; i++) p[i] = 3 * i; out[t] = p[t]; delete[] p;",
        "unsigned *p = new unsigned[40](); out[t] = p[t] + 3 * t; delete[] p;",
        "unsigned *p = (unsigned *)malloc(4 * sizeof(unsigned)); p[3] = 3 * t; out[t] = p[3]; free(p);",
        "auto p = new Pair{t, 2 * t}; out[t] = p->a + p->b; delete p;",
        "Pair *p = new (Pair)(); p->a = 3 * t; out[t] = p->a + p->b; delete p;",
        "Node *head = nullptr; for (unsigned i = 0; i < 3; i++) head = new Node(t, head);
         unsigned sum = 0; while (head) { Node *next = head->next; sum += head->value; delete head; head = next; }
         out[t] = sum;",
        "__align__(16) char bytes[sizeof(Node)]; Node *n = new (bytes) Node(3 * t, nullptr); out[t] = n->value; n->~Node();",
        "unsigned **rows = new unsigned *[2]; rows[1] = new unsigned(3 * t); out[t] = *rows[1]; delete rows[1];
         delete[] rows;",
        "out[t] = (malloc(9000000) == nullptr && malloc(1ull << 40) == nullptr) ? 3 * t : 0;",
    ];
    let declarations = "struct Pair { unsigned a, b; };
struct Node {
    unsigned value;
    Node *next;
    __device__ Node(unsigned value, Node *next) : value(value), next(next) {}
};";
    let expected: Vec<u32> = (0..32).map(|lane| 3 * lane).collect();
    for body in bodies {
        assert_eq!(outputs(declarations, body), Ok(expected.clone()), "{body}");
    }
}

#[test]
fn constructors_and_destructors_run_once_for_each_object() {
    let declarations = "__device__ unsigned made[32], gone[32];
struct Counted {
    unsigned *slot;
    __device__ Counted() : slot(&gone[threadIdx.x]) { made[threadIdx.x]++; }
    __device__ ~Counted() { ++*slot; }
};
struct Holder { Counted a, b; __device__ Holder() {} };";
    let bodies = [
        ("Counted *c = new Counted; delete c;", 1),
        ("Counted *c = new Counted[3]; delete[] c;", 3),
        ("Holder *h = new Holder(); delete h;", 2),
        ("Counted *c = nullptr; delete c; delete[] c;", 0),
        (
            "__shared__ char bytes[32][sizeof(Holder)]; Holder *h = new (bytes[t]) Holder; h->~Holder();",
            2,
        ),
    ];
    for (body, num) in bodies {
        let body = format!("{body} out[t] = made[t] * 10 + gone[t];");
        assert_eq!(outputs(declarations, &body), Ok(vec![num * 11; 32]), "{body}");
    }
}

#[test]
fn a_full_heap_returns_null() {
    let body = "unsigned num = 0;
    if (t == 0) for (int i = 0; i < 12; i++) { void *p = malloc(1000000); num += p != nullptr; free(p); }
    out[t] = num;";
    let mut expected = vec![0; 32];
    expected[0] = 8;
    assert_eq!(outputs("", body), Ok(expected));
}
