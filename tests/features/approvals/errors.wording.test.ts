import { patternError } from '@waystation/json-schemas/pattern-error.ts'
import type { Answer } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { acceptedPage, requestPage } from '#lib/api/answer-page/pages.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { answerCall } from '#lib/engine/calls/answer.ts'
import { answerByPage } from '#lib/features/webhooks/answer-links/answer-by-page.ts'
import { answerExternal } from '#lib/features/webhooks/answer-links/answer-external.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer, type TestServer } from '#tests/support/servers/test-server.ts'

const note = {
  name: 'note',
  where: 'external' as const,
  description: 'Notes.',
  inputSchema: { type: 'object' as const, properties: { text: { type: 'string' } } },
  url: 'http://127.0.0.1:9/',
  approval: 'ask' as const,
  retries: 0
}

/** Returns a session whose agent wants to write a note and has an open question. */
async function openCalls({ saveAgent, startSession: openSession }: TestServer) {
  await saveAgent({ chat: { tools: [note, { name: 'ask-question' }] } })
  const session = await openSession('test')
  await session.runTurn('use note {"text": "fine"}\nuse ask-question {"question": "Tea?"}')
  return {
    session,
    call: await session.waitForCall('note'),
    question: await session.waitForCall('ask-question')
  }
}

test('errors explain why an approval cannot be remembered', async () => {
  const server = await startTestServer()
  const { session, call, question } = await openCalls(server)
  const rememberAnswer =
    (answer: Answer, target = call) =>
    () =>
      session.answer(target, answer)
  const always = { approved: true, remember: 'always' } as const
  await expectSentences([
    [
      'nothing is remembered',
      rememberAnswer({ approved: true, anyArguments: true }),
      '"anyArguments" works only together with "remember". Send both, or omit "anyArguments".'
    ],
    [
      'a no',
      rememberAnswer({ approved: false, remember: 'session' }),
      'Only an approval can be remembered: omit "remember". The call is still open.'
    ],
    [
      'a question',
      rememberAnswer({ approved: true, remember: 'session' }, question),
      'Only an approval can be remembered: omit "remember". The call is still open.'
    ],
    [
      'an operator who has it hold always',
      async () => {
        const { secret } = await createKey(server.ctx, { name: 'Olga', role: 'operator' })
        const params = { sessionId: session.id, toolCallId: call.toolCallId }
        return callEndpoint(callOperations.answer, { params, body: always }, secret)
      },
      'Only workspace owners can use "remember": "always". Use "session", or omit "remember".'
    ],
    [
      'an answer through a link',
      () =>
        answerCall(server.ctx, {
          ...{ sessionId: session.id, toolCallId: call.toolCallId },
          ...{ answer: { approved: true, remember: 'session' }, via: 'link' }
        }),
      'Links and session tokens cannot use "remember". Omit "remember", or let a member of this workspace approve the call.'
    ],
    [
      'why a later call was not asked about',
      async () => {
        await session.answer(call, { ...always, anyArguments: true })
        const other = await server.startSession('test')
        await other.runTurn('use note {"text": "again"}')
        return (await other.waitForCall('note')).reason
      },
      'Already approved by Ann for all sessions'
    ]
  ])
})

test('an error explains which arguments a tool rule denies', async () => {
  const server = await startTestServer()
  const { session, call } = await openCalls(server)
  await updateWorkspace(server.ctx, { toolRules: [{ deny: ['secret'] }] })
  const approveText = (text: string) => () => session.answer(call, { approved: true, input: { text } })
  await expectSentences([
    [
      'edited to what is denied',
      approveText('A secret.'),
      'A tool rule of this workspace denies the edited arguments (secret): change them, or decline the call. Nothing was approved, and the call is still open.'
    ],
    [
      'edited to more than can be searched',
      approveText('a'.repeat(70_000)),
      'The edited arguments are too long to check against the tool rules of this workspace: shorten them. Nothing was approved, and the call is still open.'
    ],
    [
      'written by the agent',
      async () => {
        const other = await server.startSession('test')
        await other.runTurn('use note {"text": "A secret."}')
        return (await other.get()).calls[0]?.reason
      },
      'Tool execution denied by approval policy.'
    ]
  ])
})

const linearTimeText = 'is not supported: patterns must match in linear time'

test.each([
  ['(?=a)', `look-ahead ((?=) ${linearTimeText}`],
  ['(?<!a)', `look-behind ((?<!a)) ${linearTimeText}`],
  ['(a)\\1', `a back-reference (\\1) ${linearTimeText}`],
  ['a++', `a possessive quantifier (++) ${linearTimeText}`],
  ['(', 'missing closing ): ('],
  ['(abcdefgh){300}', 'it repeats too much: use smaller repetition counts']
])('the error for the pattern %s says what is wrong with it', (pattern, sentence) => {
  expect(patternError(pattern)).toBe(sentence)
})

test('the error page of an invalid link explains why it answers nothing', async () => {
  const { ctx } = await startTestServer()
  await expectSentences([
    [
      'an answer page',
      () => answerByPage(ctx, 'made-up', { approved: true }),
      'This answer link is not valid. Open it exactly as you received it.'
    ],
    [
      'the answer link of an external tool',
      () => answerExternal(ctx, { capability: 'made-up', answer: { output: 1 } }),
      'This answer link is not valid. Use the answerUrl exactly as you received it.'
    ]
  ])
})

test('the answer page of a settled call says so', async () => {
  const { session, call } = await openCalls(await startTestServer())
  const pageInput = {
    title: 'Order 7',
    agentName: 'Test',
    sessionUrl: '/',
    barred: undefined,
    sessionId: session.id
  }
  const now = Date.parse(call.since)
  const passedOnPage = {
    ...pageInput,
    kind: 'approval' as const,
    call: { ...call, kind: 'external' as const }
  }
  const openPage = { ...pageInput, kind: 'approval' as const, call }
  const paragraph = (page: string) => /<p[^>]*>([^<]*)<\/p>/.exec(page)?.[1]
  await expectSentences([
    [
      "what was approved is another system's",
      () => paragraph(acceptedPage({ ...passedOnPage, call: { ...passedOnPage.call, answeredBy: 'Ann' } })),
      'Ann approved this request. Another system is now carrying it out.'
    ],
    [
      'its deadline is past',
      () => paragraph(requestPage({ ...openPage, call: { ...call, deadline: call.since } }, now)),
      'The deadline has passed, so you can no longer answer.'
    ]
  ])
})
