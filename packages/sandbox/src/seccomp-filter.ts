type Numbers = {
  audit: number
  refused: readonly number[]
  sockets: readonly number[]
  clone: number
}

/**
 * Newer calls have the same number on every processor: io_uring_*, the mount API, clone3, pidfd_getfd,
 * memfd_secret.
 */
const newerCalls = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442, 457, 458, 467, 435, 438, 447]

/**
 * The rejected system calls, by their numbers on each processor. No program needs them: memory outside the
 * limits of a process (System V, message queues, `memfd`), keys, memory and files of other processes,
 * namespaces and mounts, and frequent sources of kernel vulnerabilities. The arguments of `sockets` and `clone`
 * are checked. `clone3` is rejected because a filter cannot see its flags; C libraries then use `clone`.
 */
const byProcessor: Partial<Record<NodeJS.Architecture, Numbers>> = {
  x64: {
    audit: 0xc000003e,
    refused: [
      ...[29, 30, 31, 64, 68, 240, 319], // shmget, shmat, shmctl, semget, msgget, mq_open, memfd_create
      ...[248, 249, 250], // add_key, request_key, keyctl
      ...[101, 310, 311, 312, 298, 321, 323], // ptrace, process_vm_*, kcmp, perf_event_open, bpf, userfaultfd
      ...[155, 165, 166, 272, 304, 308], // pivot_root, mount, umount2, unshare, open_by_handle_at, setns
      ...newerCalls
    ],
    sockets: [41, 53], // socket, socketpair
    clone: 56
  },
  arm64: {
    audit: 0xc00000b7,
    refused: [
      ...[194, 196, 195, 190, 186, 180, 279],
      ...[217, 218, 219],
      ...[117, 270, 271, 272, 241, 280, 282],
      ...[41, 40, 39, 97, 265, 268],
      ...newerCalls
    ],
    sockets: [198, 199],
    clone: 220
  }
}

/**
 * AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Others are unsafe: AF_VSOCK reaches a virtual machine's host from
 * every network namespace.
 */
const families = [1, 2, 10, 16]

/** CLONE_NEW*: NS, CGROUP, UTS, IPC, USER, PID, NET. */
const namespaces = 0x7e020000

const load = 0x20
const ifEqual = 0x15
const ifAtLeast = 0x35
const ifAnyBit = 0x45
const returnOp = 0x06
/**
 * Offsets in `struct seccomp_data`: the call's number, the processor, and the low half of the first argument.
 */
const offsets = { call: 0, processor: 4, argument: 16 }
const errnoResult = (errno: number) => 0x00050000 + errno
/** `missing` is ENOSYS: programs then use another way or report it. The others are EAFNOSUPPORT and EPERM. */
const results = {
  allowed: 0x7fff0000,
  missing: errnoResult(38),
  noFamily: errnoResult(97),
  forbidden: errnoResult(1)
}
type Target = keyof typeof results | 'family' | 'flags'
type Instruction = { code: number; number: number; to?: Target; else?: Target; name?: Target }

/**
 * Returns the filter of the system calls that a sandboxed program can use, for `seccomp`: a program in classic
 * BPF. All calls of other processors (32 bit) are rejected. Throws if the call numbers of this processor are
 * not known.
 */
export function seccompFilter(architecture: NodeJS.Architecture = process.arch): Buffer {
  const numbers = byProcessor[architecture]
  if (numbers === undefined)
    throw new Error(`system calls cannot be filtered on this processor (${architecture}).`)
  const { audit, refused, sockets, clone } = numbers
  const program: Instruction[] = [
    { code: load, number: offsets.processor },
    { code: ifEqual, number: audit, else: 'missing' },
    { code: load, number: offsets.call },
    { code: ifAtLeast, number: 0x40000000, to: 'missing' },
    ...refused.map(number => ({ code: ifEqual, number, to: 'missing' as const })),
    ...sockets.map(number => ({ code: ifEqual, number, to: 'family' as const })),
    { code: ifEqual, number: clone, to: 'flags', else: 'allowed' },
    { name: 'family', code: load, number: offsets.argument },
    ...families.map(number => ({ code: ifEqual, number, to: 'allowed' as const })),
    { name: 'noFamily', code: returnOp, number: results.noFamily },
    { name: 'flags', code: load, number: offsets.argument },
    { code: ifAnyBit, number: namespaces, to: 'forbidden', else: 'allowed' },
    { name: 'forbidden', code: returnOp, number: results.forbidden },
    { name: 'allowed', code: returnOp, number: results.allowed },
    { name: 'missing', code: returnOp, number: results.missing }
  ]
  const distanceTo = (index: number, to: Target | undefined) =>
    to === undefined ? 0 : program.findIndex(({ name }) => name === to) - index - 1
  return Buffer.concat(
    program.map(({ code, number, ...step }, index) => {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt16LE(code, 0)
      bytes.writeUInt8(distanceTo(index, step.to), 2)
      bytes.writeUInt8(distanceTo(index, step.else), 3)
      bytes.writeUInt32LE(number, 4)
      return bytes
    })
  )
}
