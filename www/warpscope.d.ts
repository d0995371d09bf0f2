/**
 * `window.warpscope`: what programs can ask of Warpscope. See docs/js-api.md for examples.
 *
 * The page puts it up when it starts and then fires the event `warpscope-ready` on its window.
 * Functions throw an `Error` with a sentence; the promises of `compile` and `run` reject with one.
 */
export interface Warpscope {
  /** The program's version. */
  readonly version: string;
  /** All architectures, oldest first, with every number that is simulated and its source. */
  architectures(): Architecture[];
  /** The kernels of the library, family by family. */
  kernels(): LibraryKernel[];
  /** Compiles CUDA C. Mistakes in the text are an answer too: `program` is null then. */
  compile(source: string, options?: CompileRequest): Promise<Compilation>;
  /**
   * Simulates a scenario to its end, in a worker of its own.
   */
  run(scenario?: string | Scenario | null, options?: RunRequest): Promise<Run>;
  /** What every warp does in a cycle of a run, and why. */
  frame(run: Run, cycle: number): Frame;
  /** What one access of a warp costs. */
  access(request: AccessRequest): SharedAccess | GlobalAccess | ConstantAccess;
  /** How many blocks of a launch an SM holds, and what limits it. */
  occupancy(request: OccupancyRequest): Occupancy;
  /** Links, and what they say. */
  readonly link: LinkFunctions;
}

export interface LinkFunctions {
  /** The link of a scenario, from the `#` on. */
  encode(scenario: string | Scenario): string;
  /** What a link says: a whole address, or what stands after its `#`. Never fails on a text. */
  decode(link: string): DecodedLink;
}

export type ArchId =
  | "g80" | "gt200" | "gf100" | "gf104" | "gk110" | "gm204" | "gp100" | "gp104" | "gv100" | "tu102"
  | "ga100" | "ga102" | "ad102" | "gh100";

export interface Architecture {
  id: ArchId;
  /** As `Turing TU102`. */
  name: string;
  generation: string;
  /** As `7.5`. */
  computeCapability: string;
  year: number;
  /** A product with the chip. */
  part: string;
  /** SMs of that product. */
  sms: number;
  /** Warp schedulers of an SM. */
  schedulers: number;
  /** Every number, as text. */
  values: SourcedValue[];
}

export interface SourcedValue {
  /** Group and field, as `memory.l1.hit_latency_cycles`. */
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
  /** Turing TU102 if absent. */
  arch?: ArchId;
  /** Name of the `__global__` function; the first one if absent. */
  kernel?: string;
  options?: CompileOptions;
}

/** What is absent is as nvcc has it. */
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
  /** The file, where the source has lines `//--- warpscope file: NAME`; null otherwise. */
  file: string | null;
  /** From 1, in its file. Everywhere else lines count in the whole source. */
  line: number;
  /** From 1, in characters. */
  column: number;
  message: string;
  notes: string[];
  /** Text that would set it right in place of what is marked. */
  fix: string | null;
}

/**
 * The keys of a link as an object: `{ kernel: "saxpy", grid: [8], arch: "gf100", dlcm: "cg" }`.
 * Lists of extents, numbers and booleans are written as links write them. A `source` without
 * `kernel` begins with one block of 32 threads without arguments.
 */
export interface Scenario {
  arch?: ArchId;
  /** A kernel of the library. */
  kernel?: string;
  /** CUDA C in place of the library's. */
  source?: string;
  /** Name of the `__global__` function. */
  entry?: string;
  grid?: string | number | number[];
  block?: string | number | number[];
  /** Dynamic shared memory in bytes. */
  shared?: number | string;
  /** As `out:f32*4096:zero,in:f32*4096:lcg1,i32:64`; see docs/js-api.md. */
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
  /** `-maxrregcount`. */
  regs?: number | string;
  /** Shared memory of the SM in KiB. */
  carveout?: number | string;
  dlcm?: "default" | "ca" | "cg";
  /** Bytes of successive memory in a bank of shared memory; of effect where the host can choose it (3.x). */
  banksize?: 4 | 8 | "4" | "8";
  /** How schedulers choose among warps; as the chip does if it is not said. */
  policy?: "chip" | "lrr" | "gto" | "twolevel";
  maxcycles?: number | string;
  view?: string;
  split?: string;
  cycle?: number | string;
  warp?: number | string;
  /** What else a link of the page can say. */
  [key: string]: string | number | boolean | number[] | undefined;
}

export interface RunRequest {
  /** In place of the scenario's. */
  arch?: ArchId;
  /** Ends the run with the outcome `cycle budget`. */
  maxCycles?: number;
  /** Checks the accesses and barriers of the run, as compute-sanitizer does. */
  check?: boolean;
  /** Called between slices with the cycles and warp instructions so far. */
  onProgress?: (cycles: number, instructions: number) => void;
}

/** What one call of `printf`, or one failed assertion, printed. */
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
  /** The link of what was run. */
  link: string;
  /** What of the link could not be used, and the compiler's warnings. */
  warnings: string[];
  /** What the checks report, by line; null where the run was not checked. */
  findings: Finding[] | null;
  cycles: number;
  outcome: Outcome;
  /** What `printf` and failed assertions printed, in the order of the run. */
  printed: PrintedCall[];
  /** First calls that are not in `printed`: the device's buffer of 1 MB lost them. */
  printedOverwritten: number;
  /** By Nsight Compute's names; those with `warpscope__` have no counterpart there. */
  counters: Record<string, number>;
  /** Cycles of all warps by state. */
  stalls: Record<string, number>;
  registersPerThread: number;
  blocksPerSm: number;
  warpsPerSm: number;
  maxWarpsPerSm: number;
  /** The buffers that the kernel may write, after the run. */
  outputs: Output[];
  /** The same as `warpscope.frame(run, cycle)`. */
  frame(cycle: number): Frame;
}

/** The same at a pair of source places is reported once. */
export interface Finding {
  /** Compute-sanitizer's tool; "warpscope" for what that has no tool for. */
  tool: "memcheck" | "initcheck" | "racecheck" | "synccheck" | "warpscope";
  kind:
    | "read-after-write" | "write-after-read" | "write-after-write"
    | "out-of-bounds" | "misaligned" | "null-pointer" | "scalar-as-pointer" | "host-address" | "dynamic-shared"
    | "stack-overflow" | "uninitialized-read" | "divergent-warp" | "divergent-block" | "invalid-mask"
    | "division-by-zero" | "missing-return" | "endless-loop" | "trap";
  severity: "error" | "warning";
  message: string;
  /** What to do about it. */
  advice: string;
  /** How many times it happens in the run. */
  count: number;
  /** The access or barrier at which it is found, then the earlier one, if there are two. */
  sites: Site[];
}

/** A thread at an instruction. */
export interface Site {
  role: "read" | "write" | "atomic" | "barrier" | "execution";
  /** Bytes of the source. */
  start: number;
  end: number;
  /** From 1; 0 for what the compiler added. */
  line: number;
  column: number;
  pc: number;
  /** The cycle in which the instruction issues. */
  cycle: number;
  block: [number, number, number];
  thread: [number, number, number];
  /** The warp, by its number in the grid, and its slot on the SM. */
  warp: number;
  slot: number;
  lane: number;
  place: Place | null;
}

/** The memory that a thread accesses. */
export interface Place {
  memory: "global" | "shared" | "local";
  /** An offset in shared and local memory. */
  address: number;
  bytes: number;
  /** The array that holds the address, or the nearest one. */
  array: string | null;
  /** The element as the source writes it: `tile[3][5]`; null outside of the array. */
  element: string | null;
  /** Bytes from the start of the array; negative before it. */
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
  /** The elements; halves (`f16`) as their bits in a `Uint16Array`. */
  values:
    | Int8Array | Uint8Array | Int16Array | Uint16Array | Int32Array | Uint32Array
    | BigInt64Array | BigUint64Array | Float32Array | Float64Array;
}

export interface Frame {
  cycle: number;
  /** The resident warps, by slot. */
  warps: WarpInFrame[];
  /** What the schedulers issue in this cycle. */
  issued: Issued[];
  /** Lines of the source of which something issues. */
  lines: number[];
}

export interface WarpInFrame {
  slot: number;
  scheduler: number;
  warp: number;
  block: number;
  /** By Nsight Compute's name: Selected, Long Scoreboard, Barrier, … */
  state: string;
  /** Why, in one or two sentences. */
  reason: string;
  /** First cycle of this state. */
  since: number;
  /** Cycle after its last. */
  until: number;
  pc: number;
  line: number | null;
  instruction: string;
  /** Bit l is lane l. */
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
  /** Those of the active lanes whose predicate is true. */
  executedMask: number;
}

export interface AccessRequest {
  /** Turing TU102 if absent. */
  arch?: ArchId;
  space: "shared" | "global" | "constant";
  /** A load if absent. */
  op?: "load" | "store" | "atomic";
  /** Bits of a lane; 32 if absent. */
  widthBits?: 8 | 16 | 32 | 64 | 128;
  /** Byte offsets of up to 32 lanes from a base aligned to 128 bytes; null: the lane is off. */
  offsets: (number | null)[];
  /** Bit l is lane l; all that have an offset if absent. */
  mask?: number;
  /** First cache of global loads, `-dlcm`; as the architecture has it if absent. */
  caching?: "ca" | "cg";
  /** Bytes of successive memory in a bank of shared memory; 8 where the host can choose it (3.x), 4 if absent. */
  bankSize?: 4 | 8;
}

export interface SharedAccess {
  space: "shared";
  wavefronts: number;
  /** Without conflicts. */
  idealWavefronts: number;
  /** The difference of the two. */
  conflicts: number;
  banks: number;
  /** Bytes of successive memory in a bank. */
  bankSize: 4 | 8;
  /** In order; which lanes are served in each. */
  passes: { request: number; lanes: number[] }[];
}

export interface GlobalAccess {
  space: "global";
  requests: number;
  /** 32-byte sectors. */
  sectors: number;
  /** Distinct 128-byte lines. */
  lines: number;
  /** Moved by the transactions. */
  bytes: number;
  /** Used by some lane. */
  usedBytes: number;
  /** Segments, lines or sectors, as the architecture has them. */
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
  /** Turing TU102 if absent. */
  arch?: ArchId;
  threadsPerBlock: number;
  /** 16 if absent. */
  registersPerThread?: number;
  /** Bytes of a block. */
  staticShared?: number;
  /** Bytes of a block. */
  dynamicShared?: number;
  /** Preferred shared memory in percent of the most; the driver's default if absent. */
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
  /** Null where the kernel uses none. */
  limitRegisters: number | null;
  limitShared: number | null;
  /** The resources that allow no more blocks than are resident. */
  limiters: ("warps" | "blocks" | "registers" | "shared memory")[];
  allocatedRegistersPerBlock: number;
  allocatedSharedPerBlock: number;
  /** KiB to which shared memory is set. */
  sharedKib: number;
}

export interface DecodedLink {
  /** The keys that differ from the default. */
  scenario: Scenario;
  /** The link as Warpscope writes it. */
  link: string;
  /** What could not be used, each a sentence. */
  warnings: string[];
}

declare global {
  interface Window {
    readonly warpscope: Warpscope;
  }
}
