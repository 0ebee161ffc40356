import type { Call } from '@waystation/protocol/call/call.ts'
import type { ToolRules } from '@waystation/protocol/call/tool-rules.ts'
import type { Tiddler } from '@waystation/protocol/wiki/wiki.ts'
import { type WikiChange, wikiChangeLimits } from '@waystation/protocol/wiki/wiki-change.ts'
import type { WikiChanged } from '@waystation/protocol/wiki/wiki-changed.ts'
import { expect, onTestFinished, test } from 'vitest'
import { createKey } from '#lib/auth/keys/create-key.ts'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { externalOperations } from '#lib/http/operations/external.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { lockWaits } from '#tests/support/servers/lock-waits.ts'
import { startTestServer, type TestSession } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

const names = ['wiki-write', 'wiki-rename', 'wiki-delete', 'wiki-search']
type Settings = { approval?: 'auto'; wikis?: string[]; timeoutSeconds?: number }

/** Starts a server with the wiki `garden` and an agent that can change wikis, by default without approval. */
async function startGarden(
  tiddlers: object[] = [],
  tool: Settings = { approval: 'auto' },
  settings: Record<string, string> = {}
) {
  const server = await startTestServer({ settings })
  await createWiki(server.ctx, { name: 'garden' })
  await importWiki(server.ctx, { wiki: 'garden', file: 'a.json', text: JSON.stringify(tiddlers) })
  await server.saveAgent({ chat: { tools: names.map(name => ({ name, ...tool })) } })
  const session = await server.startSession('test')
  return { ...server, session, uses: toolUser(session) }
}

/** Returns a function that makes the agent use a tool, and returns its result or the text of its error. */
const toolUser =
  (session: TestSession) =>
  async (name: string, input: object): Promise<WikiChanged & string> => {
    await session.runTurn(`use ${name} ${JSON.stringify(input)}`)
    const call = (await session.get()).calls.at(-1) as Call
    expect(call.toolName).toBe(name)
    return (call.output ?? call.errorText) as never
  }

const read = async (title: string, wiki = 'garden') =>
  (await callEndpoint(wikiOperations.read, { params: { wiki }, query: { title } })).body.tiddler as
    | Tiddler
    | undefined
const changes = async (query: Record<string, string> = {}) =>
  (await callEndpoint(wikiOperations.changes, { params: { wiki: 'garden' }, query })).body as {
    changes: WikiChange[]
    nextBefore: number | null
  }
const undoAs = (changeId: string, secret?: string) =>
  callEndpoint(wikiOperations.undo, { params: { wiki: 'garden', changeId } }, secret)

const undo = (changeId: string) => undoAs(changeId)

test('001-20: wiki-write creates a tiddler, and changes only the parts that the call has', async () => {
  const { uses } = await startGarden()
  const created = await uses('wiki-write', {
    title: ' Rose ',
    text: 'Red.',
    tags: ['plants'],
    fields: { color: 'red' }
  })
  expect(created).toMatchObject({ wiki: 'garden', action: 'created', title: 'Rose', revision: 2 })
  expect(await read('Rose')).toMatchObject({
    ...{ title: 'Rose', text: 'Red.', type: '', tags: ['plants'], revision: 2 },
    fields: { color: 'red', modifier: 'test' },
    modified: expect.any(String),
    created: expect.any(String)
  })
  const tagged = await uses('wiki-write', {
    title: 'Rose',
    addTags: ['thorny', 'plants'],
    removeTags: ['none']
  })
  expect(tagged).toMatchObject({ action: 'changed', revision: 3 })
  await uses('wiki-write', { title: 'Rose', removeTags: ['plants'], fields: { color: null, height: '2 m' } })
  expect(await read('Rose')).toMatchObject({ text: 'Red.', tags: ['thorny'], fields: { height: '2 m' } })
  await uses('wiki-write', { title: 'Rose', text: '', tags: [] })
  expect(await read('Rose')).toMatchObject({ text: '', tags: [], fields: { height: '2 m' } })
})

test('001-20: the title of a call names the wiki that it changes, from its arguments or the agent', async () => {
  const { session } = await startGarden([], { wikis: ['garden'] })
  const titleOf = async (name: string, input: object) => {
    await session.runTurn(`use ${name} ${JSON.stringify(input)}`)
    const call = await session.waitForCall(name)
    await session.answer(call, { approved: false })
    await session.waitForEnd()
    return call.title
  }
  expect(await titleOf('wiki-write', { title: 'Rose', text: 'Red.' })).toMatch(/Rose.*garden/)
  expect(await titleOf('wiki-rename', { title: 'Rose', newTitle: 'Oak' })).toMatch(/Rose.*Oak.*garden/)
  expect(await titleOf('wiki-delete', { title: 'Rose', wiki: 'kitchen' })).toMatch(/Rose.*kitchen/)
})

test('001-20: a change of a wiki waits for an approval unless a setting or a rule permits it', async () => {
  const { session, ctx } = await startGarden([{ title: 'Rose', text: 'Red.' }], {})
  await session.runTurn('use wiki-delete {"title": "Rose"}')
  const call = await session.waitForCall('wiki-delete')
  expect(call).toMatchObject({ kind: 'approval', state: 'open' })
  expect(await read('Rose')).toBeDefined()
  await session.answer(call, { approved: true })
  await session.waitForEnd()
  expect(await read('Rose')).toBeUndefined()
  expect((await changes()).changes).toMatchObject([{ approvedBy: ctx.actor.name }])
  const rules: ToolRules = [{ tool: 'wiki-write', deny: ['"title":"Oak"'], mode: 'auto' }]
  await updateWorkspace(ctx, { toolRules: rules })
  await session.runTurn('use wiki-write {"title": "Oak", "text": "Old."}')
  await session.runTurn('use wiki-write {"title": "Elm", "text": "Old."}')
  expect(await read('Oak')).toBeUndefined()
  expect(await read('Elm')).toBeDefined()
})

test('001-20: a call that waits for an approval shows if the tiddler exists, and how the call would change it', async () => {
  const { session } = await startGarden(
    [
      { title: 'Rose', text: 'Red.', tags: 'plants', color: 'red' },
      { title: 'Book', text: 'a'.repeat(70_000) }
    ],
    {}
  )
  const reviewOf = async (name: string, input: object) => {
    await session.runTurn(`use ${name} ${JSON.stringify(input)}`)
    const call = await session.waitForCall(name)
    await session.answer(call, { approved: false })
    await session.waitForEnd()
    return call.render
  }
  const [kind, any] = ['wiki-change', expect.any(String)]
  expect(await reviewOf('wiki-write', { title: 'Oak', text: 'Tall.', tags: ['plants'] })).toEqual({
    ...{ kind, title: 'Create Oak in garden', act: any, why: any },
    changes: [
      { path: ['text'], kind: 'added', after: 'Tall.' },
      { path: ['tags', 'plants'], kind: 'added', after: 'plants' }
    ],
    widens: []
  })
  expect(
    await reviewOf('wiki-write', {
      title: 'Rose',
      text: 'White.',
      addTags: ['thorny'],
      fields: { color: null }
    })
  ).toEqual({
    ...{ kind, title: 'Change Rose in garden', act: any, why: any },
    changes: [
      { path: ['text'], kind: 'changed', before: 'Red.', after: 'White.' },
      { path: ['tags', 'thorny'], kind: 'added', after: 'thorny' },
      { path: ['fields', 'color'], kind: 'removed', before: 'red' }
    ],
    widens: []
  })
  expect(await reviewOf('wiki-delete', { title: 'Rose' })).toMatchObject({
    ...{ kind, title: 'Delete Rose in garden' },
    changes: [{ path: ['text'], before: 'Red.' }, { path: ['tags', 'plants'] }, { path: ['fields', 'color'] }]
  })
  expect(await reviewOf('wiki-write', { title: 'Book', text: 'b' })).toEqual({
    ...{ kind, title: 'Change Book in garden', act: any, why: any }
  })
  // A call that would fail now still waits: an earlier call of its step can change that.
  const missing = await reviewOf('wiki-delete', { title: 'Elm' })
  expect(missing).toEqual({ kind, title: any, act: any, why: expect.stringContaining('Elm') })
  expect(await reviewOf('wiki-write', { title: '$:/x', text: '' })).toMatchObject({ kind, why: any })
})

test('001-20: an outdated revision is a conflict that the model can read, and nothing changes', async () => {
  const { uses } = await startGarden([{ title: 'Rose', text: 'Red.' }])
  const found = (await uses('wiki-search', { title: 'Rose' })) as unknown as {
    tiddlers: { revision: number }[]
  }
  expect(found.tiddlers[0]?.revision).toBe(1)
  expect(await uses('wiki-write', { title: 'Rose', text: 'Pink.', revision: 1 })).toMatchObject({
    revision: 2
  })
  const conflict = expect.stringContaining('revision 2')
  expect(await uses('wiki-write', { title: 'Rose', text: 'Blue.', revision: 1 })).toEqual(conflict)
  expect(await uses('wiki-delete', { title: 'Rose', revision: 1 })).toEqual(conflict)
  expect(await uses('wiki-rename', { title: 'Rose', newTitle: 'X', revision: 1 })).toEqual(conflict)
  expect(await uses('wiki-write', { title: 'Rose', text: 'Blue.', revision: 0 })).toEqual(conflict)
  expect(await uses('wiki-write', { title: 'Oak', text: 'Old.', revision: 0 })).toMatchObject({
    action: 'created'
  })
  expect(await read('Rose')).toMatchObject({ text: 'Pink.', revision: 2 })
})

test('001-20: wiki-rename updates links, images, transclusions, tags and lists in other tiddlers, and only those', async () => {
  const text = [
    'See [[Rose]], [[a rose|Rose]], {{Rose}} and {{Rose!!color||Card}}. <$link to="Rose">x</$link>',
    '',
    '{{Rose||Rose}}',
    '',
    '[img[Rose]] [img width=20 [A Rose | Rose ]] [img[Rose.png]] <$image source="Rose"/>',
    '',
    '`[[Rose]]` stays, as do [[Rosehip]] and Rose.'
  ].join('\n')
  const { uses } = await startGarden([
    { title: 'Rose', text: 'Me: [[Rose]]', created: '20200101000000000' },
    { title: 'Garden', text, tags: 'Rose [[Rose bush]]', list: 'Oak Rose' },
    { title: 'Code', text: '[[Rose]]', type: 'text/plain' },
    { title: 'Oak', text: 'Old.' }
  ])
  const renamed = await uses('wiki-rename', { title: 'Rose', newTitle: 'Wild rose' })
  expect(renamed).toMatchObject({
    action: 'renamed',
    title: 'Rose',
    newTitle: 'Wild rose',
    updated: ['Garden']
  })
  expect(await read('Rose')).toBeUndefined()
  expect(await read('Wild rose')).toMatchObject({
    text: 'Me: [[Wild rose]]',
    created: '2020-01-01T00:00:00.000Z'
  })
  expect(await read('Garden')).toMatchObject({
    text: [
      'See [[Wild rose]], [[a rose|Wild rose]], {{Wild rose}} and {{Wild rose!!color||Card}}. <$link to="Wild rose">x</$link>',
      '',
      '{{Wild rose||Wild rose}}',
      '',
      '[img[Wild rose]] [img width=20 [A Rose | Wild rose ]] [img[Rose.png]] <$image source="Wild rose"/>',
      '',
      '`[[Rose]]` stays, as do [[Rosehip]] and Rose.'
    ].join('\n'),
    tags: ['Wild rose', 'Rose bush'],
    fields: { list: 'Oak [[Wild rose]]' }
  })
  expect(await read('Oak')).toMatchObject({ revision: 1 })
  expect((await undo(renamed.change)).status).toBe(200)
  expect(await read('Rose')).toMatchObject({ text: 'Me: [[Rose]]', revision: 1 })
  expect(await read('Garden')).toMatchObject({
    text,
    tags: ['Rose', 'Rose bush'],
    fields: { list: 'Oak Rose' }
  })
  expect(await read('Wild rose')).toBeUndefined()
  expect(await uses('wiki-rename', { title: 'Rose', newTitle: 'Oak' })).toEqual(
    expect.stringContaining('Oak')
  )
  expect(await uses('wiki-rename', { title: 'Rose', newTitle: 'a]]b' })).toEqual(expect.any(String))
  expect(await read('Rose')).toMatchObject({ revision: 1 })
  await uses('wiki-rename', { title: 'Rose', newTitle: 'Wild rose', updateLinks: false })
  expect(await read('Garden')).toMatchObject({ text, revision: 1 })
})

test('001-20: agents change only the wikis in their configuration, within the limits of an import', async () => {
  const { uses, ctx } = await startGarden([{ title: 'Large', text: 'x'.repeat(1_000_000) }], {
    ...{ approval: 'auto', wikis: ['garden'] }
  })
  await createWiki(ctx, { name: 'secret' })
  expect(await uses('wiki-write', { title: 'A', text: 'x', wiki: 'secret' })).toEqual(
    expect.stringContaining('garden')
  )
  expect(await uses('wiki-write', { title: 'A', text: 'x' })).toMatchObject({ wiki: 'garden' })
  const refused: [string, object][] = [
    ['wiki-write', { title: '$:/core', text: '' }],
    ['wiki-write', { title: 'B', fields: { text: 'x' } }],
    ['wiki-write', { title: 'B', fields: { 'module-type': 'startup' }, type: 'application/javascript' }],
    ['wiki-write', { title: 'B', tags: ['$:/tags/RawMarkup'] }],
    ['wiki-write', { title: 'B', tags: ['a]]b'] }],
    ['wiki-write', { title: 'x'.repeat(501) }],
    ['wiki-write', { title: 'Large', fields: { more: 'ä'.repeat(60_000) } }],
    ['wiki-delete', { title: 'None' }],
    ['wiki-rename', { title: 'A', newTitle: '$:/plugins/x' }]
  ]
  for (const [name, input] of refused) expect(await uses(name, input), name).toEqual(expect.any(String))
  const manyTiddlers = Array.from({ length: 19_998 }, (_, n) => ({ title: `t${n}`, text: '' }))
  await importWiki(ctx, { wiki: 'garden', file: 'a.json', text: JSON.stringify(manyTiddlers) })
  expect(await uses('wiki-write', { title: 'Z', text: 'x' })).toEqual(expect.stringContaining('20000'))
  expect((await changes()).changes).toHaveLength(1)
  expect(await read('B')).toBeUndefined()
})

test('001-20: two agents that change the same tiddler at once lose nothing', async () => {
  const server = await startGarden([{ title: 'List', text: '' }])
  const sessions = await Promise.all(Array.from({ length: 3 }, () => server.startSession('test')))
  const tags = sessions.flatMap((_, index) => [`${index}a`, `${index}b`])
  await Promise.all(
    sessions.map(async (session, index) => {
      const uses = toolUser(session)
      for (const tag of [`${index}a`, `${index}b`])
        await uses('wiki-write', { title: 'List', addTags: [tag] })
    })
  )
  expect((await read('List'))?.tags.toSorted()).toEqual(tags)
  const stored = (await changes()).changes
  expect(new Set(stored.map(({ revision }) => revision)).size).toBe(6)
  for (const { change } of stored) expect((await undo(change)).status).toBe(200)
  expect(await read('List')).toMatchObject({ tags: [], revision: 1 })
})

test('001-20: after its worker is killed, a call that changed a wiki returns that change and does not repeat it', async () => {
  const server = await startGarden([], { approval: 'auto' }, { WAYSTATION_ROLE: 'web' })
  const { sql, session } = server
  // The result of the call waits for this lock, while the change is already committed.
  await sql`create function hold_result() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock(77); return new; end $$`
  await sql`create trigger hold_result before update on calls for each row
    when (new.result is not null) execute function hold_result()`
  onTestFinished(async () => {
    await sql`drop function if exists hold_result cascade`
  })
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(77)`
  const worker = await startWorkerProcess(server)
  await session.send('use wiki-write {"title": "Rose", "text": "Red."}')
  await expect.poll(async () => (await changes()).changes.length, { timeout: 30_000 }).toBe(1)
  await worker.kill()
  await sql`drop function hold_result cascade`
  await holder`select pg_advisory_unlock(77)`
  holder.release()
  const end = session.waitForEnd()
  await startWorkerProcess(server)
  expect(await end).toMatchObject({ outcome: 'done' })
  const stored = (await changes()).changes
  expect((await session.get()).calls).toMatchObject([{ output: { change: stored[0]?.change, revision: 2 } }])
  expect(stored).toHaveLength(1)
  expect(await read('Rose')).toMatchObject({ revision: 2 })
}, 180_000)

test('001-20: an editor undoes changes from the newest to the oldest, once each, and the audit log records it', async () => {
  const { uses, ctx, session } = await startGarden([{ title: 'Rose', text: 'Red.' }])
  const editor = await createKey(ctx, { name: 'Ed', role: 'editor' })
  const undo = (changeId: string, secret = editor.secret) => undoAs(changeId, secret)
  const first = await uses('wiki-write', { title: 'Rose', text: 'Pink.' })
  const second = await uses('wiki-delete', { title: 'Rose' })
  const viewer = (await createKey(ctx, { name: 'viewer', role: 'viewer' })).secret
  expect((await undo(second.change, viewer)).status).toBe(403)
  expect(await undo(first.change)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  const undone = await undo(second.change)
  expect(undone).toMatchObject({
    status: 200,
    body: { change: second.change, action: 'deleted', undoneBy: 'Ed', undoneAt: expect.any(String) }
  })
  expect(await undo(second.change)).toEqual(undone)
  expect(await read('Rose')).toMatchObject({ text: 'Pink.', revision: first.revision })
  expect((await undo(first.change)).status).toBe(200)
  expect(await read('Rose')).toMatchObject({ text: 'Red.', revision: 1 })
  expect((await undo('change_none')).status).toBe(404)
  const { calls } = await session.get()
  expect((await changes()).changes).toMatchObject([
    { change: second.change, sessionId: session.id, toolCallId: calls[1]?.toolCallId, agentId: 'test' },
    { change: first.change, undoneBy: 'Ed' }
  ])
  const { body } = await callEndpoint(externalOperations.audit)
  const entries = (body as { entries: { action: string; actor: string }[] }).entries
  expect(entries.slice(0, 4).map(({ action, actor }) => [action, actor])).toEqual([
    ['wiki.undone', 'Ed'],
    ['wiki.undone', 'Ed'],
    ['wiki.changed', 'test'],
    ['wiki.changed', 'test']
  ])
})

test('001-20: a tiddler that was imported after a change is a conflict for the undo', async () => {
  const { uses, ctx } = await startGarden()
  const { change } = await uses('wiki-write', { title: 'Rose', text: 'Red.' })
  await importWiki(ctx, { wiki: 'garden', file: 'a.json', text: '[{"title": "Rose", "text": "Mine."}]' })
  expect(await undo(change)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  expect(await read('Rose')).toMatchObject({ text: 'Mine.' })
})

test('001-20: changes are listed page by page, stay after their session is deleted, and end with the wiki', async () => {
  const { uses, ctx, session } = await startGarden()
  for (const title of ['A', 'B', 'C']) await uses('wiki-write', { title, text: title })
  const first = await changes({ limit: '2' })
  expect(first.changes.map(({ title }) => title)).toEqual(['C', 'B'])
  expect(await changes({ limit: '2', before: String(first.nextBefore) })).toMatchObject({
    changes: [{ title: 'A' }],
    nextBefore: null
  })
  const [, callOfB] = (await session.get()).calls
  expect((await changes({ toolCallId: callOfB?.toolCallId ?? '' })).changes).toMatchObject([{ title: 'B' }])
  await deleteSession(ctx, { sessionId: session.id })
  expect((await changes()).changes).toMatchObject([
    { sessionId: null },
    { sessionId: null },
    { sessionId: null }
  ])
  await callEndpoint(wikiOperations.delete, { params: { wiki: 'garden' } })
  await createWiki(ctx, { name: 'garden' })
  expect(await changes()).toEqual({ changes: [], nextBefore: null })
})

test('001-20: a wiki stores a limited number of changes and of replaced text, and deletes the oldest', async () => {
  const { uses, sql } = await startGarden([{ title: 'Rose', text: 'x'.repeat(500_000) }])
  await uses('wiki-write', { title: 'Rose', text: '' })
  const [row] = await sql<{ bytes: number }[]>`select bytes from wiki_changes`
  expect(row?.bytes).toBeGreaterThan(500_000)
  await sql`update wiki_changes set bytes = ${wikiChangeLimits.bytes - 1}`
  await uses('wiki-write', { title: 'Oak', text: '' })
  expect((await changes()).changes.map(({ title }) => title)).toEqual(['Oak'])
  await sql`insert into wiki_changes select workspace_id, wiki, id || n, -n, action, title, new_title, tiddlers, bytes,
    agent_id, session_key, generation, session_id, message_id, tool_call_id || n, tool_name, part, at
    from wiki_changes, generate_series(1, ${wikiChangeLimits.changes}::int) n`
  await uses('wiki-write', { title: 'Elm', text: '' })
  const [{ count } = { count: 0 }] = await sql<
    { count: number }[]
  >`select count(*)::int as count from wiki_changes`
  expect(count).toBe(wikiChangeLimits.changes)
})

test('001-20: a call whose time ran out while it waited for the wiki changes nothing', async () => {
  const { sql, session } = await startGarden([], { approval: 'auto', timeoutSeconds: 1 })
  const holder = await sql.reserve()
  await holder`begin`
  await holder`select from wikis for update`
  await session.send('use wiki-write {"title": "Rose", "text": "Red."}')
  // The call waits for the wiki, and after a second, the end of its time waits for the session.
  await lockWaits(sql, 2)
  await holder`commit`
  holder.release()
  await session.waitForEnd()
  expect((await session.get()).calls).toMatchObject([{ state: 'failed' }])
  expect((await changes()).changes).toEqual([])
  expect(await read('Rose')).toBeUndefined()
})
