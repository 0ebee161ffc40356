import { emptyTranscript, type Transcript } from '@waystation/protocol/session/fold.ts'
import { expect, test } from 'vitest'
import { overIn } from './not-in-prompt.ts'

const person = (id: string, duration?: number) => ({
  message: { id, role: 'user', metadata: { createdAt: '', duration }, parts: [{ type: 'text', text: id }] }
})
const step = (id: string, ...toolCallIds: string[]) => ({
  message: {
    id,
    role: 'assistant',
    parts: [
      { type: 'step-start' },
      ...toolCallIds.map(toolCallId => ({ type: 'tool-look', toolCallId, state: 'output-available' }))
    ]
  }
})
const call = (toolCallId: string, duration?: number) => [toolCallId, { toolCallId, duration }]

test('001-7: the number of later steps determines what the model no longer receives', () => {
  const transcript = {
    ...emptyTranscript,
    messages: [person('stays'), person('once', 1), step('a', 'brief', 'kept'), person('again', 1), step('b')],
    calls: Object.fromEntries([call('brief', 1), call('kept')])
  } as unknown as Transcript
  expect([...overIn(transcript)].sort()).toEqual(['again', 'brief', 'once'])
  const before = { ...transcript, messages: transcript.messages.slice(0, 3) }
  expect([...overIn(before)]).toEqual(['once'])
})
