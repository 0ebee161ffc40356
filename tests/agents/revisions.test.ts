import { expect, test } from 'vitest'
import { seed } from '#db/seed.ts'
import { agentAt } from '#tests/support/servers/agent-at.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const helper = agentAt('helper')

test('every saved configuration is a revision that can be read forever, with its author, time, method and note', async () => {
  await startTestServer()
  await helper.create()
  await helper.put({ chat: { instructions: 'Be brief.' } })
  await helper.save({ chat: { instructions: 'Be kind.' } }, { base: 2 })
  await helper.publish({ base: 2, note: 'Kinder.' })
  expect(await helper.history()).toMatchObject([
    { revision: 3, savedBy: 'Environment key', note: 'Kinder.', source: 'edit' },
    { revision: 2, source: 'edit' },
    { revision: 1, source: 'edit' }
  ])
  expect((await helper.revision(2)).body).toMatchObject({
    revision: 2,
    config: { chat: { instructions: 'Be brief.' } },
    savedAt: expect.stringMatching(/Z$/)
  })
  expect(await helper.revision(9)).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' }
  })
  expect((await agentAt('nobody').revision(1)).status).toBe(404)
})

test('a restore publishes an earlier configuration as a new revision, and history is never rewritten', async () => {
  await startTestServer()
  await helper.create({ chat: { instructions: 'One.' } })
  await helper.put({ chat: { instructions: 'Two.' } })
  expect(await helper.restore(1, { base: 2 })).toMatchObject({
    status: 200,
    body: { revision: 3, chat: { instructions: 'One.' } }
  })
  expect(await helper.history()).toMatchObject([
    { revision: 3, source: 'restore', note: expect.stringContaining('1') },
    { revision: 2 },
    { revision: 1 }
  ])
  expect((await helper.revision(2)).body).toMatchObject({ config: { chat: { instructions: 'Two.' } } })
})

test('a restore based on an outdated revision is refused, and the error names the newer one and its author', async () => {
  await startTestServer()
  await helper.create()
  await helper.put({ chat: { instructions: 'Two.' } })
  await helper.put({ chat: { instructions: 'Three.' } })
  expect(await helper.restore(1, { base: 2 })).toMatchObject({
    status: 409,
    body: {
      code: 'CONFLICT',
      newest: { revision: 3, by: 'Environment key', at: expect.any(String) }
    }
  })
  expect(await helper.restore(3, { base: 3 })).toMatchObject({ status: 422 })
  expect(await helper.restore(7, { base: 3 })).toMatchObject({ status: 404 })
  expect(await helper.history()).toHaveLength(3)
})

test('of several restores at the same moment one succeeds, and the others get a conflict', async () => {
  await startTestServer()
  await helper.create({ chat: { instructions: 'One.' } })
  await helper.put({ chat: { instructions: 'Two.' } })
  const responses = await Promise.all(Array.from({ length: 6 }, () => helper.restore(1, { base: 2 })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  expect(await helper.history()).toHaveLength(3)
})

test('a revision of an older server that is no longer valid cannot be restored', async () => {
  const { sql } = await startTestServer()
  await helper.create()
  await sql`
    insert into agent_revisions (workspace_id, agent_id, revision, config, saved_by)
    values ('default', 'helper', 2, '{"agentId": "helper", "displayName": "Old", "type": "chat", "chat": {"tools": 7}}', 'Old')`
  await sql`update agents set revision = 3 where id = 'helper'`
  await sql`
    insert into agent_revisions (workspace_id, agent_id, revision, config, saved_by)
    select 'default', 'helper', 3, config, 'New' from agents where id = 'helper'`
  expect(await helper.restore(2, { base: 3 })).toMatchObject({
    status: 422,
    body: { code: 'INVALID_INPUT', error: expect.stringContaining('"chat.tools"') }
  })
  expect((await helper.get()).body).toMatchObject({ revision: 3 })
})

test('the database refuses to change or delete a revision as long as its workspace exists', async () => {
  const { sql } = await startTestServer()
  await helper.create()
  const rejection = { code: '23001' }
  await expect(sql`update agent_revisions set note = 'x' where agent_id = 'helper'`).rejects.toMatchObject(
    rejection
  )
  await expect(sql`delete from agent_revisions where agent_id = 'helper'`).rejects.toMatchObject(rejection)
  // A session that is pinned to a deleted agent still shows the revision it ran on.
  await sql`delete from agents where id = 'helper'`
  await sql`insert into workspaces (id, name, link_secret) values ('brief', 'Brief', 'x')`
  await sql`
    insert into agent_revisions (workspace_id, agent_id, revision, config, saved_by) values ('brief', 'b', 1, '{}', 'Ann')`
  await sql`delete from workspaces where id = 'brief'`
  await sql`delete from agent_revisions where workspace_id = 'brief'`
  expect(await sql`select from agent_revisions where workspace_id = 'brief'`).toHaveLength(0)
})

test('a diff names list items by their identity, marks added permissions, and shows a moved tool as one move', async () => {
  await startTestServer()
  await helper.create({ chat: { tools: [{ name: 'web-fetch', approval: 'ask' }, { name: 'client-info' }] } })
  const tools = [{ name: 'client-info' }, { name: 'web-fetch', approval: 'auto' }, { name: 'ask-question' }]
  await helper.put({ displayName: 'Aide', chat: { tools } })
  expect((await helper.diff({ from: '1', to: '2' })).body).toEqual({
    changes: [
      { path: ['displayName'], kind: 'changed', before: 'Helper', after: 'Aide' },
      { path: ['chat', 'tools', 'web-fetch', 'approval'], kind: 'changed', before: 'ask', after: 'auto' },
      { path: ['chat', 'tools', 'ask-question'], kind: 'added', after: { name: 'ask-question' } },
      {
        path: ['chat', 'tools'],
        kind: 'moved',
        before: ['web-fetch', 'client-info'],
        after: ['client-info', 'web-fetch']
      }
    ],
    widens: [expect.stringContaining('web-fetch'), expect.stringContaining('ask-question')]
  })
  expect((await helper.diff({ from: '2', to: '1' })).body).toMatchObject({ widens: [] })
  expect((await helper.diff({ from: '1', to: '1' })).body).toEqual({ changes: [], widens: [] })
  expect(await helper.diff({ from: '1', to: '5' })).toMatchObject({ status: 404 })
  expect(await helper.diff()).toMatchObject({
    status: 404,
    body: { code: 'NOT_FOUND' }
  })
  expect(await helper.diff({ from: 'x', to: '1' })).toMatchObject({ status: 422 })
})

test('a server that moved to another port publishes its samples again, and only then', async () => {
  const { sql, databaseUrl, env } = await startTestServer()
  const url = databaseUrl()
  const guide = agentAt('guide')
  await seed(url, { ...env, url: 'http://localhost:4999' })
  await seed(url, { ...env, url: 'http://localhost:4999' })
  expect(await guide.history()).toMatchObject([
    { revision: 2, savedBy: 'Waystation', note: 'The samples moved with the server.' },
    { revision: 1 }
  ])
  const [newest] = await sql`
    select a.config = r.config as same, r.config::text like '%localhost:4999/samples%' as moved
    from agents a join agent_revisions r on r.agent_id = a.id and r.revision = a.revision where a.id = 'guide'`
  expect(newest).toEqual({ same: true, moved: true })
})
