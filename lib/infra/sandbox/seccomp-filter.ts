type Numbers = {
  audit: number
  refused: readonly number[]
  sockets: readonly number[]
  clone: number
}

/** Calls that came later have the same number on every processor: io_uring_*, the mount API, clone3, pidfd_getfd, memfd_secret. */
const onAll = [425, 426, 427, 428, 429, 430, 431, 432, 433, 442, 457, 458, 467, 435, 438, 447]

/**
 * What no program needs of the kernel, by its number on each processor: memory that no process is held to (System V, message
 * queues, `memfd`), keys, other processes' memory and files, namespaces and mounts, and what faults of kernels are mostly found
 * in. `sockets` and `clone` are looked at: `clone3` has its flags where no filter sees them, and C libraries then use `clone`.
 */
const known: Partial<Record<NodeJS.Architecture, Numbers>> = {
  x64: {
    audit: 0xc000003e,
    refused: [
      ...[29, 30, 31, 64, 68, 240, 319], // shmget, shmat, shmctl, semget, msgget, mq_open, memfd_create
      ...[248, 249, 250], // add_key, request_key, keyctl
      ...[101, 310, 311, 312, 298, 321, 323], // ptrace, process_vm_*, kcmp, perf_event_open, bpf, userfaultfd
      ...[155, 165, 166, 272, 304, 308], // pivot_root, mount, umount2, unshare, open_by_handle_at, setns
      ...onAll
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
      ...onAll
    ],
    sockets: [198, 199],
    clone: 220
  }
}

/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. AF_VSOCK, for one, reaches a virtual machine's host from every network namespace. */
const families = [1, 2, 10, 16]

/** CLONE_NEW*: NS, CGROUP, UTS, IPC, USER, PID, NET. */
const namespaces = 0x7e020000

const load = 0x20
const ifEqual = 0x15
const ifAtLeast = 0x35
const ifAnyBit = 0x45
const answer = 0x06
/** Offsets in what the filter sees (`struct seccomp_data`): the call's number, the processor, the first argument's low half. */
const seen = { call: 0, processor: 4, argument: 16 }
const fails = (errno: number) => 0x00050000 + errno
/** `missing` is ENOSYS: programs know another way, or say so. The others are EAFNOSUPPORT and EPERM. */
const answers = { allowed: 0x7fff0000, missing: fails(38), noFamily: fails(97), forbidden: fails(1) }
type To = keyof typeof answers | 'family' | 'flags'
type Step = { code: number; number: number; to?: To; else?: To; name?: To }

/**
 * The filter of what a program in a sandbox may ask of the kernel, as `seccomp` takes it: a program in classic BPF. Another
 * processor's calls (32 bit) are refused altogether. Throws where the numbers of this processor are not known.
 */
export function seccompFilter(architecture: NodeJS.Architecture = process.arch): Buffer {
  const numbers = known[architecture]
  if (numbers === undefined)
    throw new Error(`system calls cannot be filtered on this processor (${architecture}).`)
  const { audit, refused, sockets, clone } = numbers
  const steps: Step[] = [
    { code: load, number: seen.processor },
    { code: ifEqual, number: audit, else: 'missing' },
    { code: load, number: seen.call },
    { code: ifAtLeast, number: 0x40000000, to: 'missing' },
    ...refused.map(number => ({ code: ifEqual, number, to: 'missing' as const })),
    ...sockets.map(number => ({ code: ifEqual, number, to: 'family' as const })),
    { code: ifEqual, number: clone, to: 'flags', else: 'allowed' },
    { name: 'family', code: load, number: seen.argument },
    ...families.map(number => ({ code: ifEqual, number, to: 'allowed' as const })),
    { name: 'noFamily', code: answer, number: answers.noFamily },
    { name: 'flags', code: load, number: seen.argument },
    { code: ifAnyBit, number: namespaces, to: 'forbidden', else: 'allowed' },
    { name: 'forbidden', code: answer, number: answers.forbidden },
    { name: 'allowed', code: answer, number: answers.allowed },
    { name: 'missing', code: answer, number: answers.missing }
  ]
  const after = (at: number, to: To | undefined) =>
    to === undefined ? 0 : steps.findIndex(({ name }) => name === to) - at - 1
  return Buffer.concat(
    steps.map(({ code, number, ...step }, at) => {
      const bytes = Buffer.alloc(8)
      bytes.writeUInt16LE(code, 0)
      bytes.writeUInt8(after(at, step.to), 2)
      bytes.writeUInt8(after(at, step.else), 3)
      bytes.writeUInt32LE(number, 4)
      return bytes
    })
  )
}
