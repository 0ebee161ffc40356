import { ErrorBody } from '@waystation/protocol/error-body.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { createParser } from 'eventsource-parser'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openapi } from '#lib/http/openapi/openapi.ts'
import { type Operation, responseSchema } from '#lib/http/operation.ts'
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
import { addedPluginOperations, hostedPluginOperations } from '#lib/http/operations/hosted-plugins.ts'
import { httpToolOperations } from '#lib/http/operations/http-tools.ts'
import { keyOperations } from '#lib/http/operations/keys.ts'
import { mcpOperations } from '#lib/http/operations/mcp.ts'
import { memberOperations } from '#lib/http/operations/members.ts'
import { modelOperations } from '#lib/http/operations/models.ts'
import { outOfBandOperations } from '#lib/http/operations/out-of-band.ts'
import { pluginSettingsOperations } from '#lib/http/operations/plugin-settings.ts'
import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { promptOperations } from '#lib/http/operations/prompts.ts'
import { secretOperations } from '#lib/http/operations/secrets.ts'
import { serverOperations } from '#lib/http/operations/server.ts'
import { sessionOperations } from '#lib/http/operations/sessions.ts'
import { sessionInBodyOperations } from '#lib/http/operations/sessions-in-body.ts'
import { signInOperations } from '#lib/http/operations/sign-ins.ts'
import { subAgentOperations } from '#lib/http/operations/sub-agents.ts'
import { subjectOperations } from '#lib/http/operations/subjects.ts'
import { tokenOperations } from '#lib/http/operations/tokens.ts'
import { trialOperations } from '#lib/http/operations/trials.ts'
import { webhookOperations } from '#lib/http/operations/webhooks.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { workspaceOperations } from '#lib/http/operations/workspace.ts'
import { askForAccount } from '#tests/features/external-agents/ask-for-account.ts'
import { demo } from '#tests/support/fakes/demo.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { callEndpoint, type EndpointCall, requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { signInCookie, storeSignIn } from '#tests/support/servers/sign-in-cookie.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

type Schema = Record<string, unknown>
type Content = Record<string, { schema: Schema; 'x-event-data'?: Schema; 'x-line'?: Schema }>
type Described = { responses: Record<number, { content: Content }> }

/** The OpenAPI document as clients receive it. */
const reference = JSON.parse(JSON.stringify(openapi(operations, 'http://localhost:3000'))) as {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

/**
 * Returns the response schema of the reference: for a stream, of the data of each event, and for a file, of each
 * line.
 */
function schemaInReference(
  { path, method, ...operation }: Operation,
  status: number = operation.status ?? 200
): Schema {
  const [content] = Object.values(
    reference.paths[path]?.[method.toLowerCase()]?.responses[status]?.content ?? {}
  )
  return content?.['x-event-data'] ?? content?.['x-line'] ?? content?.schema ?? {}
}

/** Converts a schema of the reference to a parser. */
function parserOf(schema: Schema): z.ZodType {
  const parser = parsers.get(schema) ?? toParser(schema)
  parsers.set(schema, parser)
  return parser
}

const parsers = new WeakMap<Schema, z.ZodType>()
const toParser = (schema: Schema) =>
  z.fromJSONSchema(
    JSON.parse(
      JSON.stringify({ ...schema, $defs: reference.components.schemas }).replaceAll(
        '#/components/schemas/',
        '#/$defs/'
      )
    )
  )

/** Expects a body without missing or undeclared fields: parsing drops unknown fields and adds defaults. */
function expectAsDeclared(operation: Operation, body: unknown, status?: number) {
  expect(responseSchema(operation).parse(body), operation.id).toStrictEqual(body)
  expect(parserOf(schemaInReference(operation, status)).parse(body), operation.id).toStrictEqual(body)
}

/** A recorded response: its status and body. For a stream the body is one event, for a file one line. */
type Answer = { status: number; body: unknown }

/** The recorded responses, by the ID of the operation. */
const recorded = new Map<string, Answer[]>()
function record({ id }: Operation, ...more: Answer[]) {
  recorded.set(id, [...(recorded.get(id) ?? []), ...more])
}

/** Follows the session `s` until an event matches. */
async function follow(cursor: Record<string, string>, matches: (event: SessionEvent) => boolean) {
  const response = await requestEndpoint(sessionOperations.follow, {
    params: { sessionId: 's' },
    headers: { authorization: 'Bearer the-admin-key-of-every-test', ...cursor }
  })
  const events: SessionEvent[] = []
  const parser = createParser({ onEvent: ({ data }) => events.push(JSON.parse(data)) })
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(new TextDecoder().decode(chunk))
    if (events.some(matches)) break
  }
  record(sessionOperations.follow, ...events.map(body => ({ status: response.status, body })))
}

/** Reads a chat stream until a chunk of this type. */
async function chat(operation: Operation, request: EndpointCall, until: string) {
  const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
  const response = await requestEndpoint(operation, { ...request, headers })
  const chunks: { type: string }[] = []
  const parser = createParser({ onEvent: ({ data }) => data !== '[DONE]' && chunks.push(JSON.parse(data)) })
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    parser.feed(new TextDecoder().decode(bytes))
    if (chunks.some(({ type }) => type === until)) break
  }
  record(operation, ...chunks.map(body => ({ status: response.status, body })))
}

/** Downloads a file of lines. */
async function download(operation: Operation, request: EndpointCall) {
  const headers = { authorization: 'Bearer the-admin-key-of-every-test' }
  const response = await requestEndpoint(operation, { ...request, headers })
  const lines = (await response.text()).trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(3)
  record(operation, ...lines.map(line => ({ status: response.status, body: JSON.parse(line) })))
}

/** An agent with a tool for every kind of call: a question, an approval, a browser tool and an external tool. */
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
      { name: 'spawn-agent', agents: ['acme'] },
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

/** Calls every operation in one scenario and records the responses. It asserts only what its own steps need. */
async function callAll() {
  const known = JSON.stringify({
    exists: true,
    title: 'Order',
    sessions: [
      { sessionId: 'order', title: 'Order', updatedAt: '2026-03-05T14:02:00Z' },
      { sessionId: 'two' }
    ]
  })
  const definition = JSON.stringify({
    name: 'order',
    title: 'Order',
    description: 'Orders.',
    approval: 'ask',
    inputSchema: { type: 'object' },
    outputSchema: {}
  })
  const externalSystem = await startExternalSystem((response, { path }, index) =>
    index === 0
      ? response.destroy()
      : response.end(path === '/check' ? known : path === '/tool' ? definition : 'ok')
  )
  const mcp = await serveMcp()
  mcp.behavior.open = true
  const options = await startExternalSystem(response => response.end('[{"value":"x","label":"X"}]'))
  const addedPlugin = await serveTestPlugin({ name: 'other' })
  const plugin = await serveTestPlugin({
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
  const testServer = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: `${externalSystem.host},${new URL(mcp.url).host},127.0.0.1:${plugin.port},127.0.0.1:${addedPlugin.port},${options.host}`,
      WAYSTATION_WORKSPACES: workspaceFolder(
        `plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }`
      ),
      AUTH_GITHUB_ID: 'id',
      AUTH_GITHUB_SECRET: 'secret'
    }
  })
  const callAndRecord = async (operation: Operation, request: EndpointCall = {}) => {
    const { status, body } = await callEndpoint(operation, request)
    record(operation, { status, body })
    return body
  }

  await callAndRecord(serverOperations.health)
  await callAndRecord(serverOperations.openapi)
  const metrics = await requestEndpoint(serverOperations.metrics, {
    headers: { authorization: 'Bearer the-admin-key-of-every-test' }
  })
  record(serverOperations.metrics, { status: metrics.status, body: await metrics.text() })

  await callAndRecord(agentOperations.create, { body: agent(externalSystem.url) })
  const allParams = { agentId: 'all' }
  await callAndRecord(agentOperations.update, {
    params: allParams,
    body: { ...agent(externalSystem.url), displayName: 'All of it' }
  })
  await callAndRecord(agentOperations.get, { params: allParams })
  await callAndRecord(agentOperations.list)
  await callAndRecord(agentOperations.revisions, { params: allParams })
  await callAndRecord(agentOperations.tools)
  await callAndRecord(agentOperations.plugins)
  await callAndRecord(catalogueOperations.list)
  for (const slug of ['web-fetch', '__ag__request_connection', '__ag__build_kit'])
    await callAndRecord(catalogueOperations.get, { params: { slug } })
  const greet = { kind: 'skill', name: 'Greet', data: { parameters: { text: 'Hello.' } } }
  await callAndRecord(catalogueOperations.create, { body: { slug: 'greet', ...greet } })
  await callAndRecord(catalogueOperations.update, { params: { slug: 'greet' }, body: greet })
  await callAndRecord(catalogueOperations.archive, { params: { slug: 'greet' } })

  const { saveIntegration, integration, integrations, removeIntegration } = connectionOperations
  const shop = { integration: 'shop' }
  const oauth = { issuer: 'https://shop.example', clientId: 'way', scopes: ['orders'] }
  const config = { service: 'Shop', description: 'Sells.', apiBase: 'https://api.shop.example', oauth }
  await callAndRecord(saveIntegration, {
    params: shop,
    body: { config, clientSecret: 'the secret of a client' }
  })
  await callAndRecord(integration, { params: shop })
  await callAndRecord(integrations)
  const attempt = await callAndRecord(connectionOperations.begin, { body: { ...shop, sharing: 'workspace' } })
  await callAndRecord(connectionOperations.attempt, { params: { attemptId: String(attempt.attemptId) } })
  for (const slug of ['one', 'two'])
    await testServer.sql`
      insert into connections (id, workspace_id, integration, slug, sharing, owner, owner_name, mode, state, account, fault,
        connected_by, connected_at, updated_at, last_used_at, expires_at)
      values (${slug}, 'default', 'shop', ${slug}, 'workspace', '', 'the workspace', 'oauth', 'needs_auth', 'ada', 'No.', 'Ada',
        now(), now(), now(), now())`
  await callAndRecord(connectionOperations.dropAttempt, { params: { attemptId: String(attempt.attemptId) } })
  await callAndRecord(connectionOperations.list)
  await callAndRecord(connectionOperations.revoke, { params: { connectionId: 'one' } })
  await callAndRecord(connectionOperations.delete, { params: { connectionId: 'two' } })
  await callAndRecord(removeIntegration, { params: shop })
  const server = { server: 'tools' }
  await callAndRecord(saveIntegration, {
    params: { integration: 'tools' },
    body: { config: { service: 'Tools', mcp: { url: mcp.url } } }
  })
  await callAndRecord(mcpOperations.check, { params: server })
  await callAndRecord(mcpOperations.inspect, { body: { url: 'http://127.0.0.1:1/mcp' } })
  mcp.behavior.tools = mcp.behavior.tools.map(tool => ({ ...tool, description: 'Another.' }))
  const { offers } = (await callAndRecord(mcpOperations.check, { params: server })) as {
    offers: { name: string; offered: { digest: string } }[]
  }
  const { name: tool, offered } = offers[0] as (typeof offers)[number]
  await callAndRecord(mcpOperations.accept, { params: server, body: { tool, digest: offered.digest } })
  await callAndRecord(mcpOperations.get, { params: server })
  await callAndRecord(mcpOperations.list)
  const twinParams = { workspaceId: 'default', plugin: 'twin' }
  await callAndRecord(pluginSettingsOperations.save, {
    params: twinParams,
    body: { settings: { unit: 'x' } }
  })
  await callAndRecord(pluginSettingsOperations.list, { params: twinParams })
  await callAndRecord(pluginSettingsOperations.options, { params: { ...twinParams, field: 'unit' } })
  await callAndRecord(pluginViewOperations.list, { params: twinParams })
  await callAndRecord(pluginViewOperations.render, { params: { ...twinParams, view: 'board' } })
  await callAndRecord(hostedPluginOperations.list)
  await callAndRecord(hostedPluginOperations.get, { params: { plugin: 'twin' } })
  await callAndRecord(hostedPluginOperations.restart, { params: { plugin: 'twin' } })
  const at = { source: `remote://127.0.0.1:${addedPlugin.port}` }
  const inOther = { params: { plugin: 'other' } }
  const reviewed = await callAndRecord(addedPluginOperations.inspect, { body: at })
  await callAndRecord(addedPluginOperations.add, { body: { ...at, digest: reviewed.digest } })
  await callAndRecord(addedPluginOperations.change, { ...inOther, body: { failClosed: true } })
  const again = await callAndRecord(addedPluginOperations.review, inOther)
  await callAndRecord(addedPluginOperations.accept, { ...inOther, body: { digest: again.digest } })
  await callAndRecord(addedPluginOperations.remove, inOther)
  await callAndRecord(hostedPluginOperations.protos)
  await callAndRecord(agentOperations.draft, { params: allParams })
  const draft = { config: { ...agent(externalSystem.url), displayName: 'Drafted' }, base: 2 }
  await callAndRecord(agentOperations.saveDraft, { params: allParams, body: draft })
  await callAndRecord(agentOperations.discardDraft, { params: allParams })
  const { version } = await callAndRecord(agentOperations.saveDraft, { params: allParams, body: draft })
  await callAndRecord(agentOperations.draft, { params: allParams })
  await callAndRecord(agentOperations.compare, { params: allParams })
  await callAndRecord(agentOperations.publish, {
    params: allParams,
    body: { base: 2, version, note: 'Another name.' }
  })
  await callAndRecord(agentOperations.restore, { params: { ...allParams, revision: '2' }, body: { base: 3 } })
  await callAndRecord(agentOperations.revision, { params: { ...allParams, revision: '3' } })
  await callAndRecord(agentOperations.compare, { params: allParams, query: { from: '1', to: '4' } })
  await callAndRecord(agentOperations.revisions, { params: allParams })

  const spare = await callAndRecord(keyOperations.create, { body: { name: 'spare' } })
  const { key, secret } = spare as { key: { id: string }; secret: string }
  await callEndpoint(agentOperations.list, {}, secret)
  await callAndRecord(keyOperations.list)
  await callAndRecord(keyOperations.revoke, { params: { keyId: key.id } })

  await testServer.sql`insert into users (id, name) values ('ada', 'Ada')`
  await testServer.sql`insert into members (workspace_id, user_id, role) values ('default', 'ada', 'editor')`
  await testServer.sql`
    insert into identities (issuer, subject, user_id, provider, label, created_at, seen_at)
    values ('https://github.com', '7', 'ada', 'github', 'ada', now(), now())`
  await callAndRecord(memberOperations.list)
  const asAda = async (operation: Operation, params = {}) => {
    const headers = { cookie: await signInCookie(testServer, 'ada'), origin: 'http://localhost:3000' }
    const response = await requestEndpoint(operation, { params, headers })
    record(operation, { status: response.status, body: await response.json() })
  }
  await asAda(signInOperations.list)
  await storeSignIn(testServer.sql, 'ada', 'another')
  await asAda(signInOperations.end, { signInId: 'another' })
  await asAda(signInOperations.endAll)
  const invite = await callAndRecord(memberOperations.invite, { body: { role: 'viewer', ttlSeconds: 60 } })
  await callAndRecord(memberOperations.invites)
  await callAndRecord(memberOperations.revoke, { params: { inviteId: String(invite.id) } })
  await callAndRecord(memberOperations.changeRole, { params: { userId: 'ada' }, body: { role: 'viewer' } })
  await callAndRecord(memberOperations.remove, { params: { userId: 'ada' } })

  const { create, send, get, list, log, context, deliveries } = sessionOperations
  await callAndRecord(create, { body: { ...allParams, sessionId: 's', subject: 'ada', revision: 1 } })
  const params = { sessionId: 's' }
  await callAndRecord(sessionOperations.pin, { params, body: { revision: 3 } })
  await callAndRecord(sessionOperations.overlay, { params, body: { overlay: { skills: [] } } })
  await callAndRecord(workspaceOperations.update, { body: { allowedOrigins: ['https://shop.example'] } })
  await callAndRecord(workspaceOperations.update, { body: { spendCaps: { sessionPerDay: 1000 } } })
  await callAndRecord(workspaceOperations.update, { body: { retentionDays: 30 } })
  await callAndRecord(workspaceOperations.update, {
    body: { toolRules: [{ tool: 'web-fetch', mode: 'ask', deny: ['secret'], allow: ['open'] }] }
  })
  await callAndRecord(workspaceOperations.get)
  const body = { subject: 'ada', scopes: ['read'] }
  const { tokenId } = await callAndRecord(tokenOperations.create, { params, body })
  await callAndRecord(tokenOperations.list, { params })
  await callAndRecord(tokenOperations.revoke, { params: { ...params, tokenId: String(tokenId) } })

  await testServer.sql`
    insert into compactions (session_key, id, to_id, entries, made_by)
    select key, 'cmp_1', 0, 2, 'words' from sessions where id = 's'`
  await callAndRecord(context, { params })

  const session = await testServer.reopenSession('s')
  const readAll = async () => {
    for (const operation of [get, log, context, deliveries]) await callAndRecord(operation, { params })
    for (const operation of [list, callOperations.waiting]) await callAndRecord(operation)
    const { prompts } = await callAndRecord(promptOperations.list, { params })
    await callAndRecord(promptOperations.preview, { params, body: { text: 'And now?' } })
    for (const { promptId } of (prompts as { promptId: number }[]).slice(0, 1))
      await callAndRecord(promptOperations.get, { params: { ...params, promptId: String(promptId) } })
  }
  const sendText = async (text: string) => {
    const ended = session.waitForEnd()
    await callAndRecord(send, { params, body: { text } })
    return ended
  }

  await sendText(`use ask-question {"question": "Which?"}
use web-fetch {"url": "${externalSystem.url}/a"}
use client-info {}
use dispatch {"order": "oil"}
use connect {"integration": "linear"}`)
  await session.waitForEvent(event => event.type === 'delivery' && event.delivery.attempts.length === 1)
  await readAll()
  await testServer.advanceTime(60)
  await session.waitForEvent(event => event.type === 'delivery' && event.delivery.state === 'delivered')
  const paramsOf = async (tool: string) => ({
    ...params,
    toolCallId: (await session.waitForCall(tool)).toolCallId
  })
  const { answer, extend, cancel, link, external } = callOperations
  await callAndRecord(extend, { params: await paramsOf('ask-question'), body: { seconds: 600 } })
  const { answerUrl } = await callAndRecord(link, { params: await paramsOf('dispatch') })
  await callAndRecord(connectionOperations.ofCall, { params: await paramsOf('connect') })
  await callAndRecord(connectionOperations.connectCall, { params: await paramsOf('connect'), body: {} })
  await callAndRecord(cancel, { params: await paramsOf('connect') })
  await callAndRecord(cancel, { params: await paramsOf('client-info') })
  await callAndRecord(answer, {
    params: await paramsOf('ask-question'),
    body: { declined: true, reason: 'No.' }
  })
  await callAndRecord(external, {
    params: { capability: String(answerUrl).split('/').at(-1) ?? '' },
    body: { error: 'None left.' }
  })
  const ended = session.waitForEnd()
  await callAndRecord(answer, {
    params: await paramsOf('web-fetch'),
    body: { approved: true, reason: 'Fine.', input: { url: `${externalSystem.url}/b` }, remember: 'session' }
  })
  expect(await ended).toMatchObject({ status: 'idle', outcome: 'done' })
  await sendText(`use web-fetch {"url": "${externalSystem.url}/c"}`)
  const always = session.waitForEnd()
  await callAndRecord(answer, {
    params: await paramsOf('web-fetch'),
    body: { approved: true, remember: 'always', anyArguments: true }
  })
  await always
  for (const [list, revoke] of [
    [grantOperations.listOfSession, grantOperations.revokeOfSession],
    [grantOperations.list, grantOperations.revoke]
  ] as const) {
    const { grants } = (await callAndRecord(list, { params })) as { grants: { grantId: string }[] }
    for (const { grantId } of grants) await callAndRecord(revoke, { params: { ...params, grantId } })
  }
  await readAll()

  const self = { agentId: 'self', displayName: 'Self', chat: { tools: [{ name: 'commit_revision' }] } }
  await callAndRecord(agentOperations.create, { body: self })
  await callAndRecord(create, { body: { agentId: 'self', sessionId: 'own' } })
  const own = await testServer.reopenSession('own')
  const input = { base_revision_id: 'self@1', config: { ...self, displayName: 'Myself' } }
  await own.runTurn(`use commit_revision ${JSON.stringify(input)}`)
  const { toolCallId } = await own.waitForCall('commit_revision')
  await callAndRecord(callOperations.review, { params: { sessionId: 'own', toolCallId }, body: { input } })
  const wakeAtISO = new Date(Date.now() + 3_600_000).toISOString()
  await sendText(`use alarm-clock ${JSON.stringify({ wakeAtISO, repeatIntervalMinutes: 5, reminderMessage: 'Look.' })}
use alarm-clock {"cron": "0 9 * * *", "timeZone": "UTC"}`)
  await readAll()
  await testServer.advanceTime(3601)
  await session.waitForEvent(
    event => event.type === 'message' && event.message.metadata?.sentBy === 'Alarm clock'
  )
  await expect.poll(async () => (await session.get()).session.status).toBe('idle')
  const { alarms } = (await callAndRecord(alarmOperations.list, { params })) as {
    alarms: { alarmId: string }[]
  }
  for (const { alarmId } of alarms)
    await callAndRecord(alarmOperations.cancel, { params: { ...params, alarmId } })

  const done = session.waitForNextEvent(event => event.type === 'status' && event.outcome === 'done')
  await sendText('use spawn-agent {"task": "use ask-question {\\"question\\": \\"Which bird?\\"}"}')
  await session.waitForEvent(event => event.type === 'session' && event.subAgents?.waiting === 1)
  const { waiting } = (await callAndRecord(subAgentOperations.list, { params })) as {
    waiting: { sessionId: string; call: { toolCallId: string } }[]
  }
  await readAll()
  for (const { sessionId, call } of waiting)
    await callAndRecord(callOperations.answer, {
      params: { sessionId, toolCallId: call.toolCallId },
      body: { output: { answer: 'The robin' } }
    })
  await done

  const counting = session.waitForNextEvent(
    event => event.type === 'chunk' && event.chunk.type === 'text-delta'
  )
  await callAndRecord(send, { params, body: { text: 'count to 1000' } })
  await counting
  const long = { type: 'file', mediaType: 'text/plain', url: `data:text/plain,${'x'.repeat(30_000)}` }
  const parts = [{ type: 'text', text: 'fail 429 3600' }, long]
  await callAndRecord(send, { params, body: { parts, whenBusy: 'queue', key: 'once' } })
  const text = { query: { name: 'a.txt' }, headers: { 'content-type': 'text/plain' }, raw: 'a' }
  const file = await callAndRecord(fileOperations.upload, { params, ...text })
  const { itemId } = await callAndRecord(send, {
    params,
    body: { text: 'say no', files: [file.id], whenBusy: 'queue' }
  })
  await readAll()
  const oobFields = { sourceId: 'ci', metadata: { relatedTo: 'pr-7', action: 'inform' } }
  const { id } = await callAndRecord(outOfBandOperations.send, {
    params,
    body: { content: 'Build 7 is red.', ...oobFields }
  })
  await callAndRecord(outOfBandOperations.send, {
    params,
    body: { content: 'Build 8 is red.', key: 'build-8' }
  })
  await readAll()
  await callAndRecord(outOfBandOperations.remove, { params: { ...params, oobId: String(id) } })
  const muted = [{ source: 'agent' }]
  await callAndRecord(outOfBandOperations.setPolicy, { params, body: { mode: 'approve', muted } })
  await callAndRecord(outOfBandOperations.getPolicy, { params })
  const pendingMessage = await callAndRecord(outOfBandOperations.send, {
    params,
    body: { content: 'Build 9 is red.' }
  })
  await callAndRecord(callOperations.waiting)
  await callAndRecord(callOperations.answerSeveral, {
    body: { calls: [{ sessionId: 'nowhere', toolCallId: 'none' }], approved: true }
  })
  await readAll()
  await callAndRecord(outOfBandOperations.approve, {
    params: { ...params, oobId: String(pendingMessage.id) }
  })
  await callAndRecord(outOfBandOperations.list, { params })
  await callAndRecord(outOfBandOperations.edges)
  await callAndRecord(outOfBandOperations.messages, { query: { hours: '48', to: 's' } })
  await callAndRecord(sessionOperations.removeMessage, { params: { ...params, itemId: String(itemId) } })
  await callAndRecord(sessionOperations.cancel, { params, body: {} })
  await session.waitForEvent(event => event.type === 'status' && event.retryAt !== undefined)
  await readAll()
  await follow({}, ({ type }) => type === 'reset')
  await callAndRecord(sessionOperations.retry, { params })
  const [first] = (await session.get()).messages
  const inTurn = { ...params, messageId: String(first?.id) }
  await callAndRecord(sessionOperations.cancel, { params, body: {} })
  await expect.poll(async () => (await session.get()).turnId).toBeUndefined()
  await callAndRecord(sessionOperations.branch, { params: inTurn })
  const { trials } = (await callAndRecord(trialOperations.compare, {
    params: { sessionId: inTurn.sessionId },
    body: { messageId: inTurn.messageId, with: [{ revision: 1 }] }
  })) as { trials: Array<{ sessionId: string; messageId: string }> }
  for (const params of trials) {
    await callAndRecord(trialOperations.result, { params })
    await callAndRecord(trialOperations.keep, { params: { sessionId: params.sessionId } })
  }
  const { id: testSetId } = await callAndRecord(trialOperations.createSet, {
    params: allParams,
    body: { name: 'Basics' }
  })
  const inSet = { params: { ...allParams, testSetId: String(testSetId) } }
  await callAndRecord(trialOperations.saveSet, { ...inSet, body: { name: 'Basics', messages: [] } })
  await callAndRecord(trialOperations.addMessage, { ...inSet, body: { text: 'hi' } })
  await callAndRecord(trialOperations.listSets, { params: allParams })
  const run = await callAndRecord(trialOperations.runSet, { ...inSet, body: { with: [{ revision: 1 }] } })
  await callAndRecord(trialOperations.listRuns, inSet)
  await callAndRecord(trialOperations.getRun, { params: { ...inSet.params, runId: String(run.id) } })
  await callAndRecord(trialOperations.deleteSet, inSet)
  const rerun = await callAndRecord(sessionOperations.rerunTurn, {
    params: inTurn,
    body: { text: 'say hello', calls: true }
  })
  await callAndRecord(sessionOperations.cancel, { params, body: {} })
  await expect.poll(async () => (await session.get()).turnId).toBeUndefined()
  await callAndRecord(sessionOperations.removeTurn, {
    params: { ...params, messageId: String(rerun.messageId) },
    query: { calls: 'true' }
  })
  await callAndRecord(sessionOperations.pin, { params, body: { revision: null } })
  await callAndRecord(sessionOperations.overlay, { params, body: { overlay: null } })
  await callAndRecord(sessionOperations.handOff, { params, body: { agentId: 'guide', reason: 'It knows.' } })
  await callAndRecord(sessionInBodyOperations.rename, { body: { ...params, title: 'In the body' } })
  await callAndRecord(sessionOperations.rename, { params, body: { title: 'Every kind' } })
  await callAndRecord(sessionInBodyOperations.list, { body: { q: 'Every', trouble: false, limit: 5 } })
  await callAndRecord(sessionInBodyOperations.get, { body: params })
  await callAndRecord(sessionInBodyOperations.events, { body: { ...params, limit: 50 } })

  await follow({ 'last-event-id': '0' }, event => event.type === 'session' && event.title === 'Every kind')

  await download(sessionOperations.export, { params, query: { events: 'true' } })
  await download(subjectOperations.export, { params: { subject: 'ada' }, query: { events: 'true' } })
  await callAndRecord(sessionOperations.delete, { body: params })
  await callAndRecord(subjectOperations.delete, { params: { subject: 'ada' } })

  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'count to 1000' }] }
  await chat(chatOperations.post, { body: { id: 'chat', ...allParams, messages: [message] } }, 'text-delta')
  await chat(chatOperations.resume, { params: { sessionId: 'chat' } }, 'text-delta')

  await callAndRecord(agentOperations.create, {
    body: {
      agentId: 'acme',
      displayName: 'Acme',
      type: 'external',
      external: {
        inputUrl: `${externalSystem.url}/in`,
        callbackBaseUrl: 'https://way.example',
        checkUrl: `${externalSystem.url}/check`,
        retries: 0
      }
    }
  })
  const acme = { agentId: 'acme', sessionId: 'order' }
  await callAndRecord(create, { body: acme })
  await callAndRecord(externalOperations.check, { query: acme })
  await callAndRecord(externalOperations.check, { query: { ...allParams, sessionId: 'order' } })
  const order = { params: { sessionId: 'order' } }
  await callAndRecord(externalOperations.link, order)
  const secretsOf = { params: { agentId: 'all' } }
  await callAndRecord(externalOperations.rotate, { ...secretsOf, body: { overlapSeconds: 60 } })
  await callAndRecord(externalOperations.rotate, secretsOf)
  await callAndRecord(externalOperations.secrets, secretsOf)
  await callAndRecord(send, { ...order, body: { text: 'hello' } })
  await callAndRecord(sessionInBodyOperations.cancel, { body: order.params })
  const forwarded = await testServer.reopenSession('order')
  const sent = await forwarded.waitForEvent(
    event => event.type === 'delivery' && event.delivery.state === 'delivered'
  )
  const deliveryId = sent.type === 'delivery' ? sent.delivery.id : ''
  await callAndRecord(externalOperations.redeliver, { params: { ...order.params, deliveryId } })
  const messageId = sent.type === 'delivery' ? sent.delivery.messageId : ''
  await callAndRecord(externalOperations.resend, { ...order, body: { messageId } })
  await callAndRecord(sessionOperations.read, { ...order, body: { messageId } })
  await callAndRecord(externalOperations.callback, { ...order, raw: 'And hello to you.' })
  const { replyFile, reply, status } = externalOperations
  const replied = await callAndRecord(replyFile, { ...order, query: { name: 'a.txt' }, raw: 'a' })
  await callAndRecord(reply, { ...order, body: { text: 'See this.', fileIds: [replied.id] } })
  await callAndRecord(status, { ...order, body: { text: 'Packing' } })
  const ask = { kind: 'approval', title: 'Refund', input: { cents: 1 } }
  const asked = await callAndRecord(externalOperations.openCall, { ...order, body: ask })
  const askedParams = { params: { ...order.params, toolCallId: String(asked.toolCallId) } }
  await callAndRecord(externalOperations.readCall, askedParams)
  await callAndRecord(sessionOperations.get, order)
  await callAndRecord(externalOperations.cancelCall, askedParams)
  await callAndRecord(sessionOperations.cancel, { ...order, body: {} })
  await callAndRecord(status, { ...order, body: { text: '' } })
  await callAndRecord(sessionOperations.list)
  await callAndRecord(externalOperations.test, { params: { agentId: 'acme' } })
  await callAndRecord(externalOperations.listKnown, { params: { agentId: 'acme' } })
  await callAndRecord(create, { body: { ...allParams, sessionId: 'parent' } })
  const parent = await testServer.reopenSession('parent')
  await parent.send('use spawn-agent {"task": "Find the lamp.", "agentId": "acme"}')
  const task = await parent.waitForCall('spawn-agent')
  await parent.waitForEvent(event => event.type === 'session' && (event.subAgents?.all ?? 0) > 0)
  const below = await callAndRecord(subAgentOperations.list, { params: { sessionId: 'parent' } })
  const [sub] = (below as { subAgents: { sessionId: string }[] }).subAgents
  await callAndRecord(externalOperations.finish, {
    params: { sessionId: sub?.sessionId ?? '' },
    body: { output: { found: true } }
  })
  await parent.waitForSettled(task)
  await callAndRecord(deliveries, order)
  await callAndRecord(externalOperations.audit)

  const hook = await callAndRecord(webhookOperations.create, { body: { url: `${externalSystem.url}/hook` } })
  const { webhookId } = (hook as { webhook: { webhookId: string } }).webhook
  await callAndRecord(webhookOperations.list)
  await callAndRecord(webhookOperations.rotate, { params: { webhookId } })
  await callAndRecord(create, { body: { ...allParams, sessionId: 'told' } })
  const questionSession = await testServer.reopenSession('told')
  await questionSession.runTurn(demo.askToChoose('tea', 'coffee'))
  await callAndRecord(webhookOperations.deliveries)
  await callAndRecord(deliveries, { params: { sessionId: 'told' } })
  await callAndRecord(sessionInBodyOperations.send, {
    body: { sessionId: 'told', text: 'hi', whenBusy: 'queue' }
  })
  await callAndRecord(webhookOperations.delete, { params: { webhookId } })

  const weather = { params: { name: 'weather' } }
  await callAndRecord(secretOperations.save, { ...weather, body: { value: 'k-1' } })
  await callAndRecord(secretOperations.list)
  await callAndRecord(secretOperations.remove, weather)

  await callAndRecord(httpToolOperations.read, { body: { url: `${externalSystem.url}/tool` } })
  const testCall = { name: 'order', agentId: 'all', input: {} }
  await callAndRecord(httpToolOperations.test, { body: { ...testCall, url: `${externalSystem.url}/tool` } })
  await callAndRecord(httpToolOperations.test, { body: { ...testCall, url: 'http://127.0.0.1:1/' } })

  const mistral = { params: { name: 'mistral' } }
  await callAndRecord(modelOperations.save, { ...mistral, body: { values: { apiKey: 'k-1' } } })
  await callAndRecord(modelOperations.list)
  await callAndRecord(modelOperations.test, { body: { model: 'demo/demo' } })
  await callAndRecord(modelOperations.test, { body: { model: 'none/none' } })
  await callAndRecord(modelOperations.remove, mistral)

  const notes = { params: { wiki: 'notes' } }
  await callAndRecord(wikiOperations.create, { body: { name: 'notes' } })
  const raw = JSON.stringify([
    { title: 'Home', text: '! Hi', tags: 'a [[b c]]', modified: '20260101000000000', color: 'red' },
    { title: '' }
  ])
  await callAndRecord(wikiOperations.import, { ...notes, query: { file: 'x.json' }, raw })
  await callAndRecord(wikiOperations.list)
  await callAndRecord(wikiOperations.get, notes)
  await callAndRecord(wikiOperations.tiddlers, {
    ...notes,
    query: { search: 'hi', tag: 'a', order: 'modified' }
  })
  await callAndRecord(wikiOperations.read, { ...notes, query: { title: 'Home' } })
  await callAndRecord(wikiOperations.render, { params: { sessionId: 'told' }, body: { text: '! Hi' } })
  const tools = [{ name: 'wiki-write', approval: 'auto' as const }]
  await testServer.saveAgent({ agentId: 'writer', chat: { tools } })
  const writer = await testServer.startSession('writer')
  await writer.runTurn('use wiki-write {"title": "Home", "text": "! Hello"}')
  const listed = await callAndRecord(wikiOperations.changes, notes)
  const [{ change: changeId } = { change: '' }] = (listed as { changes: { change: string }[] }).changes
  await callAndRecord(wikiOperations.undo, { params: { wiki: 'notes', changeId } })
  await callAndRecord(wikiOperations.changes, notes)
  await callAndRecord(wikiOperations.delete, notes)
  await callAndRecord(workspaceOperations.rotateLinkSecret)
  await callAndRecord(workspaceOperations.testToolRules, {
    body: { toolRules: [{ deny: ['a'] }], tool: 'web-fetch', parameters: { url: 'a' } }
  })
  await callAndRecord(workspaceOperations.list)
  const tenant = await callAndRecord(workspaceOperations.create, { body: { name: 'Tenant' } })
  const tenantKey = tenant.key as { secret: string }
  const headers = { authorization: `Bearer ${tenantKey.secret}` }
  await callAndRecord(workspaceOperations.remove, { query: { name: 'Tenant' }, headers })

  const account = await askForAccount(response => response.end('{}'))
  await account.connect()
  record(externalOperations.fetchWithAccount, await account.fetch({ url: `${account.api.url}/items` }))
}

/** The scenario runs once, when the first test needs it, so each test can also run alone. */
let called: Promise<unknown> | undefined

// These operations respond with a file of any type.
const files = new Set([wikiOperations.export.id, fileOperations.get.id, externalOperations.sentFile.id])
test.each(operations.filter(({ id }) => !files.has(id)).map(operation => [operation.id, operation] as const))(
  '%s responds as the reference says, with no missing and no undeclared fields',
  async (id, operation) => {
    // If the scenario fails early, the operations that it did not reach report its error.
    called ??= callAll().then(
      () => undefined,
      error => error
    )
    const error = await called
    if (!recorded.has(id)) throw error ?? new Error('The story does not call this operation.')
    for (const { status, body } of recorded.get(id) ?? []) {
      expect({ status, body }).toMatchObject({ status: operation.status ?? 200 })
      expectAsDeclared(operation, body)
    }
  },
  120_000
)

test('an error has the shape in the reference, including the winner and the fields where it names them', async () => {
  const { startSession: open } = await startTestServer()
  const session = await open()
  await session.runTurn(demo.askToChoose('tea', 'coffee'))
  const { toolCallId } = await session.waitForCall('ask-question')
  const request = { params: { sessionId: session.id, toolCallId } }
  const expectError = async (operation: Operation, more: EndpointCall, code: string) => {
    const { body } = await callEndpoint(operation, { ...request, ...more })
    expect(body).toMatchObject({ code })
    expect(ErrorBody.parse(body)).toStrictEqual(body)
    expect(parserOf({ $ref: '#/components/schemas/ApiError' }).parse(body)).toStrictEqual(body)
  }
  await expectError(callOperations.answer, { body: { output: { answer: 7 } } }, 'INVALID_INPUT')
  await expectError(callOperations.answer, { raw: '{' }, 'MALFORMED_JSON')
  await session.answer({ toolCallId }, { output: { answer: 'tea' } })
  await expectError(callOperations.answer, { body: { output: { answer: 'coffee' } } }, 'ALREADY_SETTLED')
  await expectError(sessionOperations.get, { params: { sessionId: 'none' } }, 'NOT_FOUND')
})

test('health responds with 503 and the same shape if no worker runs', async () => {
  await startTestServer({ settings: { WAYSTATION_ROLE: 'web' } })
  const { status, body } = await callEndpoint(serverOperations.health)
  expect(status).toBe(503)
  expectAsDeclared(serverOperations.health, body, status)
})

test('every success response is described, and all its references resolve', () => {
  for (const operation of operations) {
    const schema = schemaInReference(operation)
    const shape =
      operation.plain || (operation.file && operation.method === 'GET')
        ? 'type'
        : schema.type === 'array'
          ? 'items'
          : '$ref' in schema
            ? '$ref'
            : 'properties'
    expect(Object.keys(schema), operation.id).toContain(shape)
    expect(() => parserOf(schema), operation.id).not.toThrow()
  }
  const names = [...JSON.stringify(reference).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
  expect(new Set(names.map(([, name]) => name))).toEqual(new Set(Object.keys(reference.components.schemas)))
})
