//! Pasted kernels inherit nothing, and get a launch of their own; edits keep theirs.

use crate::app::host::{Given, take_chosen};
use crate::app::{Event, LaunchField, Session, update};
use crate::check;
use crate::library;
use crate::share::{Scenario, encode};
use engine::arch::architecture;
use engine::launch::Argument;

const HISTOGRAM: &str = "__global__ void histogram(const unsigned char *data, unsigned *hist, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(&hist[data[i]], 1u);
}
";

/// The parameters of the library's saxpy, and another kernel.
const SAME_PARAMETERS: &str = "__global__ void subtract(float a, const float *x, float *y, int n)
{
  int k = threadIdx.x + blockDim.x * blockIdx.x;
  y[k] = x[k] - a;
}
";

const SHARED: &str = "__global__ void turn(const float *in, float *out)
{
  extern __shared__ float part[];
  part[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = part[blockDim.x - 1 - threadIdx.x];
}
";

fn finish(session: &mut Session) {
    update(session, Event::Tick(1_000.0));
    while session.work(10_000) {}
}

fn opened(link: &str) -> Session {
    let mut session = Session::new();
    update(&mut session, Event::Open(link.to_owned()));
    finish(&mut session);
    session
}

fn edit(session: &mut Session, text: &str) {
    update(session, Event::Edit(text.to_owned()));
    finish(session);
}

/// The findings of the session's launch.
fn findings(session: &Session) -> Vec<String> {
    let program = session.derived().program().expect("a program");
    let arch = architecture(session.setup().arch);
    let report = check::run(arch, program, &session.launch(), session.setup().machine).expect("a run");
    report
        .findings
        .into_iter()
        .map(|finding| finding.message)
        .collect()
}

const ODD_LAUNCH: &str = "v1;kernel=saxpy;arch=gp100;grid=3;block=96;shared=512;args=f32:7,in:f32*288:unset,inout:f32*288:zero,i32:288";

#[test]
fn a_pasted_kernel_inherits_nothing() {
    for (text, kernel, block, shared) in [
        (HISTOGRAM, "histogram", 256, 0),
        (SAME_PARAMETERS, "subtract", 256, 0),
        (SHARED, "turn", 256, 1_024),
    ] {
        let mut session = opened(ODD_LAUNCH);
        let before = session.launch();
        edit(&mut session, text);
        let launch = session.launch();
        assert_eq!(session.setup().entry.as_deref(), Some(kernel));
        assert_eq!(
            (launch.block, launch.dynamic_shared),
            ([block, 1, 1], shared),
            "{kernel}"
        );
        assert_ne!(launch.grid, before.grid, "{kernel}");
        assert!(
            launch.args.iter().all(|arg| !before.args.contains(arg)),
            "{kernel}: {launch:?}"
        );
        assert!(session.is_chosen(), "{kernel}");
        assert_eq!(session.launch_remark(), "Chosen launch. ", "{kernel}");
        assert_eq!(session.host_words().as_deref(), Some("chosen launch"), "{kernel}");
        let sentence = session.host_sentence().unwrap();
        assert!(
            sentence.starts_with("No main() launches this kernel. Chosen: the grid, the block"),
            "{sentence}"
        );
        assert_eq!(session.host_reasons_title(), "The chosen values");
        assert_eq!(findings(&session), [""; 0], "{kernel}");
        // The command line chooses the same.
        let mut scenario = Scenario {
            source: Some(text.to_owned()),
            arch: session.setup().arch,
            ..Scenario::default()
        };
        take_chosen(&mut scenario, Given::default()).unwrap();
        assert_eq!(scenario.launch(), launch, "{kernel}");
    }
}

#[test]
fn each_chosen_value_has_its_reason() {
    let mut session = opened("v1;arch=tu102");
    edit(&mut session, HISTOGRAM);
    assert_eq!(
        session.host_reasons(),
        [
            "The grid: 4, so that several blocks share the work.",
            "The block: 256, a usual size.",
            "`data`: 1,024 elements: random bytes, as they are indices.",
            "`hist`: 256 elements: zero, for results.",
            "`n`: 1,024, it bounds the threads in x.",
        ]
    );
    let marks: Vec<Option<String>> = session
        .argument_rows()
        .into_iter()
        .map(|row| row.chosen)
        .collect();
    assert_eq!(marks[2].as_deref(), Some("1,024, it bounds the threads in x"));
    assert!(marks.iter().all(Option::is_some), "{marks:?}");
}

#[test]
fn an_edit_keeps_the_launch() {
    let mut session = opened(ODD_LAUNCH);
    let before = session.launch();
    let saxpy = library::kernel("saxpy").unwrap().source;
    let changed = saxpy.replace("= a *", "= 2.0f * a *");
    assert_ne!(changed, saxpy);
    edit(&mut session, &changed);
    assert_eq!(session.launch(), before);
    assert!(!session.is_chosen());
}

#[test]
fn links_of_edits_and_of_sources_without_arguments_stay() {
    // An edit of a library kernel has the library's arguments.
    let saxpy = library::kernel("saxpy").unwrap();
    let link = encode(&Scenario {
        kernel: "saxpy".to_owned(),
        source: Some(saxpy.source.replace("= a *", "= 2.0f * a *")),
        ..Scenario::default()
    });
    let session = opened(&link);
    assert_eq!(session.launch(), saxpy.launch());
    assert!(!session.is_chosen());
    // The launch of another program in a link without arguments is that of the library kernel, and generated arguments.
    let link = encode(&Scenario {
        kernel: "saxpy".to_owned(),
        source: Some(HISTOGRAM.to_owned()),
        ..Scenario::default()
    });
    let mut session = opened(&link);
    assert_eq!(session.setup().args, None);
    assert_eq!(session.launch().grid, saxpy.launch().grid);
    let before = session.launch();
    edit(&mut session, &HISTOGRAM.replace("1u", "2u"));
    assert_eq!(session.launch(), before);
}

#[test]
fn a_link_of_a_chosen_launch_is_chosen_again() {
    let mut session = opened("v1");
    edit(&mut session, HISTOGRAM);
    let again = opened(&encode(&session.link()));
    assert_eq!(again.launch(), session.launch());
    assert!(again.is_chosen());
}

#[test]
fn a_chosen_launch_follows_its_kernel_until_the_user_changes_it() {
    let mut session = opened("v1");
    edit(&mut session, HISTOGRAM);
    assert_eq!(session.launch().args.len(), 3);
    let more = HISTOGRAM
        .replace("int n)", "int n, unsigned step)")
        .replace("1u", "step");
    edit(&mut session, &more);
    assert_eq!(session.launch().args.len(), 4);
    assert!(session.is_chosen());
    update(&mut session, Event::Launch(LaunchField::Block, "128".to_owned()));
    finish(&mut session);
    assert!(!session.is_chosen());
    edit(&mut session, &more.replace("step);", "step + 0u);"));
    assert_eq!(session.launch().block, [128, 1, 1]);
}

#[test]
fn a_program_after_a_chosen_launch_is_read_from_its_main() {
    let mut session = opened("v1");
    edit(&mut session, HISTOGRAM);
    assert!(session.is_chosen());
    let program = "__global__ void fill(int *a) { a[blockIdx.x * 64 + threadIdx.x] = 5; }
int main() { int *a; cudaMalloc(&a, 1024); fill<<<4, 64>>>(a); }
";
    edit(&mut session, program);
    assert!(!session.is_chosen());
    assert_eq!(
        (session.launch().grid, session.launch().block),
        ([4, 1, 1], [64, 1, 1])
    );
    assert!(session.host_words().unwrap().starts_with("from main()"));
}

#[test]
fn the_other_kernel_of_a_pasted_source_gets_its_own_launch() {
    let mut session = opened("v1");
    edit(&mut session, &format!("{HISTOGRAM}{SHARED}"));
    assert_eq!(session.setup().entry.as_deref(), Some("histogram"));
    update(
        &mut session,
        Event::Form(crate::app::FormChoice::Entry("turn".to_owned())),
    );
    finish(&mut session);
    assert_eq!(session.launch().dynamic_shared, 1_024);
    assert!(session.is_chosen());
    assert_eq!(findings(&session), [""; 0]);
}

#[test]
fn cycles_of_a_paste_are_compared_with_nothing_and_those_of_its_edit_with_it() {
    let mut session = opened("v1;kernel=saxpy;arch=tu102");
    edit(&mut session, SAME_PARAMETERS);
    let toast = session.ui.toast.clone().unwrap_or_default();
    assert!(!toast.contains("cycles"), "{toast}");
    session.ui.toast = None;
    // Twice the loads, with the same launch.
    edit(
        &mut session,
        &SAME_PARAMETERS.replace("x[k] - a", "x[k] * sinf(x[k ^ 1]) / a"),
    );
    let toast = session.ui.toast.clone().unwrap_or_default();
    assert!(toast.contains("cycles"), "{toast}");
    session.ui.toast = None;
    // Another launch: a kernel that does not read the index of its block gets one block.
    edit(
        &mut session,
        &SAME_PARAMETERS.replace(" + blockDim.x * blockIdx.x", ""),
    );
    let toast = session.ui.toast.clone().unwrap_or_default();
    assert!(!toast.contains("cycles"), "{toast}");
}

#[test]
fn memory_in_front_of_a_pointer_is_there() {
    let mut session = opened("v1");
    edit(
        &mut session,
        "__global__ void previous(const int *in, int *out)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i - 1];
}
",
    );
    let launch = session.launch();
    let Argument::Buffer { start, len, .. } = &launch.args[0] else {
        panic!("{launch:?}")
    };
    assert_eq!((*start, *len), (4, 1_024));
    assert_eq!(findings(&session), [""; 0]);
}

#[test]
fn the_library_s_text_brings_back_its_launch() {
    let mut session = opened("v1;kernel=saxpy");
    let before = session.launch();
    edit(&mut session, HISTOGRAM);
    update(&mut session, Event::Form(crate::app::FormChoice::ResetText));
    finish(&mut session);
    assert_eq!(session.launch(), before);
    assert!(!session.is_chosen());
    // One step back is the paste with its chosen launch, and another one what was there before.
    update(&mut session, Event::Undo);
    finish(&mut session);
    assert!(session.is_chosen());
    update(&mut session, Event::Undo);
    finish(&mut session);
    assert_eq!(session.launch(), before);
}
