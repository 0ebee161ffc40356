import { SendMessage } from '@waystation/protocol/session/session.ts'
import { expect, test } from 'vitest'
import { readPiece } from '#lib/features/external-agents/append-reply.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { sendMessage } from '#lib/sessions/send-message.ts'
import { replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('an invalid request to a session gets an error that says what to do', async () => {
  const server = await startTestServer({ script: [replyThenHold('One')] })
  await createSession(server.ctx, { agentId: 'guide', sessionId: 's' })
  const send = (extra: object) =>
    sendMessage(server.ctx, SendMessage.parse({ sessionId: 's', text: 'Look', ...extra }))
  const session = await server.reopenSession('s')
  await session.send('hello')
  await session.waitForText('One')
  const requestErrors: [what: string, attempt: () => Promise<unknown>, sentence: string][] = [
    [
      'another message while it works',
      () => send({}),
      'The agent is working. Set whenBusy to "queue" (after this turn), "steer" (at the next step) or "interrupt" (instead of this turn).'
    ],
    [
      'a key with another body',
      () =>
        send({ key: 'k', whenBusy: 'queue' }).then(() => send({ key: 'k', whenBusy: 'queue', text: 'No' })),
      'This idempotency key was already used with a different body. Use a new key.'
    ]
  ]
  for (const [label, attempt, sentence] of requestErrors)
    await expect(attempt(), label).rejects.toThrow(sentence)
  const pin = { params: { sessionId: 's' }, body: { revision: 4 } }
  expect((await callEndpoint(sessionOperations.pin, pin)).body.error).toBe(
    'The agent "guide" has no version 4. The published version is 1.'
  )
  server.model.release()
})

test('an invalid piece of a reply gets an error that says what is wrong', () => {
  const pieceErrors: [what: string, header: string, text: string, sentence: string][] = [
    [
      'a name that is none',
      'a reply',
      'Hi',
      'The header Waystation-Message must be an ID of 1 to 64 letters, digits, - and _. Append "; done" for the last piece.'
    ],
    [
      'too much at once',
      'r1',
      'x'.repeat(64 * 1024 + 1),
      'A piece can be up to 64 KiB. Split the reply into more pieces.'
    ],
    ['nothing', 'r1', '', 'The piece is empty. Send text, or append "; done" to the ID to end the reply.']
  ]
  for (const [label, header, text, sentence] of pieceErrors)
    expect(() => readPiece(header, text), label).toThrow(sentence)
})
