import type { Message } from '@waystation/protocol/session/message.ts'
import { expect, test } from 'vitest'
import type { Row } from '#components/session/transcript/rows/rows.ts'
import { spaceAbove } from './row-space.ts'

const common = { key: 'a', at: undefined, messageId: 'a' }
const message: Message = { id: 'a', role: 'assistant', parts: [] }
const prose: Row = { kind: 'prose', part: { type: 'text', text: 'One' }, ...common }
const person: Row = { kind: 'person', message: { ...message, role: 'user' }, ...common }
const tool: Row = {
  kind: 'tool',
  part: { type: 'tool-a', toolCallId: 'c', state: 'input-available', input: {} },
  call: undefined,
  ...common
}

test('the space before a turn is larger than inside it', () => {
  expect(spaceAbove(person, prose)).toBe(32)
  expect(spaceAbove(prose, person)).toBe(12)
})

test('the space after the end of a message fits the actions on the turn', () => {
  expect(spaceAbove(tool, { ...prose, ends: message })).toBe(32)
})

test('the lines of tool calls have 6 px of their own above and below', () => {
  expect([spaceAbove(tool, prose), spaceAbove(tool, tool), spaceAbove(prose, tool)]).toEqual([6, 0, 6])
})
