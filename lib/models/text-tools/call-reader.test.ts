import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import { CallReader, type Said } from './call-reader.ts'
import { readArguments } from './read-arguments.ts'
import { writeCalls } from './write-calls.ts'

/** What is read of a text that comes in these pieces; neighbouring words are one. */
function readAll(pieces: readonly string[]): Said[] {
  const reader = new CallReader()
  const said: Said[] = []
  for (const one of [...pieces.flatMap(piece => reader.read(piece)), ...reader.end()]) {
    const last = said.at(-1)
    if (one.type === 'text' && last?.type === 'text') last.text += one.text
    else said.push({ ...one })
  }
  return said
}
const read = (text: string) => readAll([text])
const words = (text: string): Said => ({ type: 'text', text })
const call = (name: string, body: string): Said => ({ type: 'call', name, body })

const one = '<tool_use name="a">{"x": 1}</tool_use>'
const other = "<function_call name='b'>{}</function_call>"

describe('001-14: what is a call', () => {
  test.each<[string, string, Said[]]>([
    ['one alone', one, [call('a', '{"x": 1}')]],
    ['in the other syntax', other, [call('b', '{}')]],
    [
      'behind words and before others',
      `I look. ${one}\nDone.`,
      [words('I look.'), call('a', '{"x": 1}'), words('Done.')]
    ],
    [
      'several, wrapped',
      `Both:\n<parallel_tool_calls>\n${one}\n${other}\n</parallel_tool_calls>\n`,
      [words('Both:'), call('a', '{"x": 1}'), call('b', '{}')]
    ],
    ['several, one after the other', `${one}\n\n${other}`, [call('a', '{"x": 1}'), call('b', '{}')]],
    ['with other attributes', '<tool_use id="7" name = "a">{}</tool_use>', [call('a', '{}')]],
    ['closed in itself', 'So <tool_use name="a"/>', [words('So'), call('a', '')]],
    ['with the beginning of an end in it', '<tool_use name="a">1 </tool</tool_use>', [call('a', '1 </tool')]],
    ['across lines', '<tool_use name="a">\n{\n}\n</tool_use>', [call('a', '\n{\n}\n')]],
    ['behind code in a line', `The \`a\` tool: ${one}`, [words('The `a` tool:'), call('a', '{"x": 1}')]],
    [
      'behind a block of code',
      `\`\`\`js\n<a>\n\`\`\`\n${one}`,
      [words('```js\n<a>\n```'), call('a', '{"x": 1}')]
    ]
  ])('%s', (_, text, said) => expect(read(text)).toEqual(said))
})

describe('001-14: what is words', () => {
  test.each([
    ['in a block of code', `Write:\n\`\`\`xml\n${one}\n\`\`\`\nSo.`],
    ['in a longer fence, which a shorter one does not end', `~~~~\n~~~\n${one}\n~~~~`],
    ['in a block within a quotation', `> \`\`\`\n> ${one}\n> \`\`\``],
    ['in a block that never ends', `\`\`\`\n${one}`],
    ['in a line of code', `Write \`${one}\`.`],
    ['behind other words in a line of code', `Write \`so: ${one}\`.`],
    ['in the line that begins a block', `\`\`\`${one}\n`],
    ['never closed', 'Well <tool_use name="a">{"x": 1'],
    ['closed by the other name', '<tool_use name="a">{}</function_call>'],
    ['without a name', '<tool_use>{}</tool_use>'],
    ['with a name that no tool can have', '<tool_use name="x y">1</tool_use>'],
    ['with another name that begins like it', '<tool_users name="a">{}</tool_users>'],
    ['in capitals', '<TOOL_USE name="a">{}</TOOL_USE>'],
    ['with a tag that is far too long', `<tool_use ${'x'.repeat(400)} name="a">{}</tool_use>`],
    ['cut by a line', '<tool_use\nname="a">{}</tool_use>'],
    ['an end alone', '</tool_use> and </parallel_tool_calls>'],
    ['several, of which there is none', '<parallel_tool_calls>\n none </parallel_tool_calls>'],
    ['several, twice', '<parallel_tool_calls> <parallel_tool_calls>'],
    ['a result that no call came before', '<functions_result id="a">\nResult: 1\n</functions_result>'],
    ['the beginning of a tag', 'a < b, <tool'],
    ['blank', ' \n ']
  ])('%s', (_, text) => expect(read(text)).toEqual([words(text)]))
})

test('001-14: a model that makes up the results of its own calls is not heard any more, and calls nothing on them', () => {
  const made =
    '\n<functions_result>\nResult: 1\n</functions_result>\nSo I go on. <tool_use name="b">{}</tool_use>'
  expect(read(one + made)).toEqual([call('a', '{"x": 1}')])
})

test('001-14: an end is the first one that comes, and a call that holds another is refused as arguments', () => {
  expect(read(`<tool_use name="a">${one}</tool_use>`)).toEqual([
    call('a', '<tool_use name="a">{"x": 1}'),
    words('</tool_use>')
  ])
  expect(readArguments('<tool_use name="a">{"x": 1}')).toBe('<tool_use name="a">{"x": 1}')
})

/** Texts in which everything that means something stands at odd places. */
const odd = fc
  .array(
    fc.constantFrom(
      ...[
        '<',
        '>',
        '/',
        '`',
        '```',
        '~~~',
        '\n',
        ' ',
        '"',
        '😀',
        'a',
        '{}',
        '{"x": 1}',
        'name="a"',
        one,
        other
      ],
      ...['<tool_use', '<tool_use name="a">', '</tool_use>', '<function_call name="b">', '</function_call>'],
      ...['<parallel_tool_calls>', '</parallel_tool_calls>', '<functions_result', '</functions_result>']
    ),
    { maxLength: 30 }
  )
  .map(parts => parts.join(''))

test('001-14: the same text says the same, however it is cut into pieces', () => {
  fc.assert(
    fc.property(odd, fc.array(fc.nat(60)), (text, cuts) => {
      const places = [...new Set([0, ...cuts.filter(at => at < text.length), text.length])].sort(
        (a, b) => a - b
      )
      const pieces = places.slice(1).map((at, n) => text.slice(places[n], at))
      expect(readAll(pieces)).toEqual(read(text))
      expect(readAll(text.split(''))).toEqual(read(text))
    }),
    { numRuns: 2000 }
  )
})

test('001-14: no word is lost: a text without a call is itself', () => {
  fc.assert(
    fc.property(odd, text => {
      const said = read(text)
      if (said.every(({ type }) => type === 'text')) expect(said).toEqual(text === '' ? [] : [words(text)])
    }),
    { numRuns: 2000 }
  )
})

test('001-14: calls are read as they are written, whatever stands in their arguments', () => {
  const input = fc.dictionary(fc.string(), fc.oneof(odd, fc.jsonValue()))
  const calls = fc.array(fc.record({ toolName: fc.constantFrom('a', 'web-fetch', 'x__y'), input }), {
    minLength: 1
  })
  fc.assert(
    fc.property(calls, made => {
      expect(read(writeCalls(made))).toEqual(
        made.map(({ toolName, input }) =>
          call(
            toolName,
            expect.toSatisfy(body => same(body, input))
          )
        )
      )
    })
  )
})
const same = (body: string, input: object) =>
  JSON.stringify(JSON.parse(readArguments(body))) === JSON.stringify(input)

test('001-14: words are told as soon as they can begin no tag', () => {
  const reader = new CallReader()
  expect(reader.read('I look')).toEqual([words('I look')])
  expect(reader.read(' it up, 1 < 2 <')).toEqual([words(' it up, 1 < 2')])
  expect(reader.read('tool')).toEqual([])
  expect(reader.read('box')).toEqual([words(' <toolbox')])
})

test.each([
  '<',
  '<tool_use',
  '<tool_use name="a">',
  '<parallel_tool_calls> ',
  ' ',
  '`',
  '\n```',
  one,
  '</tool_use'
])('001-14: a million characters of %j take no time, in one piece and letter by letter', async piece => {
  const text = piece.repeat(1_000_000 / piece.length)
  const reading = () => {
    expect(read(text).length).toBeGreaterThan(0)
    readAll(text.split(''))
  }
  expect(await cpuTimeOf(reading)).toBeLessThan(6000)
})
