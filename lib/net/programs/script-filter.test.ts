import { expect, test } from 'vitest'
import { scriptFilter } from './script-filter.ts'

/** What the kernel makes of a call by this filter: a machine with one register, and two words to load. */
function judged(filter: Buffer, audit: number, call: number): number {
  for (let at = 0, register = 0; ; at++) {
    const code = filter.readUInt16LE(at * 8)
    const number = filter.readUInt32LE(at * 8 + 4)
    const [so, not] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    if (code === 0x20) register = number === 4 ? audit : call
    else if (code === 0x15) at += register === number ? so : not
    else if (code === 0x35) at += register >= number ? so : not
    else return number
  }
}

const allowed = 0x7fff0000
const missing = 0x00050026

for (const [architecture, audit, { refused, given }] of [
  ['x64', 0xc000003e, { refused: [29, 101, 250, 272, 319, 321, 427], given: [0, 1, 41, 56, 59, 435] }],
  ['arm64', 0xc00000b7, { refused: [194, 117, 219, 97, 279, 280, 427], given: [63, 64, 198, 220, 221, 435] }]
] as const)
  test(`001-20: zx-script: of the kernel’s calls on ${architecture} those are refused that no script needs, and every one of another processor`, () => {
    const filter = scriptFilter(architecture)
    if (filter === undefined) throw new Error('There is no filter.')
    for (const call of refused) expect(judged(filter, audit, call), String(call)).toBe(missing)
    for (const call of given) expect(judged(filter, audit, call), String(call)).toBe(allowed)
    for (const call of [...refused, ...given]) {
      expect(judged(filter, 0x40000003, call)).toBe(missing)
      expect(judged(filter, audit, 0x40000000 + call)).toBe(missing)
    }
  })

test('001-20: zx-script: where no numbers are known there is no filter, and so no script', () => {
  expect(scriptFilter('riscv64')).toBeUndefined()
})
