// grid 1 block 32 n 3 m 9 a -20 -13 -6 1 8 15 22 29 36 43 50 57 64 71 78 85 92 99 106 113 120 127 134 141 148 155 162 169 176 183 190 197 204 211 218 225 232 239 246 253 260 267 274 281 288 295 302 309 316 323 330 337 344 351 358 365 372 379 386 393 400 407 414 421
// g80 gt200 gf100 gk110 gp104 tu102 gh100
// by hand: scoped enums as types of their own, and `using enum`
enum class Color : unsigned char { Red, Green = 5, Blue };
enum class Step : signed char { Back = -3, Stay = 0, On = 4 };
enum class Mask : unsigned { None, A = 1, B = 2, C = 4 };
enum Plain { PlainA = 3, PlainB };
namespace paint { using enum ::Color; enum class Op { Add, Sub }; using enum Op; __device__ int score(Op op) { return op == Sub ? 70 : 7; } }
struct Shape { enum class Kind { Round = 4, Square }; using enum Kind; Kind kind; Color color[2]; __device__ bool round() const { return kind == Round; } };
struct Packed { Color color : 4; Step step : 4; unsigned rest : 24; };
__device__ int kind_of(int) { return 1; }
__device__ int kind_of(Color) { return 2; }
__device__ int kind_of(Step) { return 3; }
template <class T> struct Name { static const int value = 0; };
template <> struct Name<unsigned char> { static const int value = 1; };
template <> struct Name<Color> { static const int value = 2; };
template <> struct Name<Color *> { static const int value = 3; };
template <Color C> __device__ int chosen() { if constexpr (C == Color::Blue) return 11; else return static_cast<int>(C); }
template <class E> __device__ E first_of() { return E::Back; }
__device__ Mask operator|(Mask a, Mask b) { return static_cast<Mask>(static_cast<unsigned>(a) | static_cast<unsigned>(b)); }
__device__ Mask operator&(Mask a, Mask b) { return Mask(unsigned(a) & unsigned(b)); }
__device__ Mask &operator|=(Mask &a, Mask b) { return a = a | b; }
__device__ bool operator!(Mask a) { return a == Mask::None; }
__device__ Mask operator~(Mask a) { return Mask(~unsigned(a) & 7); }
__device__ Step &operator++(Step &s) { return s = s == Step::Back ? Step::Stay : Step::On; }
constexpr Color favorite = Color::Blue;
__device__ constexpr Color table[3] = {Color::Blue, Color::Red, favorite};
__device__ int weight(Step s) {
  switch (s) {
    case Step::Back: return 100;
    using enum Step;
    case On: return 10;
    default: return 1;
  }
}

__global__ void k(unsigned *out, const int *in, unsigned *total, int n, unsigned m) {
    unsigned t = threadIdx.x, *o = out + t * 16;
    int v = in[t];
    using enum Color;
    Color c = t % 3 == 0 ? Red : t % 3 == 1 ? Green : Color::Blue;
    Step s = static_cast<Step>(t % 2 ? -3 : 4);
    o[0] = kind_of(c) + 10 * kind_of(s) + 100 * kind_of(Green) + 1000 * kind_of(v) + 10000 * kind_of(static_cast<int>(c));
    o[1] = Name<Color>::value + 10 * Name<unsigned char>::value + 100 * Name<int>::value + 1000 * Name<decltype(&c)>::value;
    o[2] = chosen<Blue>() + 100 * chosen<Color::Green>() + static_cast<int>(first_of<Step>());
    Mask mask = Mask::A;
    if (v > 100) mask |= Mask::C;
    o[3] = static_cast<unsigned>(mask | Mask::B) + 10 * !(mask & Mask::C) + 100 * unsigned(~mask);
    o[4] = weight(s) + 1000 * weight(Step::Stay);
    ++s;
    o[5] = static_cast<int>(s) + 100 * (s < Step::On) + 1000 * (c >= Green) + 10000 * (c != favorite);
    Shape shape = {t % 2 ? Shape::Round : Shape::Kind::Square, {Blue, c}};
    o[6] = shape.round() + 10 * (int)shape.color[0] + 100 * static_cast<unsigned>(shape.color[1]) + 10000 * (int)shape.kind;
    Packed p = {c, s, m};
    p.step = Step::Back;
    if (p.color == Red) p.color = Blue;
    o[7] = (int)p.color + 100 * (p.step == Step::Back) + 1000 * p.rest + 100000 * (int)p.step;
    o[8] = paint::score(paint::Sub) + paint::score(paint::Op::Add) * 100 + (int)paint::Blue;
    Color moved[4] = {};
    moved[t % 4] = table[t % 3];
    o[9] = (int)moved[0] * 1000 + (int)moved[1] * 100 + (int)moved[2] * 10 + (int)moved[3];
    { using enum Plain; o[10] = PlainB * 2 + Plain::PlainA; }
    Color list{7}, from{Color::Green};
    o[11] = (unsigned)list + 10 * (unsigned)from + sizeof(Color) * 100 + sizeof(Mask) * 1000;
    using Alias = Color;
    o[12] = c == Alias::Green ? 1 : 2;
    bool flag = static_cast<bool>(c);
    o[13] = flag + 2 * (static_cast<float>(c) > 5.5f);
    auto pick = [=](Color x) { return x == c ? Mask::B : Mask::None; };
    o[14] = static_cast<unsigned>(pick(Green));
    const Color *where = &table[t % 3];
    o[15] = static_cast<int>(*where);
}
