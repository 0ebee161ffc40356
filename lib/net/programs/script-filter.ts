/**
 * What no script needs of the kernel, by its number on each processor: memory that no process is held to (System V, message
 * queues, `memfd`), keys, other processes' memory, namespaces and mounts, and what faults of kernels are mostly found in.
 */
const refused: Partial<Record<NodeJS.Architecture, { audit: number; calls: readonly number[] }>> = {
  x64: {
    audit: 0xc000003e,
    calls: [
      ...[29, 30, 31, 64, 68, 240, 319, 447], // shmget, shmat, shmctl, semget, msgget, mq_open, memfd_create, memfd_secret
      ...[248, 249, 250], // add_key, request_key, keyctl
      ...[101, 310, 311, 312, 298, 321, 323], // ptrace, process_vm_*, kcmp, perf_event_open, bpf, userfaultfd
      ...[425, 426, 427], // io_uring_*
      ...[155, 165, 166, 272, 304, 308] // pivot_root, mount, umount2, unshare, open_by_handle_at, setns
    ]
  },
  arm64: {
    audit: 0xc00000b7,
    calls: [
      ...[194, 196, 195, 190, 186, 180, 279, 447],
      ...[217, 218, 219],
      ...[117, 270, 271, 272, 241, 280, 282],
      ...[425, 426, 427],
      ...[41, 40, 39, 97, 265, 268]
    ]
  }
}

const load = 0x20
const ifEqual = 0x15
const ifAtLeast = 0x35
const answer = 0x06
const allowed = 0x7fff0000
/** The call is not there (ENOSYS): programs know another way, or say so. */
const missing = 0x00050000 + 38

/**
 * The filter as `seccomp` takes it, a program in classic BPF. Another processor's calls (32 bit) are refused altogether.
 * Undefined: their numbers on this processor are not known here.
 */
export function scriptFilter(architecture: NodeJS.Architecture = process.arch): Buffer | undefined {
  const known = refused[architecture]
  if (known === undefined) return undefined
  const { audit, calls } = known
  const toEnd = (from: number) => calls.length + 5 - from - 1
  return Buffer.concat([
    step(load, 4),
    step(ifEqual, audit, 0, toEnd(1)),
    step(load, 0),
    step(ifAtLeast, 0x40000000, toEnd(3), 0),
    ...calls.map((call, at) => step(ifEqual, call, toEnd(4 + at), 0)),
    step(answer, allowed),
    step(answer, missing)
  ])
}

/** One instruction: what, where to go on if so and if not (counted from the next), and its number. */
function step(code: number, number: number, so = 0, not = 0): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(so, 2)
  bytes.writeUInt8(not, 3)
  bytes.writeUInt32LE(number, 4)
  return bytes
}
