import { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { mergeOverlay } from '@waystation/protocol/agent/merge-overlay.ts'
import { identityOf } from '@waystation/protocol/agent/overlay-identity.ts'
import { stripOverlay } from '@waystation/protocol/agent/strip-overlay.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildKit } from '#lib/agents/overlay/build-kit.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const overlay = buildKit().playground_build_kit.agent_template_overlay
const embed = (slug: string, extra: object = {}) => ({
  '@ag.embed': { '@ag.references': { workflow: { slug } }, '@ag.selector': { path: 'parameters.tool' } },
  ...extra
})
const config = {
  model: 'demo/demo',
  instructions: 'Be brief.',
  tools: [
    { name: 'web-fetch', approval: 'ask' },
    { name: 'read_config', approval: 'ask' }
  ],
  limits: { stepsPerTurn: 5 }
}

/**
 * Generates any JSON, and lists of tools with each kind of identity: operation, embed, name, and duplicates.
 */
const slug = fc.constantFrom('__ag__request_connection', '__ag__connect_first', 'other')
const item: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.record({ name: fc.constantFrom('read_config', 'web-fetch'), approval: fc.constantFrom('ask', 'auto') }),
  fc.record({ type: fc.constant('platform'), op: fc.constantFrom('discover', 'commit'), more: fc.nat(3) }),
  fc.tuple(slug, fc.option(fc.nat(3))).map(([slug, note]) => embed(slug, note === null ? {} : { note })),
  fc.record({
    '@ag.embed': fc.jsonValue({ maxDepth: 1 }),
    op: fc.option(fc.constant('commit')),
    name: fc.constant('x')
  })
)
const values: fc.Arbitrary<unknown> = fc.letrec(tie => ({
  any: fc.oneof(
    { depthSize: 'small' },
    fc.jsonValue(),
    fc.array(fc.oneof(item, tie('any')), { maxLength: 5 }),
    fc.dictionary(fc.constantFrom('tools', 'skills', 'sandbox', 'name', '__proto__'), tie('any'), {
      maxKeys: 4
    })
  )
})).any
const overlays = fc.oneof(fc.constant<unknown>(overlay), values)

test('002-8: the build kit is merged into a copy: lists by identity, the overlay takes precedence, the order stays', () => {
  const before = structuredClone([config, overlay])
  expect(mergeOverlay(config, overlay)).toEqual({
    ...config,
    tools: [
      { name: 'web-fetch', approval: 'ask' },
      { name: 'read_config', approval: 'ask' },
      overlay.tools[0],
      { name: 'discover_connections' },
      { name: 'discover_catalog' },
      { name: 'commit_revision' }
    ],
    skills: overlay.skills
  })
  const chatConfig = { tools: [embed('__ag__request_connection', { name: 'connect', approval: 'ask' })] }
  expect((mergeOverlay(chatConfig, overlay) as typeof config).tools[0]).toEqual({
    ...embed('__ag__request_connection'),
    name: 'request_connection',
    approval: 'ask'
  })
  expect([config, overlay]).toEqual(before)
})

test('an agent with the build kit applied is a valid configuration', () => {
  const merged = mergeOverlay(ChatConfig.parse(config), overlay)
  expect(ChatConfig.parse(merged)).toEqual(merged)
})

test('the identity of an item is its operation, else its embed, else its name, else the complete item', () => {
  expect(identityOf({ op: 'commit', name: 'x', ...embed('a') })).toBe('op:commit')
  expect(identityOf(embed('a', { name: 'x' }))).toBe('workflow:a')
  expect(identityOf({ '@ag.embed': { '@ag.references': { agent: { id: 'b' } } } })).toBe('agent id:b')
  expect(identityOf({ name: 'x', '@ag.embed': {} })).toBe('name:x')
  expect(identityOf({ a: 1, b: 2 })).toBe(identityOf({ b: 2, a: 1 }))
  expect(identityOf('a')).not.toBe(identityOf({ name: 'a' }))
})

test('002-8: removing an overlay restores any base exactly, and the result shares no objects with it', () => {
  fc.assert(
    fc.property(values, overlays, (base, overlay) => {
      const before = JSON.stringify([base, overlay])
      const merged = mergeOverlay(base, overlay)
      expect(stripOverlay(merged, overlay, base)).toEqual(base)
      const containsAny = (value: unknown, candidates: Set<unknown>): boolean =>
        typeof value === 'object' &&
        value !== null &&
        (candidates.has(value) || Object.values(value).some(child => containsAny(child, candidates)))
      const parts = (value: unknown): unknown[] =>
        typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(parts)] : []
      expect(containsAny(merged, new Set(parts([base, overlay])))).toBe(false)
      expect(JSON.stringify([base, overlay])).toBe(before)
    }),
    { numRuns: 1000 }
  )
})

test('applying the build kit again changes nothing', () => {
  fc.assert(
    fc.property(values, base => {
      const mergedOnce = mergeOverlay(base, overlay)
      expect(mergeOverlay(mergedOnce, overlay)).toEqual(mergedOnce)
    })
  )
})

test('002-8: changes made on top of the build kit are preserved, and no part of the kit is', () => {
  const tools = fc.array(
    fc.oneof(
      fc.record({
        name: fc.constantFrom('web-fetch', 'read_config', 'commit_revision'),
        approval: fc.constant('ask')
      }),
      slug.map(slug => embed(slug))
    ),
    { maxLength: 4 }
  )
  fc.assert(
    fc.property(tools, fc.string(), (tools, instructions) => {
      const base = { tools, instructions: 'Before.', limits: { stepsPerTurn: 3 } }
      const merged = mergeOverlay(base, overlay) as typeof base
      const added = { name: 'added' }
      const editedChat = {
        ...merged,
        instructions,
        tools: [...merged.tools, added],
        limits: { stepsPerTurn: 9 }
      }
      expect(stripOverlay(editedChat, overlay, base)).toEqual({
        tools: [...tools, added],
        instructions,
        limits: { stepsPerTurn: 9 }
      })
    })
  )
})

test('an overlay with a duplicate item is applied twice, and removed completely', () => {
  const base = { tools: [{ name: 'a', own: 1 }] }
  const duplicates = {
    tools: [
      { name: 'a', v: 1 },
      { name: 'a', v: 2 }
    ]
  }
  const merged = mergeOverlay(base, duplicates)
  expect(merged).toEqual({ tools: [{ name: 'a', own: 1, v: 2 }] })
  expect(stripOverlay(merged, duplicates, base)).toEqual(base)
  expect(stripOverlay({ tools: [{ name: 'a', own: 3, v: 2 }] }, duplicates, base)).toEqual({
    tools: [{ name: 'a', own: 3 }]
  })
})

test('an edited tool of the overlay is not saved; an edited tool that the overlay had changed is', () => {
  const base = { tools: [{ name: 'read_config', approval: 'ask' }], sandbox: { network: false } }
  const partialOverlay = {
    tools: [{ name: 'read_config', title: 'R' }, { name: 'commit' }],
    sandbox: { files: true }
  }
  const merged = mergeOverlay(base, partialOverlay) as { tools: object[]; sandbox: object }
  const [readTool, commit] = merged.tools
  expect(
    stripOverlay(
      {
        tools: [
          { ...commit, approval: 'auto' },
          { ...readTool, deadlineSeconds: 60 }
        ],
        sandbox: { ...merged.sandbox, network: true }
      },
      partialOverlay,
      base
    )
  ).toEqual({
    tools: [{ name: 'read_config', approval: 'ask', deadlineSeconds: 60 }],
    sandbox: { network: true }
  })
})

test('002-8: GET returns an agent with the build kit beside it, and PUT accepts that body without saving the kit', async () => {
  const server = await startTestServer()
  await callEndpoint(agentOperations.create, {
    body: { agentId: 'a', displayName: 'A', chat: { instructions: 'Be brief.' } }
  })
  const params = { agentId: 'a' }
  const { body: agentBody } = await callEndpoint(agentOperations.get, { params })
  expect(agentBody.additional_context).toEqual({ playground_build_kit: { agent_template_overlay: overlay } })
  const { status, body: saved } = await callEndpoint(agentOperations.update, { params, body: agentBody })
  expect({ status, saved }).toMatchObject({ status: 200, saved: { revision: 2, chat: agentBody.chat } })
  const stored = await server.sql`
    select config::text from agents where id = 'a'
    union all select config::text from agent_revisions where agent_id = 'a'`
  expect(stored).toHaveLength(3)
  for (const { config } of stored)
    expect(config).not.toMatch(/additional_context|build_kit|request_connection/)
})

test('only a chat agent has the build kit beside it', async () => {
  await startTestServer()
  const external = { type: 'external', external: { inputUrl: 'https://acme.example/in' } }
  await callEndpoint(agentOperations.create, { body: { agentId: 'acme', displayName: 'Acme', ...external } })
  const { body } = await callEndpoint(agentOperations.get, { params: { agentId: 'acme' } })
  expect(body).not.toHaveProperty('additional_context')
})
