import { expect, test } from 'vitest'
import { expectSameReading, expectSameRefusals, ours, theirs } from './hashicorp.ts'

const samples = [
  'a = 1\nb = "two"\nc = true\nd = null\ne = -1.5e3',
  'service "web" http {\n  port = 80\n}\nservice "web" http { port = 81 }\nservice "db" sql {}\n',
  'list = [1, "two", [3,\n 4,], {},]\n',
  'map = {\n  a = 1, b : 2\n  "c d" = 3,\n\n  e = { f = [] }\n}\n',
  'text = <<EOT\n  first "line"\n\n  \\n stays\nEOT\nafter = 1\n',
  'text = <<-EOT\n\n    deep\n      deeper\n   \n    EOT\n',
  'text = <<-EOT\n\t\ttabs\n\t  mixed\n\tEOT\n',
  '# one\n// two\n/* three\n lines */ a = 1 # after\nb = /* in */ 2 // after\n',
  `a = "\\"quoted\\" \\\\ \\t \\u00e9 \\U0001F600 $\${x} %%{y} $ %"\n`,
  `a = "x\${1}y\${"z"}\${true}"\nb = "\${[1, 2]}"\n`,
  'outer {\n  inner "x" {\n    deep { a = 1 }\n    deep { a = 2 }\n  }\n}\n',
  '\uFEFFa = 1\r\nb {\r\n  c = "d"\r\n}\r\n',
  'a = "e\u0301"\nü = "ö"\nkebab-case_1 = 1\n',
  '__proto__ {\n  toString = 1\n}\nconstructor = { __proto__ = 2, hasOwnProperty = [3] }\n',
  'a = [<<ONE\none\nONE\n, <<TWO\ntwo\nTWO\n]\n',
  '',
  '\n\n# nothing\n'
]

test.each(samples)('003-18: a sample is parsed as HashiCorp’s parser does: %j', async sample => {
  expect(await theirs(sample)).not.toBe('refused')
  expect(ours(sample)).toEqual(await theirs(sample))
})

// tests/long/hcl.test.ts generates ten times as many texts.
test('003-18: generated text is parsed as HashiCorp’s parser does, or both reject it', () =>
  expectSameReading(100))

test('003-18: both parsers reject the same slightly changed texts, except for the differences in docs/hcl.md', () =>
  expectSameRefusals(100))
