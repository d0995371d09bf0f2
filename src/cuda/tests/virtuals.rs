//! Virtual functions: calls reach the function of the object's class.

use super::tiles::{kernel_with, lanes};
use super::*;

fn outputs(declarations: &str, body: &str) -> Result<Vec<u32>, String> {
    lanes(&kernel_with(declarations, body), ArchId::Gh100, &[7, 8, 9], 32)
}

/// Checks the values of all lanes, which C++ defines.
fn check(declarations: &str, body: &str, expected: impl Fn(u32) -> u32) {
    let expected: Vec<u32> = (0..32).map(expected).collect();
    assert_eq!(
        outputs(declarations, body),
        Ok(expected),
        "{declarations}\n{body}"
    );
}

const SHAPES: &str = "struct Shape {
    unsigned side;
    __device__ Shape(unsigned side) : side(side) {}
    __device__ virtual unsigned area() const = 0;
    __device__ virtual unsigned corners() const { return 0; }
    __device__ unsigned both() const { return area() * 10 + corners(); }
    virtual __device__ ~Shape() {}
};
struct Square : public Shape {
    __device__ Square(unsigned side) : Shape(side) {}
    __device__ unsigned area() const override { return side * side; }
    __device__ unsigned corners() const override final { return 4; }
};
class Disc : public Shape {
    unsigned factor;
public:
    __device__ Disc(unsigned side, unsigned factor) : Shape(side), factor(factor) {}
    __device__ virtual unsigned area() const;
};
__device__ unsigned Disc::area() const { return factor * side; }
struct Ring final : Disc {
    __device__ Ring(unsigned side) : Disc(side, 7) {}
    __device__ unsigned area() const { return Disc::area() + 1; }
};";

#[test]
fn calls_through_pointers_and_references_reach_the_class_of_the_object() {
    let expected = |lane: u32| match lane % 3 {
        0 => lane * lane * 10 + 4,
        1 => 5 * lane * 10,
        _ => (7 * lane + 1) * 10,
    };
    let local = "Square square(t); Disc disc(t, 5); Ring ring(t);
    const Shape *shapes[3] = {&square, &disc, &ring};";
    check(
        SHAPES,
        &format!("{local} out[t] = shapes[t % 3]->area() * 10 + shapes[t % 3]->corners();"),
        expected,
    );
    // From a member function of the base.
    check(
        SHAPES,
        &format!("{local} out[t] = shapes[t % 3]->both();"),
        expected,
    );
    // Through a reference parameter.
    let declarations =
        format!("{SHAPES} __device__ unsigned of(const Shape &shape) {{ return shape.both(); }}");
    check(
        &declarations,
        &format!("{local} out[t] = of(*shapes[t % 3]);"),
        expected,
    );
    // Of objects on the heap.
    let body = "Shape *shape;
    if (t % 3 == 0) shape = new Square(t);
    else if (t % 3 == 1) shape = new Disc(t, 5);
    else shape = new Ring(t);
    out[t] = shape->both();
    delete shape;";
    check(SHAPES, body, expected);
}

#[test]
fn qualified_calls_and_objects_of_known_classes_need_no_table() {
    check(SHAPES, "Ring ring(t); out[t] = ring.Disc::area();", |lane| {
        7 * lane
    });
    check(SHAPES, "Ring ring(t); out[t] = ring.area();", |lane| 7 * lane + 1);
    check(
        SHAPES,
        "Ring ring(t); Shape *shape = &ring; out[t] = static_cast<Ring *>(shape)->Disc::area();",
        |lane| 7 * lane,
    );
}

#[test]
fn destructors_of_derived_classes_run_through_the_base() {
    let declarations = "__device__ unsigned gone[32];
struct Member { __device__ ~Member() { gone[threadIdx.x] += 100; } };
struct Base { __device__ virtual ~Base() { gone[threadIdx.x] += 1; } };
struct Derived : Base { __device__ ~Derived() { gone[threadIdx.x] += 10; } };
struct Implicit : Base { Member member; };";
    for (class, num) in [("Base", 1), ("Derived", 11), ("Implicit", 101)] {
        let body = format!("Base *object = new {class}(); delete object; out[t] = gone[t];");
        check(declarations, &body, |_| num);
        let body = format!("{{ {class} object; }} out[t] = gone[t];");
        check(declarations, &body, |_| num);
        let body = format!(
            "__align__(16) char bytes[sizeof({class})]; Base *object = new (bytes) {class}; object->~Base();
             out[t] = gone[t];"
        );
        check(declarations, &body, |_| num);
    }
}

#[test]
fn constructors_call_the_functions_of_their_own_class() {
    let declarations = "struct Base {
    unsigned seen;
    __device__ Base() { seen = number(); }
    __device__ virtual unsigned number() { return 1; }
};
struct Derived : Base {
    unsigned later;
    __device__ Derived() { later = number(); }
    __device__ unsigned number() { return 2; }
};";
    check(
        declarations,
        "Derived object; Base *base = &object; out[t] = object.seen * 100 + object.later * 10 + base->number();",
        |_| 122,
    );
}

#[test]
fn classes_with_several_bases_and_class_templates_have_virtual_functions() {
    let declarations = "struct Left { unsigned a = 1; __device__ virtual unsigned left() { return a; } };
struct Right { unsigned b = 2; __device__ virtual unsigned right() { return b; } };
struct Both : Left, Right {
    unsigned c = 30;
    __device__ unsigned left() { return a + c; }
    __device__ unsigned right() { return b + c; }
};";
    check(
        declarations,
        "Both both; Left *left = &both; Right *right = &both; out[t] = left->left() * 100 + right->right();",
        |_| 3132,
    );
    let declarations = "template <class T> struct Container {
    __device__ Container() {}
    __device__ virtual ~Container() { ; }
    __device__ virtual void push(T value) = 0;
    __device__ virtual bool pop(T &value) = 0;
};
template <class T> class Stack : public Container<T> {
    T *values; int num;
public:
    __device__ Stack(int size) : num(0) { values = new T[size]; }
    __device__ ~Stack() { delete[] values; }
    __device__ virtual void push(T value) { values[num++] = value; }
    __device__ virtual bool pop(T &value) { if (num == 0) return false; value = values[--num]; return true; }
};";
    check(
        declarations,
        "Container<unsigned> *c = new Stack<unsigned>(4); c->push(t); c->push(3 * t); unsigned v = 0, sum = 0;
         while (c->pop(v)) sum = sum * 2 + v; delete c; out[t] = sum;",
        |lane| 7 * lane,
    );
}

#[test]
fn results_can_be_pointers_to_derived_classes_and_host_functions_are_skipped() {
    let declarations = "struct Base {
    virtual void print() { std::cout << 1; }
    __device__ virtual Base *self() { return this; }
    __device__ virtual unsigned number() { return 1; }
};
struct Derived : Base {
    void print() override { std::cout << 2; }
    __device__ Derived *self() override { return this; }
    __device__ unsigned number() override { return 2; }
};";
    check(
        declarations,
        "Derived object; Base *base = &object; out[t] = base->self()->number() * 100 + sizeof(Derived);",
        |_| 208,
    );
}

#[test]
fn slices_of_objects_with_virtual_functions_are_refused() {
    let body = "Ring ring(t); Disc disc = ring; out[t] = disc.area();";
    assert!(outputs(SHAPES, body).is_err_and(|message| message.contains("virtual functions")));
}
