//! Random number engines and distributions of the C++ library. The C++ standard defines the engines. It does not
//! define the algorithms of the distributions; these follow libstdc++.

use super::machine::*;
use super::memory::*;
use super::tree::*;
use super::value::*;

/// An engine with its state.
#[derive(Clone, Debug)]
pub(super) enum Engine {
    /// `std::mt19937`: 624 words, and the index of the next word.
    Mersenne(Box<[u32; 624]>, usize),
    /// `std::minstd_rand0` and `std::minstd_rand`: the multiplier and the last number.
    Linear(u64, u64),
    /// `std::random_device`, whose numbers differ in each run.
    Device,
}

/// The kind of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EngineKind {
    Mersenne,
    Minstd0,
    Minstd,
    Device,
}

/// The kind of a distribution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum DistributionKind {
    UniformInt,
    UniformReal,
    Normal,
}

/// A distribution with its parameters.
#[derive(Clone, Debug)]
pub(super) struct Distribution {
    kind: DistributionKind,
    /// The result type.
    ty: Ty,
    /// The parameters: bounds, or mean and standard deviation.
    params: [Value; 2],
    /// The second number of a pair of normal numbers.
    saved: Option<f64>,
}

impl Engine {
    fn new(kind: EngineKind, seed: Option<u64>) -> Self {
        match kind {
            EngineKind::Mersenne => {
                let mut words = Box::new([0_u32; 624]);
                words[0] = seed.unwrap_or(5489) as u32;
                for i in 1..624 {
                    let last = words[i - 1];
                    words[i] = (last ^ last >> 30)
                        .wrapping_mul(1_812_433_253)
                        .wrapping_add(i as u32);
                }
                Self::Mersenne(words, 624)
            }
            EngineKind::Minstd0 | EngineKind::Minstd => {
                let factor = if kind == EngineKind::Minstd0 {
                    16_807
                } else {
                    48_271
                };
                // A seed of 0 modulo the modulus becomes 1.
                let seed = seed.unwrap_or(1) % MODULUS;
                Self::Linear(factor, if seed == 0 { 1 } else { seed })
            }
            EngineKind::Device => Self::Device,
        }
    }

    /// The next number.
    fn next(&mut self) -> u64 {
        match self {
            Self::Mersenne(words, at) => {
                if *at == 624 {
                    for i in 0..624 {
                        let mixed = words[i] & 0x8000_0000 | words[(i + 1) % 624] & 0x7fff_ffff;
                        let odd = if mixed & 1 == 1 { 0x9908_b0df } else { 0 };
                        words[i] = words[(i + 397) % 624] ^ mixed >> 1 ^ odd;
                    }
                    *at = 0;
                }
                let mut word = words[*at];
                *at += 1;
                word ^= word >> 11;
                word ^= word << 7 & 0x9d2c_5680;
                word ^= word << 15 & 0xefc6_0000;
                u64::from(word ^ word >> 18)
            }
            Self::Linear(factor, last) => {
                *last = *last * *factor % MODULUS;
                *last
            }
            Self::Device => 0,
        }
    }

    /// The minimum, and the number of further values.
    const fn range(&self) -> (u64, u64) {
        match self {
            Self::Mersenne(..) | Self::Device => (0, 0xffff_ffff),
            Self::Linear(..) => (1, MODULUS - 2),
        }
    }

    /// A number from 0 up to 1, like `std::generate_canonical` in single or double precision.
    fn canonical(&mut self, is_double: bool) -> f64 {
        let (least, range) = self.range();
        // libstdc++ rounds the number of bits per value down: 30 for the linear engines.
        let bits = if range == 0xffff_ffff { 32 } else { 30 };
        let count = if is_double {
            53_u32.div_ceil(bits)
        } else {
            24_u32.div_ceil(bits)
        };
        let width = range as f64 + 1.0;
        let result = if is_double {
            let (mut sum, mut factor) = (0.0, 1.0);
            for _ in 0..count {
                sum += (self.next() - least) as f64 * factor;
                factor *= width;
            }
            sum / factor
        } else {
            let (mut sum, mut factor) = (0.0_f32, 1.0_f32);
            for _ in 0..count {
                sum += (self.next() - least) as f32 * factor;
                factor = (f64::from(factor) * width) as f32;
            }
            f64::from(sum / factor)
        };
        match (result >= 1.0, is_double) {
            (false, _) => result,
            (true, true) => 1.0_f64.next_down(),
            (true, false) => f64::from(1.0_f32.next_down()),
        }
    }

    /// A number from 0 to `most`, like `std::uniform_int_distribution`.
    fn uniform(&mut self, most: u64) -> u64 {
        let (least, range) = self.range();
        if range > most {
            let count = most + 1;
            if range == 0xffff_ffff {
                // Lemire's method.
                let mut product = self.next() * count;
                if (product as u32) < count as u32 {
                    let threshold = (count as u32).wrapping_neg() % count as u32;
                    while (product as u32) < threshold {
                        product = self.next() * count;
                    }
                }
                return product >> 32;
            }
            let scaling = range / count;
            loop {
                let number = self.next() - least;
                if number < count * scaling {
                    return number / scaling;
                }
            }
        }
        if range == most {
            return self.next() - least;
        }
        loop {
            let high = (range + 1).wrapping_mul(self.uniform(most / (range + 1)));
            let number = high.wrapping_add(self.next() - least);
            if number <= most && number >= high {
                return number;
            }
        }
    }
}

/// The modulus of the linear engines.
const MODULUS: u64 = 0x7fff_ffff;

/// The engine kind for a type name.
pub(super) fn engine_kind(name: &str) -> Option<EngineKind> {
    Some(match name {
        "mt19937" => EngineKind::Mersenne,
        "default_random_engine" | "minstd_rand0" => EngineKind::Minstd0,
        "minstd_rand" => EngineKind::Minstd,
        "random_device" => EngineKind::Device,
        _ => return None,
    })
}

impl Machine {
    /// The distribution kind for a type name.
    pub(super) fn distribution_type(&mut self, name: &str, elem: Option<Ty>) -> Option<Ty> {
        let (kind, plain) = match name {
            "uniform_int_distribution" => (DistributionKind::UniformInt, Ty::I32),
            "uniform_real_distribution" => (DistributionKind::UniformReal, Ty::F64),
            "normal_distribution" => (DistributionKind::Normal, Ty::F64),
            _ => return None,
        };
        let elem = elem.unwrap_or(plain);
        let fits = if kind == DistributionKind::UniformInt {
            Self::is_integer(elem)
        } else {
            matches!(elem, Ty::F32 | Ty::F64)
        };
        fits.then(|| Ty::Distribution(kind, self.intern(elem)))
    }

    /// A new engine, optionally with a seed.
    pub(super) fn new_engine(&mut self, kind: EngineKind, seed: Option<&Value>) -> Value {
        let seed = match seed {
            Some(seed) if seed.is_known() && Self::is_integer(seed.ty) => Some(seed.bits),
            Some(_) if kind != EngineKind::Device => {
                self.note("The seed of this engine differs in each run; seed 1 is used.".to_owned());
                Some(1)
            }
            _ => None,
        };
        self.engines.push(Engine::new(kind, seed));
        Value::new(Ty::Engine(kind), self.engines.len() as u64 - 1, KNOWN)
    }

    /// A new distribution with these parameters.
    pub(super) fn new_distribution(&mut self, kind: DistributionKind, elem: TyId, given: &[Value]) -> Value {
        let ty = self.pointee(elem);
        let most = match kind {
            DistributionKind::UniformInt => Value::new(
                ty,
                match ty {
                    Ty::U64 => u64::MAX,
                    Ty::I64 => i64::MAX as u64,
                    Ty::U32 => u64::from(u32::MAX),
                    _ => i32::MAX as u64,
                },
                KNOWN,
            ),
            _ => Value::int(1),
        };
        let first = given.first().cloned().unwrap_or(Value::int(0));
        let second = given.get(1).cloned().unwrap_or(most);
        let params = [self.convert(first, ty), self.convert(second, ty)];
        self.distributions.push(Distribution {
            kind,
            ty,
            params,
            saved: None,
        });
        let idx = self.distributions.len() as u64 - 1;
        Value::new(Ty::Distribution(kind, elem), idx, KNOWN)
    }

    /// An engine or distribution with a state of its own.
    pub(super) fn copied_engine(&mut self, value: &Value) -> Value {
        let idx = value.bits as usize;
        let bits = match value.ty {
            Ty::Engine(_) if idx < self.engines.len() => {
                self.engines.push(self.engines[idx].clone());
                self.engines.len() - 1
            }
            Ty::Distribution(..) if idx < self.distributions.len() => {
                self.distributions.push(self.distributions[idx].clone());
                self.distributions.len() - 1
            }
            _ => idx,
        };
        Value::new(value.ty, bits as u64, value.state)
    }

    /// The next number of an engine at a place.
    pub(super) fn engine_number(&mut self, at: Location) -> Value {
        let value = self.load(at);
        if !value.is_known() || matches!(value.ty, Ty::Engine(EngineKind::Device)) {
            let state = if value.is_known() {
                self.reason("`random_device` returns a different number in each run".to_owned())
            } else {
                value.state
            };
            return Value::new(Ty::U32, 0, state);
        }
        // A draw modifies the engine. If a draw is conditional on an unknown value, the engine is unknown afterward.
        self.store(at, value.clone());
        let number = self.engines[value.bits as usize].next();
        Value::new(Ty::U64, number, KNOWN)
    }

    /// The next number of the distribution at a place; an argument names the engine.
    pub(super) fn distribution_number(&mut self, at: Location, args: &[Expr]) -> Runs<Value> {
        let distribution = self.load(at);
        let engine = match args {
            [arg] => self.place(arg)?,
            _ => None,
        };
        let unknown = |this: &mut Self, state: State| {
            let ty = match at.ty {
                Ty::Distribution(_, elem) => this.pointee(elem),
                _ => Ty::Opaque,
            };
            let state = if is_known(state) {
                this.not_evaluated("a random number")
            } else {
                state
            };
            Ok(Value::new(ty, 0, state))
        };
        let Some(engine_at) = engine.filter(|at| matches!(at.ty, Ty::Engine(_))) else {
            return unknown(self, distribution.state.max(REASONS));
        };
        let engine = self.load(engine_at);
        let is_device = matches!(engine.ty, Ty::Engine(EngineKind::Device));
        if !distribution.is_known() || !engine.is_known() || is_device {
            return unknown(self, distribution.state.max(engine.state));
        }
        let mut drawn = self.distributions[distribution.bits as usize].clone();
        if let Some(state) = drawn
            .params
            .iter()
            .map(|param| param.state)
            .find(|s| !is_known(*s))
        {
            return unknown(self, state);
        }
        self.store(engine_at, engine.clone());
        self.store(at, distribution.clone());
        let [first, second] = [&drawn.params[0], &drawn.params[1]];
        let (a, b) = (self.float_of(first), self.float_of(second));
        let source = &mut self.engines[engine.bits as usize];
        let is_double = drawn.ty == Ty::F64;
        let bits = match drawn.kind {
            DistributionKind::UniformInt => {
                let most = second.bits.wrapping_sub(first.bits);
                Self::wrap(drawn.ty, source.uniform(most).wrapping_add(first.bits))
            }
            DistributionKind::UniformReal => {
                let canonical = source.canonical(is_double);
                Self::from_float(drawn.ty, scaled(canonical, b, a, is_double))
            }
            DistributionKind::Normal => {
                let number = if let Some(saved) = drawn.saved.take() {
                    saved
                } else {
                    let (number, saved) = normal_pair(source, is_double);
                    drawn.saved = Some(saved);
                    number
                };
                let number = if is_double {
                    number * b + a
                } else {
                    f64::from(number as f32 * b as f32 + a as f32)
                };
                Self::from_float(drawn.ty, number)
            }
        };
        let ty = drawn.ty;
        self.distributions[distribution.bits as usize] = drawn;
        Ok(Value::new(ty, bits, KNOWN))
    }
}

/// Maps a number from 0 to 1 to a range.
fn scaled(number: f64, most: f64, least: f64, is_double: bool) -> f64 {
    if is_double {
        number * (most - least) + least
    } else {
        f64::from(number as f32 * (most as f32 - least as f32) + least as f32)
    }
}

/// Two normal numbers by Marsaglia's polar method: the returned number, and the saved number.
fn normal_pair(source: &mut Engine, is_double: bool) -> (f64, f64) {
    if is_double {
        loop {
            let x = 2.0 * source.canonical(true) - 1.0;
            let y = 2.0 * source.canonical(true) - 1.0;
            let square = x * x + y * y;
            if square <= 1.0 && square != 0.0 {
                let factor = libm::sqrt(-2.0 * libm::log(square) / square);
                return (y * factor, x * factor);
            }
        }
    }
    loop {
        // `2.0f` times a number, minus `1.0`, which is a double in libstdc++, rounded when it is stored.
        let mut coordinate = || (2.0 * source.canonical(false) - 1.0) as f32;
        let (x, y) = (coordinate(), coordinate());
        let square = x * x + y * y;
        if square <= 1.0 && square != 0.0 {
            let factor = (-2.0 * (libm::log(f64::from(square)) as f32) / square).sqrt();
            return (f64::from(y * factor), f64::from(x * factor));
        }
    }
}
