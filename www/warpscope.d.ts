/**
 * `window.warpscope`: the functions of Warpscope for programs. See docs/js-api.md for examples.
 *
 * The page defines the object when it starts, and then fires the event `warpscope-ready` on its window.
 * Functions throw an `Error` whose message is a sentence. The promises of `compile` and `run` reject with such an error.
 */
export interface Warpscope {
  /** The program's version. */
  readonly version: string;
  /** Returns all architectures, oldest first, with every simulated number and its source. */
  architectures(): Architecture[];
  /** Returns the kernels of the library, by family. */
  kernels(): LibraryKernel[];
  /** Compiles CUDA C++. If the source has mistakes, `program` is null and `diagnostics` lists them. */
  compile(source: string, options?: CompileRequest): Promise<Compilation>;
  /**
   * Simulates a scenario to its end, in a worker of its own.
   */
  run(scenario?: string | Scenario | null, options?: RunRequest): Promise<Run>;
  /** Returns the state of every warp in a cycle of a run, with the reason. */
  frame(run: Run, cycle: number): Frame;
  /** Returns the cost of one access of a warp. */
  access(request: AccessRequest): SharedAccess | GlobalAccess | ConstantAccess;
  /** Returns how many blocks of a launch are resident on an SM, and the limiting resource. */
  occupancy(request: OccupancyRequest): Occupancy;
  /** Encodes and decodes links. */
  readonly link: LinkFunctions;
}

export interface LinkFunctions {
  /** Returns the link of a scenario, starting with `#`. */
  encode(scenario: string | Scenario): string;
  /** Returns the scenario of a link: a whole address, or the text after its `#`. Accepts every text. */
  decode(link: string): DecodedLink;
}

export type ArchId =
  | "g80" | "gt200" | "gf100" | "gf104" | "gk110" | "gm204" | "gp100" | "gp104" | "gv100" | "tu102"
  | "ga100" | "ga102" | "ad102" | "gh100";

export interface Architecture {
  id: ArchId;
  /** For example `Turing TU102`. */
  name: string;
  generation: string;
  /** For example `7.5`. */
  computeCapability: string;
  year: number;
  /** A product with the chip. */
  part: string;
  /** Number of SMs of that product. */
  sms: number;
  /** Number of warp schedulers of an SM. */
  schedulers: number;
  /** Every number, as text. */
  values: SourcedValue[];
}

export interface SourcedValue {
  /** Group and field, for example `memory.l1.hit_latency_cycles`. */
  path: string;
  description: string;
  value: string;
  unit: string;
  /** Document and section; empty for an assumption. */
  source: string;
  quality: "Vendor" | "Paper" | "Repository" | "Web" | "Derived" | "Measured" | "Assumption";
  note: string;
  alternatives: { value: string; source: string }[];
}

export interface LibraryKernel {
  /** Its id in links. */
  id: string;
  family: string;
  familyTitle: string;
  group: string;
  variant: string;
  title: string;
  lookAt: string;
  /** Name of its `__global__` function. */
  entry: string;
  source: string;
}

export interface CompileRequest {
  /** Default: Turing TU102. */
  arch?: ArchId;
  /** Name of the `__global__` function. Default: the first one. */
  kernel?: string;
  options?: CompileOptions;
}

/** Defaults are those of nvcc. */
export interface CompileOptions {
  fmad?: boolean;
  ftz?: boolean;
  precDiv?: boolean;
  precSqrt?: boolean;
  /** `-use_fast_math`. */
  fastMath?: boolean;
  /** `-maxrregcount`. */
  maxRegisters?: number;
  /** `-m32`, where the chip has a choice. */
  pointers32Bit?: boolean;
}

export interface Compilation {
  /** Null if the kernel does not compile. */
  program: Program | null;
  /** The `__global__` functions of the text. */
  kernels: { name: string; parameters: { name: string; type: string }[]; compiles: boolean }[];
  diagnostics: Diagnostic[];
}

export interface Program {
  kernel: string;
  arch: ArchId;
  registersPerThread: number;
  /** Bytes. */
  staticShared: number;
  localBytesPerThread: number;
  spillStoreBytes: number;
  spillLoadBytes: number;
  instructions: { pc: number; text: string; line: number | null }[];
}

export interface Diagnostic {
  severity: "error" | "warning";
  /** The file, if the source has lines `//--- warpscope file: NAME`; otherwise null. */
  file: string | null;
  /** From 1, in its file. All other lines of this API count in the whole source. */
  line: number;
  /** From 1, in characters. */
  column: number;
  message: string;
  notes: string[];
  /** Replacement for the marked text that fixes the mistake; null if there is none. */
  fix: string | null;
}

/**
 * The keys of a link as an object: `{ kernel: "saxpy", grid: [8], arch: "gf100", dlcm: "cg" }`.
 * Extents, numbers, and booleans have the syntax of links. The default launch of a `source` without
 * `kernel` is one block of 32 threads without arguments.
 */
export interface Scenario {
  arch?: ArchId;
  /** A kernel of the library. */
  kernel?: string;
  /** CUDA C++ source that replaces the source of the library kernel. */
  source?: string;
  /** Name of the `__global__` function. */
  entry?: string;
  grid?: string | number | number[];
  block?: string | number | number[];
  /** Dynamic shared memory in bytes. */
  shared?: number | string;
  /** For example `out:f32*4096:zero,in:f32*4096:lcg1,i32:64`; see docs/js-api.md. */
  args?: string;
  /** Contents of `__constant__` and `__device__` variables: `name:type*length:pattern`. */
  symbols?: string;
  fmad?: boolean | "on" | "off";
  ftz?: boolean | "on" | "off";
  precdiv?: boolean | "on" | "off";
  precsqrt?: boolean | "on" | "off";
  fastmath?: boolean | "on" | "off";
  m32?: boolean | "on" | "off";
  adversarial?: boolean | "on" | "off";
  /** The compute capability to compile for: the chip's own, or 7.0, whose code all 7.x run. */
  gencode?: "chip" | "70" | 70;
  /** `-maxrregcount`. */
  regs?: number | string;
  /** Shared memory of the SM in KB (1,024 bytes). */
  carveout?: number | string;
  dlcm?: "default" | "ca" | "cg";
  /** Width of a shared memory bank in bytes. Only devices of compute capability 3.x have this choice. */
  banksize?: 4 | 8 | "4" | "8";
  /** How schedulers choose among eligible warps. Default: the policy of the architecture. */
  policy?: "chip" | "lrr" | "gto" | "twolevel";
  maxcycles?: number | string;
  /** Only this many blocks of the grid run, the first ones. Default: all. */
  blocks?: number | string;
  /** This SM of a run on the whole device. Default: one SM alone, which runs all blocks. */
  sm?: number | string;
  /** Causes of delay that a hypothetical machine lacks: `conflicts,coalescing`. */
  without?: string;
  view?: string;
  split?: string;
  cycle?: number | string;
  warp?: number | string;
  /** All other keys of a link. */
  [key: string]: string | number | boolean | number[] | undefined;
}

export interface RunRequest {
  /** Replaces the architecture of the scenario. */
  arch?: ArchId;
  /** Ends the run after this many cycles, with the outcome `cycle budget`. */
  maxCycles?: number;
  /** Checks the accesses and barriers of the run, as compute-sanitizer does. Default: false. */
  check?: boolean;
  /** Called between slices with the cycles and warp instructions so far. */
  onProgress?: (cycles: number, instructions: number) => void;
}

/** The output of one call of `printf` or of one failed assertion. */
export interface PrintedCall {
  block: [number, number, number];
  thread: [number, number, number];
  warp: number;
  lane: number;
  cycle: number;
  text: string;
}

export interface Run {
  kernel: string;
  arch: ArchId;
  grid: [number, number, number];
  block: [number, number, number];
  /** The link of the scenario. */
  link: string;
  /** The parts of the link that could not be used, and the warnings of the compiler. */
  warnings: string[];
  /** The findings of the checks, by line; null if the run was not checked. */
  findings: Finding[] | null;
  cycles: number;
  outcome: Outcome;
  /** The output of `printf` and of failed assertions, in the order of the run. */
  printed: PrintedCall[];
  /** Number of calls at the start of the run whose output the 1 MB buffer of the device lost. */
  printedOverwritten: number;
  /** Values by the names of Nsight Compute. Names that start with `warpscope__` have no counterpart there. */
  counters: Record<string, number>;
  /** Cycles of all warps by state. */
  stalls: Record<string, number>;
  registersPerThread: number;
  blocksPerSm: number;
  warpsPerSm: number;
  maxWarpsPerSm: number;
  /** The contents of the output buffers after the run. */
  outputs: Output[];
  /** Equivalent to `warpscope.frame(run, cycle)`. */
  frame(cycle: number): Frame;
}

/** A mistake found by the checks. Each pair of source positions is reported once. */
export interface Finding {
  /** The tool of compute-sanitizer; "warpscope" if none of its tools reports this mistake. */
  tool: "memcheck" | "initcheck" | "racecheck" | "synccheck" | "warpscope";
  kind:
    | "read-after-write" | "write-after-read" | "write-after-write"
    | "out-of-bounds" | "misaligned" | "null-pointer" | "scalar-as-pointer" | "host-address" | "dynamic-shared"
    | "stack-overflow" | "uninitialized-read" | "divergent-warp" | "divergent-block" | "invalid-mask"
    | "division-by-zero" | "missing-return" | "endless-loop" | "trap";
  severity: "error" | "warning";
  message: string;
  /** How to fix the mistake. */
  advice: string;
  /** Number of occurrences in the run. */
  count: number;
  /** The access or barrier that completes the mistake, followed by the earlier one, if there are two. */
  sites: Site[];
}

/** A thread at an instruction. */
export interface Site {
  role: "read" | "write" | "atomic" | "barrier" | "execution";
  /** Byte offsets in the source. */
  start: number;
  end: number;
  /** From 1; 0 for instructions that the compiler added. */
  line: number;
  column: number;
  pc: number;
  /** The cycle in which the instruction issues. */
  cycle: number;
  block: [number, number, number];
  thread: [number, number, number];
  /** The number of the warp in the grid; `slot` is its slot on the SM. */
  warp: number;
  slot: number;
  lane: number;
  place: Place | null;
}

/** The memory that a thread accesses. */
export interface Place {
  memory: "global" | "shared" | "local";
  /** In shared and local memory, an offset. */
  address: number;
  bytes: number;
  /** The array that contains the address, or the nearest array. */
  array: string | null;
  /** The element in the syntax of the source: `tile[3][5]`; null outside the array. */
  element: string | null;
  /** Bytes from the start of the array; negative if the address is before it. */
  offset: number | null;
}

export type Outcome =
  | { kind: "finished" | "cycle budget" | "memory budget" }
  | { kind: "fault"; message: string; cycle: number; pc: number; warp: number }
  | { kind: "deadlock"; message: string };

export interface Output {
  /** Index of the argument. */
  argument: number;
  name: string;
  type: "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f16" | "f32" | "f64";
  /** The elements. `f16` elements are a `Uint16Array` of their bits. */
  values:
    | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
    | BigInt64Array | BigUint64Array | Float32Array | Float64Array;
}

export interface Frame {
  cycle: number;
  /** The resident warps, by slot. */
  warps: WarpInFrame[];
  /** The instructions that the schedulers issue in this cycle. */
  issued: Issued[];
  /** Source lines with an instruction that issues in this cycle. */
  lines: number[];
}

export interface WarpInFrame {
  slot: number;
  scheduler: number;
  warp: number;
  block: number;
  /** The name of Nsight Compute: Selected, Long Scoreboard, Barrier, … */
  state: string;
  /** The reason, in one or two sentences. */
  reason: string;
  /** First cycle of this state. */
  since: number;
  /** First cycle after this state. */
  until: number;
  pc: number;
  line: number | null;
  instruction: string;
  /** Bit n is lane n. */
  activeMask: number;
}

export interface Issued {
  scheduler: number;
  slot: number;
  warp: number;
  pc: number;
  line: number | null;
  instruction: string;
  activeMask: number;
  /** Active lanes whose predicate is true. */
  executedMask: number;
}

export interface AccessRequest {
  /** Default: Turing TU102. */
  arch?: ArchId;
  space: "shared" | "global" | "constant";
  /** Default: load. */
  op?: "load" | "store" | "atomic";
  /** Bits that each lane accesses. Default: 32. */
  widthBits?: 8 | 16 | 32 | 64 | 128;
  /** Byte offsets of up to 32 lanes from a base aligned to 128 bytes; null for an inactive lane. */
  offsets: ArrayLike<number | null>;
  /** Bit n is lane n. Default: all lanes that have an offset. */
  mask?: number;
  /** Caching of global loads, `-dlcm`. Default: that of the architecture. */
  caching?: "ca" | "cg";
  /** Width of a shared memory bank in bytes. 8 is possible on compute capability 3.x only. Default: 4. */
  bankSize?: 4 | 8;
}

export interface SharedAccess {
  space: "shared";
  wavefronts: number;
  /** Wavefronts without conflicts. */
  idealWavefronts: number;
  /** `wavefronts` minus `idealWavefronts`. */
  conflicts: number;
  banks: number;
  /** Width of a bank in bytes. */
  bankSize: 4 | 8;
  /** The passes in order, each with the lanes that it serves. */
  passes: { request: number; lanes: number[] }[];
}

export interface GlobalAccess {
  space: "global";
  requests: number;
  /** Number of 32-byte sectors. */
  sectors: number;
  /** Number of distinct 128-byte lines. */
  lines: number;
  /** Bytes that the transactions move. */
  bytes: number;
  /** Bytes that at least one lane uses. */
  usedBytes: number;
  /** Segments, lines, or sectors, depending on the architecture. */
  transactions: {
    base: number;
    bytes: number;
    request: number;
    repeats: number;
    usedBytes: number;
    lanes: number[];
  }[];
}

export interface ConstantAccess {
  space: "constant";
  /** One for each distinct address. */
  requests: { address: number; lanes: number[] }[];
}

export interface OccupancyRequest {
  /** Default: Turing TU102. */
  arch?: ArchId;
  threadsPerBlock: number;
  /** Default: 16. */
  registersPerThread?: number;
  /** Bytes of each block. */
  staticShared?: number;
  /** Bytes of each block. */
  dynamicShared?: number;
  /** Preferred shared memory, in percent of the maximum. Default: the choice of the driver. */
  carveout?: number;
}

export interface Occupancy {
  blocksPerSm: number;
  warpsPerBlock: number;
  warpsPerSm: number;
  maxWarpsPerSm: number;
  /** Blocks that each resource allows. */
  limitWarps: number;
  limitBlocks: number;
  /** Null if the kernel uses no registers or no shared memory. */
  limitRegisters: number | null;
  limitShared: number | null;
  /** The resources that limit the number of resident blocks. */
  limiters: ("warps" | "blocks" | "registers" | "shared memory")[];
  allocatedRegistersPerBlock: number;
  allocatedSharedPerBlock: number;
  /** The shared memory of the SM in KB (1,024 bytes). */
  sharedKib: number;
}

export interface DecodedLink {
  /** The keys that differ from the default. */
  scenario: Scenario;
  /** The link in the canonical form. */
  link: string;
  /** A sentence for each part of the link that could not be used. */
  warnings: string[];
}

declare global {
  interface Window {
    readonly warpscope: Warpscope;
  }
}
