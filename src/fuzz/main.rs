#![allow(missing_docs)]
use warpscope_fuzz::{
    check,
    cxx::{Cxx, Oracle},
    generate,
};
fn main() {
    check::silence_panics();
    let a: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let t = std::time::Instant::now();
    let ps: Vec<_> = (a[0]..a[0] + a[1])
        .map(|s| generate(s, &Default::default()))
        .collect();
    eprintln!("gen {:?}", t.elapsed());
    if a[1] == 1 {
        println!("{}", ps[0].source());
    }
    let t = std::time::Instant::now();
    let out = Cxx::new(&["-O1"]).outputs(&ps);
    eprintln!("g++ {:?}", t.elapsed());
    let t = std::time::Instant::now();
    let mut n = std::collections::BTreeMap::new();
    for (p, o) in ps.iter().zip(&out) {
        match o {
            Err(e) => println!("{} oracle {e}", p.seed()),
            Ok(o) => {
                for s in check::Setup::of(p, None) {
                    let f = check::check(p, o, &s);
                    *n.entry(f.as_ref().map_or("equal", |f| f.kind())).or_insert(0) += 1;
                    if let Some(f) = f {
                        println!("{} {} {f:?}", p.seed(), s.text());
                    }
                }
            }
        }
    }
    eprintln!("check {:?} {n:?}", t.elapsed());
}
