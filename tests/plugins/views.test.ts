import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pluginRoute } from '#lib/api/plugin-route.ts'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { pluginViewOperations } from '#lib/http/operations/plugin-views.ts'
import { passRoute } from '#lib/plugins/views/pass-route.ts'
import type { RouteAsked, TwinOptions } from '#tests/support/fakes/plugins/start-twin.ts'
import { serveTwin } from '#tests/support/fakes/plugins/twin.ts'
import { callEndpoint } from '#tests/support/worlds/call-endpoint.ts'
import { workspaceFolder } from '#tests/support/worlds/workspace-folder.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const { list, render } = pluginViewOperations
const place = { workspaceId: 'default', plugin: 'twin' }

/** A server whose default workspace has a plugin that shows this; `seen`: the requests that reached it. */
async function withViews(options: TwinOptions) {
  const seen: RouteAsked[] = []
  const { route } = options
  const twin = await serveTwin({
    ...options,
    route(asked) {
      seen.push(asked)
      return route?.(asked) ?? Promise.resolve({ statusCode: 200, body: asked.body })
    }
  })
  const world = await testWorld({
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`plugin "twin" { source = "remote://127.0.0.1:${twin.port}" }`)
    }
  })
  await world.ctx.ports.plugins?.settled('default', 20_000)
  return { ...world, twin, seen }
}

const route = pluginRoute(passRoute)
/** A request of an owner to a route of the plugin, as Next would bring it. */
const call = (path: string, init: RequestInit = {}, secret = 'the-admin-key-of-every-test') =>
  route(
    new Request(`http://localhost:3000/api/v1/workspaces/default/views/twin/routes${path}`, {
      ...init,
      headers: { authorization: `Bearer ${secret}`, ...init.headers }
    }),
    place
  )

const routes = [
  { method: 'get', path: '/api/tasks' },
  { method: 'POST', path: '/api/tasks' },
  { method: 'PUT', path: '/api/tasks/{id}' },
  { method: 'DELETE', path: '/api/files/*' }
]

test('003-12: views are listed with their scope, and come as the components that the plugin wrote, in their order, with the query', async () => {
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
  expect(await callEndpoint(list, { params: place })).toEqual({
    status: 200,
    body: [
      { plugin: 'twin', name: 'board', label: 'Board', icon: 'calendar', scope: 'workspace' },
      { plugin: 'twin', name: 'stats', label: 'stats', icon: '', scope: 'global' }
    ]
  })
  const { status, body } = await callEndpoint(render, {
    params: { ...place, view: 'board' },
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
  expect(await callEndpoint(render, { params: { ...place, view: 'none' } })).toMatchObject({ status: 404 })
})

test('003-12: HTML is no view, and a view that cannot be read says at which line; a plugin that is gone says so', async () => {
  const { twin } = await withViews({
    views: [{ name: 'board' }],
    render: () => '<script>alert(1)</script>'
  })
  const shown = () => callEndpoint(render, { params: { ...place, view: 'board' } })
  expect(await shown()).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE', error: expect.stringMatching(/\b1\b/) }
  })
  await twin.stop()
  expect(await shown()).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('unavailable') }
  })
})

test('003-13: a declared request reaches the plugin byte for byte, without credentials, and its answer comes back the same, inert', async () => {
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
  const answer = await call('/api/tasks?q=a%20b&q=c&empty=', {
    method: 'POST',
    body: new Uint8Array(bytes),
    headers: {
      cookie: 'authjs.session-token=x',
      accept: 'text/csv',
      'content-type': 'application/x-own',
      te: 'trailers'
    }
  })
  expect(answer.status).toBe(201)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'text/html',
    etag: '"1"',
    'content-security-policy': expect.stringContaining('sandbox'),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store'
  })
  const [asked] = seen
  expect(Buffer.from(asked?.body ?? []).equals(bytes)).toBe(true)
  expect(asked).toMatchObject({
    method: 'POST',
    path: '/api/tasks',
    headers: { accept: 'text/csv', 'content-type': 'application/x-own' },
    query: { q: 'c', empty: '' }
  })
  expect(Object.keys(asked?.headers ?? {}).sort()).toEqual(['accept', 'content-type'])
})

test('22 A9: of a request and of a plugin’s response only the documented headers pass', async () => {
  const docs = await readFile('docs/plugins-grpc.md', 'utf8')
  const documented = (direction: string) => {
    const [, names = ''] = new RegExp(`\\| ${direction} the plugin \\| (.*) \\|`).exec(docs) ?? []
    return [...names.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!)
  }
  const [to, from] = [documented('to'), documented('from')]
  expect([to, from]).toEqual([expect.arrayContaining(['accept', 'range']), expect.arrayContaining(['etag'])])
  const valued = (names: string[]) => Object.fromEntries(names.map(name => [name, 'text/csv']))
  const { seen } = await withViews({
    views: [{ name: 'board', routes }],
    route: async () => ({
      statusCode: 200,
      headers: {
        ...valued(from),
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
  const strange = [
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
  const answer = await call('/api/tasks', { headers: { ...valued(to), ...valued(strange) } })
  expect(seen[0]?.headers).toEqual(valued(to))
  const own = [
    'content-security-policy',
    'x-content-type-options',
    'x-frame-options',
    'cross-origin-resource-policy',
    'cache-control'
  ]
  expect([...answer.headers.keys()].toSorted()).toEqual([...from, ...own].toSorted())
})

test('HEAD of a route is answered as GET is, also for a viewer', async () => {
  const { seen, ctx } = await withViews({ views: [{ name: 'board', routes }] })
  const { secret } = await createKey(ctx, { name: 'viewer', role: 'viewer' })
  expect((await call('/api/tasks', { method: 'HEAD' }, secret)).status).toBe(200)
  expect(seen[0]?.method).toBe('GET')
})

test('003-13: what no view declares is not there: another method, another path, and paths that only look like a declared one', async () => {
  const { seen } = await withViews({ views: [{ name: 'board', routes }] })
  const fine: [string, string][] = [
    ['GET', '/api/tasks'],
    ['PUT', '/api/tasks/7'],
    ['PUT', '/api/tasks/a%20b'],
    ['DELETE', '/api/files/a/b.txt']
  ]
  for (const [method, path] of fine) expect((await call(path, { method })).status, path).toBe(200)
  expect(seen.map(({ path }) => path)).toEqual([
    '/api/tasks',
    '/api/tasks/7',
    '/api/tasks/a b',
    '/api/files/a/b.txt'
  ])
  const strange: [string, string][] = [
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
  for (const [method, path] of strange) expect((await call(path, { method })).status, path).toBe(404)
  expect(seen).toHaveLength(fine.length)
})

test('003-13: bodies have 4 MiB at most; a plugin that refuses, hangs up or answers nonsense is an answer in words', async () => {
  const { ctx, twin } = await withViews({
    views: [{ name: 'board', routes }],
    route: async () => ({ statusCode: 99 })
  })
  const body = new Uint8Array(4 * 1024 * 1024 + 1)
  expect((await call('/api/tasks', { method: 'POST', body })).status).toBe(413)
  const nonsense = await call('/api/tasks')
  expect(nonsense.status).toBe(503)
  expect(await nonsense.json()).toMatchObject({ error: expect.stringContaining('99') })
  await twin.stop()
  expect((await call('/api/tasks')).status).toBe(503)
  const { secret } = await createKey(ctx, { name: 'viewer', role: 'viewer' })
  expect((await call('/api/tasks', { method: 'POST' }, secret)).status).toBe(403)
  expect((await call('/api/tasks', {}, 'wrong')).status).toBe(401)
})
