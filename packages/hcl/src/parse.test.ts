import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import type { Block } from './expression.ts'
import { parseHcl } from './parse.ts'
import { scopeWith } from './scope.ts'

/** Parses and evaluates a text. Returns 'read', or the message of its first error. */
function resultOf(text: string): string {
  try {
    evaluateAll(parseHcl(text))
    return 'read'
  } catch (error) {
    return (error as Error).message
  }
}

function evaluateAll(block: Block, scope = scopeWith()): void {
  for (const item of block.items)
    if (item.kind === 'block') evaluateAll(item, scope)
    else evaluate(item.expression, scope)
}

test('003-18: an error has a line and a column, which is counted in characters and not in bytes', () => {
  expect(() => parseHcl('a = 1\n"😀é" = 2')).toThrow(expect.objectContaining({ line: 2, column: 1 }))
  expect(() => parseHcl('a = "😀é" 2')).toThrow(expect.objectContaining({ line: 1, column: 10 }))
  expect(() => parseHcl('\uFEFFa\r\n')).toThrow(expect.objectContaining({ line: 1, column: 2 }))
})

test('003-12: blocks and attributes stay in the order of the text, even if other types are between them', () => {
  const { items } = parseHcl('table "t" {}\nz = 1\nmarkdown "m" {}\na = 2\ntable "u" {}\n')
  expect(items.map(item => (item.kind === 'block' ? item.labels[0]?.value : item.name))).toEqual([
    ...['t', 'z', 'm', 'a', 'u']
  ])
})

test('003-18: a text of up to 1 MiB that repeats one piece is parsed or rejected before the test times out', () => {
  const filled = (begin: string, piece: string, end = '') =>
    begin + piece.repeat((1024 * 1024 - begin.length - end.length) / piece.length) + end
  for (const [text, outcome] of [
    [filled('a = "', '$', '"'), 'read'],
    [filled('a = "', '\\n', '"'), 'read'],
    [filled('a = "', '\u0301'.repeat(64), '"').slice(0, 500_000).concat('"'), 'read'],
    [filled('', '/* */'), 'read'],
    [filled('', '/*'), /^1:/],
    [filled('a = <<A\n', ' $\n', 'A\n'), /^\d+:\d+: /],
    [filled('', 'a = <<A\n'), /^1:/],
    [filled('a = <<A\n', ' '), /^1:/],
    [filled('a = <<A\n', `\${"`, 'A\n'), /^\d+:\d+: /],
    [filled('', 'a "b" '), /^1:/],
    [filled('', 'a'), /^1:.*"a{40}…"/],
    [filled('a = ', '1'), /^1:/],
    [filled('a = "', '${'), /^1:/],
    [Array.from({ length: 60_000 }, (_, n) => `a${n} = 1\n`).join(''), 'read']
  ] as const)
    if (outcome === 'read') expect(resultOf(text)).toBe('read')
    else expect(resultOf(text)).toMatch(outcome)
})
