import { expect, test } from 'vitest'
import { seccompFilter } from './seccomp-filter.ts'

/**
 * Simulates the kernel's decision about a call with this filter: a machine with one register and three values
 * to load.
 */
function decision(filter: Buffer, audit: number, call: number, argument = 0): number {
  for (let position = 0, register = 0; ; position++) {
    const code = filter.readUInt16LE(position * 8)
    const number = filter.readUInt32LE(position * 8 + 4)
    const [ifTrue, ifFalse] = [filter.readUInt8(position * 8 + 2), filter.readUInt8(position * 8 + 3)]
    if (code === 0x20) register = { 0: call, 4: audit, 16: argument }[number] ?? Number.NaN
    else if (code === 0x15) position += register === number ? ifTrue : ifFalse
    else if (code === 0x35) position += register >= number ? ifTrue : ifFalse
    else if (code === 0x45) position += (register & number) !== 0 ? ifTrue : ifFalse
    else return number
  }
}

const allowed = 0x7fff0000
const missing = 0x00050026
const noFamily = 0x00050061
const forbidden = 0x00050001

const processors: {
  on: NodeJS.Architecture
  audit: number
  socket: number[]
  clone: number
  refused: number[]
}[] = [
  { on: 'x64', audit: 0xc000003e, socket: [41, 53], clone: 56, refused: [29, 101, 250, 272, 319, 321, 427] },
  {
    on: 'arm64',
    audit: 0xc00000b7,
    socket: [198, 199],
    clone: 220,
    refused: [194, 117, 219, 97, 279, 280, 427]
  }
]

for (const { on: processor, audit, socket, clone, refused } of processors) {
  const filter = seccompFilter(processor)
  const permitted = processor === 'x64' ? [0, 1, 59, 42, 232] : [63, 64, 221, 203, 22]

  test(`001-20: zx-script: of the kernel’s calls on ${processor} those are refused that no script needs, and every one of another processor`, () => {
    for (const call of refused) expect(decision(filter, audit, call), String(call)).toBe(missing)
    for (const call of permitted) expect(decision(filter, audit, call), String(call)).toBe(allowed)
    for (const call of [...refused, ...permitted]) {
      expect(decision(filter, 0x40000003, call)).toBe(missing)
      expect(decision(filter, audit, 0x40000000 + call)).toBe(missing)
    }
  })

  test(`22 A7: on ${processor} sockets are of four families, and there is no mount API, pidfd_getfd or namespace`, () => {
    for (const call of socket) {
      for (const family of [1, 2, 10, 16]) expect(decision(filter, audit, call, family)).toBe(allowed)
      // Unspecified, X.25, AppleTalk, packets, Bluetooth, crypto, VSOCK, XDP, and a family that does not exist.
      for (const family of [0, 3, 9, 17, 31, 38, 40, 44, 0xffffffff])
        expect(decision(filter, audit, call, family), String(family)).toBe(noFamily)
    }
    for (const call of [428, 429, 430, 431, 432, 433, 442, 457, 458, 467, 435, 438])
      expect(decision(filter, audit, call), String(call)).toBe(missing)
    // A thread (CLONE_VM | …) and a process (SIGCHLD), then each kind of namespace.
    for (const flags of [0x003d0f00, 17]) expect(decision(filter, audit, clone, flags)).toBe(allowed)
    for (const kind of [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
      expect(decision(filter, audit, clone, kind | 17), kind.toString(16)).toBe(forbidden)
  })
}

test('001-20: zx-script: without known call numbers there is no filter, and so scripts are unavailable', () => {
  expect(() => seccompFilter('riscv64')).toThrow('riscv64')
})
