import { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { beforeAll, expect, test } from 'vitest'
import { members, users } from '#db/schema/workspaces.ts'
import { createAgent } from '#lib/agents/create.ts'
import { answerFor, dispatch } from '#lib/api/dispatch.ts'
import { endpoints } from '#lib/api/endpoints.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { createToken } from '#lib/auth/tokens/create-token.ts'
import { revokeToken } from '#lib/auth/tokens/revoke-token.ts'
import { openapi } from '#lib/http/openapi/openapi.ts'
import type { Operation } from '#lib/http/operation.ts'
import { operations } from '#lib/http/operations/all.ts'
import type { Role, SubjectScope } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { may, type Scope } from '#lib/kernel/scope.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { requestEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { signInCookie } from '#tests/support/servers/sign-in-cookie.ts'
import { withRuntime } from '#tests/support/servers/test-runtime.ts'

// The tests send many wrong credentials from one IP address.
const server = withRuntime({ WAYSTATION_LIMIT_UNAUTHENTICATED: '0' })
const guarded = operations.filter(operation => operation.actor === 'user')
const roles: Role[] = ['viewer', 'operator', 'editor', 'owner']
const keys = {} as Record<Role, string>
/** Keys of another workspace. */
const strangers = {} as Record<Role, string>
const params = {
  sessionId: 'mine',
  agentId: 'helper',
  toolCallId: 'call',
  itemId: 'item',
  messageId: 'message',
  oobId: 'oob',
  alarmId: 'alarm',
  grantId: 'grant',
  compactionId: 'compaction',
  promptId: '1',
  fileId: 'file',
  keyId: '',
  tokenId: '',
  deliveryId: 'delivery',
  webhookId: 'hook',
  userId: 'member',
  inviteId: 'invite',
  signInId: 'signin',
  subject: 'nobody',
  testSetId: 'set',
  runId: 'run',
  slug: '__ag__build_kit',
  revision: '1',
  wiki: 'notes',
  changeId: 'change',
  server: 'none',
  plugin: 'none',
  workspaceId: 'default',
  field: 'none',
  view: 'none',
  name: 'none'
}

/** Valid bodies for the operations that need one. */
const bodies: Record<string, unknown> = {
  createSession: { agentId: 'helper' },
  renameSession: { title: 'x' },
  sessionsRename: { title: 'x' },
  sessionsSend: { text: 'hi', whenBusy: 'queue' },
  markRead: { messageId: 'message' },
  sendMessage: { text: 'hi', whenBusy: 'queue' },
  sendOutOfBand: { content: 'hi' },
  resendMessage: { messageId: 'message' },
  answerCall: { approved: true },
  answerCalls: { calls: [{ sessionId: 'mine', toolCallId: 'call' }], approved: true },
  reviewProposal: { input: {} },
  extendCall: { seconds: 60 },
  createAgent: { agentId: 'made', displayName: 'Made' },
  updateAgent: { agentId: 'helper', displayName: 'Changed' },
  saveAgentDraft: { config: { agentId: 'helper', displayName: 'Drafted' }, base: 1 },
  publishAgent: { base: 1 },
  restoreAgentRevision: { base: 1 },
  pinRevision: { revision: 1 },
  compareTurn: { messageId: 'message', with: [{ revision: 1 }] },
  createTestSet: { name: 'Basics' },
  saveTestSet: { name: 'Basics', messages: [] },
  addTestMessage: { text: 'hi' },
  runTestSet: { with: [{ revision: 1 }] },
  handSession: { agentId: 'guide' },
  layOverlay: { overlay: null },
  createCatalogueEntry: {
    slug: 'greet',
    kind: 'skill',
    name: 'Greet',
    data: { parameters: { text: 'Hi.' } }
  },
  updateCatalogueEntry: { kind: 'skill', name: 'Greet', data: { parameters: { text: 'Hi.' } } },
  createKey: { name: 'k' },
  createToken: { subject: 'ada', scopes: ['read'] },
  updateWorkspace: { allowedOrigins: [] },
  testToolRules: { toolRules: [], tool: 'web-fetch' },
  createWorkspace: { name: 'Made' },
  createWebhook: { url: 'https://acme.example/hook' },
  beginConnect: { integration: 'unknown' },
  saveIntegration: {
    config: { service: 'S', apiBase: 'https://s.example', oauth: { issuer: 'https://s.example' } }
  },
  inspectMcpServer: { url: 'https://acme.example/mcp' },
  acceptMcpTool: { tool: 'echo', digest: '0'.repeat(64) },
  createInvite: { role: 'viewer' },
  changeRole: { role: 'viewer' },
  createWiki: { name: 'notes' },
  saveWorkspaceSecret: { value: 'x' },
  saveModelProvider: { values: { apiKey: 'k' } },
  testModel: { model: 'none/none' },
  readHttpTool: { url: 'https://acme.example/tool' },
  testHttpTool: { url: 'https://acme.example/tool', name: 'order', agentId: 'guide', input: {} },
  savePluginSettings: { settings: {} },
  inspectPlugin: { source: 'remotes://plugins.example:9010' },
  addPlugin: { source: 'remotes://plugins.example:9010', digest: '0'.repeat(64) },
  acceptPlugin: { digest: '0'.repeat(64) },
  renderWikitext: { text: 'x' }
}

/** The required query parameters of operations. */
const queries: Record<string, Record<string, string>> = {
  readTiddler: { title: 'Home' },
  uploadFile: { name: 'a.txt' },
  deleteWorkspace: { name: 'Not its name' }
}

/**
 * The scope that a session token needs for each operation, or `never`. A new operation fails the test below until it
 * is listed here.
 */
const byToken: Record<string, SubjectScope | 'read send' | 'never'> = {
  getSession: 'read',
  followEvents: 'read',
  exportSession: 'read',
  resumeChat: 'read',
  postChat: 'read send',
  sendMessage: 'send',
  removeMessage: 'send',
  resendMessage: 'send',
  uploadFile: 'send',
  getFile: 'read',
  sendOutOfBand: 'send',
  listOutOfBand: 'read',
  removeOutOfBand: 'send',
  listAlarms: 'read',
  cancelAlarm: 'send',
  listSubAgents: 'read',
  listGrants: 'never',
  revokeGrant: 'never',
  listSessionGrants: 'never',
  revokeSessionGrant: 'never',
  approveOutOfBand: 'never',
  getOobPolicy: 'read',
  setOobPolicy: 'never',
  cancelTurn: 'send',
  retryTurn: 'send',
  rerunTurn: 'send',
  removeTurn: 'never',
  branchSession: 'never',
  compareTurn: 'never',
  keepTrial: 'never',
  getTurnResult: 'never',
  listTestSets: 'never',
  createTestSet: 'never',
  saveTestSet: 'never',
  addTestMessage: 'never',
  deleteTestSet: 'never',
  runTestSet: 'never',
  listTestRuns: 'never',
  getTestRun: 'never',
  answerCall: 'answer',
  answerCalls: 'never',
  reviewProposal: 'answer',
  extendCall: 'answer',
  connectCall: 'answer',
  getConnectionOfCall: 'read',
  getConnectAttempt: 'read',
  dropConnectAttempt: 'answer',
  beginConnect: 'never',
  deleteConnection: 'never',
  getIntegration: 'never',
  listConnections: 'never',
  listIntegrations: 'never',
  removeIntegration: 'never',
  revokeConnection: 'never',
  saveIntegration: 'never',
  listMcpServers: 'never',
  getMcpServer: 'never',
  checkMcpServer: 'never',
  acceptMcpTool: 'never',
  inspectMcpServer: 'never',
  listHostedPlugins: 'never',
  getHostedPlugin: 'never',
  restartHostedPlugin: 'never',
  inspectPlugin: 'never',
  addPlugin: 'never',
  changePlugin: 'never',
  removePlugin: 'never',
  inspectAddedPlugin: 'never',
  acceptPlugin: 'never',
  listViews: 'never',
  renderView: 'never',
  listPluginSettings: 'never',
  savePluginSettings: 'never',
  findSettingOptions: 'never',
  cancelCall: 'answer',
  answerLink: 'never',
  callbackLink: 'never',
  changeRole: 'never',
  checkSession: 'never',
  createAgent: 'never',
  createInvite: 'never',
  createKey: 'never',
  createSession: 'never',
  createToken: 'never',
  deleteSession: 'never',
  getAgent: 'never',
  getCatalogueEntry: 'never',
  createCatalogueEntry: 'never',
  updateCatalogueEntry: 'never',
  archiveCatalogueEntry: 'never',
  getContext: 'never',
  listPrompts: 'never',
  getPrompt: 'never',
  previewPrompt: 'never',
  getWorkspace: 'never',
  listAgents: 'never',
  listCatalogue: 'never',
  createWebhook: 'never',
  deleteSubject: 'never',
  deleteWebhook: 'never',
  exportSubject: 'never',
  listAllDeliveries: 'never',
  listAudit: 'never',
  listWebhooks: 'never',
  rotateWebhookSecret: 'never',
  listDeliveries: 'never',
  listInvites: 'never',
  listKeys: 'never',
  listLog: 'never',
  listMembers: 'never',
  listSignIns: 'never',
  endSignIn: 'never',
  endSignIns: 'never',
  listOobEdges: 'never',
  listOobMessages: 'never',
  listAgentRevisions: 'never',
  getAgentRevision: 'never',
  restoreAgentRevision: 'never',
  getAgentDraft: 'never',
  saveAgentDraft: 'never',
  discardAgentDraft: 'never',
  publishAgent: 'never',
  compareAgentRevisions: 'never',
  pinRevision: 'never',
  handSession: 'never',
  layOverlay: 'never',
  listSecrets: 'never',
  listSessions: 'never',
  sessionsList: 'never',
  sessionsGet: 'read',
  sessionsRename: 'never',
  sessionsSend: 'send',
  sessionsCancel: 'send',
  sessionsEvents: 'never',
  listTokens: 'never',
  listTools: 'never',
  listPlugins: 'never',
  listWaiting: 'never',
  metrics: 'never',
  redeliver: 'never',
  removeMember: 'never',
  renameSession: 'never',
  markRead: 'never',
  revokeInvite: 'never',
  revokeKey: 'never',
  rotateLinkSecret: 'never',
  rotateSecret: 'never',
  testAgent: 'never',
  listExternalSessions: 'never',
  revokeToken: 'never',
  updateAgent: 'never',
  updateWorkspace: 'never',
  testToolRules: 'never',
  renderWikitext: 'read',
  listWikis: 'never',
  createWiki: 'never',
  getWiki: 'never',
  deleteWiki: 'never',
  listTiddlers: 'never',
  readTiddler: 'never',
  importWiki: 'never',
  exportWiki: 'never',
  listWikiChanges: 'never',
  undoWikiChange: 'never',
  listModels: 'never',
  saveModelProvider: 'never',
  removeModelProvider: 'never',
  testModel: 'never',
  readHttpTool: 'never',
  testHttpTool: 'never',
  listWorkspaceSecrets: 'never',
  saveWorkspaceSecret: 'never',
  removeWorkspaceSecret: 'never',
  listWorkspaces: 'never',
  createWorkspace: 'never',
  deleteWorkspace: 'never'
}
const subjectScopes: SubjectScope[] = ['read', 'send', 'answer']
const tokens = {} as Record<SubjectScope | 'all' | 'elsewhere' | 'revoked' | 'expired' | 'lived', string>

const takesIdInBody = ({ path, method }: Operation) =>
  method === 'POST' && path.startsWith('/api/plugins/sessions/operations/')

const bodyOf = (operation: Operation, sessionId = params.sessionId) => {
  const { id, method } = operation
  if (method === 'GET' || method === 'DELETE') return undefined
  if (takesIdInBody(operation)) return { ...(bodies[id] as object | undefined), sessionId }
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }
  return id === 'postChat' ? { id: sessionId, messages: [message] } : (bodies[id] ?? {})
}

beforeAll(async () => {
  const owner = (workspaceId: string) => ctxFor({ kind: 'system', name: 'test', workspaceId })
  await createAgent(owner('default'), AgentConfig.parse({ agentId: 'helper', displayName: 'Helper' }))
  await createSession(owner('default'), { agentId: 'helper', sessionId: 'mine' })
  for (const role of roles) {
    keys[role] = (await createKey(owner('default'), { name: role, role })).secret
    strangers[role] = (await createKey(owner('other'), { name: role, role })).secret
  }
  params.keyId = (await createKey(owner('default'), { name: 'theirs', role: 'viewer' })).key.id

  const tokenOf = (scopes: SubjectScope[], sessionId = 'mine') =>
    createToken(owner('default'), { sessionId, subject: 'ada', scopes, ttlSeconds: 3600 })
  for (const sessionId of ['elsewhere', 'lived'])
    await createSession(owner('default'), { agentId: 'helper', sessionId })
  tokens.elsewhere = (await tokenOf(subjectScopes, 'elsewhere')).token
  tokens.lived = (await tokenOf(subjectScopes, 'lived')).token
  await deleteSession(owner('default'), { sessionId: 'lived' })
  await createSession(owner('default'), { agentId: 'helper', sessionId: 'lived' })
  for (const scope of subjectScopes) tokens[scope] = (await tokenOf([scope])).token
  tokens.all = (await tokenOf(subjectScopes)).token
  const [revoked, expired] = [await tokenOf(subjectScopes), await tokenOf(subjectScopes)]
  params.tokenId = revoked.tokenId
  await revokeToken(owner('default'), { sessionId: 'mine', tokenId: revoked.tokenId })
  await server.runtime.sql`
    update session_tokens set expires_at = clock_timestamp() where id = ${expired.tokenId}`
  tokens.revoked = revoked.token
  tokens.expired = expired.token
})

const asKey = (secret: string) => ({ authorization: `Bearer ${secret}` })
const ask = async (
  operation: Operation,
  headers: Record<string, string>,
  sessionId = params.sessionId,
  raw?: string
) => {
  const body = raw === undefined ? bodyOf(operation, sessionId) : undefined
  const query = queries[operation.id] ?? {}
  const response = await requestEndpoint(operation, {
    params: { ...params, sessionId },
    query,
    body,
    ...(raw === undefined ? {} : { raw }),
    headers
  })
  const isJson = response.headers.get('content-type') === 'application/json'
  if (!isJson) await response.body?.cancel()
  return {
    status: response.status,
    code: isJson ? ((await response.json()).code as string | undefined) : undefined
  }
}

/** Creates a user who owns the workspace, and returns their cookie. */
async function cookieOf(userId: string): Promise<string> {
  await server.runtime.db.insert(users).values({ id: userId, name: userId }).onConflictDoNothing()
  await server.runtime.db
    .insert(members)
    .values({ workspaceId: 'default', userId, role: 'owner' })
    .onConflictDoNothing()
  return signInCookie(server.runtime, userId)
}

test('every operation has one endpoint, and every other endpoint is a known page or machine address', async () => {
  const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
  const declared = operations.map(nameOf)
  const views = '/api/v1/workspaces/{workspaceId}/views/{plugin}/routes/*'
  const unlisted = [
    ...['GET', 'POST', 'PUT', 'DELETE'].map(method => `${method} ${views}`),
    'GET /api/connections/callback',
    'GET /connect/{ticket}',
    'POST /connect/{ticket}',
    'GET /connect/done/{attemptId}',
    'GET /answer/{token}',
    'POST /answer/{token}',
    'GET /local/{token}',
    'POST /local/{token}',
    'POST /join/{token}/accept',
    'GET /client-metadata.json'
  ]
  expect(endpoints.map(nameOf).sort()).toEqual([...declared, ...unlisted].sort())
})

test('an unknown API path is 404, an unknown method 405, and other paths are passed to Next.js', async () => {
  const ask = async (method: string, path: string) => {
    const response = await answerFor(method, path)?.(new Request(`http://localhost:3000${path}`, { method }))
    return response && [response.status, response.headers.get('allow')]
  }
  for (const path of ['/api/nothing', '/api/agents/a/b/c', '/api/auth', '/external/nothing'])
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS'])
      expect(await ask(method, path), `${method} ${path}`).toEqual([404, null])
  expect(await ask('GET', '/api/sessions/%ff')).toEqual([404, null])
  expect(await ask('PATCH', '/api/agents')).toEqual([405, 'GET, HEAD, OPTIONS, POST'])
  expect(await ask('GET', '/join/x/accept')).toEqual([405, 'OPTIONS, POST'])
  const path = '/api/sessions/s/messages'
  const refused = await answerFor(
    'PUT',
    path
  )?.(new Request(`http://localhost:3000${path}`, { method: 'PUT' }))
  expect(await refused?.json()).toEqual({ code: 'METHOD_NOT_ALLOWED', error: expect.any(String) })
  expect(await ask('OPTIONS', '/api/agents')).toEqual([204, 'GET, HEAD, OPTIONS, POST'])
  expect(await ask('HEAD', '/api/health')).toEqual([200, null])
  for (const path of [
    '/',
    '/sessions/s',
    '/api',
    '/api/agents/',
    '/api//agents',
    '/api/auth/session',
    '/join/x'
  ])
    expect(await ask('GET', path), path).toBeUndefined()
})

test.each(guarded)('$id rejects a missing and a wrong key alike: 401', async operation => {
  expect(await ask(operation, {})).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
  expect(await ask(operation, asKey('way_wrong'))).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
})

test.each(guarded)('$id rejects every role that does not cover it: 403', async operation => {
  const { scope } = operation as { scope: Scope }
  for (const role of roles.filter(role => !may(role, scope)))
    for (const own of [keys, strangers])
      expect(await ask(operation, asKey(own[role])), role).toEqual({ status: 403, code: 'FORBIDDEN' })
})

test.each(guarded)(
  '$id uses the role that a user has in the workspace of the request: 403',
  async operation => {
    const { scope } = operation as { scope: Scope }
    const cookie = await cookieOf('ada')
    for (const role of roles.filter(role => !may(role, scope))) {
      await server.runtime.db
        .insert(members)
        .values({ workspaceId: 'other', userId: 'ada', role })
        .onConflictDoUpdate({ target: [members.workspaceId, members.userId], set: { role } })
      const headers = { cookie, origin: 'http://localhost:3000', 'waystation-workspace': 'other' }
      expect(await ask(operation, headers), role).toEqual({ status: 403, code: 'FORBIDDEN' })
    }
  }
)

test.each(guarded.filter(({ method }) => !['GET', 'DELETE'].includes(method)))(
  '22 A1: $id checks credential, origin and role before it parses an invalid body',
  async operation => {
    const { scope } = operation as { scope: Scope }
    const nonsense = '{"'.repeat(1000)
    const send = (headers: Record<string, string>) => ask(operation, headers, undefined, nonsense)
    expect(await send({})).toMatchObject({ status: 401 })
    for (const role of roles.filter(role => !may(role, scope)))
      for (const own of [keys, strangers])
        expect(await send(asKey(own[role])), role).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await send({ cookie: await cookieOf('ada'), origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      code: 'FOREIGN_ORIGIN'
    })
  }
)

/**
 * Excludes deleteSubject, which succeeds for unknown end users (tests/features/data/subjects.test.ts checks other
 * workspaces). Built-in entries are the same for all workspaces, and an integration, a secret or a model provider
 * saved under a new name belongs to the caller.
 */
const looksUp = (operation: Operation) =>
  (operation.path.includes('{') || takesIdInBody(operation)) &&
  ![
    'createSession',
    'sessionsList',
    'deleteSubject',
    'getCatalogueEntry',
    'saveIntegration',
    'saveWorkspaceSecret',
    'saveModelProvider'
  ].includes(operation.id)

test.each(guarded.filter(looksUp))('$id does not find data of another workspace: 404', async operation => {
  const { scope } = operation as { scope: Scope }
  // Each member can leave, but only an owner can remove others.
  const needed = operation.id === 'removeMember' ? 'own' : scope
  for (const role of roles.filter(role => may(role, needed)))
    expect(await ask(operation, asKey(strangers[role])), role).toEqual({ status: 404, code: 'NOT_FOUND' })
})

test('every operation defines what a session token can do', () => {
  expect(guarded.map(({ id }) => id).sort()).toEqual(Object.keys(byToken).sort())
})

const forTokens = guarded.filter(({ id }) => (byToken[id] ?? 'never') !== 'never')
const scopesFor = ({ id }: Operation) => (byToken[id] ?? '').split(' ') as SubjectScope[]
const notForTokens = guarded.filter(({ id }) => (byToken[id] ?? 'never') === 'never')

test.each(notForTokens)('$id rejects session tokens with any scopes: 403', async operation => {
  const rejected = { status: 403, code: 'FORBIDDEN' }
  expect(await ask(operation, asKey(tokens.all))).toEqual(rejected)
  expect(await ask(operation, asKey(tokens.elsewhere))).toEqual(rejected)
})

test.each(forTokens)('$id responds to a token of its session and scope as to an owner', async operation => {
  const needed = scopesFor(operation)
  const ownerResponse = await ask(operation, asKey(keys.owner))
  expect([401, 403]).not.toContain(ownerResponse.status)
  for (const scope of needed.length === 1 ? needed : [])
    expect(await ask(operation, asKey(tokens[scope]))).toEqual(ownerResponse)
  expect(await ask(operation, asKey(tokens.all))).toEqual(ownerResponse)
})

test.each(forTokens)('$id rejects a token without its scope: 403', async operation => {
  const needed = scopesFor(operation)
  for (const scope of subjectScopes.filter(scope => needed.some(other => other !== scope)))
    expect(await ask(operation, asKey(tokens[scope])), scope).toEqual({ status: 403, code: 'FORBIDDEN' })
})

test.each(forTokens)('$id finds only the session of the token: 404', async operation => {
  const missing = { status: 404, code: 'NOT_FOUND' }
  expect(await ask(operation, asKey(tokens.elsewhere))).toEqual(missing)
  for (const sessionId of ['elsewhere', 'lived', 'unknown'])
    expect(await ask(operation, asKey(tokens.all), sessionId), sessionId).toEqual(missing)
})

test.each(guarded)(
  '$id rejects a token that is revoked, expired or of another generation of its session: 401',
  async operation => {
    const unauthenticated = { status: 401, code: 'UNAUTHENTICATED' }
    for (const token of [tokens.revoked, tokens.expired, `${tokens.all}x`, 'wst_'])
      expect(await ask(operation, asKey(token)), token).toEqual(unauthenticated)
    expect(await ask(operation, asKey(tokens.lived), 'lived')).toEqual(unauthenticated)
  }
)

test('the operations open to tokens, and only these, answer a preflight', async () => {
  const open = new Set(forTokens.map(({ path }) => path))
  for (const { path } of operations) {
    const { headers } = await dispatch(new Request(`http://localhost:3000${path}`, { method: 'OPTIONS' }))
    expect(headers.get('vary') === 'Origin', path).toBe(open.has(path))
  }
})

test.each(guarded.filter(({ method }) => method !== 'GET'))(
  '$id rejects a cookie from another origin: 403',
  async operation => {
    expect(await ask(operation, { cookie: await cookieOf('ada'), origin: 'https://evil.example' })).toEqual({
      status: 403,
      code: 'FOREIGN_ORIGIN'
    })
  }
)

test('another workspace lists only its own data', async () => {
  const lists = { listSessions: 'sessions', listAgents: 'agents', listWaiting: 'calls' }
  for (const [id, name] of Object.entries(lists)) {
    const response = await requestEndpoint(operations.find(operation => operation.id === id)!, {
      headers: asKey(strangers.owner)
    })
    expect((await response.json())[name], id).toEqual([])
  }
})

test('the reference is valid OpenAPI 3.1 with unique operations, their path parameters and resolvable references', () => {
  const document = openapi(operations, 'http://localhost:3000')
  expect(document.openapi).toBe('3.1.0')
  const ids = new Set<string>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const described of Object.values(methods) as Array<ReturnType<typeof JSON.parse>>) {
      expect(ids.has(described.operationId)).toBe(false)
      ids.add(described.operationId)
      const inPath = described.parameters.filter((parameter: { in: string }) => parameter.in === 'path')
      expect(inPath.map(({ name }: { name: string }) => name)).toEqual(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      )
    }
  }
  expect(ids.size).toBe(operations.length)
  const text = JSON.stringify(document)
  for (const [, kind, name] of text.matchAll(/"\$ref":"#\/components\/(schemas|responses)\/(\w+)"/g))
    expect(document.components[kind as 'schemas' | 'responses']).toHaveProperty(name!)
})

test('the reference is public and describes each body as the operation accepts it', async () => {
  const response = await requestEndpoint(operations.find(({ id }) => id === 'openapi')!)
  const { paths, components } = await response.json()
  const send = paths['/api/sessions/{sessionId}/messages'].post
  expect(send.requestBody.content['application/json'].schema).toEqual({
    $ref: '#/components/schemas/SendMessageInput'
  })
  expect(Object.keys(components.schemas.SendMessageInput.properties)).toEqual([
    'text',
    'parts',
    'files',
    'key',
    'whenBusy',
    'clientTools',
    'active',
    'duration'
  ])
  // The body of an agent is a union.
  for (const body of [paths['/api/agents'].post.requestBody, paths['/api/agents/{agentId}'].put.requestBody])
    expect(body.content['application/json'].schema).toHaveProperty('$ref')
  expect(Object.keys(send.responses)).toEqual(
    expect.arrayContaining(['202', '401', '404', '409', '413', '422', '503'])
  )
})

test('a server that stops ends its streams, including idle ones', async () => {
  server.runtime.ports.follow = async function* (_key, _after, signal) {
    await new Promise(resolve => signal.addEventListener('abort', resolve))
  }
  const follow = operations.find(({ id }) => id === 'followEvents')!
  const response = await requestEndpoint(follow, { params, headers: asKey(keys.viewer) })
  const ended = response.text()
  server.closing.abort()
  expect(await ended).toContain('retry: ')
})
