import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpuTimeOf } from '../../../tests/support/cpu-time.ts'
import { type AnswerPart, CallReader } from './call-reader.ts'
import { readArguments } from './read-arguments.ts'
import { writeCalls } from './write-calls.ts'

/** Reads a text that arrives in these pieces. Merges adjacent texts. */
function readAll(pieces: readonly string[]): AnswerPart[] {
  const reader = new CallReader()
  const items: AnswerPart[] = []
  for (const item of [...pieces.flatMap(piece => reader.read(piece)), ...reader.end()]) {
    const last = items.at(-1)
    if (item.type === 'text' && last?.type === 'text') last.text += item.text
    else items.push({ ...item })
  }
  return items
}
const read = (text: string) => readAll([text])
const textItem = (text: string): AnswerPart => ({ type: 'text', text })
const call = (name: string, body: string): AnswerPart => ({ type: 'call', name, body })

const oneCall = '<tool_use name="a">{"x": 1}</tool_use>'
const otherCall = "<function_call name='b'>{}</function_call>"

describe('001-14: calls', () => {
  test.each<[string, string, AnswerPart[]]>([
    ['a single call', oneCall, [call('a', '{"x": 1}')]],
    ['a call in the other syntax', otherCall, [call('b', '{}')]],
    [
      'a call between text',
      `I look. ${oneCall}\nDone.`,
      [textItem('I look.'), call('a', '{"x": 1}'), textItem('Done.')]
    ],
    [
      'several wrapped calls',
      `Both:\n<parallel_tool_calls>\n${oneCall}\n${otherCall}\n</parallel_tool_calls>\n`,
      [textItem('Both:'), call('a', '{"x": 1}'), call('b', '{}')]
    ],
    ['several consecutive calls', `${oneCall}\n\n${otherCall}`, [call('a', '{"x": 1}'), call('b', '{}')]],
    ['a call with other attributes', '<tool_use id="7" name = "a">{}</tool_use>', [call('a', '{}')]],
    ['a self-closing call', 'So <tool_use name="a"/>', [textItem('So'), call('a', '')]],
    [
      'a call that contains the start of an end tag',
      '<tool_use name="a">1 </tool</tool_use>',
      [call('a', '1 </tool')]
    ],
    ['a call across several lines', '<tool_use name="a">\n{\n}\n</tool_use>', [call('a', '\n{\n}\n')]],
    [
      'a call after inline code',
      `The \`a\` tool: ${oneCall}`,
      [textItem('The `a` tool:'), call('a', '{"x": 1}')]
    ],
    [
      'a call after a code block',
      `\`\`\`js\n<a>\n\`\`\`\n${oneCall}`,
      [textItem('```js\n<a>\n```'), call('a', '{"x": 1}')]
    ]
  ])('%s', (_, text, expected) => expect(read(text)).toEqual(expected))
})

describe('001-14: plain text', () => {
  test.each([
    ['a call in a code block', `Write:\n\`\`\`xml\n${oneCall}\n\`\`\`\nSo.`],
    ['a call in a longer fence, which a shorter one does not end', `~~~~\n~~~\n${oneCall}\n~~~~`],
    ['a call in a code block within a quotation', `> \`\`\`\n> ${oneCall}\n> \`\`\``],
    ['a call in an unclosed code block', `\`\`\`\n${oneCall}`],
    ['a call in inline code', `Write \`${oneCall}\`.`],
    ['a call after other text in inline code', `Write \`so: ${oneCall}\`.`],
    ['a call in the first line of a code block', `\`\`\`${oneCall}\n`],
    ['an unclosed call', 'Well <tool_use name="a">{"x": 1'],
    ['a call closed by the other tag', '<tool_use name="a">{}</function_call>'],
    ['a call without a name', '<tool_use>{}</tool_use>'],
    ['a call with an invalid tool name', '<tool_use name="x y">1</tool_use>'],
    ['a tag whose name starts with the tag name', '<tool_users name="a">{}</tool_users>'],
    ['a tag in capitals', '<TOOL_USE name="a">{}</TOOL_USE>'],
    ['a tag that is far too long', `<tool_use ${'x'.repeat(400)} name="a">{}</tool_use>`],
    ['a tag that contains a line break', '<tool_use\nname="a">{}</tool_use>'],
    ['an end tag alone', '</tool_use> and </parallel_tool_calls>'],
    ['an empty list of calls', '<parallel_tool_calls>\n none </parallel_tool_calls>'],
    ['nested lists of calls', '<parallel_tool_calls> <parallel_tool_calls>'],
    ['a result without a call', '<functions_result id="a">\nResult: 1\n</functions_result>'],
    ['the start of a tag', 'a < b, <tool'],
    ['blank', ' \n ']
  ])('%s', (_, text) => expect(read(text)).toEqual([textItem(text)]))
})

test('001-14: after a model makes up the result of its own call, the rest of its answer is ignored', () => {
  const madeUp =
    '\n<functions_result>\nResult: 1\n</functions_result>\nSo I go on. <tool_use name="b">{}</tool_use>'
  expect(read(oneCall + madeUp)).toEqual([call('a', '{"x": 1}')])
})

test('001-14: the first end tag ends a call, and a call inside another is invalid as arguments', () => {
  expect(read(`<tool_use name="a">${oneCall}</tool_use>`)).toEqual([
    call('a', '<tool_use name="a">{"x": 1}'),
    textItem('</tool_use>')
  ])
  expect(readArguments('<tool_use name="a">{"x": 1}')).toBe('<tool_use name="a">{"x": 1}')
})

/** Texts with the special sequences of the syntax at random positions. */
const anyText = fc
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
        oneCall,
        otherCall
      ],
      ...['<tool_use', '<tool_use name="a">', '</tool_use>', '<function_call name="b">', '</function_call>'],
      ...['<parallel_tool_calls>', '</parallel_tool_calls>', '<functions_result', '</functions_result>']
    ),
    { maxLength: 30 }
  )
  .map(parts => parts.join(''))

test('001-14: the result does not depend on how the text is cut into pieces', () => {
  fc.assert(
    fc.property(anyText, fc.array(fc.nat(60)), (text, cuts) => {
      const offsets = [...new Set([0, ...cuts.filter(offset => offset < text.length), text.length])].sort(
        (a, b) => a - b
      )
      const pieces = offsets.slice(1).map((offset, index) => text.slice(offsets[index], offset))
      expect(readAll(pieces)).toEqual(read(text))
      expect(readAll(text.split(''))).toEqual(read(text))
    }),
    { numRuns: 2000 }
  )
})

test('001-14: a text without a call is returned unchanged', () => {
  fc.assert(
    fc.property(anyText, text => {
      const items = read(text)
      if (items.every(({ type }) => type === 'text'))
        expect(items).toEqual(text === '' ? [] : [textItem(text)])
    }),
    { numRuns: 2000 }
  )
})

test('001-14: written calls are read back with the same arguments, which can contain any text', () => {
  const input = fc.dictionary(fc.string(), fc.oneof(anyText, fc.jsonValue()))
  const calls = fc.array(fc.record({ toolName: fc.constantFrom('a', 'web-fetch', 'x__y'), input }), {
    minLength: 1
  })
  fc.assert(
    fc.property(calls, written => {
      expect(read(writeCalls(written))).toEqual(
        written.map(({ toolName, input }) =>
          call(
            toolName,
            expect.toSatisfy(body => hasInput(body, input))
          )
        )
      )
    })
  )
})
const hasInput = (body: string, input: object) =>
  JSON.stringify(JSON.parse(readArguments(body))) === JSON.stringify(input)

test('001-14: text is returned as soon as it cannot be the start of a tag', () => {
  const reader = new CallReader()
  expect(reader.read('I look')).toEqual([textItem('I look')])
  expect(reader.read(' it up, 1 < 2 <')).toEqual([textItem(' it up, 1 < 2')])
  expect(reader.read('tool')).toEqual([])
  expect(reader.read('box')).toEqual([textItem(' <toolbox')])
})

test.each([
  '<',
  '<tool_use',
  '<tool_use name="a">',
  '<parallel_tool_calls> ',
  ' ',
  '`',
  '\n```',
  oneCall,
  '</tool_use'
])(
  '001-14: a million characters of %j are read quickly, in one piece and character by character',
  async piece => {
    const text = piece.repeat(1_000_000 / piece.length)
    const reading = () => {
      expect(read(text).length).toBeGreaterThan(0)
      readAll(text.split(''))
    }
    expect(await cpuTimeOf(reading)).toBeLessThan(6000)
  }
)
