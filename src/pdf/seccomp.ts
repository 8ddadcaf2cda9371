/**
 * A seccomp filter: a small program that the kernel runs before each system call of a process. It refuses what reaches
 * beyond the process; files are not its business.
 */

/** System calls that are always refused, with their numbers on x64 and arm64. */
const REFUSED = {
  // The network, also over local sockets. The pipes to the service are there from the start.
  socket: [41, 198],
  socketpair: [53, 199],
  // Signals.
  kill: [62, 129],
  tkill: [200, 130],
  rt_sigqueueinfo: [129, 138],
  rt_tgsigqueueinfo: [297, 240],
  pidfd_open: [434, 434],
  pidfd_send_signal: [424, 424],
  // Memory, files and priorities of other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  pidfd_getfd: [438, 438],
  kcmp: [312, 272],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  setpriority: [141, 140],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  ioprio_set: [251, 30],
  // New processes and namespaces. arm64 has neither fork nor vfork.
  fork: [57, null],
  vfork: [58, null],
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  // Parts of the kernel with a long list of vulnerabilities. io_uring would also get around this filter.
  io_uring_setup: [425, 425],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
} as const;

/** System calls that are refused with some arguments. */
const CHECKED = {
  prctl: [157, 167],
  clone: [56, 220],
  clone3: [435, 435],
  tgkill: [234, 131],
  prlimit64: [302, 261],
  fcntl: [72, 25],
  ioctl: [16, 29],
} as const;

interface System {
  /** How the kernel names the architecture. */
  audit: number;
  /** Position in the tables above. */
  column: 0 | 1;
}

const SYSTEMS: Partial<Record<NodeJS.Architecture, System>> = {
  x64: { audit: 0xc000003e, column: 0 },
  arm64: { audit: 0xc00000b7, column: 1 },
};

/** Stands for the process id in the filter, which is known only when it is loaded. */
const OWN_PID = 0xdeadbeef;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const errno = (code: number) => 0x00050000 | code;
const EPERM = errno(1);
const ENOSYS = errno(38);

const CLONE_THREAD = 0x10000;
/** Setting the process that gets signals about a file: F_SETOWN, F_SETSIG and F_SETOWN_EX; FIOSETOWN and SIOCSPGRP. */
const FCNTL_OWNER = [8, 10, 15];
const IOCTL_OWNER = [0x8901, 0x8902];
/** System calls of another set, with other numbers, start here on x64. */
const X32 = 0x40000000;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [LOAD, 0, 0, offset];
/** The lower half of an argument. */
const argument = (index: number): Instruction => load(16 + 8 * index);
const answer = (value: number): Instruction => [RETURN, 0, 0, value];
const when = (test: number, value: number, result: number): Instruction[] => [
  [test, 0, 1, value],
  answer(result),
];

/** The filter for this processor, as bytes; null for processors that we have no numbers for. */
export function seccompFilter(arch = process.arch): { filter: Buffer; prctl: number } | null {
  const system = SYSTEMS[arch];
  if (!system) return null;
  const { column, audit } = system;
  const number = (name: keyof typeof CHECKED) => CHECKED[name][column];
  /** Instructions for one system call, which must end with an answer. */
  const on = (name: keyof typeof CHECKED, ...then: Instruction[]): Instruction[] => [
    [IF_EQUAL, 0, then.length, number(name)],
    ...then,
  ];
  const instructions: Instruction[] = [
    load(4),
    [IF_EQUAL, 1, 0, audit],
    answer(KILL),
    load(0),
    ...(arch === 'x64' ? when(IF_AT_LEAST, X32, EPERM) : []),
    ...Object.values(REFUSED).flatMap((numbers) => {
      const refused = numbers[column];
      return refused === null ? [] : when(IF_EQUAL, refused, EPERM);
    }),
    // Its flags are in memory, where a filter can't look. The C library then uses `clone`.
    ...on('clone3', answer(ENOSYS)),
    ...on('clone', argument(0), ...when(IF_ANY_BIT, CLONE_THREAD, ALLOW), answer(EPERM)),
    // A process aborts by signalling itself.
    ...on('tgkill', argument(0), ...when(IF_EQUAL, OWN_PID, ALLOW), answer(EPERM)),
    ...on('prlimit64', argument(0), ...when(IF_EQUAL, 0, ALLOW), answer(EPERM)),
    ...on(
      'fcntl',
      argument(1),
      ...FCNTL_OWNER.flatMap((command) => when(IF_EQUAL, command, EPERM)),
      answer(ALLOW),
    ),
    ...on(
      'ioctl',
      argument(1),
      ...IOCTL_OWNER.flatMap((command) => when(IF_EQUAL, command, EPERM)),
      answer(ALLOW),
    ),
    answer(ALLOW),
  ];
  const filter = Buffer.alloc(8 * instructions.length);
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    filter.writeUInt16LE(code, 8 * index);
    filter.writeUInt8(ifTrue, 8 * index + 2);
    filter.writeUInt8(ifFalse, 8 * index + 3);
    filter.writeUInt32LE(value, 8 * index + 4);
  }
  return { filter, prctl: number('prctl') };
}
