import type { Answer } from '@waystation/protocol/call/call.ts'
import { test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { maxCrashes, poisonTurnError } from '#lib/engine/worker/crashes.ts'
import { connectCall } from '#lib/features/connections/connect-call.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { branchSession } from '#lib/sessions/history/branch-session.ts'
import { rerunTurn } from '#lib/sessions/history/rerun-turn.ts'
import { removeMessage } from '#lib/sessions/remove-message.ts'
import { retryTurn } from '#lib/sessions/retry-turn.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { replyText, replyThenHold } from '#tests/support/fakes/openai-replies.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const dispatch = {
  name: 'dispatch',
  where: 'external' as const,
  description: 'Dispatches.',
  inputSchema: { type: 'object' as const },
  url: 'http://127.0.0.1:9/',
  retries: 0
}
const pickFile = { name: 'pick-file', description: 'Picks a file.', inputSchema: { type: 'object' as const } }

/** Returns a session of the demo model with one open call of each kind, and one call that the server ran. */
async function sessionWithCalls() {
  const server = await startTestServer()
  const tools = [
    { name: 'ask-question' },
    { name: 'web-fetch', approval: 'ask' as const },
    { name: 'wiki-recent' },
    dispatch
  ]
  await server.saveAgent({ chat: { tools } })
  const session = await server.startSession('test')
  const commands = [
    'use ask-question {"question": "Tea?"}',
    'use web-fetch {"url": "https://example.com/a"}',
    'use wiki-recent {}',
    'use dispatch {}',
    'use pick-file {}'
  ]
  await session.runTurn(commands.join('\n'), { clientTools: [pickFile] })
  const question = await session.waitForCall('ask-question')
  const fetchCall = await session.waitForCall('web-fetch')
  const pickFileCall = await session.waitForCall('pick-file')
  const externalCall = await session.waitForCall('dispatch')
  const serverCall = (await session.get()).calls.find(({ toolName }) => toolName === 'wiki-recent')!
  return {
    ...server,
    session,
    question,
    fetching: fetchCall,
    picking: pickFileCall,
    dispatching: externalCall,
    ran: serverCall
  }
}

test('errors explain why an answer does not match its call', async () => {
  const {
    ctx,
    session,
    question,
    fetching: fetchCall,
    picking: pickFileCall,
    dispatching: externalCall,
    ran: serverCall
  } = await sessionWithCalls()
  const answers = (call: { toolCallId: string }, answer: Answer) => () => session.answer(call, answer)
  const sessionId = session.id
  const scopes = ['read', 'send', 'answer'] as const
  const endUser = ctxFor({
    ...{ kind: 'subject', tokenId: 't', name: 'ada', subject: 'ada', scopes: [...scopes] },
    ...{ sessionId, generation: 1, workspaceId: 'default' }
  })
  const mismatch = 'The answer does not match the schema of this call. The call is still open.'
  await expectSentences([
    [
      'an approval of a question',
      answers(question, { approved: true }),
      'A call of the kind "question" takes an output, not an approval. Send {"output": …}.'
    ],
    [
      'an output of an approval',
      answers(fetchCall, { output: 'yes' }),
      'This call asks for an approval: send {"approved": true} or {"approved": false}.'
    ],
    ['an output of another shape', answers(question, { output: 7 }), mismatch],
    [
      'edited arguments that the tool does not take',
      answers(fetchCall, { approved: true, input: { url: 7 } }),
      "The edited arguments do not match the tool's schema. Nothing was approved."
    ],
    [
      'more than an answer may hold',
      answers(question, { output: { answer: 'x'.repeat(2 ** 20) } }),
      'The answer is larger than 1 MiB. Send a shorter answer.'
    ],
    [
      'a call that the server runs',
      answers(serverCall, { output: 1 }),
      'The server runs this call itself, so it cannot be answered.'
    ],
    [
      'an end user who answers for another system',
      () => answerCall(endUser, { sessionId, toolCallId: externalCall.toolCallId, answer: { output: 1 } }),
      'Only an external tool or a sub-agent can answer this call. The call is still open, and you can decline it.'
    ],
    [
      "a failure of a client's tool, reported by one that has not declared it",
      async () => {
        const { secret } = await createKey(ctx, { name: 'Bob', role: 'operator' })
        const params = { sessionId, toolCallId: pickFileCall.toolCallId }
        return callEndpoint(callOperations.answer, { params, body: { error: 'No.' } }, secret)
      },
      'Only a client that declares "pick-file" can report that its call failed. The call is still open: decline or cancel it.'
    ],
    [
      'an account that no call asks for',
      () => connectCall(ctx, { sessionId, toolCallId: question.toolCallId }),
      'This call does not ask for a connection.'
    ]
  ])
})

test('errors explain that an answer is too late, or that a deadline cannot move', async () => {
  const { session, question, fetching: fetchCall, picking: pickFileCall } = await sessionWithCalls()
  const params = { sessionId: session.id, toolCallId: question.toolCallId }
  const extend = (body: object) => () => callEndpoint(callOperations.extend, { params, body })
  const until = '2026-01-01T00:00:00Z'
  const isoTime = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
  await expectSentences([
    ['no time', extend({}), 'Set exactly one of "until" (a time) and "seconds" (from now).'],
    [
      'two times',
      extend({ until, seconds: 60 }),
      'Set exactly one of "until" (a time) and "seconds" (from now).'
    ],
    ['a time that is past', extend({ until }), 'A deadline can only be moved to a time in the future.'],
    [
      'a question that was answered',
      async () => {
        await session.answer(question, { output: { answer: 'Yes.' } })
        return session.answer(question, { output: { answer: 'No.' } })
      },
      new RegExp(`^This call was already answered by Ann at ${isoTime}\\. Your answer was not used\\.$`)
    ],
    [
      'an approval that was declined',
      async () => {
        await session.answer(fetchCall, { approved: false })
        return session.answer(fetchCall, { approved: true })
      },
      new RegExp(`^This call was already denied by Ann at ${isoTime}\\. Your answer was not used\\.$`)
    ],
    [
      'a call that was cancelled',
      async () => {
        await callEndpoint(callOperations.cancel, {
          params: { ...params, toolCallId: pickFileCall.toolCallId }
        })
        return session.answer(pickFileCall, { output: 1 })
      },
      new RegExp(`^This call was canceled by Environment key at ${isoTime}\\. Your answer was not used\\.$`)
    ],
    [
      'a call that was cancelled, to the model',
      async () => (await session.waitForSettled(pickFileCall)).errorText,
      'Canceled by Environment key. Do not repeat this call unless the user asks for it.'
    ]
  ])
})

test('errors explain why a turn cannot be undone, run again or branched', async () => {
  const { ctx, session, reopenSession } = await sessionWithCalls()
  const sessionId = session.id
  const [message, answer] = (await session.get()).messages
  const branch = () => branchSession(ctx, { sessionId, messageId: answer!.id })
  await expectSentences([
    [
      'nothing failed',
      () => retryTurn(ctx, { sessionId }),
      'There is nothing to retry: the last turn did not fail.'
    ],
    [
      'a message that is not there',
      () => rerunTurn(ctx, { sessionId, messageId: 'msg_none', calls: false }),
      'This message is no longer in the conversation: it was edited, run again or deleted. Reload the conversation.'
    ],
    [
      'requests that are open in it',
      () => rerunTurn(ctx, { sessionId, messageId: message!.id, calls: false }),
      '4 requests in this part of the conversation are still pending. Answer or cancel them first, or send "calls": true to cancel them too.'
    ],
    [
      'a branch while requests are open, in the branch',
      async () => {
        const copied = await reopenSession((await branch()).sessionId)
        return (await copied.get()).calls.find(({ toolName }) => toolName === 'ask-question')?.errorText
      },
      'Not copied: this conversation was branched while the call was pending. Repeat the call if you still need it.'
    ]
  ])
})

test('an error explains that a session is busy', async () => {
  const {
    ctx,
    startSession: openSession,
    model
  } = await startTestServer({ script: [replyThenHold('One'), replyText('Two.')] })
  const session = await openSession()
  const sessionId = session.id
  await session.send('hello')
  await session.waitForText('One')
  const [message] = (await session.get()).messages
  const { itemId } = await session.send('and this', { whenBusy: 'queue' })
  const queued = (await session.get()).messages.find(({ parts }) =>
    JSON.stringify(parts).includes('and this')
  )
  await expectSentences([
    [
      'run again',
      () => rerunTurn(ctx, { sessionId, messageId: message!.id, calls: false }),
      'The agent is working or about to retry. Stop it or wait until it is done, then try again.'
    ],
    [
      'branched',
      () => branchSession(ctx, { sessionId, messageId: message!.id }),
      'The agent is still working on this turn. Wait until it is done, or branch at an earlier turn.'
    ],
    [
      'a message that waits is run again',
      () => rerunTurn(ctx, { sessionId, messageId: queued?.id ?? '', calls: false }),
      'The agent has not received this message yet. Remove it, and send another message.'
    ],
    [
      'a message is taken back that the agent has',
      async () => {
        const ended = session.waitForEnd()
        model.release()
        await ended
        await session.waitForText('Two.')
        return removeMessage(ctx, { sessionId, itemId: itemId ?? '' })
      },
      'The agent has already received this message, so it cannot be removed.'
    ]
  ])
})

test('an error explains that a step killed its workers', () =>
  expectSentences([
    [
      'ten of them',
      () => poisonTurnError(maxCrashes)?.message,
      'The server crashed 10 times during this step, so the step is no longer retried. Check the server log: a common cause is too little memory.'
    ]
  ]))

test('an error explains why a model cannot summarize', async () => {
  const isSummary = (body: object) => JSON.stringify(body).includes('<conversation>')
  const server = await startTestServer({
    script: ({ body }) => replyText(isSummary(body) ? 'x'.repeat(65_000) : 'Noted.')
  })
  const limits = { stepsPerTurn: 25, usdPerTurn: 1, contextTokens: 2000 }
  await server.saveAgent({ chat: { limits, compaction: 'model' } })
  const session = await server.startSession('test')
  const compactions = async () =>
    (await session.get()).messages.flatMap(({ parts }) =>
      parts.flatMap(part => (part.type === 'data-compaction' ? [part.data] : []))
    )
  for (let n = 0; n < 30 && (await compactions()).length === 0; n++) await session.runTurn('x'.repeat(1000))
  const [first] = await compactions()
  await expectSentences([
    ['a summary that is far too long', () => first?.problem, 'The summary was far too long.']
  ])
})
