import { expect, test } from 'vitest'
import { answerOf } from './answer-of.ts'

const question = { kind: 'question' as const, input: { question: 'Tea or coffee?' } }
const elicited = { kind: 'question' as const, input: {}, render: { kind: 'elicit', question: 'q1' } }

test.each([
  ['an approval', { approve: true }, { kind: 'approval' }, { approved: true }],
  [
    'an approval with other arguments',
    { approve: true, input: '{"to":"bob"}', reason: 'Bob is on call' },
    { kind: 'approval' },
    { approved: true, input: { to: 'bob' }, reason: 'Bob is on call' }
  ],
  ['a denial', { decline: true, reason: 'no' }, { kind: 'approval' }, { approved: false, reason: 'no' }],
  ['the end at a limit', { decline: true }, { kind: 'limit' }, { approved: false }],
  ['a declined question', { decline: true }, question, { declined: true }],
  ['a text', { text: ['tea'] }, question, { output: { answer: 'tea' } }],
  ['several texts', { text: ['tea', 'milk'] }, question, { output: { answer: ['tea', 'milk'] } }],
  [
    'one text for several options',
    { text: ['tea'] },
    { ...question, input: { inputType: 'multi-select' } },
    { output: { answer: ['tea'] } }
  ],
  ['the text of an external tool', { text: ['done'] }, { kind: 'external' }, { output: 'done' }],
  ['the output of an external tool', { json: '[1,null]' }, { kind: 'external' }, { output: [1, null] }],
  ['the form of an MCP server', { json: '{"a":1}' }, elicited, { output: { a: 1 }, question: 'q1' }],
  ['a declined form of an MCP server', { decline: true }, elicited, { declined: true, question: 'q1' }]
] as const)('the options make up %s', (_, values, call, expected) => {
  expect(answerOf(values as Parameters<typeof answerOf>[0], { input: {}, ...call })).toEqual(expected)
})
