import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openapi } from '#lib/http/openapi/openapi.ts'
import { type Operation, sentAnswer } from '#lib/http/operation.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { alarmOperations } from '#lib/http/operations/alarms.ts'
import { operations } from '#lib/http/operations/all.ts'
import { callOperations } from '#lib/http/operations/calls.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { chatOperations } from '#lib/http/operations/chat.ts'
import { connectionOperations } from '#lib/http/operations/connections.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { fileOperations } from '#lib/http/operations/files.ts'
import { grantOperations } from '#lib/http/operations/grants.ts'
import { hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { keyOperations } from '#lib/http/operations/keys.ts'
import { mcpOperations } from '#lib/http/operations/mcp.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { promptOperations } from '#lib/http/operations/prompts.ts'
import { serverOperations } from '#lib/http/operations/server.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { signInOperations } from '#lib/http/operations/sign-ins.ts'
import { subAgentOperations } from '#lib/http/operations/sub-agents.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { RefusalBody } from '#lib/protocol/refusal.ts'
import type { SessionEvent } from '#lib/protocol/session/event.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startOtherSystem } from '#tests/support/fakes/other-system.ts'
import { serveTwin } from '#tests/support/fakes/plugins/twin.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { callEndpoint, type EndpointCall, requestEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { signInCookie, storeSignIn } from '#tests/support/worlds/sign-in-cookie.ts'
import { workspaceFolder } from '#tests/support/worlds/workspace-folder.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

type Schema = Record<string, unknown>
type Content = Record<string, { schema: Schema; 'x-event-data'?: Schema; 'x-line'?: Schema }>
type Described = { responses: Record<number, { content: Content }> }

/** The document as its readers get it. */
const reference = JSON.parse(JSON.stringify(openapi(operations, 'http://localhost:3000'))) as {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/** A call's answer of this status as the reference describes it: of a stream, each event's data; of a file, each line. */
function described(
  { path, method, ...operation }: Operation,
  status: number = operation.status ?? 200
): Schema {
  const [content] = Object.values(
    reference.paths[path]?.[method.toLowerCase()]?.responses[status]?.content ?? {}
  )
  return content?.['x-event-data'] ?? content?.['x-line'] ?? content?.schema ?? {}
}

/** A schema of the reference as one that parses values. */
function readable(schema: Schema): z.ZodType {
  const shape = shapes.get(schema) ?? shapeOf(schema)
  shapes.set(schema, shape)
  return shape
}

const shapes = new WeakMap<Schema, z.ZodType>()
const shapeOf = (schema: Schema) =>
  z.fromJSONSchema(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: reference.components.schemas }).replaceAll(
        '#/components/schemas/',
        '#/$defs/'
      )
    )
  )

/** Nothing is missing and nothing undeclared: parsing leaves out what a schema does not name, and adds its defaults. */
function expectAsDeclared(operation: Operation, body: unknown, status?: number) {
  expect(sentAnswer(operation).parse(body), operation.id).toStrictEqual(body)
  expect(readable(described(operation, status)).parse(body), operation.id).toStrictEqual(body)
}

/** A response of an operation: its status, and its body (of a stream, one event; of a file, one line). */
type Answer = { status: number; body: unknown }

/** The responses of one walk through all operations, by the operation's ID. */
const answers = new Map<string, Answer[]>()
function keep({ id }: Operation, ...more: Answer[]) {
  answers.set(id, [...(answers.get(id) ?? []), ...more])
}

/** Follows the session `s` until an event fits. */
async function follow(cursor: Record<string, string>, fits: (event: SessionEvent) => boolean) {
  const response = await requestEndpoint(sessionOperations.follow, {
    params: { sessionId: 's' },
    headers: { authorization: 'Bearer the-admin-key-of-every-test', ...cursor }
  })
  const events: SessionEvent[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) })
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(new TextDecoder().decode(chunk))
    if (events.some(fits)) break
  }
  keep(sessionOperations.follow, ...events.map(body => ({ status: response.status, body })))
}

/** Reads a chat's stream until a chunk of this type. */
async function chat(operation: Operation, asked: EndpointCall, until: string) {
  const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
  const response = await requestEndpoint(operation, { ...asked, headers })
  const chunks: { type: string }[] = []
  const parser = createParser({ onEvent: ({ data }) => data !== '[DONE]' && chunks.push(JSON.parse(data)) })
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(new TextDecoder().decode(bytes))
    if (chunks.some(({ type }) => type === until)) break
  }
  keep(operation, ...chunks.map(body => ({ status: response.status, body })))
}

/** Reads a file of lines. */
async function download(operation: Operation, asked: EndpointCall) {
  const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
  const response = await requestEndpoint(operation, { ...asked, headers })
  const lines = (await response.text()).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(3)
  keep(operation, ...lines.map(line => ({ status: response.status, body: JSON.parse(line) })))
}

/** An agent that says all it can, with a tool for every kind of call: a question, an approval, a browser's, external. */
const agent = (url: string) => ({
  agentId: 'all',
  displayName: 'All',
  description: 'Has a tool of every kind',
  chat: {
    answer: { roles: ['owner'], people: ['nobody'], links: true },
    skills: [
      {
        '@ag.embed': {
          '@ag.references': { workflow: { slug: '__ag__connect_first' } },
          '@ag.selector': { path: 'parameters' }
        },
        name: 'Connect'
      }
    ],
    price: { inputPerMillion: 1, outputPerMillion: 2 },
    starters: [{ label: 'Hello', text: 'say hello' }],
    tools: [
      { name: 'ask-question', deadlineSeconds: 900 },
      { name: 'web-fetch', approval: 'ask', timeoutSeconds: 20 },
      { name: 'client-info' },
      { name: 'alarm-clock' },
      { name: 'spawn-agent' },
      {
        '@ag.embed': {
          '@ag.references': { workflow: { slug: '__ag__request_connection' } },
          '@ag.selector': { path: 'parameters.tool' }
        },
        name: 'connect'
      },
      {
        name: 'dispatch',
        where: 'external',
        title: 'Acme',
        description: 'Sends something.',
        inputSchema: { type: 'object' },
        outputSchema: { type: 'object' },
        url: `${url}/orders?secret=1`,
        approval: 'auto',
        deadlineSeconds: 900,
        retries: 1
      }
    ]
  }
})

/** One story that calls every operation. Nothing is asserted here but what its own steps need. */
async function callAll() {
  const outside = await startOtherSystem((response, _, index) =>
    index === 0 ? response.destroy() : response.end('ok')
  )
  const mcp = await serveMcp()
  mcp.told.open = true
  const options = await startOtherSystem(response => response.end('[{"value":"x","label":"X"}]'))
  const twin = await serveTwin({
    hook: () => undefined,
    metadata: { version: '1', lifecycle_events: 'AGENT_END' },
    views: [{ name: 'board', routes: [{ method: 'GET', path: '/a' }] }],
    render: () =>
      'component "a" {\n type = "form"\n field "b" { options = [1] }\n component "c" { type = "x" }\n}',
    fields: `field "unit" {
      type       = "string"
      default    = "y"
      api_source = "${options.url}"
    }`
  })
  const world = await testWorld({
    settings: {
      WAYSTATION_EGRESS_ALLOW: `${outside.host},${new URL(mcp.url).host},127.0.0.1:${twin.port},${options.host}`,
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${twin.port}" }`),
      AUTH_GITHUB_ID: 'id',
      AUTH_GITHUB_SECRET: 'secret'
    }
  })
  const told = async (operation: Operation, asked: EndpointCall = {}) => {
    const { status, body } = await callEndpoint(operation, asked)
    keep(operation, { status, body })
    return body
  }

  await told(serverOperations.health)
  await told(serverOperations.openapi)
  const figures = await requestEndpoint(serverOperations.metrics, {
    headers: { authorization: 'Bearer the-admin-key-of-every-test' }
  })
  keep(serverOperations.metrics, { status: figures.status, body: await figures.text() })

  await told(agentOperations.create, { body: agent(outside.url) })
  const all = { agentId: 'all' }
  await told(agentOperations.update, {
    params: all,
    body: { ...agent(outside.url), displayName: 'All of it' }
  })
  await told(agentOperations.get, { params: all })
  await told(agentOperations.list)
  await told(agentOperations.revisions, { params: all })
  await told(agentOperations.tools)
  await told(agentOperations.plugins)
  await told(catalogueOperations.list)
  for (const slug of ['web-fetch', '__ag__request_connection', '__ag__build_kit'])
    await told(catalogueOperations.get, { params: { slug } })

  const { saveIntegration, integration, integrations, removeIntegration } = connectionOperations
  const shop = { integration: 'shop' }
  const oauth = { issuer: 'https://shop.example', clientId: 'way', scopes: ['orders'] }
  const config = { service: 'Shop', description: 'Sells.', apiBase: 'https://api.shop.example', oauth }
  await told(saveIntegration, { params: shop, body: { config, clientSecret: 'the secret of a client' } })
  await told(integration, { params: shop })
  await told(integrations)
  const begun = await told(connectionOperations.begin, { body: { ...shop, sharing: 'workspace' } })
  await told(connectionOperations.attempt, { params: { attemptId: String(begun.attemptId) } })
  for (const slug of ['one', 'two'])
    await world.sql`
      insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, account, fault,
        connected_by, connected_at, updated_at, last_used_at, expires_at)
      values (${slug}, 'default', 'shop', ${slug}, 'workspace', '', 'the workspace', 'oauth', 'needs_auth', 'ada', 'No.', 'Ada',
        now(), now(), now(), now())`
  await told(connectionOperations.dropAttempt, { params: { attemptId: String(begun.attemptId) } })
  await told(connectionOperations.list)
  await told(connectionOperations.revoke, { params: { connectionId: 'one' } })
  await told(connectionOperations.delete, { params: { connectionId: 'two' } })
  await told(removeIntegration, { params: shop })
  const server = { server: 'tools' }
  await told(saveIntegration, {
    params: { integration: 'tools' },
    body: { config: { service: 'Tools', mcp: { url: mcp.url } } }
  })
  await told(mcpOperations.check, { params: server })
  mcp.told.tools = mcp.told.tools.map(tool => ({ ...tool, description: 'Another.' }))
  const { offers } = (await told(mcpOperations.check, { params: server })) as {
    offers: { name: string; offered: { digest: string } }[]
  }
  const { name: tool, offered } = offers[0] as (typeof offers)[number]
  await told(mcpOperations.accept, { params: server, body: { tool, digest: offered.digest } })
  await told(mcpOperations.get, { params: server })
  await told(mcpOperations.list)
  const ofTwin = { workspaceId: 'default', plugin: 'twin' }
  await told(pluginSettingsOperations.save, { params: ofTwin, body: { settings: { unit: 'x' } } })
  await told(pluginSettingsOperations.list, { params: ofTwin })
  await told(pluginSettingsOperations.options, { params: { ...ofTwin, field: 'unit' } })
  await told(pluginViewOperations.list, { params: ofTwin })
  await told(pluginViewOperations.render, { params: { ...ofTwin, view: 'board' } })
  await told(hostedPluginOperations.list)
  await told(hostedPluginOperations.get, { params: { plugin: 'twin' } })
  await told(hostedPluginOperations.restart, { params: { plugin: 'twin' } })
  await told(hostedPluginOperations.protos)
  await told(agentOperations.draft, { params: all })
  const draft = { config: { ...agent(outside.url), displayName: 'Drafted' }, base: 2 }
  await told(agentOperations.saveDraft, { params: all, body: draft })
  await told(agentOperations.discardDraft, { params: all })
  const { version } = await told(agentOperations.saveDraft, { params: all, body: draft })
  await told(agentOperations.draft, { params: all })
  await told(agentOperations.compare, { params: all })
  await told(agentOperations.publish, { params: all, body: { base: 2, version, note: 'Another name.' } })
  await told(agentOperations.restore, { params: { ...all, revision: '2' }, body: { base: 3 } })
  await told(agentOperations.revision, { params: { ...all, revision: '3' } })
  await told(agentOperations.compare, { params: all, query: { from: '1', to: '4' } })
  await told(agentOperations.revisions, { params: all })

  const spare = await told(keyOperations.create, { body: { name: 'spare' } })
  const { key, secret } = spare as { key: { id: string }; secret: string }
  await callEndpoint(agentOperations.list, {}, secret)
  await told(keyOperations.list)
  await told(keyOperations.revoke, { params: { keyId: key.id } })

  await world.sql`insert into users (id, name) values ('ada', 'Ada')`
  await world.sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'editor')`
  await world.sql`
    insert into identities (issuer, subject, user_id, provider, label, created_at, seen_at)
    values ('https://github.com', '7', 'ada', 'github', 'ada', now(), now())`
  await told(memberOperations.list)
  const adaSays = async (operation: Operation, params = {}) => {
    const headers = { cookie: await signInCookie(world, 'ada'), origin: 'http://localhost:3000' }
    const response = await requestEndpoint(operation, { params, headers })
    keep(operation, { status: response.status, body: await response.json() })
  }
  await adaSays(signInOperations.list)
  await storeSignIn(world.sql, 'ada', 'another')
  await adaSays(signInOperations.end, { signInId: 'another' })
  await adaSays(signInOperations.endAll)
  const invite = await told(memberOperations.invite, { body: { role: 'viewer', ttlSeconds: 60 } })
  await told(memberOperations.invites)
  await told(memberOperations.revoke, { params: { inviteId: String(invite.id) } })
  await told(memberOperations.changeRole, { params: { userId: 'ada' }, body: { role: 'viewer' } })
  await told(memberOperations.remove, { params: { userId: 'ada' } })

  const { create, send, get, list, log, context, deliveries } = sessionOperations
  await told(create, { body: { ...all, sessionId: 's', subject: 'ada', revision: 1 } })
  const params = { sessionId: 's' }
  await told(sessionOperations.pin, { params, body: { revision: 3 } })
  await told(sessionOperations.overlay, { params, body: { overlay: { skills: [] } } })
  await told(workspaceOperations.update, { body: { allowedOrigins: ['https://shop.example'] } })
  await told(workspaceOperations.update, { body: { spendCaps: { sessionPerDay: 1000 } } })
  await told(workspaceOperations.update, { body: { retentionDays: 30 } })
  await told(workspaceOperations.update, {
    body: { toolRules: [{ tool: 'web-fetch', mode: 'ask', deny: ['secret'], allow: ['open'] }] }
  })
  await told(workspaceOperations.get)
  const body = { subject: 'ada', scopes: ['read'] }
  const { tokenId } = await told(tokenOperations.create, { params, body })
  await told(tokenOperations.list, { params })
  await told(tokenOperations.revoke, { params: { ...params, tokenId: String(tokenId) } })

  await world.sql`
    insert into compactions (session_key, id, to_id, entries, made_by)
    select key, 'cmp_1', 0, 2, 'words' from sessions where id = 's'`
  await told(context, { params })

  const session = await world.reopen('s')
  const look = async () => {
    for (const operation of [get, log, context, deliveries]) await told(operation, { params })
    for (const operation of [list, callOperations.waiting]) await told(operation)
    const { prompts } = await told(promptOperations.list, { params })
    for (const { promptId } of (prompts as { promptId: number }[]).slice(0, 1))
      await told(promptOperations.get, { params: { ...params, promptId: String(promptId) } })
  }
  const says = async (text: string) => {
    const ended = session.ends()
    await told(send, { params, body: { text } })
    return ended
  }

  await says(`use ask-question {"question": "Which?"}
use web-fetch {"url": "${outside.url}/a"}
use client-info {}
use dispatch {"order": "oil"}
use connect {"integration": "linear"}`)
  await session.sees(event => event.type === 'delivery' && event.delivery.attempts.length === 1)
  await look()
  await world.pass(60)
  await session.sees(event => event.type === 'delivery' && event.delivery.state === 'delivered')
  const at = async (tool: string) => ({ ...params, toolCallId: (await session.waitsFor(tool)).toolCallId })
  const { answer, extend, cancel, link, external } = callOperations
  await told(extend, { params: await at('ask-question'), body: { seconds: 600 } })
  const { answerUrl } = await told(link, { params: await at('dispatch') })
  await told(connectionOperations.connectCall, { params: await at('connect'), body: {} })
  await told(cancel, { params: await at('connect') })
  await told(cancel, { params: await at('client-info') })
  await told(answer, { params: await at('ask-question'), body: { declined: true, reason: 'No.' } })
  await told(external, {
    params: { capability: String(answerUrl).split('/').at(-1) ?? '' },
    body: { error: 'None left.' }
  })
  const ended = session.ends()
  await told(answer, {
    params: await at('web-fetch'),
    body: { approved: true, reason: 'Fine.', input: { url: `${outside.url}/b` }, remember: 'session' }
  })
  expect(await ended).toMatchObject({ status: 'idle', outcome: 'done' })
  await says(`use web-fetch {"url": "${outside.url}/c"}`)
  const always = session.ends()
  await told(answer, {
    params: await at('web-fetch'),
    body: { approved: true, remember: 'always', anyArguments: true }
  })
  await always
  for (const [list, revoke] of [
    [grantOperations.listOfSession, grantOperations.revokeOfSession],
    [grantOperations.list, grantOperations.revoke]
  ] as const) {
    const { grants } = (await told(list, { params })) as { grants: { grantId: string }[] }
    for (const { grantId } of grants) await told(revoke, { params: { ...params, grantId } })
  }
  await look()

  const self = { agentId: 'self', displayName: 'Self', chat: { tools: [{ name: 'commit_revision' }] } }
  await told(agentOperations.create, { body: self })
  await told(create, { body: { agentId: 'self', sessionId: 'own' } })
  const own = await world.reopen('own')
  const input = { base_revision_id: 'self@1', config: { ...self, displayName: 'Myself' } }
  await own.says(`use commit_revision ${JSON.stringify(input)}`)
  const { toolCallId } = await own.waitsFor('commit_revision')
  await told(callOperations.review, { params: { sessionId: 'own', toolCallId }, body: { input } })
  const wakeAtISO = new Date(Date.now() + 3_600_000).toISOString()
  await says(`use alarm-clock ${JSON.stringify({ wakeAtISO, repeatIntervalMinutes: 5, reminderMessage: 'Look.' })}
use alarm-clock {"cron": "0 9 * * *", "timeZone": "UTC"}`)
  await look()
  await world.pass(3601)
  await session.sees(event => event.type === 'message' && event.message.metadata?.sentBy === 'Alarm clock')
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  const { alarms } = (await told(alarmOperations.list, { params })) as { alarms: { alarmId: string }[] }
  for (const { alarmId } of alarms) await told(alarmOperations.cancel, { params: { ...params, alarmId } })

  const done = session.next(event => event.type === 'status' && event.outcome === 'done')
  await says('use spawn-agent {"task": "use ask-question {\\"question\\": \\"Which bird?\\"}"}')
  await session.sees(event => event.type === 'session' && event.subAgents?.waiting === 1)
  const { waiting } = (await told(subAgentOperations.list, { params })) as {
    waiting: { sessionId: string; call: { toolCallId: string } }[]
  }
  await look()
  for (const { sessionId, call } of waiting)
    await told(callOperations.answer, {
      params: { sessionId, toolCallId: call.toolCallId },
      body: { output: { answer: 'The robin' } }
    })
  await done

  const counting = session.next(event => event.type === 'chunk' && event.chunk.type === 'text-delta')
  await told(send, { params, body: { text: 'count to 1000' } })
  await counting
  const long = { type: 'file', mediaType: 'text/plain', url: `data:text/plain,${'x'.repeat(30_000)}` }
  const parts = [{ type: 'text', text: 'fail 429 3600' }, long]
  await told(send, { params, body: { parts, whenBusy: 'queue', key: 'once' } })
  const text = { query: { name: 'a.txt' }, headers: { 'content-type': 'text/plain' }, raw: 'a' }
  const file = await told(fileOperations.upload, { params, ...text })
  const { itemId } = await told(send, {
    params,
    body: { text: 'say no', files: [file.id], whenBusy: 'queue' }
  })
  await look()
  const beside = { sourceId: 'ci', metadata: { relatedTo: 'pr-7', action: 'inform' } }
  const { id } = await told(outOfBandOperations.send, {
    params,
    body: { content: 'Build 7 is red.', ...beside }
  })
  await told(outOfBandOperations.send, { params, body: { content: 'Build 8 is red.', key: 'build-8' } })
  await look()
  await told(outOfBandOperations.remove, { params: { ...params, oobId: String(id) } })
  const muted = [{ source: 'agent' }]
  await told(outOfBandOperations.setPolicy, { params, body: { mode: 'approve', muted } })
  const held = await told(outOfBandOperations.send, { params, body: { content: 'Build 9 is red.' } })
  await look()
  await told(outOfBandOperations.approve, { params: { ...params, oobId: String(held.id) } })
  await told(outOfBandOperations.list, { params })
  await told(outOfBandOperations.edges)
  await told(outOfBandOperations.messages, { query: { hours: '48', to: 's' } })
  await told(sessionOperations.removeMessage, { params: { ...params, itemId: String(itemId) } })
  await told(sessionOperations.cancel, { params, body: {} })
  await session.sees(event => event.type === 'status' && event.retryAt !== undefined)
  await look()
  await follow({}, ({ type }) => type === 'reset')
  await told(sessionOperations.retry, { params })
  const [first] = (await session.get()).messages
  const inTurn = { ...params, messageId: String(first?.id) }
  await told(sessionOperations.cancel, { params, body: {} })
  await expect.poll(async () => (await session.get()).turnId).toBeUndefined()
  await told(sessionOperations.branch, { params: inTurn })
  const again = await told(sessionOperations.rerunTurn, {
    params: inTurn,
    body: { text: 'say hello', calls: true }
  })
  await told(sessionOperations.cancel, { params, body: {} })
  await expect.poll(async () => (await session.get()).turnId).toBeUndefined()
  await told(sessionOperations.removeTurn, {
    params: { ...params, messageId: String(again.messageId) },
    query: { calls: 'true' }
  })
  await told(sessionOperations.pin, { params, body: { revision: null } })
  await told(sessionOperations.overlay, { params, body: { overlay: null } })
  await told(sessionOperations.handOff, { params, body: { agentId: 'guide', reason: 'It knows.' } })
  await told(sessionOperations.rename, { params, body: { title: 'Every kind' } })

  await follow({ 'last-event-id': '0' }, event => event.type === 'session' && event.title === 'Every kind')

  await download(sessionOperations.export, { params, query: { events: 'true' } })
  await download(subjectOperations.export, { params: { subject: 'ada' }, query: { events: 'true' } })
  await told(sessionOperations.delete, { body: params })
  await told(subjectOperations.delete, { params: { subject: 'ada' } })

  const said = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'count to 1000' }] }
  await chat(chatOperations.post, { body: { id: 'chat', ...all, messages: [said] } }, 'text-delta')
  await chat(chatOperations.resume, { params: { sessionId: 'chat' } }, 'text-delta')

  await told(agentOperations.create, {
    body: {
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: { inputUrl: `${outside.url}/in`, callbackBaseUrl: 'https://way.example', retries: 0 }
    }
  })
  const acme = { agentId: 'acme', sessionId: 'order' }
  await told(create, { body: acme })
  await told(externalOperations.check, { query: acme })
  await told(externalOperations.check, { query: { ...all, sessionId: 'order' } })
  const order = { params: { sessionId: 'order' } }
  await told(externalOperations.link, order)
  const secretsOf = { params: { agentId: 'all' } }
  await told(externalOperations.rotate, { ...secretsOf, body: { overlapSeconds: 60 } })
  await told(externalOperations.rotate, secretsOf)
  await told(externalOperations.secrets, secretsOf)
  await told(send, { ...order, body: { text: 'hello' } })
  const forwarded = await world.reopen('order')
  const sent = await forwarded.sees(
    event => event.type === 'delivery' && event.delivery.state === 'delivered'
  )
  const deliveryId = sent.type === 'delivery' ? sent.delivery.id : ''
  await told(externalOperations.redeliver, { params: { ...order.params, deliveryId } })
  const messageId = sent.type === 'delivery' ? sent.delivery.messageId : ''
  await told(externalOperations.resend, { ...order, body: { messageId } })
  await told(externalOperations.callback, { ...order, raw: 'And hello to you.' })
  await told(deliveries, order)
  await told(externalOperations.audit)

  const hook = await told(webhookOperations.create, { body: { url: `${outside.url}/hook` } })
  const { webhookId } = (hook as { webhook: { webhookId: string } }).webhook
  await told(webhookOperations.list)
  await told(webhookOperations.rotate, { params: { webhookId } })
  await told(create, { body: { ...all, sessionId: 'told' } })
  const asking = await world.reopen('told')
  await asking.says(demo.asks('tea', 'coffee'))
  await told(webhookOperations.deliveries)
  await told(deliveries, { params: { sessionId: 'told' } })
  await told(webhookOperations.delete, { params: { webhookId } })

  const notes = { params: { wiki: 'notes' } }
  await told(wikiOperations.create, { body: { name: 'notes' } })
  const raw = JSON.stringify([
    { title: 'Home', text: '! Hi', tags: 'a [[b c]]', modified: '20260101000000000', color: 'red' },
    { title: '' }
  ])
  await told(wikiOperations.import, { ...notes, query: { file: 'x.json' }, raw })
  await told(wikiOperations.list)
  await told(wikiOperations.get, notes)
  await told(wikiOperations.tiddlers, { ...notes, query: { search: 'hi', tag: 'a', order: 'modified' } })
  await told(wikiOperations.read, { ...notes, query: { title: 'Home' } })
  await told(wikiOperations.render, { params: { sessionId: 'told' }, body: { text: '! Hi' } })
  await told(wikiOperations.delete, notes)
  await told(workspaceOperations.rotateLinkSecret)
}

/** The story is told once, by the test that comes first: so each test can also run alone. */
let called: Promise<unknown> | undefined

// These two answer with a file of any type.
const files = new Set([wikiOperations.export.id, fileOperations.get.id])
test.each(operations.filter(({ id }) => !files.has(id)).map(operation => [operation.id, operation] as const))(
  '%s answers as the reference says: nothing is missing, nothing undeclared',
  async (id, operation) => {
    // What ended the story early is reported by the operations that it did not reach.
    called ??= callAll().then(
      () => undefined,
      error => error
    )
    const fault = await called
    if (!answers.has(id)) throw fault ?? new Error('The story does not call this operation.')
    for (const { status, body } of answers.get(id) ?? []) {
      expect({ status, body }).toMatchObject({ status: operation.status ?? 200 })
      expectAsDeclared(operation, body)
    }
  },
  120_000
)

test('a refusal has the shape that the reference gives it, with the winner and the fields where it names them', async () => {
  const { session: open } = await testWorld()
  const session = await open()
  await session.says(demo.asks('tea', 'coffee'))
  const { toolCallId } = await session.waitsFor('ask-question')
  const asked = { params: { sessionId: session.id, toolCallId } }
  const refused = async (operation: Operation, more: EndpointCall, code: string) => {
    const { body } = await callEndpoint(operation, { ...asked, ...more })
    expect(body).toMatchObject({ code })
    expect(RefusalBody.parse(body)).toStrictEqual(body)
    expect(readable({ $ref: '#/components/schemas/Refusal' }).parse(body)).toStrictEqual(body)
  }
  await refused(callOperations.answer, { body: { output: { answer: 7 } } }, 'INVALID_INPUT')
  await refused(callOperations.answer, { raw: '{' }, 'MALFORMED_JSON')
  await session.answer({ toolCallId }, { output: { answer: 'tea' } })
  await refused(callOperations.answer, { body: { output: { answer: 'coffee' } } }, 'ALREADY_SETTLED')
  await refused(sessionOperations.get, { params: { sessionId: 'none' } }, 'NOT_FOUND')
})

test('health answers 503 with the same shape when nobody works', async () => {
  await testWorld({ settings: { WAYSTATION_ROLE: 'web' } })
  const { status, body } = await callEndpoint(serverOperations.health)
  expect(status).toBe(503)
  expectAsDeclared(serverOperations.health, body, status)
})

test('every success is described, and every shape it refers to is there', () => {
  for (const operation of operations) {
    const schema = described(operation)
    const shape =
      operation.plain || (operation.file && operation.method === 'GET')
        ? 'type'
        : schema.type === 'array'
          ? 'items'
          : '$ref' in schema
            ? '$ref'
            : 'properties'
    expect(Object.keys(schema), operation.id).toContain(shape)
    expect(() => readable(schema), operation.id).not.toThrow()
  }
  const names = [...JSON.stringify(reference).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  expect(new Set(names.map(([, name]) => name))).toEqual(new Set(Object.keys(reference.components.schemas)))
})
