//! Generates random programs. The program of a seed must never change.

mod expr;
mod kernel;
mod stmt;

use super::cpp;
use super::random::Random;
use super::tree::{
    Arg, Expr, Function, Inlining, LoopKind, NUM_INPUTS, Program, Ret, Shape, Stmt, Ty, Var, VarId, VarTy,
};
use super::walk;

/// The settings of the generator.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The approximate number of statements of a program.
    pub size: usize,
    /// Whether to generate `goto`.
    pub goto: bool,
    /// Whether to generate C++: classes, templates, lambdas, references, and namespaces.
    pub cpp: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            size: 16,
            goto: true,
            cpp: false,
        }
    }
}

/// Returns the program of a seed.
pub fn generate(seed: u64, settings: &Settings) -> Program {
    let mut random = Random::new(seed);
    let legacy = random.percent(25);
    let threads = random.pick(&[64, 64, 64, 32, 48]);
    let program = Program {
        seed,
        legacy,
        structs: Vec::new(),
        functions: Vec::new(),
        kernel: empty_function(),
        shared: Vec::new(),
        shape: Shape {
            blocks: random.pick(&[1, 2]),
            threads,
            input: Vec::new(),
            n: random.between(-3, 12) as i32,
            m: random.step() as u32 >> random.pick(&[0, 16, 28]),
        },
        cpp: None,
    };
    let max_depth = random.pick(&[4, 4, 4, 4, 4, 4, 5, 6, 8, 10]);
    let warp_ops = !legacy && threads.is_multiple_of(32) && random.percent(40);
    let mut generator = Generator {
        program,
        random,
        function: empty_function(),
        scope: Vec::new(),
        turns: 1,
        budget: 0,
        depth: 0,
        max_depth,
        num_loops: 0,
        can_break: false,
        can_return: false,
        in_counters: false,
        labels: Vec::new(),
        next_label: 0,
        goto: settings.goto,
        warp_ops,
        inlined: 0,
        own_idx: None,
        collective: None,
    };
    if !settings.cpp {
        generator.program(settings.size);
        return generator.program;
    }
    // Most C++ programs have no other statements: threads that return from those would miss a barrier.
    let has_more = generator.random.percent(20);
    if has_more {
        generator.program(settings.size / 2);
    } else {
        generator.make_inputs();
    }
    let mut program = generator.program;
    let size = generator
        .random
        .between(settings.size as i64 / 2, settings.size as i64) as usize;
    let unit = cpp::make(generator.random, legacy, (!has_more).then_some(threads), size);
    program.cpp = Some(unit);
    program
}

fn empty_function() -> Function {
    Function {
        ret: Ret::Void,
        num_params: 0,
        vars: Vec::new(),
        body: Vec::new(),
        result: None,
        result_struct: None,
        inlining: Inlining::Unsaid,
        recursive: false,
        collective: false,
        cost: 0,
    }
}

struct Generator {
    program: Program,
    random: Random,
    /// The function under construction.
    function: Function,
    /// The visible variables.
    scope: Vec<VarId>,
    /// The maximum number of executions of the current code.
    turns: u64,
    /// The remaining number of statements.
    budget: usize,
    depth: usize,
    max_depth: usize,
    num_loops: usize,
    can_break: bool,
    can_return: bool,
    in_counters: bool,
    /// The labels that a goto can target, with the fuel of preceding labels.
    labels: Vec<(usize, Option<VarId>)>,
    next_label: usize,
    goto: bool,
    warp_ops: bool,
    /// The number of statements that inlining adds.
    inlined: usize,
    /// The index of the function under construction, if it can call itself.
    own_idx: Option<usize>,
    /// The function with barriers.
    collective: Option<usize>,
}

/// The maximum number of statements that a thread runs.
const MAX_COST: u64 = 1200;
/// The maximum number of statements that inlining adds to a function.
const MAX_INLINED: usize = 250;

impl Generator {
    fn program(&mut self, size: usize) {
        for _ in 0..self.random.below(3) {
            let len = self.random.between(2, 3) as usize;
            let fields = (0..len).map(|_| self.field_ty()).collect();
            self.program.structs.push(fields);
        }
        self.make_inputs();
        let num_functions = self.random.weighted(&[1, 3, 3, 2]);
        let whole = self.random.between(size as i64 / 2, size as i64 * 3 / 2) as usize;
        for idx in 0..num_functions {
            self.make_function(idx, whole / (num_functions + 2));
        }
        if self.random.percent(35) {
            self.make_collective(whole / 4);
        }
        self.make_kernel(whole / 2);
    }

    fn make_inputs(&mut self) {
        let keys = self.random.percent(60);
        self.program.shape.input = (0..NUM_INPUTS)
            .map(|_| match self.random.below(if keys { 12 } else { 3 }) {
                0 => self.random.between(-100, 100) as i32,
                _ => self.random.below(8) as i32,
            })
            .collect();
    }

    fn field_ty(&mut self) -> Ty {
        let ty = self.ty();
        if ty == Ty::Bool { Ty::U8 } else { ty }
    }

    fn ty(&mut self) -> Ty {
        const TYPES: [Ty; 11] = [
            Ty::I32,
            Ty::U32,
            Ty::I64,
            Ty::U64,
            Ty::I16,
            Ty::U16,
            Ty::I8,
            Ty::U8,
            Ty::Bool,
            Ty::F32,
            Ty::F64,
        ];
        let floats = if self.program.legacy { 0 } else { 4 };
        let idx = self
            .random
            .weighted(&[40, 16, 6, 5, 4, 4, 4, 4, 3, floats, floats.min(2)]);
        TYPES[idx]
    }

    fn start(&mut self, budget: usize) {
        self.function = empty_function();
        self.scope.clear();
        self.labels.clear();
        self.turns = 1;
        self.budget = budget;
        self.depth = 0;
        self.num_loops = 0;
        self.can_break = false;
        self.inlined = 0;
        self.next_label = 0;
        self.own_idx = None;
    }

    fn make_function(&mut self, idx: usize, budget: usize) {
        self.start(budget);
        self.function.ret = match self.random.weighted(&[20, 70, 10]) {
            0 => Ret::Void,
            2 if !self.program.structs.is_empty() => {
                Ret::Struct(self.random.below(self.program.structs.len()))
            }
            _ => Ret::Scalar(self.ty()),
        };
        let num_params = self.random.weighted(&[0, 4, 4, 2]);
        for param in 0..num_params {
            let (ty, small) = if param == 0 && self.random.percent(80) {
                (VarTy::Scalar(Ty::I32), true)
            } else {
                let ty = self.ty();
                let small = ty == Ty::I32 && self.random.percent(60);
                match self.random.weighted(&[50, 22, 18, 10]) {
                    1 if ty != Ty::Bool => (VarTy::Pointer(ty), small),
                    2 if ty != Ty::Bool => (VarTy::Reference(ty), small),
                    3 if !self.program.structs.is_empty() => (
                        VarTy::Struct(self.random.below(self.program.structs.len())),
                        false,
                    ),
                    _ => (VarTy::Scalar(ty), small),
                }
            };
            let fixed = matches!(ty, VarTy::Scalar(_)) && self.random.percent(40);
            self.declare_var(ty, small, fixed);
        }
        self.function.num_params = num_params;
        // Compute capability 1.x has no generic addresses, which functions without inlining need.
        let never = if self.program.legacy { 0 } else { 15 };
        self.function.inlining = match self.random.weighted(&[75, never, 10]) {
            1 => Inlining::Never,
            2 => Inlining::Always,
            _ => Inlining::Unsaid,
        };
        if !self.program.legacy && matches!(self.function.ret, Ret::Scalar(_)) && self.random.percent(8) {
            self.function.recursive = true;
            self.function.inlining = Inlining::Unsaid;
            self.own_idx = Some(idx);
        }
        self.can_return = true;
        let mut body = Vec::new();
        if let Ret::Struct(of) = self.function.ret {
            let id = self.declare_var(VarTy::Struct(of), false, false);
            self.function.result_struct = Some(id);
            body.push(Stmt::Declare(id, None));
        }
        let recursive = self.function.recursive;
        // The function can call itself with its own signature.
        let signature = self.function.clone();
        self.program.functions.push(signature);
        // Functions exercise returns at every nesting depth.
        if self.random.percent(70) {
            self.exit_statements(&mut body);
        }
        while self.budget > 0 {
            self.add_statement(&mut body);
        }
        if recursive && self.random.percent(80) {
            let call = self.self_call();
            if let Some(call) = call {
                let ty = self.ty();
                let id = self.declare_var(VarTy::Scalar(ty), false, false);
                body.push(Stmt::Declare(id, Some(call)));
            }
        }
        if matches!(self.function.ret, Ret::Scalar(_)) {
            self.function.result = Some(self.expr(2, false));
        }
        self.function.body = body;
        self.function.cost = self.cost_of_function();
        self.program.functions[idx] = self.function.clone();
    }

    /// Adds a variable that is visible from here on.
    fn declare_var(&mut self, ty: VarTy, small: bool, fixed: bool) -> VarId {
        self.function.vars.push(Var {
            ty,
            small,
            fixed,
            far: false,
        });
        let id = self.function.vars.len() - 1;
        self.scope.push(id);
        id
    }

    fn cost_of_function(&self) -> u64 {
        let mut function = self.function.clone();
        let mut cost = self.cost(&mut function.body);
        if let Some(result) = &mut function.result {
            cost += self.expr_cost(result);
        }
        if function.recursive { cost * 6 } else { cost }
    }

    /// Returns the maximum number of statements that a thread runs.
    fn cost(&self, stmts: &mut Vec<Stmt>) -> u64 {
        let mut sum = 0;
        for stmt in stmts {
            sum += 1;
            walk::exprs_of(stmt, &mut |e| sum += self.call_cost(e));
            let factor = match stmt {
                Stmt::Loop { turns, kind, .. } => {
                    let more = matches!(kind, LoopKind::WhileCondFirst | LoopKind::CountTo { .. });
                    u64::from(*turns) + u64::from(more)
                }
                Stmt::Again { turns, .. } => u64::from(*turns),
                Stmt::Enter { turns, .. } => u64::from(*turns) + 1,
                Stmt::Block(body) => match body.first() {
                    Some(Stmt::Fuel(_, turns)) => u64::from(*turns) + 1,
                    _ => 1,
                },
                _ => 1,
            };
            let mut inner = 0;
            walk::lists_of(stmt, &mut |list| inner += self.cost(list));
            sum += inner * factor;
        }
        sum
    }

    fn expr_cost(&self, e: &mut Expr) -> u64 {
        let mut sum = 0;
        walk::each_expr(e, &mut |e| sum += self.call_cost(e));
        sum
    }

    fn call_cost(&self, e: &Expr) -> u64 {
        match e {
            Expr::Call(idx, _) if Some(*idx) != self.own_idx => self.program.functions[*idx].cost,
            _ => 0,
        }
    }

    /// Returns a call of a function with this kind of result, if a call is possible.
    fn call(&mut self, wanted: fn(Ret) -> bool) -> Option<Expr> {
        let num = self.program.functions.len();
        let first = self.random.below(num);
        for step in 0..num {
            let idx = (first + step) % num;
            if Some(idx) == self.own_idx || (self.own_idx.is_some() && self.program.functions[idx].recursive)
            {
                continue;
            }
            let callee = &self.program.functions[idx];
            let size = callee.body.len() * 4;
            if callee.collective
                || !wanted(callee.ret)
                || callee.cost * self.turns > MAX_COST
                || (idx + 1 == num && self.function.num_params > 0 && callee.cost == 0)
                || self.inlined + size > MAX_INLINED
            {
                continue;
            }
            if let Some(args) = self.arguments(idx) {
                self.inlined += size;
                return Some(Expr::Call(idx, args));
            }
        }
        None
    }

    fn self_call(&mut self) -> Option<Expr> {
        let idx = self.own_idx?;
        self.arguments(idx).map(|args| Expr::Call(idx, args))
    }

    fn arguments(&mut self, idx: usize) -> Option<Vec<Arg>> {
        let callee = &self.program.functions[idx];
        let params = callee.vars[..callee.num_params].to_vec();
        let mut args = Vec::new();
        if callee.recursive {
            let depth = (Some(idx) != self.own_idx).then(|| self.random.between(1, 3) as u32);
            args.push(Arg::Depth(depth));
        }
        for param in params {
            args.push(match param.ty {
                VarTy::Scalar(_) => {
                    if param.small && self.random.percent(60) {
                        Arg::Value(self.key())
                    } else {
                        Arg::Value(self.expr(1, false))
                    }
                }
                VarTy::Pointer(ty) => Arg::Address(self.place_of_type(ty, param.small)?),
                VarTy::Reference(ty) => Arg::Reference(self.place_of_type(ty, param.small)?),
                VarTy::Struct(of) => {
                    let ids: Vec<VarId> = self.vars(|var| var.ty == VarTy::Struct(of));
                    if ids.is_empty() {
                        return None;
                    }
                    Arg::Struct(self.random.pick(&ids))
                }
                VarTy::Array(..) => return None,
            });
        }
        Some(args)
    }

    /// Returns the visible variables.
    fn vars(&self, wanted: impl Fn(&Var) -> bool) -> Vec<VarId> {
        self.scope
            .iter()
            .copied()
            .filter(|id| wanted(&self.function.vars[*id]))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Settings, generate};

    /// Returns the FNV-1a hash.
    fn hash(text: &str) -> u64 {
        text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    }

    #[test]
    fn a_seed_gives_the_same_program_for_ever() {
        let sources: Vec<String> = (0..20)
            .map(|seed| generate(seed, &Settings::default()).source())
            .collect();
        assert_eq!(hash(&sources.concat()), 6_651_894_128_571_713_817);
    }
}
