import { parse as parseTheirs } from '@cdktn/hcl2json'
import { expect, test } from 'vitest'
import { evaluate } from './evaluate.ts'
import type { Block } from './expression.ts'
import { parseHcl } from './parse.ts'
import { scopeWith } from './scope.ts'

/** What the reader says of a text: that it is read, or the message of its first fault. */
function told(text: string): string {
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

const broken: [text: string, message: string][] = [
  ['plugin "x" {\n  source = "s"\n  model 3\n}', '3:9: expected "=" or "{" after "model", found "3"'],
  ['a = 1 b = 2', '1:7: expected a new line after the value of "a", found "b"'],
  ['a = 1\nb = 2\na = 3', '3:1: "a" was already set at 1:1: remove one of the two'],
  ['block "x" {\n  a = 1\n', '3:1: expected "}" to close the "{" of 1:11, found the end of the text'],
  ['block {\n  a = 1 }\n', '2:9: expected a new line after the value of "a", found "}"'],
  ['}', '1:1: expected the name of an attribute or a block, found "}"'],
  ['block { a = 1, b = 2 }', '1:14: expected "}": a block on one line holds one attribute, found ","'],
  [
    'block { other {} }',
    '1:9: a block on one line holds one attribute: give a block inside it a line of its own'
  ],
  ['block\n{\n}', '1:6: expected "=" or "{" after "block", found the end of the line'],
  ['"a" = 1', '1:1: the name of an attribute or a block has no quotes, found "\\""'],
  [`block "a\${1}" {}`, `1:9: a label says what it is: it holds no \${…}`],
  [
    'é = "open\nb = 1',
    '1:5: this string is not closed on its line: end it with ", or write \\n or a heredoc'
  ],
  ['a = "\\q"', '1:6: unknown escape "\\\\q": there are \\n, \\r, \\t, \\", \\\\, \\uXXXX and \\UXXXXXXXX'],
  ['a = <<EOT\nnever\n', '1:5: this heredoc is not closed: end it with a line that says only "EOT"'],
  ['a = [1, 2\n', '2:1: expected "]" to close the "[" of 1:5, found the end of the text'],
  ['a = [1 2]', '1:8: expected "," or "]", found "2"'],
  ['a = { b = 1 c = 2 }', '1:13: expected a new line, "," or "}" after a value, found "c"'],
  ['a = 1 +\n2', '1:8: expected a value, found the end of the line'],
  ['a = "😀" ? 1', '1:12: expected ":" and what holds otherwise, found the end of the text'],
  ["a = 'x'", '1:5: unexpected character "\'": strings stand between double quotes (")'],
  ['a = 1;', '1:6: unexpected character ";": each attribute stands on a line of its own'],
  ['a = 1 /* open', '1:7: this comment is not closed: end it with "*/"'],
  ['a = ', '1:5: expected a value, found the end of the text'],
  ['a = "${1"', `1:9: expected "}" to close the "\${" of 1:6, found "\\""`]
]

test.each(broken)(
  '003-18: %j is refused by HashiCorp’s parser too, and here at its place',
  async (text, message) => {
    expect(told(text)).toBe(message)
    await expect(parseTheirs('text.hcl', text)).rejects.toThrow()
  }
)

test.each([
  ['a = [for x in y : x]', '1:6: "for" expressions are not read here: write the items out'],
  ['a = {for k, v in m : k => v}', '1:6: "for" expressions are not read here: write the items out'],
  ['a = b[*].c', '1:6: splats ([*]) are not read here: write them out'],
  ['a = b.*.c', '1:6: splats (.*) are not read here: write them out'],
  ['a = b.0', '1:6: indexes after a dot are not read here: write them between brackets, as in [0]'],
  ['a = f(b...)', '1:8: lists spread over arguments (...) are not read here: write them out'],
  [
    'a = "%{ if b }c%{ endif }"',
    '1:6: template directives (%{…}) are not read here: write "%%{" for the characters themselves'
  ],
  [`a = "\${~ b }"`, `1:6: strip markers (\${~ and ~}) are not read here: leave the "~" out`],
  [
    `a = "\${ b ~}"`,
    `1:11: unexpected character "~": strip markers (\${~ and ~}) are not read here, leave it out`
  ],
  ['a = b::c(1)', '1:6: functions of namespaces (a::b) are not read here: call one by its bare name'],
  ['a = 1e999', '1:5: "1e999" is too large for a number'],
  ['a = "\\u0000"', '1:6: \\u0000 is no character that a text can hold']
])('003-18: what HCL has and is not read here is refused by its name: %j', (text, message) => {
  expect(told(text)).toBe(message)
})

test('003-18: a text is refused that is too long, nested too deeply, or holds halves of characters', () => {
  expect(told(`a = "${'x'.repeat(1024 * 1024)}"`)).toBe('1:1: this text is too long: at most 1 MiB is read')
  expect(told(`a = "${'é'.repeat(524_300)}"`)).toBe('1:1: this text is too long: at most 1 MiB is read')
  const pairs: [open: string, inside: string, close: string][] = [
    ['a = [', '[', ']'],
    ['a = (', '(', ')'],
    ['a = {a=', '{a=', '}'],
    ['a = "${', '"${', '}"'],
    ['a = -', '-', ''],
    ['b {\n', 'b {\n', '\n}']
  ]
  for (const [open, more, close] of pairs) {
    const nested = (depth: number) =>
      told(`${open}${more.repeat(depth)}${more.startsWith('b') ? '' : '1'}${close.repeat(depth + 1)}`)
    expect(nested(30)).toBe('read')
    expect(nested(100_000)).toMatch(/nested too deeply: at most 64 levels are read$/)
  }
  expect(told('a = "\ud800"')).toMatch(/^1:1: this text holds what is no character/)
  expect(told('a = "\0"')).toMatch(/^1:1: this text holds what is no character/)
})

test('003-18: a text of 1 MiB made of many small pieces is given up after 250,000 of them', () => {
  const filled = (begin: string, piece: string) =>
    begin + piece.repeat((1024 * 1024 - begin.length) / piece.length)
  for (const text of [
    filled('a = [', '1,'),
    filled('a = 1', '+1'),
    filled('a = {', 'b=1,'),
    filled('', 'a{}\n'),
    filled('a = b', '.c')
  ])
    expect(told(text)).toMatch(/too much is written here: at most 250000 names, values and signs are read$/)
})
