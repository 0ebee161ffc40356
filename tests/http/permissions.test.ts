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
import { AgentConfig } from '#lib/protocol/agent/agent.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { requestEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { withHouse } from '#tests/support/worlds/house.ts'
import { signInCookie } from '#tests/support/worlds/sign-in-cookie.ts'

// Each call is asked with wrong credentials, all from one address.
const opened = withHouse({ WAYSTATION_LIMIT_UNAUTHENTICATED: '0' })
const guarded = operations.filter(operation => operation.actor === 'user')
const roles: Role[] = ['viewer', 'operator', 'editor', 'owner']
const keys = {} as Record<Role | 'stranger', string>
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
  slug: '__ag__build_kit',
  revision: '1',
  wiki: 'notes',
  server: 'none',
  plugin: 'none',
  workspaceId: 'default',
  field: 'none',
  view: 'none'
}

/** A body that fits, for the calls that need one. */
const bodies: Record<string, unknown> = {
  createSession: { agentId: 'helper', sessionId: 'mine' },
  deleteSession: { sessionId: 'mine' },
  renameSession: { title: 'x' },
  sendMessage: { text: 'hi', whenBusy: 'queue' },
  sendOutOfBand: { content: 'hi' },
  resendMessage: { messageId: 'message' },
  answerCall: { approved: true },
  reviewProposal: { input: {} },
  extendCall: { seconds: 60 },
  createAgent: { agentId: 'made', displayName: 'Made' },
  updateAgent: { agentId: 'helper', displayName: 'Changed' },
  saveAgentDraft: { config: { agentId: 'helper', displayName: 'Drafted' }, base: 1 },
  publishAgent: { base: 1 },
  restoreAgentRevision: { base: 1 },
  pinRevision: { revision: 1 },
  handSession: { agentId: 'guide' },
  layOverlay: { overlay: null },
  createKey: { name: 'k' },
  createToken: { subject: 'ada', scopes: ['read'] },
  updateWorkspace: { allowedOrigins: [] },
  createWebhook: { url: 'https://acme.example/hook' },
  beginConnect: { integration: 'unknown' },
  saveIntegration: {
    config: { service: 'S', apiBase: 'https://s.example', oauth: { issuer: 'https://s.example' } }
  },
  acceptMcpTool: { tool: 'echo', digest: '0'.repeat(64) },
  createInvite: { role: 'viewer' },
  changeRole: { role: 'viewer' },
  createWiki: { name: 'notes' },
  savePluginSettings: { settings: {} },
  renderWikitext: { text: 'x' }
}

/** What those calls need in their query that do not do without. */
const queries: Record<string, Record<string, string>> = {
  readTiddler: { title: 'Home' },
  uploadFile: { name: 'a.txt' }
}

/**
 * What a session token may do: the scope it needs, or never, whatever its scopes. A call that is not here fails below:
 * whoever adds one says which it is.
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
  setOobPolicy: 'never',
  cancelTurn: 'send',
  retryTurn: 'send',
  rerunTurn: 'send',
  removeTurn: 'never',
  branchSession: 'never',
  answerCall: 'answer',
  reviewProposal: 'answer',
  extendCall: 'answer',
  connectCall: 'answer',
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
  listHostedPlugins: 'never',
  getHostedPlugin: 'never',
  restartHostedPlugin: 'never',
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
  getContext: 'never',
  listPrompts: 'never',
  getPrompt: 'never',
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
  listTokens: 'never',
  listTools: 'never',
  listPlugins: 'never',
  listWaiting: 'never',
  metrics: 'never',
  redeliver: 'never',
  removeMember: 'never',
  renameSession: 'never',
  revokeInvite: 'never',
  revokeKey: 'never',
  rotateLinkSecret: 'never',
  rotateSecret: 'never',
  revokeToken: 'never',
  updateAgent: 'never',
  updateWorkspace: 'never',
  renderWikitext: 'read',
  listWikis: 'never',
  createWiki: 'never',
  getWiki: 'never',
  deleteWiki: 'never',
  listTiddlers: 'never',
  readTiddler: 'never',
  importWiki: 'never',
  exportWiki: 'never'
}
const subjectScopes: SubjectScope[] = ['read', 'send', 'answer']
const tokens = {} as Record<SubjectScope | 'all' | 'elsewhere' | 'revoked' | 'expired' | 'lived', string>

const bodyOf = ({ id, method }: Operation, sessionId = params.sessionId) => {
  if (method === 'GET' || method === 'DELETE') return undefined
  const said = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'hi' }] }
  return id === 'postChat' ? { id: sessionId, messages: [said] } : (bodies[id] ?? {})
}

beforeAll(async () => {
  const owner = (workspaceId: string) => ctxFor({ kind: 'system', name: 'test', workspaceId })
  await createAgent(owner('default'), AgentConfig.parse({ agentId: 'helper', displayName: 'Helper' }))
  await createSession(owner('default'), { agentId: 'helper', sessionId: 'mine' })
  for (const role of roles) keys[role] = (await createKey(owner('default'), { name: role, role })).secret
  const stranger = await createKey(owner('other'), { name: 'stranger', role: 'owner' })
  keys.stranger = stranger.secret
  params.keyId = (await createKey(owner('default'), { name: 'theirs', role: 'viewer' })).key.id

  const of = (scopes: SubjectScope[], sessionId = 'mine') =>
    createToken(owner('default'), { sessionId, subject: 'ada', scopes, ttlSeconds: 3600 })
  for (const sessionId of ['elsewhere', 'lived'])
    await createSession(owner('default'), { agentId: 'helper', sessionId })
  tokens.elsewhere = (await of(subjectScopes, 'elsewhere')).token
  tokens.lived = (await of(subjectScopes, 'lived')).token
  await deleteSession(owner('default'), { sessionId: 'lived' })
  await createSession(owner('default'), { agentId: 'helper', sessionId: 'lived' })
  for (const scope of subjectScopes) tokens[scope] = (await of([scope])).token
  tokens.all = (await of(subjectScopes)).token
  const [revoked, expired] = [await of(subjectScopes), await of(subjectScopes)]
  params.tokenId = revoked.tokenId
  await revokeToken(owner('default'), { sessionId: 'mine', tokenId: revoked.tokenId })
  await opened.house.sql`
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

/** The cookie of a person who is signed in and owns the workspace. */
async function cookieOf(userId: string): Promise<string> {
  await opened.house.db.insert(users).values({ id: userId, name: userId }).onConflictDoNothing()
  await opened.house.db
    .insert(members)
    .values({ workspaceId: 'default', userId, role: 'owner' })
    .onConflictDoNothing()
  return signInCookie(opened.house, userId)
}

test('every operation has one endpoint, and every other endpoint is a known page or program address', async () => {
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

test('an unknown address of the API is 404, an unknown method of a known one 405, and other addresses are left to Next', async () => {
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

test.each(guarded)('$id refuses nobody and a wrong key alike: 401', async operation => {
  expect(await ask(operation, {})).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
  expect(await ask(operation, asKey('way_wrong'))).toEqual({ status: 401, code: 'UNAUTHENTICATED' })
})

test.each(guarded)('$id refuses every role that does not cover it: 403', async operation => {
  const { scope } = operation as { scope: Scope }
  for (const role of roles.filter(role => !may(role, scope)))
    expect(await ask(operation, asKey(keys[role])), role).toEqual({ status: 403, code: 'FORBIDDEN' })
})

test.each(guarded.filter(({ method }) => !['GET', 'DELETE'].includes(method)))(
  '22 A1: $id judges credential, origin and role before it reads a body that is nonsense',
  async operation => {
    const { scope } = operation as { scope: Scope }
    const nonsense = '{"'.repeat(1000)
    const answer = (headers: Record<string, string>) => ask(operation, headers, undefined, nonsense)
    expect(await answer({})).toMatchObject({ status: 401 })
    for (const role of roles.filter(role => !may(role, scope)))
      expect(await answer(asKey(keys[role])), role).toMatchObject({ status: 403, code: 'FORBIDDEN' })
    expect(await answer({ cookie: await cookieOf('ada'), origin: 'https://evil.example' })).toMatchObject({
      status: 403,
      code: 'FOREIGN_ORIGIN'
    })
  }
)

/**
 * Deleting nobody is done at once, in whatever workspace: tests/features/data/subjects.test.ts holds that it touches no other. The
 * catalogue is the server's own, the same for every workspace. What is saved under a new name is one's own.
 */
const finds = ({ id, path }: Operation) =>
  (path.includes('{') || path.endsWith('delete')) &&
  !['deleteSubject', 'getCatalogueEntry', 'saveIntegration'].includes(id)

test.each(guarded.filter(finds))(
  '$id does not find what belongs to another workspace: 404',
  async operation => {
    expect(await ask(operation, asKey(keys.stranger))).toEqual({ status: 404, code: 'NOT_FOUND' })
  }
)

test('what a session token may do is said of every call', () => {
  expect(guarded.map(({ id }) => id).sort()).toEqual(Object.keys(byToken).sort())
})

const forTokens = guarded.filter(({ id }) => (byToken[id] ?? 'never') !== 'never')
const scopesFor = ({ id }: Operation) => (byToken[id] ?? '').split(' ') as SubjectScope[]
const notForTokens = guarded.filter(({ id }) => (byToken[id] ?? 'never') === 'never')

test.each(notForTokens)('$id is not for session tokens, whatever their scopes: 403', async operation => {
  const refused = { status: 403, code: 'FORBIDDEN' }
  expect(await ask(operation, asKey(tokens.all))).toEqual(refused)
  expect(await ask(operation, asKey(tokens.elsewhere))).toEqual(refused)
})

test.each(forTokens)('$id answers a token of its session and scope as it would an owner', async operation => {
  const needed = scopesFor(operation)
  const owners = await ask(operation, asKey(keys.owner))
  expect([401, 403]).not.toContain(owners.status)
  for (const scope of needed.length === 1 ? needed : [])
    expect(await ask(operation, asKey(tokens[scope]))).toEqual(owners)
  expect(await ask(operation, asKey(tokens.all))).toEqual(owners)
})

test.each(forTokens)('$id refuses a token without its scope: 403', async operation => {
  const needed = scopesFor(operation)
  for (const scope of subjectScopes.filter(scope => needed.some(one => one !== scope)))
    expect(await ask(operation, asKey(tokens[scope])), scope).toEqual({ status: 403, code: 'FORBIDDEN' })
})

test.each(forTokens)('$id finds no session but the one of the token: 404', async operation => {
  const missing = { status: 404, code: 'NOT_FOUND' }
  expect(await ask(operation, asKey(tokens.elsewhere))).toEqual(missing)
  for (const sessionId of ['elsewhere', 'lived', 'unknown'])
    expect(await ask(operation, asKey(tokens.all), sessionId), sessionId).toEqual(missing)
})

test.each(guarded)(
  '$id refuses a token that was revoked, has run out, or is of another life of its session: 401',
  async operation => {
    const nobody = { status: 401, code: 'UNAUTHENTICATED' }
    for (const token of [tokens.revoked, tokens.expired, `${tokens.all}x`, 'wst_'])
      expect(await ask(operation, asKey(token)), token).toEqual(nobody)
    expect(await ask(operation, asKey(tokens.lived), 'lived')).toEqual(nobody)
  }
)

test('the calls that tokens open, and no others, answer a preflight', async () => {
  const open = new Set(forTokens.map(({ path }) => path))
  for (const { path } of operations) {
    const { headers } = await dispatch(new Request(`http://localhost:3000${path}`, { method: 'OPTIONS' }))
    expect(headers.get('vary') === 'Origin', path).toBe(open.has(path))
  }
})

test.each(guarded.filter(({ method }) => method !== 'GET'))(
  '$id refuses a cookie from elsewhere: 403',
  async operation => {
    expect(await ask(operation, { cookie: await cookieOf('ada'), origin: 'https://evil.example' })).toEqual({
      status: 403,
      code: 'FOREIGN_ORIGIN'
    })
  }
)

test('what another workspace lists is its own', async () => {
  const lists = { listSessions: 'sessions', listAgents: 'agents', listWaiting: 'calls' }
  for (const [id, name] of Object.entries(lists)) {
    const response = await requestEndpoint(operations.find(operation => operation.id === id)!, {
      headers: asKey(keys.stranger)
    })
    expect((await response.json())[name], id).toEqual([])
  }
})

test('the reference is OpenAPI 3.1: every call once, its parameters in its path, every reference resolvable', () => {
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
  for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
    expect(document.components.schemas).toHaveProperty(name!)
})

test('the reference is open to anybody, and describes a body as the call takes it', async () => {
  const response = await requestEndpoint(operations.find(({ id }) => id === 'openapi')!)
  const { paths } = await response.json()
  const send = paths['/api/sessions/{sessionId}/messages'].post
  const schema = send.requestBody.content['application/json'].schema
  expect(Object.keys(schema.properties)).toEqual([
    'text',
    'parts',
    'files',
    'key',
    'whenBusy',
    'clientTools',
    'active',
    'duration'
  ])
  expect(Object.keys(send.responses)).toEqual(
    expect.arrayContaining(['202', '401', '404', '409', '413', '422', '503'])
  )
})

test('a server that stops ends its streams, silent ones too', async () => {
  opened.house.ports.follow = async function* (_key, _after, signal) {
    await new Promise(resolve => signal.addEventListener('abort', resolve))
  }
  const follow = operations.find(({ id }) => id === 'followEvents')!
  const response = await requestEndpoint(follow, { params, headers: asKey(keys.viewer) })
  const ended = response.text()
  opened.closing.abort()
  expect(await ended).toContain('retry: ')
})
