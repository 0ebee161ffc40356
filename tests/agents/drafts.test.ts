import { expect, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { agentAt } from '#tests/support/worlds/agent-at.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

const helper = agentAt('helper')
const saying = (instructions: string) => ({ chat: { instructions } })

test('a draft is kept beside what is published, and publishing it makes the next revision', async () => {
  await testWorld()
  await helper.create(saying('One.'))
  expect((await helper.draft()).body).toEqual({ draft: null, version: 0, revision: 1 })
  expect(await helper.save(saying('Two.'), { base: 1, version: 0 })).toMatchObject({
    status: 200,
    body: { draft: { base: 1, version: 1, savedBy: 'Environment key' }, version: 1, revision: 1 }
  })
  expect((await helper.get()).body).toMatchObject({ revision: 1, ...saying('One.') })
  expect((await helper.diff()).body).toEqual({
    changes: [{ path: ['chat', 'instructions'], kind: 'changed', before: 'One.', after: 'Two.' }],
    widens: []
  })
  expect(await helper.publish({ base: 1, version: 1 })).toMatchObject({
    status: 200,
    body: { revision: 2, ...saying('Two.') }
  })
  expect((await helper.draft()).body).toEqual({ draft: null, version: 2, revision: 2 })
  expect(await helper.publish({ base: 2 })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('of two tabs the second is told that the first saved, with the newest version; nothing is lost', async () => {
  await testWorld()
  await helper.create(saying('One.'))
  await helper.save(saying('First tab.'), { base: 1, version: 0 })
  const second = await helper.save(saying('Second tab.'), { base: 1, version: 0 })
  expect(second).toMatchObject({
    status: 409,
    body: {
      code: 'CONFLICT',
      newest: { version: 1, by: 'Environment key' }
    }
  })
  expect((await helper.draft()).body).toMatchObject({ draft: { config: saying('First tab.') } })
  // Whoever looked at version 0 publishes nothing else, and discards nothing else.
  expect(await helper.publish({ base: 1, version: 0 })).toMatchObject({ status: 409 })
  expect(await helper.discard(0)).toMatchObject({ status: 409 })
  // Without a version it is replaced unseen.
  expect(await helper.save(saying('By force.'), { base: 1 })).toMatchObject({ body: { version: 2 } })
})

test('a tab that still has a draft which was published or discarded is told so', async () => {
  await testWorld()
  await helper.create(saying('One.'))
  await helper.save(saying('Two.'), { base: 1, version: 0 })
  expect(await helper.discard(1)).toMatchObject({ status: 200, body: { draft: null, version: 2 } })
  expect(await helper.discard()).toMatchObject({ status: 200, body: { draft: null, version: 2 } })
  expect(await helper.save(saying('Two again.'), { base: 1, version: 1 })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT' }
  })
})

test('of saves at the same moment one counts, and the others are told', async () => {
  await testWorld()
  await helper.create()
  const saves = Array.from({ length: 6 }, (_, n) => helper.save(saying(`${n}`), { base: 1, version: 0 }))
  const came = await Promise.all(saves)
  expect(came.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect((await helper.draft()).body).toMatchObject({ version: 1 })
})

test('a draft over a revision that is not published any more is not published: who did what, and how to go on', async () => {
  const { ctx } = await testWorld()
  await helper.create(saying('One.'))
  await helper.save(saying('Mine.'), { base: 1, version: 0 })
  const { secret } = await createKey(ctx, { name: 'Bob', role: 'editor' })
  await helper.put({ displayName: 'Theirs' }, secret)
  const refused = await helper.publish({ base: 1, version: 1 })
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', newest: { revision: 2, by: 'Bob' } }
  })
  expect(refused.body.error).toContain('GET /api/agents/helper/diff?from=1&to=2')
  // To say another base does not make it one.
  expect(await helper.publish({ base: 2, version: 1 })).toMatchObject({ status: 409 })
  expect((await helper.draft()).body).toMatchObject({ draft: { config: saying('Mine.'), base: 1 } })

  await helper.save({ displayName: 'Theirs', ...saying('Mine.') }, { base: 2, version: 1 })
  expect(await helper.publish({ base: 2, version: 2 })).toMatchObject({
    status: 200,
    body: { revision: 3, displayName: 'Theirs', ...saying('Mine.') }
  })
})

test('of publishers at the same moment one counts', async () => {
  await testWorld()
  await helper.create()
  await helper.save(saying('Two.'), { base: 1, version: 0 })
  const came = await Promise.all(Array.from({ length: 6 }, () => helper.publish({ base: 1, version: 1 })))
  expect(came.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect(await helper.history()).toHaveLength(2)
})

test('a draft is judged as a configuration is: its ID, its type, its base and its fields', async () => {
  await testWorld()
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

test('who may look at agents sees a draft, and neither saves nor publishes it', async () => {
  const { ctx } = await testWorld()
  await helper.create()
  await helper.save(saying('Two.'), { base: 1 })
  const { secret } = await createKey(ctx, { name: 'Looker', role: 'operator' })
  expect(await helper.publish({ base: 1 }, secret)).toMatchObject({ status: 403 })
  expect(await helper.history()).toHaveLength(1)
})
