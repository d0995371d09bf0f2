//! The options of a run: how the compiler translates the kernel, and how the machine runs it.
//!
//! Each option is a row of [`RUN_OPTIONS`]: from it come the pair in a link, the flag of the command line, the words that name a
//! changed option, and what another side of a comparison takes over.

use crate::words::{counted, thousands};
use engine::arch::{ArchId, BankSize, architecture};
use engine::isa::CompileOptions;
use engine::sim::{LoadCaching, MachineOptions, Removed, SchedulerPolicy, Without};

/// The values of all options.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunOptions {
    /// The compiler's.
    pub compile: CompileOptions,
    /// The machine's.
    pub machine: MachineOptions,
}

impl RunOptions {
    /// The options of a run that differ from others, on a chip where they have an effect.
    pub fn changes(self, other: Self, arch: ArchId) -> impl Iterator<Item = &'static RunOption> {
        let differs = move |option: &&RunOption| !option.is_same(&self, &other) && option.has_effect(arch);
        RUN_OPTIONS.iter().filter(differs)
    }
}

/// One option.
pub struct RunOption {
    /// The key in links and in the API.
    pub key: &'static str,
    /// The flag of the command line, without dashes.
    pub flag: &'static str,
    /// What the option does, and its values, for the command line.
    pub help: &'static str,
    /// Whether the option is the compiler's, not the machine's.
    pub is_of_compiler: bool,
    /// The buttons of its values; none for a number, which has a field. A single one is for the value that is not the default.
    pub buttons: &'static [Button],
    is_same: fn(&RunOptions, &RunOptions) -> bool,
    has_effect: fn(ArchId) -> bool,
    take: fn(&mut RunOptions, &RunOptions),
    write: fn(&RunOptions) -> Option<String>,
    read: fn(&mut RunOptions, &str) -> Result<(), String>,
    words: fn(&RunOptions) -> String,
}

/// A value that a button sets.
pub struct Button {
    /// The value as a link has it.
    pub value: &'static str,
    /// What the button says.
    pub name: &'static str,
    /// What the value does on a chip.
    pub title: fn(ArchId) -> String,
}

impl Button {
    /// The button's name for the program.
    pub const fn id(&self, option: &RunOption) -> ButtonId {
        ButtonId {
            key: option.key,
            value: self.value,
        }
    }

    /// Whether a run has the value.
    pub fn is_set(&self, option: &RunOption, options: &RunOptions) -> bool {
        option.write(options).as_deref() == Some(self.value)
    }
}

/// A button of an option, as an event names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ButtonId {
    /// The option's key.
    pub key: &'static str,
    /// The value.
    pub value: &'static str,
}

impl RunOption {
    /// Sets the value of a button. A single button that is set already restores the default.
    pub fn press(&self, options: &mut RunOptions, value: &str) {
        let is_set = self.write(options).as_deref() == Some(value);
        if is_set && self.buttons.len() == 1 {
            self.take(options, &RunOptions::default());
        } else {
            // The values of buttons can be read: see the test.
            let _ = self.read(options, value);
        }
    }

    /// What pressing a button does, as a command.
    pub fn command(&self, button: &Button, options: &RunOptions, arch: ArchId) -> String {
        let restores = self.buttons.len() == 1 && button.is_set(self, options);
        let mut pressed = *options;
        self.press(&mut pressed, button.value);
        let words = self.words(&pressed);
        if restores {
            format!("Option {words}")
        } else {
            format!("Option {words}: {}", (button.title)(arch))
        }
    }

    /// Whether the option changes something on a chip.
    pub fn has_effect(&self, arch: ArchId) -> bool {
        (self.has_effect)(arch)
    }

    /// The option with a key.
    pub fn of_key(key: &str) -> Option<&'static Self> {
        RUN_OPTIONS.iter().find(|option| option.key == key)
    }

    /// Whether two runs have the same value.
    pub fn is_same(&self, one: &RunOptions, other: &RunOptions) -> bool {
        (self.is_same)(one, other)
    }

    /// Takes the value of another run.
    pub fn take(&self, options: &mut RunOptions, from: &RunOptions) {
        (self.take)(options, from);
    }

    /// The value as a link has it; `None` if there is none, as for an absent limit.
    pub fn write(&self, options: &RunOptions) -> Option<String> {
        (self.write)(options)
    }

    /// Reads a value of a link.
    ///
    /// # Errors
    /// The valid values.
    pub fn read(&self, options: &mut RunOptions, value: &str) -> Result<(), String> {
        (self.read)(options, value)
    }

    /// Whether the option can be absent.
    pub fn can_be_absent(&self) -> bool {
        self.write(&RunOptions::default()).is_none()
    }

    /// The value in the compiler's and the simulator's terms: `-fmad=false`.
    pub fn words(&self, options: &RunOptions) -> String {
        (self.words)(options)
    }
}

/// How the values of an option are written in links.
pub(crate) trait Values<T> {
    fn write(&self, value: &T) -> Option<String>;
    fn read(&self, text: &str) -> Result<T, String>;
}

/// `on` or `off`.
struct Switch;

impl Values<bool> for Switch {
    fn write(&self, value: &bool) -> Option<String> {
        Some(if *value { "on" } else { "off" }.to_owned())
    }

    fn read(&self, text: &str) -> Result<bool, String> {
        match text {
            "on" => Ok(true),
            "off" => Ok(false),
            _ => Err("it must be on or off".to_owned()),
        }
    }
}

/// One of several names.
pub(crate) struct Choice<T: 'static>(pub(crate) &'static [(T, &'static str)]);

impl<T: Copy + PartialEq> Values<T> for Choice<T> {
    fn write(&self, value: &T) -> Option<String> {
        let row = self.0.iter().find(|(one, _)| one == value);
        Some(row.map_or("", |(_, name)| name).to_owned())
    }

    fn read(&self, text: &str) -> Result<T, String> {
        let row = self.0.iter().find(|(_, name)| *name == text);
        row.map(|(value, _)| *value).ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|(_, name)| *name).collect();
            format!("it must be one of {}", names.join(", "))
        })
    }
}

/// A whole number from the first to the second limit.
pub(crate) struct Number(pub(crate) u64, pub(crate) u64);

impl Number {
    pub(crate) fn read_as<T: TryFrom<u64>>(&self, text: &str) -> Result<T, String> {
        let Self(least, most) = self;
        let number = text
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(&number));
        number
            .and_then(|number| T::try_from(number).ok())
            .ok_or_else(|| format!("it must be a whole number from {least} to {most}"))
    }
}

impl<T: TryFrom<u64> + ToString> Values<Option<T>> for Number {
    fn write(&self, value: &Option<T>) -> Option<String> {
        value.as_ref().map(ToString::to_string)
    }

    fn read(&self, text: &str) -> Result<Option<T>, String> {
        self.read_as(text).map(Some)
    }
}

impl Values<u64> for Number {
    fn write(&self, value: &u64) -> Option<String> {
        Some(value.to_string())
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        self.read_as(text)
    }
}

/// The causes that a hypothetical machine lacks: `conflicts,atomics`, or `nothing`.
struct Causes;

impl Values<Without> for Causes {
    fn write(&self, value: &Without) -> Option<String> {
        let ids: Vec<&str> = value.iter().map(Removed::id).collect();
        Some(if ids.is_empty() {
            "nothing".to_owned()
        } else {
            ids.join(",")
        })
    }

    fn read(&self, text: &str) -> Result<Without, String> {
        if text == "nothing" {
            return Ok(Without::NONE);
        }
        text.split(',').try_fold(Without::NONE, |without, id| {
            let known = Removed::ALL.into_iter().find(|cause| cause.id() == id);
            known.map(|cause| without.and(cause)).ok_or_else(|| {
                let ids = Removed::ALL.map(Removed::id).join(", ");
                format!("it must be nothing, or some of {ids}")
            })
        })
    }
}

/// A row: the part of the options and the field, key, flag, values, the words for a value, the chips that it concerns, its
/// buttons, and the help.
macro_rules! option {
    (
        $part:ident.$field:ident, $key:literal, $flag:literal, $values:expr, $words:expr, $has_effect:expr,
        [$(($value:literal, $name:literal, $title:expr)),* $(,)?], $help:literal
    ) => {
        RunOption {
            key: $key,
            flag: $flag,
            help: $help,
            is_of_compiler: option!(@is_of_compiler $part),
            buttons: &[$(Button { value: $value, name: $name, title: $title }),*],
            is_same: |one, other| one.$part.$field == other.$part.$field,
            has_effect: $has_effect,
            take: |options, from| options.$part.$field = from.$part.$field,
            write: |options| Values::write(&$values, &options.$part.$field),
            read: |options, text| {
                options.$part.$field = Values::read(&$values, text)?;
                Ok(())
            },
            words: |options| {
                let words: fn(_) -> String = $words;
                words(options.$part.$field)
            },
        }
    };
    (@is_of_compiler compile) => { true };
    (@is_of_compiler machine) => { false };
}

const fn on_all(_: ArchId) -> bool {
    true
}

/// Whether a chip supports both sizes of pointers.
fn has_pointer_choice(arch: ArchId) -> bool {
    architecture(arch).compute_capability.major >= 2
}

/// Whether the lanes of a chip's warps run independently of each other.
fn has_independent_threads(arch: ArchId) -> bool {
    architecture(arch).has_independent_threads()
}

/// Whether a chip runs code for 7.0 that is not its own.
fn runs_volta_code(arch: ArchId) -> bool {
    let own = architecture(arch).compute_capability;
    own.major == 7 && own.minor > 0
}

/// Whether the host can choose a chip's bank width of shared memory.
pub fn has_bank_choice(arch: ArchId) -> bool {
    architecture(arch).memory.eight_byte_banks.is_some()
}

/// All options, in their order in links.
pub static RUN_OPTIONS: [RunOption; 17] = [
    option!(
        compile.fmad,
        "fmad",
        "fmad",
        Switch,
        |is_on| format!("-fmad={is_on}"),
        on_all,
        [("off", "-fmad=false", |_| {
            "Do not fuse multiplications and additions".to_owned()
        })],
        "Fuse multiplications and additions to FMA instructions: on or off [default: on]"
    ),
    option!(
        compile.ftz,
        "ftz",
        "ftz",
        Switch,
        |is_on| format!("-ftz={is_on}"),
        on_all,
        [("on", "-ftz=true", |_| "Flush subnormal numbers to zero"
            .to_owned())],
        "Flush single-precision subnormals to zero: on or off [default: off]"
    ),
    option!(
        compile.prec_div,
        "precdiv",
        "prec-div",
        Switch,
        |is_on| format!("-prec-div={is_on}"),
        on_all,
        [("off", "-prec-div=false", |_| "Approximate divisions".to_owned())],
        "Correctly rounded single-precision division: on or off [default: on]"
    ),
    option!(
        compile.prec_sqrt,
        "precsqrt",
        "prec-sqrt",
        Switch,
        |is_on| format!("-prec-sqrt={is_on}"),
        on_all,
        [("off", "-prec-sqrt=false", |_| "Approximate square roots"
            .to_owned())],
        "Correctly rounded single-precision square root: on or off [default: on]"
    ),
    option!(
        compile.fast_math,
        "fastmath",
        "fast-math",
        Switch,
        |is_on| if is_on {
            "-use_fast_math"
        } else {
            "no -use_fast_math"
        }
        .to_owned(),
        on_all,
        [
            ("on", "-use_fast_math", |_| "Faster, less accurate math functions"
                .to_owned())
        ],
        "Like nvcc's `--use_fast_math`: intrinsic functions, and `--ftz on --prec-div off --prec-sqrt off`: on or off \
         [default: off]"
    ),
    option!(
        compile.pointers_32_bit,
        "m32",
        "m32",
        Switch,
        |is_on| if is_on { "-m32" } else { "-m64" }.to_owned(),
        has_pointer_choice,
        [("on", "-m32", |_| "32-bit pointers".to_owned())],
        "32-bit device pointers on chips that support both sizes: on or off [default: off]"
    ),
    option!(
        machine.adversarial,
        "adversarial",
        "adversarial",
        Switch,
        |is_on| if is_on { "adversarial" } else { "not adversarial" }.to_owned(),
        has_independent_threads,
        [("on", "adversarial", |_| "Worst-case interleaving of lanes"
            .to_owned())],
        "Worst-case interleaving of diverged lanes: on or off [default: off]"
    ),
    option!(
        compile.capability,
        "gencode",
        "gencode",
        Choice(&[(None, "chip"), (Some(700), "70")]),
        |capability| match capability {
            Some(number) => format!("-arch=sm_{}", number / 10),
            None => "the chip's own -arch".to_owned(),
        },
        runs_volta_code,
        [("70", "-arch=sm_70", |_| {
            "Compile for 7.0, and run the binary on this GPU".to_owned()
        })],
        "Compute capability of the code: chip, or 70, which all 7.x run [default: chip]"
    ),
    option!(
        compile.max_registers,
        "regs",
        "maxrregcount",
        Number(1, 255),
        |most| match most {
            Some(registers) => format!("-maxrregcount={registers}"),
            None => "no -maxrregcount".to_owned(),
        },
        on_all,
        [],
        "Maximum number of registers per thread"
    ),
    option!(
        machine.carveout_kib,
        "carveout",
        "carveout",
        Number(0, 1024),
        |kib| match kib {
            Some(kib) => format!("{kib} KB shared"),
            None => "the driver's carveout".to_owned(),
        },
        on_all,
        [],
        "Shared memory carveout of the SM in KB [default: the driver's choice]"
    ),
    option!(
        machine.sm,
        "sm",
        "sm",
        Number(0, 1023),
        |sm| match sm {
            Some(sm) => format!("SM {sm} of the device"),
            None => "one SM alone".to_owned(),
        },
        on_all,
        [],
        "Run this SM of the whole device, from 0, with the blocks that the other SMs leave to it; `device` and `streams` \
         always run all SMs [default: one SM alone, which runs all blocks]"
    ),
    option!(
        machine.first_blocks,
        "blocks",
        "blocks",
        Number(1, 4_294_967_295),
        |num: Option<u32>| match num {
            Some(num) => format!("the first {}", counted(num.into(), "block")),
            None => "all blocks".to_owned(),
        },
        on_all,
        [],
        "Only the first blocks of the grid run [default: all; for a launch of `main()` with more than 2^22 estimated warp \
         instructions, as many as 2^18 take]"
    ),
    option!(
        machine.load_caching,
        "dlcm",
        "dlcm",
        Choice(&[
            (LoadCaching::Default, "default"),
            (LoadCaching::Ca, "ca"),
            (LoadCaching::Cg, "cg"),
        ]),
        |caching| match caching {
            LoadCaching::Cg => "-dlcm=cg".to_owned(),
            LoadCaching::Ca => "-dlcm=ca".to_owned(),
            LoadCaching::Default => "the chip's own -dlcm".to_owned(),
        },
        on_all,
        [
            ("default", "default", |_| "The architecture's default".to_owned()),
            ("ca", "ca", |_| "Cache global loads in L1 and L2".to_owned()),
            ("cg", "cg", |_| "Cache global loads in L2 only".to_owned()),
        ],
        "Caching of global loads: default, ca (L1 and L2), or cg (L2 only)"
    ),
    option!(
        machine.bank_size,
        "banksize",
        "bank-size",
        Choice(&[(BankSize::FourByte, "4"), (BankSize::EightByte, "8")]),
        |size: BankSize| size.cuda_name().to_owned(),
        has_bank_choice,
        [
            ("4", "cudaSharedMemBankSizeFourByte", |_| {
                "Successive 32-bit words of shared memory map to successive banks".to_owned()
            }),
            ("8", "cudaSharedMemBankSizeEightByte", |_| {
                "Successive 64-bit words of shared memory map to successive banks".to_owned()
            }),
        ],
        "Width of a shared memory bank in bytes: 4, or 8 on compute capability 3.x (cudaDeviceSetSharedMemConfig) \
         [default: 4]"
    ),
    option!(
        machine.policy,
        "policy",
        "policy",
        Choice(&[
            (SchedulerPolicy::Chip, "chip"),
            (SchedulerPolicy::Lrr, "lrr"),
            (SchedulerPolicy::Gto, "gto"),
            (SchedulerPolicy::TwoLevel, "twolevel"),
        ]),
        |policy| match policy {
            SchedulerPolicy::Chip => "the chip's own scheduler".to_owned(),
            SchedulerPolicy::Lrr => "round-robin".to_owned(),
            SchedulerPolicy::Gto => "greedy-then-oldest".to_owned(),
            SchedulerPolicy::TwoLevel => "two-level".to_owned(),
        },
        on_all,
        [
            ("chip", "default", |arch| {
                let own = architecture(arch).issue.order.value.text();
                format!("The architecture's own policy: {own}")
            }),
            ("gto", "greedy", |_| {
                "Greedy then oldest: the warp that issued last, or else the oldest warp".to_owned()
            }),
            ("lrr", "round-robin", |_| "Loose round-robin: warps in turn"
                .to_owned()),
            ("twolevel", "two-level", |_| {
                "A small active set of warps; the rest are parked".to_owned()
            }),
        ],
        "Warp scheduling: chip (the chip's policy), lrr (loose round robin), gto (greedy, then oldest), or twolevel \
         [default: chip]"
    ),
    option!(
        machine.max_cycles,
        "maxcycles",
        "max-cycles",
        Number(1, 1_000_000_000),
        |cycles| format!("cycle limit {}", thousands(cycles)),
        on_all,
        [],
        "Cycle limit of the run"
    ),
    option!(
        machine.without,
        "without",
        "without",
        Causes,
        |without: Without| if without.is_empty() {
            "a real machine".to_owned()
        } else {
            format!("hypothetical, {}", without.text())
        },
        on_all,
        [],
        "A hypothetical machine without these causes of delay, separated by commas: conflicts, coalescing, atomics, constants, \
         misses, residency, divergence, latencies, local [default: nothing]"
    ),
];

// A field without a row does not compile: name it here, and give it one.
const _: fn(RunOptions) = |options| {
    let RunOptions { compile, machine } = options;
    let CompileOptions {
        fmad: _,
        ftz: _,
        prec_div: _,
        prec_sqrt: _,
        fast_math: _,
        max_registers: _,
        pointers_32_bit: _,
        capability: _,
    } = compile;
    let MachineOptions {
        policy: _,
        carveout_kib: _,
        load_caching: _,
        bank_size: _,
        adversarial: _,
        max_cycles: _,
        sm: _,
        first_blocks: _,
        without: _,
    } = machine;
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_of_an_option_is_read_as_it_is_written_and_taken_over() {
        let values: [(&str, &[&str]); 17] = [
            ("fmad", &["on", "off"]),
            ("ftz", &["on", "off"]),
            ("precdiv", &["on", "off"]),
            ("precsqrt", &["on", "off"]),
            ("fastmath", &["on", "off"]),
            ("m32", &["on", "off"]),
            ("adversarial", &["on", "off"]),
            ("gencode", &["chip", "70"]),
            ("regs", &["1", "255"]),
            ("carveout", &["0", "96"]),
            ("sm", &["0", "71"]),
            ("blocks", &["1", "4294967295"]),
            ("dlcm", &["default", "ca", "cg"]),
            ("banksize", &["4", "8"]),
            ("policy", &["chip", "lrr", "gto", "twolevel"]),
            ("maxcycles", &["1", "1000000000"]),
            ("without", &["nothing", "conflicts,atomics"]),
        ];
        for (option, (key, values)) in RUN_OPTIONS.iter().zip(values) {
            assert_eq!(option.key, key);
            let mut words = Vec::new();
            for value in values {
                let (mut read, mut taken) = (RunOptions::default(), RunOptions::default());
                option.read(&mut read, value).unwrap();
                assert_eq!(option.write(&read).as_deref(), Some(*value), "{key}");
                option.take(&mut taken, &read);
                assert_eq!(taken, read, "{key}");
                assert!(option.is_same(&taken, &read), "{key}");
                words.push(option.words(&read));
            }
            words.dedup();
            assert_eq!(words.len(), values.len(), "{key}: {words:?}");
            let why = option.read(&mut RunOptions::default(), "rubbish").unwrap_err();
            assert!(why.starts_with("it must be "), "{key}: {why}");
            assert!(option.help.contains(' '), "{key}");
            if key == "without" {
                assert!(Removed::ALL.iter().all(|cause| option.help.contains(cause.id())));
            }
            for button in option.buttons {
                let mut options = RunOptions::default();
                let is_default = button.is_set(option, &options);
                assert!(!is_default || option.buttons.len() > 1, "{key}");
                option.press(&mut options, button.value);
                assert!(button.is_set(option, &options), "{key}");
                option.press(&mut options, button.value);
                assert_eq!(button.is_set(option, &options), option.buttons.len() > 1, "{key}");
            }
        }
    }

    #[test]
    fn each_option_is_in_the_lists_of_links_and_of_the_api() {
        let (links, api) = (
            include_str!("../../docs/architecture.md"),
            include_str!("../../www/warpscope.d.ts"),
        );
        let keys = links
            .lines()
            .filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
        let keys: Vec<&str> = keys.flat_map(|cell| cell.split(", ")).collect();
        for option in &RUN_OPTIONS {
            let key = option.key;
            assert!(keys.contains(&format!("`{key}`").as_str()), "docs: {key}");
            assert!(api.contains(&format!("\n  {key}?: ")), "API: {key}");
        }
    }

    #[test]
    fn options_without_an_effect_on_a_chip_are_no_changes() {
        let mut options = RunOptions::default();
        options.machine.bank_size = BankSize::EightByte;
        options.compile.capability = Some(700);
        options.compile.fmad = false;
        let keys = |arch| -> Vec<&str> {
            let changes = options.changes(RunOptions::default(), arch);
            changes.map(|option| option.key).collect()
        };
        assert_eq!(keys(ArchId::Gk110), ["fmad", "banksize"]);
        assert_eq!(keys(ArchId::Tu102), ["fmad", "gencode"]);
        assert_eq!(keys(ArchId::Gp104), ["fmad"]);
    }
}
