//! Modules are split and run, in one piece, in two, and with the second part brought when it is needed.

use std::collections::BTreeSet;

use wasmi::{Caller, Engine, Extern, Global, Instance, Linker, Store, Val};

use super::parts::{HERE, LOAD};
use super::probe::{self, PROBE};
use super::profile::Profile;

/// A function with loops, early returns, a table of branches, calls through the table, and memory.
const PROGRAM: &str = r#"(module
  (type $unary (func (param i32) (result i32)))
  (import "env" "log" (func $log (param i32)))
  (memory (export "memory") 1)
  (table $t 4 4 funcref)
  (global $depth (mut i32) (i32.const 0))
  (elem (i32.const 1) $double $shout $odd)
  (data (i32.const 64) "\01\02\03\04\05\06\07\08")
  (func $double (param i32) (result i32) (i32.mul (local.get 0) (i32.const 2)))
  (func $shout (param i32) (result i32)
    (call $log (local.get 0))
    (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
    (i32.add (call $double (local.get 0)) (i32.load8_u offset=64 (i32.and (local.get 0) (i32.const 7)))))
  (func $odd (param i32) (result i32)
    (if (i32.le_s (local.get 0) (i32.const 0)) (then (return (i32.const 0))))
    (i32.add (i32.const 1) (call $odd (i32.sub (local.get 0) (i32.const 2)))))
  (func $work (export "work") (param $n i32) (result i32) (local $sum i32) (local $i i32) (local $big i64) (local $extra i32)
    (if (i32.lt_s (local.get $n) (i32.const 0))
      (then
        (call $log (i32.const -1)) (call $log (i32.const -2)) (call $log (i32.const -3))
        (call $log (i32.const -4)) (call $log (i32.const -5)) (call $log (i32.const -6))
        (return (i32.sub (i32.const 0) (call $work (i32.sub (i32.const 0) (local.get $n)))))))
    (local.set $i (i32.const 0))
    (local.set $big (i64.const 7))
    (block $out
      (loop $again
        (br_if $out (i32.ge_s (local.get $i) (local.get $n)))
        (block $after
          (block $two
            (block $one
              (block $zero
                (br_table $zero $one $two $out (i32.rem_u (local.get $i) (i32.const 5))))
              ;; 0
              (local.set $sum (i32.add (local.get $sum) (call_indirect (type $unary) (local.get $i) (i32.const 1))))
              (br $after))
            ;; 1
            (local.set $big (i64.add (local.get $big) (i64.extend_i32_s (local.get $i))))
            (local.set $extra (i32.add (local.get $extra) (i32.const 3)))
            (if (i32.gt_s (local.get $i) (i32.const 40)) (then
              (call $log (local.get $i)) (call $log (local.get $sum))
              (return (i32.wrap_i64 (local.get $big)))))
            (local.set $sum (i32.xor (local.get $sum) (i32.const 0x5a5a)))
            (call $log (local.get $extra))
            (br $after))
          ;; 2
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (local.set $sum (i32.add (local.get $sum) (call_indirect (type $unary) (local.get $i) (i32.const 2))))
          (local.set $sum (i32.add (local.get $sum) (call $odd (local.get $i))))
          (if (i32.eq (i32.rem_u (local.get $i) (i32.const 3)) (i32.const 0))
            (then (local.set $extra (i32.add (local.get $extra) (local.get $i))) (call $log (local.get $extra)) (br $again))
            (else (local.set $sum (i32.add (local.get $sum) (local.get $extra))) (call $log (i32.const 5)) (call $log (i32.const 6))
                  (call $log (i32.const 7)) (call $log (i32.const 8)) (call $log (i32.const 9))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $again))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $again)))
    (i32.add (i32.add (local.get $sum) (local.get $extra)) (i32.add (i32.wrap_i64 (local.get $big)) (global.get $depth))))
)"#;

/// What a run leaves: results, what was logged, points passed, and how often the second part was brought.
#[derive(Default, Debug, PartialEq)]
struct Seen {
    results: Vec<i32>,
    log: Vec<i32>,
    passed: BTreeSet<u32>,
    loads: usize,
    /// The second part, until it is there.
    second: Option<Vec<u8>>,
}

/// Brings the second part.
fn load(mut caller: Caller<'_, Seen>) {
    let bytes = caller.data_mut().second.take().expect("it is brought once");
    caller.data_mut().loads += 1;
    let module = wasmi::Module::new(caller.engine(), &bytes).expect("a module");
    let log = wasmi::Func::wrap(&mut caller, |mut caller: Caller<'_, Seen>, value: i32| {
        caller.data_mut().log.push(value);
    });
    let externs: Vec<Extern> = (module.imports())
        .map(|import| match import.module() {
            "env" => Extern::Func(log),
            _ => caller
                .get_export(import.name())
                .expect("what the first part lends"),
        })
        .collect();
    Instance::new(&mut caller, &module, &externs).expect("an instance");
    let here: Global = caller
        .get_export(HERE)
        .and_then(Extern::into_global)
        .expect("the flag");
    here.set(&mut caller, Val::I32(1)).expect("it can be set");
}

fn run(module: &[u8], second: Option<Vec<u8>>, arguments: &[i32]) -> Seen {
    let engine = Engine::default();
    let module = wasmi::Module::new(&engine, module).expect("a module");
    let seen = Seen {
        second,
        ..Seen::default()
    };
    let mut store = Store::new(&engine, seen);
    let mut linker = Linker::<Seen>::new(&engine);
    let log = |mut caller: Caller<'_, Seen>, value: i32| caller.data_mut().log.push(value);
    let passed = |mut caller: Caller<'_, Seen>, point: i32| {
        caller.data_mut().passed.insert(point as u32);
    };
    linker.func_wrap("env", "log", log).expect("a function");
    linker.func_wrap(PROBE.0, PROBE.1, passed).expect("a function");
    linker.func_wrap(LOAD.0, LOAD.1, load).expect("a function");
    let instance = linker
        .instantiate_and_start(&mut store, &module)
        .expect("an instance");
    let work = instance
        .get_typed_func::<i32, i32>(&store, "work")
        .expect("the function");
    for argument in arguments {
        let result = work.call(&mut store, *argument).expect("no trap");
        store.data_mut().results.push(result);
    }
    let mut seen = store.into_data();
    seen.second = None;
    seen
}

#[test]
fn a_split_module_does_what_the_whole_does() {
    let whole = wat::parse_str(PROGRAM).expect("the program is well formed");
    let probed = probe::with_probes(&whole).expect("probes");
    let all: Vec<i32> = (-12..60).collect();
    let wanted = run(&whole, None, &all);
    assert!(wanted.results.iter().collect::<BTreeSet<_>>().len() > 20);
    for (seen, loads) in [
        (&[][..], 1..=1),
        (&[0], 0..=1),
        (&[2], 0..=1),
        (&[3, 4], 0..=1),
        (&[-3], 0..=1),
        (&all, 0..=0),
    ] {
        let passed = run(&probed, None, seen).passed;
        let profile = Profile::taken(&whole, &passed).expect("a profile");
        assert_eq!(Profile::read(&profile.text()), profile);
        let parts = super::split(&whole, None, &profile).expect("two parts");
        // What was seen needs the first part alone.
        let first = run(&parts.first, None, seen);
        assert_eq!(
            first,
            Seen {
                ..run(&whole, None, seen)
            },
            "{seen:?}"
        );
        // All else brings the second, once.
        let both = run(&parts.first, Some(parts.second.clone()), &all);
        assert_eq!(
            (&both.results, &both.log),
            (&wanted.results, &wanted.log),
            "{seen:?}"
        );
        assert!(loads.contains(&both.loads), "{seen:?}: {}", both.loads);
    }
}

#[test]
fn a_profile_of_other_code_costs_size_and_nothing_else() {
    let whole = wat::parse_str(PROGRAM).expect("the program is well formed");
    let passed = run(&probe::with_probes(&whole).expect("probes"), None, &[3]).passed;
    let profile = Profile::taken(&whole, &passed).expect("a profile");
    let changed = PROGRAM.replace("(i32.const 0x5a5a)", "(i32.mul (local.get $n) (i32.const 11))");
    let changed = changed.replace(
        "(local.set $big (i64.const 7))",
        "(block (br_if 0 (local.get $n)) (call $log (i32.const 1)))",
    );
    let changed = wat::parse_str(changed).expect("the program is well formed");
    let parts = super::split(&changed, None, &profile).expect("two parts");
    let all: Vec<i32> = (-12..60).collect();
    let wanted = run(&changed, None, &all);
    let both = run(&parts.first, Some(parts.second), &all);
    assert_eq!((both.results, both.log), (wanted.results, wanted.log));
}
