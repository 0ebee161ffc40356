import { denialReason } from '@waystation/protocol/call/answerers.ts'
import { expect, test } from 'vitest'
import { outcomeUnknown } from './claim.ts'
import { declinedResult, expiredResult } from './declared-outcome.ts'

const deadline = new Date('2026-03-12T14:00:00Z')
const at = (kind: string, onDeadline = 'declined', where = 'approver') =>
  ({ kind, onDeadline, where, deadline, input: {}, render: null }) as unknown as Parameters<
    typeof expiredResult
  >[0]
const olga = { id: 'person:olga', name: 'Olga' }

test.each<[what: string, result: unknown, sentence: string]>([
  [
    'an approval at its deadline',
    expiredResult(at('approval')),
    'No answer by 2026-03-12T14:00:00.000Z. The call is treated as declined.'
  ],
  [
    'a client call at its deadline',
    expiredResult(at('client', 'error')),
    'No answer by 2026-03-12T14:00:00.000Z.'
  ],
  ['a declined call', declinedResult(at('client')), 'The request was declined.'],
  [
    'a call declined with a reason',
    declinedResult(at('client'), 'not now'),
    'The request was declined: not now'
  ],
  [
    'a declined question of a tool',
    declinedResult(at('question', 'declined', 'server')),
    'Not run: its question was declined.'
  ]
])('the model receives a definite result for %s', (_, result, sentence) => {
  expect(JSON.stringify(result)).toContain(JSON.stringify(sentence))
})

test('a call whose worker died reports that its outcome is unknown', () => {
  expect(outcomeUnknown).toBe(
    'Outcome unknown: the server stopped while this call ran. The call was not repeated. Check its effect before you repeat it.'
  )
})

test.each([
  [
    { kind: 'question' as const, answerers: { roles: ['owner', 'editor'], people: [olga], links: false } },
    'Only owners, editors and Olga can answer this.'
  ],
  [
    { kind: 'approval' as const, answerers: { roles: ['owner'], links: false } },
    'Only owners can approve this.'
  ],
  [
    {
      kind: 'approval' as const,
      answerers: { roles: ['owner'], askers: [{ id: 'person:ada', name: 'Ada' }], links: false }
    },
    'Only owners can approve this, but not Ada.'
  ]
])('the error for a caller who cannot answer names who can (%#)', (call, sentence) => {
  expect(
    denialReason(call as Parameters<typeof denialReason>[0], { id: 'person:bob', role: 'operator' } as never)
  ).toBe(sentence)
})
