import { OobPolicy, type OobPolicy as Policy, SendOob } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { test } from 'vitest'
import { sendOutOfBand } from '#lib/features/out-of-band/send-out-of-band.ts'
import { setOobPolicy } from '#lib/features/out-of-band/set-oob-policy.ts'
import type { Operation } from '#lib/http/operation.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { keyOf } from '#tests/support/servers/actors.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const policy = (ctx: Ctx, sessionId: string, changes: Partial<Policy>) =>
  setOobPolicy(ctx, { sessionId, ...OobPolicy.parse(changes) })

test('errors explain why an out-of-band message is refused', async () => {
  const { ctx, startSession: openSession } = await startTestServer()
  const { id: sessionId } = await openSession()
  const sendOob = (body: object, caller = ctx) =>
    sendOutOfBand(caller, SendOob.parse({ sessionId, content: 'Build 8 failed.', ...body }))
  const personCtx = ctxFor({
    kind: 'person',
    userId: 'ada',
    name: 'Ada',
    role: 'owner',
    workspaceId: 'default'
  })
  const keyCtx = ctxFor(keyOf('operator'))
  const settings = `An operator can change this under "Out-of-band messages…" in the session's menu.`
  await expectSentences([
    [
      'nothing in it',
      () => sendOob({ content: ' ' }),
      'The content is empty. Write what the agent should know.'
    ],
    [
      'too much in it',
      () => sendOob({ content: 'x'.repeat(9000) }),
      'The content of an out-of-band message can be up to 8 KiB. Send a summary, and say where the details are.'
    ],
    [
      'an abort of a program',
      () => sendOob({ source: 'external', metadata: { action: 'abort' } }),
      'Only the sources "user" and "system" can abort a turn. Send the action "redirect" to let the agent decide.'
    ],
    [
      'a person who speaks for another',
      () => sendOob({ source: 'system' }, personCtx),
      'You can send out-of-band messages only in your own name. Omit "source" and "sourceId", or use an API key.'
    ],
    [
      'a key that speaks for a user',
      () => sendOob({ source: 'user' }),
      'Only members and end users send with the source "user". Omit "source", or use a session token of the end user.'
    ],
    [
      'a source that the key does not have',
      () => sendOob({ source: 'system' }, keyCtx),
      'The API key "operator" cannot send with the source "system". Send another source, or use a key that allows this one.'
    ],
    [
      'a priority above the limit of the key',
      () => sendOob({ priority: 'critical' }, keyCtx),
      'The API key "operator" cannot send messages above the priority high. Lower "priority", or use a credential that allows "critical".'
    ],
    [
      'a priority that the session does not take',
      () => policy(ctx, sessionId, { minPriority: 'high' }).then(() => sendOob({ priority: 'low' })),
      `This session accepts no messages below the priority high. ${settings}`
    ],
    [
      'a source that is muted',
      () =>
        policy(ctx, sessionId, { muted: [{ source: 'system' }] }).then(() =>
          sendOob({ source: 'system', sourceId: 'ci' })
        ),
      `This session has muted system "ci". ${settings}`
    ],
    [
      'a session that is off',
      () => policy(ctx, sessionId, { mode: 'off' }).then(() => sendOob({})),
      `This session accepts no out-of-band messages. ${settings}`
    ]
  ])
})

test('errors explain why an out-of-band message cannot be approved or removed', async () => {
  const { ctx, startSession: openSession } = await startTestServer()
  const session = await openSession()
  const sessionId = session.id
  const send = (sourceId: string, extra: object = {}) =>
    sendOutOfBand(ctx, SendOob.parse({ sessionId, content: 'Build 8 failed.', sourceId, ...extra }))
  const { id: oobId } = await send('ci', { priority: 'low' })
  const act = (operation: Operation) => () => callEndpoint(operation, { params: { sessionId, oobId } })
  await expectSentences([
    [
      'let in though nothing held it',
      act(outOfBandOperations.approve),
      'This message is already visible, so there is nothing to approve.'
    ],
    [
      'taken back though the agent was told',
      async () => {
        await session.runTurn('say hello')
        await session.waitForEvent(
          ({ type, ...event }) => type === 'oob' && JSON.stringify(event).includes('injected')
        )
        return act(outOfBandOperations.remove)()
      },
      'This message is already acknowledged, so it cannot be removed. Send a new message with the correction.'
    ],
    [
      'one too many for a yes',
      async () => {
        await policy(ctx, sessionId, { mode: 'approve' })
        for (let n = 0; n < 50; n++) await send(`ci-${n}`)
        return send('ci')
      },
      '50 out-of-band messages already wait for approval in this session. Approve or remove some of them first.'
    ]
  ])
})

test('errors explain why an agent cannot send an out-of-band message', async () => {
  const { ctx, saveAgent, startSession: openSession, model } = await startTestServer({ script: [] })
  await saveAgent({ chat: { tools: [{ name: 'send_out_of_band' }] } })
  const session = await openSession('test')
  await sendOutOfBand(
    ctx,
    SendOob.parse({ sessionId: session.id, content: 'Build 8 failed.', priority: 'low' })
  )
  const sendCall = { name: 'send_out_of_band', input: { sessionId: session.id, content: 'Hello.' } }
  const acknowledgeCall = { name: 'acknowledge_out_of_band', input: { id: 'oob_none', effect: 'None.' } }
  model.setScript([replyText('I see.'), replyCalls(sendCall, acknowledgeCall), replyText('So be it.')])
  await session.runTurn('hello')
  await session.runTurn('go')
  const result = (n: number) => async () => (await session.get()).calls[n]?.errorText
  await expectSentences([
    ['itself', result(0), 'That is this session. Say it in your answer instead.'],
    ['an answer to nothing', result(1), 'No out-of-band message "oob_none" was delivered to you.']
  ])
})
