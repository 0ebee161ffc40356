import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pluginRoute } from '#lib/api/plugin-route.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { forwardRoute } from '#lib/plugins/views/forward-route.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import type { RouteRequest, TestPluginOptions } from '#tests/support/fakes/plugins/start-test-plugin.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const { list, render } = pluginViewOperations
const pluginParams = { workspaceId: 'default', plugin: 'twin' }

/**
 * Starts a server whose default workspace has a plugin with these views. `seen` has the requests that reached the
 * plugin.
 */
async function withViews(options: TestPluginOptions) {
  const seen: RouteRequest[] = []
  const { route } = options
  const plugin = await serveTestPlugin({
    ...options,
    route(asked) {
      seen.push(asked)
      return route?.(asked) ?? Promise.resolve({ statusCode: 200, body: asked.body })
    }
  })
  const server = await startTestServer({
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${plugin.port}" }`)
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  return { ...server, plugin, seen }
}

const route = pluginRoute(forwardRoute)
/** Sends a request of an owner to a route of the plugin, as Next.js does. */
const call = (path: string, init: RequestInit = {}, secret = 'the-admin-key-of-every-test') =>
  route(
    new Request(`http://localhost:3000/api/v1/workspaces/default/views/twin/routes${path}`, {
      ...init,
      headers: { authorization: `Bearer ${secret}`, ...init.headers }
    }),
    pluginParams
  )

const routes = [
  { method: 'get', path: '/api/tasks' },
  { method: 'POST', path: '/api/tasks' },
  { method: 'PUT', path: '/api/tasks/{id}' },
  { method: 'DELETE', path: '/api/files/*' }
]

test("003-12: views are listed with their scope and rendered as the plugin's components, in order and with the query", async () => {
  await withViews({
    views: [
      { name: 'board', label: 'Board', icon: 'calendar', routes },
      { name: 'stats', scope: 'global' },
      { name: 'odd', scope: 'galaxy' }
    ],
    render: ({ viewName, workspaceId, params }) => `
      component "title" {
        type    = "text"
        content = "${viewName} of ${workspaceId}: ${params.tab}"
      }
      component "box" {
        type = "section"
        component "new" {
          type = "form"
          field "title" { type = "string" }
        }
        component "strange" { type = "hologram" }
      }`
  })
  expect(await callEndpoint(list, { params: pluginParams })).toEqual({
    status: 200,
    body: [
      { plugin: 'twin', name: 'board', label: 'Board', icon: 'calendar', scope: 'workspace' },
      { plugin: 'twin', name: 'stats', label: 'stats', icon: '', scope: 'global' }
    ]
  })
  const { status, body } = await callEndpoint(render, {
    params: { ...pluginParams, view: 'board' },
    query: { tab: '<b>' }
  })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      view: { name: 'board' },
      routes: [{ method: 'GET', path: '/api/tasks' }, {}, {}, {}],
      components: [
        { name: 'title', type: 'text', attributes: { content: 'board of default: <b>' } },
        {
          name: 'box',
          children: [
            { name: 'new', blocks: [{ type: 'field', labels: ['title'] }] },
            { name: 'strange', type: 'hologram' }
          ]
        }
      ]
    }
  })
  expect(await callEndpoint(render, { params: { ...pluginParams, view: 'none' } })).toMatchObject({
    status: 404
  })
})

test('003-12: HTML is not a valid view, an invalid view reports its line, and a plugin that is down returns an error', async () => {
  const { plugin } = await withViews({
    views: [{ name: 'board' }],
    render: () => '<script>alert(1)</script>'
  })
  const renderBoard = () => callEndpoint(render, { params: { ...pluginParams, view: 'board' } })
  expect(await renderBoard()).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE', error: expect.stringMatching(/\b1\b/) }
  })
  await plugin.stop()
  expect(await renderBoard()).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('unavailable') }
  })
})

test('003-13: a declared request reaches the plugin unchanged and without credentials, and its response returns unchanged and inert', async () => {
  const bytes = randomBytes(100_000)
  const { seen } = await withViews({
    views: [{ name: 'board', routes }],
    route: async ({ body }) => ({
      statusCode: 201,
      body,
      headers: {
        'Content-Type': 'text/html',
        'Set-Cookie': 'session=stolen',
        'Access-Control-Allow-Origin': '*',
        'Content-Security-Policy': 'default-src *',
        Location: 'https://evil.example',
        ETag: '"1"',
        Connection: 'close'
      }
    })
  })
  const response = await call('/api/tasks?q=a%20b&q=c&empty=', {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      cookie: 'authjs.session-token=x',
      accept: 'text/csv',
      'content-type': 'application/x-own',
      te: 'trailers'
    }
  })
  expect(response.status).toBe(201)
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/html',
    etag: '"1"',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store'
  })
  const [request] = seen
  expect(Buffer.from(request?.body ?? []).equals(bytes)).toBe(true)
  expect(request).toMatchObject({
    method: 'POST',
    path: '/api/tasks',
    headers: { accept: 'text/csv', 'content-type': 'application/x-own' },
    query: { q: 'c', empty: '' }
  })
  expect(Object.keys(request?.headers ?? {}).sort()).toEqual(['accept', 'content-type'])
})

test('22 A9: only the documented headers of a request and of a plugin’s response pass', async () => {
  const docs = await readFile('docs/plugins-grpc.md', 'utf8')
  const documented = (direction: string) => {
    const [, names = ''] = new RegExp(`\\| ${direction} the plugin \\| (.*) \\|`).exec(docs) ?? []
    return [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!)
  }
  const [toPlugin, fromPlugin] = [documented('to'), documented('from')]
  expect([toPlugin, fromPlugin]).toEqual([
    expect.arrayContaining(['accept', 'range']),
    expect.arrayContaining(['etag'])
  ])
  const withValues = (names: string[]) => Object.fromEntries(names.map(name => [name, 'text/csv']))
  const { seen } = await withViews({
    views: [{ name: 'board', routes }],
    route: async () => ({
      statusCode: 200,
      headers: {
        ...withValues(fromPlugin),
        'X-Accel-Redirect': '/internal/vault-key',
        'X-Accel-Buffering': 'no',
        'X-Sendfile': '/etc/passwd',
        'x-own': 'yes',
        'Surrogate-Control': 'max-age=60',
        'Clear-Site-Data': '"*"',
        Refresh: '0; url=https://evil.example'
      }
    })
  })
  const undocumented = [
    'x-waystation-peer',
    'x-waystation-asked',
    'cf-access-authenticated-user-email',
    'cf-connecting-ip',
    'x-auth-request-email',
    'x-forwarded-for',
    'x-own',
    'accept-encoding',
    'referer'
  ]
  const response = await call('/api/tasks', {
    headers: { ...withValues(toPlugin), ...withValues(undocumented) }
  })
  expect(seen[0]?.headers).toEqual(withValues(toPlugin))
  const addedHeaders = [
    'content-security-policy',
    'x-content-type-options',
    'x-frame-options',
    'cross-origin-resource-policy',
    'cache-control'
  ]
  expect([...response.headers.keys()].toSorted()).toEqual([...fromPlugin, ...addedHeaders].toSorted())
})

test('HEAD on a route behaves as GET, also for a viewer', async () => {
  const { seen, ctx } = await withViews({ views: [{ name: 'board', routes }] })
  const { secret } = await createKey(ctx, { name: 'viewer', role: 'viewer' })
  expect((await call('/api/tasks', { method: 'HEAD' }, secret)).status).toBe(200)
  expect(seen[0]?.method).toBe('GET')
})

test('003-13: undeclared methods and paths, and paths that resemble a declared one, are not found', async () => {
  const { seen } = await withViews({ views: [{ name: 'board', routes }] })
  const declared: [string, string][] = [
    ['GET', '/api/tasks'],
    ['PUT', '/api/tasks/7'],
    ['PUT', '/api/tasks/a%20b'],
    ['DELETE', '/api/files/a/b.txt']
  ]
  for (const [method, path] of declared) expect((await call(path, { method })).status, path).toBe(200)
  expect(seen.map(({ path }) => path)).toEqual([
    '/api/tasks',
    '/api/tasks/7',
    '/api/tasks/a b',
    '/api/files/a/b.txt'
  ])
  const undeclared: [string, string][] = [
    ['PUT', '/api/tasks'],
    ['DELETE', '/api/tasks'],
    ['GET', '/api/tasks/'],
    ['GET', '/api/Tasks'],
    ['GET', '//api/tasks'],
    ['PUT', '/api/tasks/'],
    ['PUT', '/api/tasks/7/8'],
    ['PUT', '/api/tasks/..%2f..%2fadmin'],
    ['PUT', '/api/tasks/%2e%2e'],
    ['PUT', '/api/tasks/a%00b'],
    ['PUT', '/api/tasks/a%5cb'],
    ['PUT', '/api/tasks/%ff'],
    ['DELETE', '/api/files'],
    ['DELETE', '/api/files/%2e%2e/%2e%2e/secret']
  ]
  for (const [method, path] of undeclared) expect((await call(path, { method })).status, path).toBe(404)
  expect(seen).toHaveLength(declared.length)
})

test('003-13: a body has at most 4 MiB, and a plugin that rejects, disconnects or responds with nonsense causes a readable error', async () => {
  const { ctx, plugin } = await withViews({
    views: [{ name: 'board', routes }],
    route: async () => ({ statusCode: 99 })
  })
  const body = new Uint8Array(4 * 1024 * 1024 + 1)
  expect((await call('/api/tasks', { method: 'POST', body })).status).toBe(413)
  const nonsense = await call('/api/tasks')
  expect(nonsense.status).toBe(503)
  expect(await nonsense.json()).toMatchObject({ error: expect.stringContaining('99') })
  await plugin.stop()
  expect((await call('/api/tasks')).status).toBe(503)
  const { secret } = await createKey(ctx, { name: 'viewer', role: 'viewer' })
  expect((await call('/api/tasks', { method: 'POST' }, secret)).status).toBe(403)
  expect((await call('/api/tasks', {}, 'wrong')).status).toBe(401)
})
