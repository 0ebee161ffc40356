import { parse as parseTheirs } from '@cdktn/hcl2json'
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

const broken: [text: string, message: string][] = [
  ['plugin "x" {\n  source = "s"\n  model 3\n}', '3:9: expected "=" or "{" after "model", found "3"'],
  ['a = 1 b = 2', '1:7: expected a new line after the value of "a", found "b"'],
  ['a = 1\nb = 2\na = 3', '3:1: "a" is already set at 1:1: remove one of the two'],
  ['block "x" {\n  a = 1\n', '3:1: expected "}" to close the "{" at 1:11, found the end of the text'],
  ['block {\n  a = 1 }\n', '2:9: expected a new line after the value of "a", found "}"'],
  ['}', '1:1: expected the name of an attribute or a block, found "}"'],
  ['block { a = 1, b = 2 }', '1:14: expected "}" after the only attribute of a block on one line, found ","'],
  [
    'block { other {} }',
    '1:9: a block on one line can have only one attribute: put a nested block on its own line'
  ],
  ['block\n{\n}', '1:6: expected "=" or "{" after "block", found the end of the line'],
  ['"a" = 1', '1:1: expected a name without quotes, found "\\""'],
  [`block "a\${1}" {}`, `1:9: a label cannot contain \${…}`],
  ['é = "open\nb = 1', '1:5: this string is not closed on its line: end it with ", or use \\n or a heredoc'],
  ['a = "\\q"', '1:6: unknown escape "\\\\q": use \\n, \\r, \\t, \\", \\\\, \\uXXXX or \\UXXXXXXXX'],
  ['a = <<EOT\nnever\n', '1:5: this heredoc is not closed: end it with a line that has only "EOT"'],
  ['a = [1, 2\n', '2:1: expected "]" to close the "[" at 1:5, found the end of the text'],
  ['a = [1 2]', '1:8: expected "," or "]", found "2"'],
  ['a = { b = 1 c = 2 }', '1:13: expected a new line, "," or "}" after a value, found "c"'],
  ['a = 1 +\n2', '1:8: expected a value, found the end of the line'],
  ['a = "😀" ? 1', '1:12: expected ":" and the value for a false condition, found the end of the text'],
  ["a = 'x'", '1:5: unexpected character "\'": put strings in double quotes (")'],
  ['a = 1;', '1:6: unexpected character ";": put each attribute on its own line'],
  ['a = 1 /* open', '1:7: this comment is not closed: end it with "*/"'],
  ['a = ', '1:5: expected a value, found the end of the text'],
  ['a = "${1"', `1:9: expected "}" to close the "\${" at 1:6, found "\\""`]
]

test.each(broken)(
  "003-18: %j is invalid for HashiCorp's parser too, and the error names its position",
  async (text, message) => {
    expect(resultOf(text)).toBe(message)
    await expect(parseTheirs('text.hcl', text)).rejects.toThrow()
  }
)

test.each([
  ['a = [for x in y : x]', '1:6: "for" expressions are not supported: list the items'],
  ['a = {for k, v in m : k => v}', '1:6: "for" expressions are not supported: list the items'],
  ['a = b[*].c', '1:6: splats ([*]) are not supported: list the values'],
  ['a = b.*.c', '1:6: splats (.*) are not supported: list the values'],
  ['a = b.0', '1:6: indexes after a dot are not supported: use brackets, as in [0]'],
  ['a = f(b...)', '1:8: spread arguments (...) are not supported: list the values'],
  [
    'a = "%{ if b }c%{ endif }"',
    '1:6: template directives (%{…}) are not supported: write "%%{" for a literal "%{"'
  ],
  [`a = "\${~ b }"`, `1:6: strip markers (\${~ and ~}) are not supported: remove the "~"`],
  [
    `a = "\${ b ~}"`,
    `1:11: unexpected character "~": strip markers (\${~ and ~}) are not supported, remove it`
  ],
  ['a = b::c(1)', '1:6: namespaced functions (a::b) are not supported: use the plain name of the function'],
  ['a = 1e999', '1:5: "1e999" is too large for a number'],
  ['a = "\\u0000"', '1:6: \\u0000 is not a permitted character']
])('003-18: the error of unsupported HCL syntax names the syntax: %j', (text, message) => {
  expect(resultOf(text)).toBe(message)
})

test('003-18: a text that is too long, is nested too deeply, or contains NUL or unpaired surrogates is invalid', () => {
  expect(resultOf(`a = "${'x'.repeat(1024 * 1024)}"`)).toBe(
    '1:1: this text is too long: at most 1 MiB is permitted'
  )
  expect(resultOf(`a = "${'é'.repeat(524_300)}"`)).toBe(
    '1:1: this text is too long: at most 1 MiB is permitted'
  )
  const pairs: [open: string, inside: string, close: string][] = [
    ['a = [', '[', ']'],
    ['a = (', '(', ')'],
    ['a = {a=', '{a=', '}'],
    ['a = "${', '"${', '}"'],
    ['a = -', '-', ''],
    ['b {\n', 'b {\n', '\n}']
  ]
  for (const [open, inside, close] of pairs) {
    const nested = (depth: number) =>
      resultOf(`${open}${inside.repeat(depth)}${inside.startsWith('b') ? '' : '1'}${close.repeat(depth + 1)}`)
    expect(nested(30)).toBe('read')
    expect(nested(100_000)).toMatch(/nested too deeply: at most 64 levels are permitted$/)
  }
  expect(resultOf('a = "\ud800"')).toMatch(/^1:1: this text has an invalid character/)
  expect(resultOf('a = "\0"')).toMatch(/^1:1: this text has an invalid character/)
})

test('003-18: a text with more than 250,000 tokens is rejected', () => {
  const filled = (begin: string, piece: string) =>
    begin + piece.repeat((1024 * 1024 - begin.length) / piece.length)
  for (const text of [
    filled('a = [', '1,'),
    filled('a = 1', '+1'),
    filled('a = {', 'b=1,'),
    filled('', 'a{}\n'),
    filled('a = b', '.c')
  ])
    expect(resultOf(text)).toMatch(/too many tokens: at most 250000 names, values and signs are permitted$/)
})
