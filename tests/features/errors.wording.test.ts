import { CreateWebhook } from '@waystation/protocol/external-agent/webhook.ts'
import { expect, test } from 'vitest'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { redeliver } from '#lib/deliveries/redeliver.ts'
import { createWebhook, deleteWebhook } from '#lib/features/webhooks/webhooks.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { loadRedaction } from '#lib/kernel/settings/load-redaction.ts'

import { expectSentences } from '#tests/support/expect-sentences.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('errors explain why an alarm cannot be set or cancelled', async () => {
  const { saveAgent, startSession: openSession, advanceTime } = await startTestServer()
  await saveAgent({ chat: { tools: [{ name: 'alarm-clock' }] } })
  const session = await openSession('test')
  const alarmCommand = (n: number) =>
    `use alarm-clock ${JSON.stringify({ wakeAtISO: new Date(Date.now() + (60 + n) * 60_000).toISOString() })}`
  await session.runTurn(Array.from({ length: 51 }, (_, n) => alarmCommand(n)).join('\n'))
  const { calls } = await session.get()
  const first = calls.find(({ output }) => output !== undefined)?.output as { alarmId: string }
  await expectSentences([
    [
      'a fifty-first',
      () => calls.find(({ state }) => state === 'failed')?.errorText,
      '50 alarms are already set in this session, which is the limit. Cancel one with cancel-alarm. list-alarms returns their IDs.'
    ],
    [
      'one that has gone off',
      async () => {
        await advanceTime(61 * 60)
        await session.waitForEvent(
          event => event.type === 'message' && event.message.metadata?.sentBy === 'Alarm clock'
        )
        const params = { sessionId: session.id, alarmId: first.alarmId }
        return callEndpoint(alarmOperations.cancel, { params })
      },
      'This alarm has already gone off. Its message is in the conversation.'
    ]
  ])
})

test('errors explain that a caller exceeds a rate limit, or cannot continue at a cap', async () => {
  const {
    ctx,
    saveAgent,
    startSession: openSession
  } = await startTestServer({
    script: () => replyText('Done.', { tokens: { input: 1000, output: 0 } }),
    settings: { WAYSTATION_LIMIT_KEY: '4' }
  })
  await saveAgent({ chat: { price: { inputPerMillion: 1000, outputPerMillion: 0 } } })
  await updateWorkspace(ctx, { spendCaps: { sessionPerDay: 1 } })
  const session = await openSession('test')
  await session.runTurn('one')
  await session.runTurn('two')
  const call = await session.waitForCall('continue')
  const viewer = ctxFor({ kind: 'key', keyId: 'v', name: 'Vic', role: 'viewer', workspaceId: 'default' })
  const get = () => callEndpoint(sessionOperations.get, { params: { sessionId: session.id } })
  await expectSentences([
    [
      'a viewer at a cap',
      () => session.answer(call, { approved: true }, viewer),
      'Only owners, editors and operators can answer this.'
    ],
    [
      'a key',
      async () => {
        for (let n = 0; n < 4; n++) await get()
        return get()
      },
      /^This API key sent more than 4 requests within a minute\. Try again in \d+ s\.$/
    ]
  ])
})

test('errors explain why a delivery is not sent again, and that a workspace has too many webhooks', async () => {
  const externalServer = await startExternalSystem()
  const {
    ctx,
    saveAgent,
    startSession: openSession,
    sql
  } = await startTestServer({
    settings: { WAYSTATION_EGRESS_ALLOW: externalServer.host }
  })
  await saveAgent({ chat: { tools: [{ name: 'ask-question' }] } })
  const create = () => createWebhook(ctx, CreateWebhook.parse({ url: `${externalServer.url}/hook` }))
  const { webhook } = await create()
  const session = await openSession('test')
  await session.runTurn('use ask-question {"question": "Tea?"}')
  await externalServer.request(0)
  const [row] = await sql<{ id: string }[]>`select id from deliveries limit 1`
  await expectSentences([
    [
      'its webhook is gone',
      async () => {
        await expect
          .poll(async () => (await sql`select from deliveries where state = 'pending'`).count)
          .toBe(0)
        await deleteWebhook(ctx, { webhookId: webhook.webhookId })
        return redeliver(ctx, { sessionId: session.id, deliveryId: row?.id ?? '' })
      },
      'The webhook of this delivery was deleted. Create a new webhook to receive events from now on.'
    ],
    [
      'a twenty-first webhook',
      async () => {
        for (let n = 0; n < 20; n++) await create()
        return create()
      },
      'A workspace can have up to 20 webhooks. Delete one first.'
    ]
  ])
})

test('errors explain why a server cannot redact', async () => {
  const folder = await pluginFolder({
    'none.mjs': 'export default 7',
    'odd.mjs': 'export default text => text\nexport const holdBack = "page"'
  })
  const settings = (label: string) => `The settings are invalid:\n  - WAYSTATION_REDACT ${label}`
  await expectSentences([
    [
      'no function',
      () => loadRedaction(`${folder}/none.mjs`),
      settings(
        `has no function as its default export: ${folder}/none.mjs must export default (text, { kind, workspaceId }) => string.`
      )
    ],
    [
      'another holdBack',
      () => loadRedaction(`${folder}/odd.mjs`),
      settings('exports an invalid holdBack. Export one of "word", "line", "block".')
    ],
    [
      'no such file',
      () => loadRedaction('/nowhere/redact.mjs'),
      /WAYSTATION_REDACT cannot be loaded from \/nowhere\/redact\.mjs: /
    ]
  ])
})
