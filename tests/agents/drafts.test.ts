import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')
const chatWith = (instructions: string) => ({ chat: { instructions } })

test('a draft is stored separately from the published revision, and publishing it creates the next revision', async () => {
  await startTestServer()
  await helper.create(chatWith('One.'))
  expect((await helper.draft()).body).toEqual({ draft: null, version: 0, revision: 1 })
  expect(await helper.save(chatWith('Two.'), { base: 1, version: 0 })).toMatchObject({
    status: 200,
    body: { draft: { base: 1, version: 1, savedBy: 'Environment key' }, version: 1, revision: 1 }
  })
  expect((await helper.get()).body).toMatchObject({ revision: 1, ...chatWith('One.') })
  expect((await helper.diff()).body).toEqual({
    changes: [{ path: ['chat', 'instructions'], kind: 'changed', before: 'One.', after: 'Two.' }],
    widens: []
  })
  expect(await helper.publish({ base: 1, version: 1 })).toMatchObject({
    status: 200,
    body: { revision: 2, ...chatWith('Two.') }
  })
  expect((await helper.draft()).body).toEqual({ draft: null, version: 2, revision: 2 })
  expect(await helper.publish({ base: 2 })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('the second of two tabs gets a conflict with the newest version, and nothing is lost', async () => {
  await startTestServer()
  await helper.create(chatWith('One.'))
  await helper.save(chatWith('First tab.'), { base: 1, version: 0 })
  const second = await helper.save(chatWith('Second tab.'), { base: 1, version: 0 })
  expect(second).toMatchObject({
    status: 409,
    body: {
      code: 'CONFLICT',
      newest: { version: 1, by: 'Environment key' }
    }
  })
  expect((await helper.draft()).body).toMatchObject({ draft: { config: chatWith('First tab.') } })
  // A client that saw version 0 can publish or discard no other version.
  expect(await helper.publish({ base: 1, version: 0 })).toMatchObject({ status: 409 })
  expect(await helper.discard(0)).toMatchObject({ status: 409 })
  // Without a version the draft is replaced unseen.
  expect(await helper.save(chatWith('By force.'), { base: 1 })).toMatchObject({ body: { version: 2 } })
})

test('a tab whose draft was published or discarded elsewhere gets a conflict', async () => {
  await startTestServer()
  await helper.create(chatWith('One.'))
  await helper.save(chatWith('Two.'), { base: 1, version: 0 })
  expect(await helper.discard(1)).toMatchObject({ status: 200, body: { draft: null, version: 2 } })
  expect(await helper.discard()).toMatchObject({ status: 200, body: { draft: null, version: 2 } })
  expect(await helper.save(chatWith('Two again.'), { base: 1, version: 1 })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
})

test('of several saves at the same moment one succeeds, and the others get a conflict', async () => {
  await startTestServer()
  await helper.create()
  const saving = Array.from({ length: 6 }, (_, n) => helper.save(chatWith(`${n}`), { base: 1, version: 0 }))
  const responses = await Promise.all(saving)
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect((await helper.draft()).body).toMatchObject({ version: 1 })
})

test('a draft based on an older revision is not published; the error says who published and how to continue', async () => {
  const { ctx } = await startTestServer()
  await helper.create(chatWith('One.'))
  await helper.save(chatWith('Mine.'), { base: 1, version: 0 })
  const { secret } = await createKey(ctx, { name: 'Bob', role: 'editor' })
  await helper.put({ displayName: 'Theirs' }, secret)
  const rejected = await helper.publish({ base: 1, version: 1 })
  expect(rejected).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', newest: { revision: 2, by: 'Bob' } }
  })
  expect(rejected.body.error).toContain('GET /api/agents/helper/diff?from=1&to=2')
  // Naming another base does not change the base of the draft.
  expect(await helper.publish({ base: 2, version: 1 })).toMatchObject({ status: 409 })
  expect((await helper.draft()).body).toMatchObject({ draft: { config: chatWith('Mine.'), base: 1 } })

  await helper.save({ displayName: 'Theirs', ...chatWith('Mine.') }, { base: 2, version: 1 })
  expect(await helper.publish({ base: 2, version: 2 })).toMatchObject({
    status: 200,
    body: { revision: 3, displayName: 'Theirs', ...chatWith('Mine.') }
  })
})

test('of several publications at the same moment one succeeds', async () => {
  await startTestServer()
  await helper.create()
  await helper.save(chatWith('Two.'), { base: 1, version: 0 })
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => helper.publish({ base: 1, version: 1 }))
  )
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect(await helper.history()).toHaveLength(2)
})

test('a draft that names things that do not exist is saved and published, with a warning for each', async () => {
  const server = await startTestServer()
  await helper.create(chatWith('One.'))
  await agentAt('porter').create()
  await server.sql`
    insert into workspace_plugins
      (workspace_id, name, source, fail_closed, disabled, version, capabilities, digest, added_by, added_at, changed_at)
    values ('default', 'rates', 'remote://127.0.0.1:9', false, true, '1', '[]', '', 'Ada', now(), now())`
  const chat = {
    handler: 'desk/opening',
    plugins: [{ name: 'unknown-rules' }],
    handoffs: ['porter', 'gone'],
    tools: [
      { name: 'web-fetch' },
      { name: 'fly' },
      { plugin: 'weather' },
      { plugin: 'rates' },
      { plugin: '*' },
      { name: 'spawn-agent', agents: ['gone', 'porter'] }
    ]
  }
  const fields = [
    'chat.handler',
    'chat.tools.1.name',
    'chat.plugins.0.name',
    'chat.tools.2.plugin',
    'chat.handoffs.1',
    'chat.tools.5.agents.0'
  ]
  const warnings = fields.map(field => ({ field, message: expect.stringMatching(/\.$/) }))
  expect(await helper.save({ chat }, { base: 1 })).toMatchObject({ status: 200, body: { warnings } })
  expect((await helper.diff()).body).toMatchObject({ warnings })
  expect(await helper.publish({ base: 1 })).toMatchObject({ status: 200 })

  const own = await helper.save({ chat: { handoffs: ['helper'] } }, { base: 2 })
  expect(own.body).toMatchObject({ warnings: [{ field: 'chat.handoffs.0' }] })
  const { body } = await helper.save({ chat: { model: 'plugin:weather/large' } }, { base: 2 })
  expect(body.warnings).toEqual([{ field: 'chat.model', message: expect.stringContaining('weather') }])
  const fixed = await helper.save({ chat: { model: 'plugin:rates/large' } }, { base: 2 })
  expect(fixed.body).not.toHaveProperty('warnings')
  expect((await helper.diff()).body).not.toHaveProperty('warnings')
})

test('a new model that no provider offers is a warning in a draft, and is refused when it is published', async () => {
  await startTestServer()
  const unknown = { chat: { model: 'acme/large', instructions: 'One.' } }
  const refuses = {
    status: 422,
    body: { code: 'INVALID_INPUT', fields: { 'chat.model': expect.any(String) } }
  }
  expect(await helper.create(unknown)).toMatchObject(refuses)
  await helper.create(chatWith('One.'))
  expect(await helper.save(unknown, { base: 1 })).toMatchObject({
    status: 200,
    body: { warnings: [{ field: 'chat.model' }] }
  })
  expect(await helper.publish({ base: 1 })).toMatchObject(refuses)
  expect((await helper.draft()).body).toMatchObject({ revision: 1, draft: { config: unknown } })
  // Any name is fine at a provider that is set up, and a plugin can get the model later.
  for (const [base, model] of [
    [1, 'demo/anything'],
    [2, 'plugin:weather/large']
  ] as const) {
    await helper.save({ chat: { model } }, { base })
    expect(await helper.publish({ base })).toMatchObject({ status: 200 })
  }
})

test('a draft is validated like a configuration: its ID, its type, its base and its fields', async () => {
  await startTestServer()
  await helper.create()
  const external = { type: 'external', external: { inputUrl: 'https://acme.example' } }
  expect(await helper.save({ agentId: 'other' }, { base: 1 })).toMatchObject({
    status: 422,
    body: { fields: { 'config.agentId': 'must be helper' } }
  })
  expect(await helper.save(external, { base: 1 })).toMatchObject({
    status: 422,
    body: { fields: { 'config.type': 'must be chat' } }
  })
  expect(await helper.save({}, { base: 2 })).toMatchObject({
    status: 422,
    body: { fields: { base: 'must be 1 or less' } }
  })
  expect(await helper.save({ chat: { limits: { stepsPerTurn: 0 } } }, { base: 1 })).toMatchObject({
    status: 422,
    body: { fields: { 'config.chat.limits.stepsPerTurn': expect.any(String) } }
  })
  expect((await agentAt('nobody').save({}, { base: 1 })).status).toBe(404)
  expect((await helper.draft()).body).toMatchObject({ draft: null })
})

test('viewers of agents see a draft, but cannot save or publish it', async () => {
  const { ctx } = await startTestServer()
  await helper.create()
  await helper.save(chatWith('Two.'), { base: 1 })
  const { secret } = await createKey(ctx, { name: 'Looker', role: 'operator' })
  expect(await helper.publish({ base: 1 }, secret)).toMatchObject({ status: 403 })
  expect(await helper.history()).toHaveLength(1)
})
