import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import type { CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'
import type { ListedTool } from '@waystation/protocol/agent/listed-tool.ts'
import type { Call } from '@waystation/protocol/call/call.ts'
import type { ToolRules } from '@waystation/protocol/call/tool-rules.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import { scriptError } from '@waystation/sandbox'
import { expect, test } from 'vitest'
import { updateWorkspace } from '#lib/auth/workspaces/update-workspace.ts'
import { outcomeUnknown } from '#lib/engine/calls/claim.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import { importWiki } from '#lib/features/wikis/import-wiki.ts'
import { agentOperations } from '#lib/http/operations/agents.ts'
import { catalogueOperations } from '#lib/http/operations/catalogue.ts'
import { wikiOperations } from '#lib/http/operations/wikis.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import type { ModelScript } from '#tests/support/fakes/openai-server.ts'
import { callEndpoint } from '#tests/support/servers/call-endpoint.ts'
import { expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

/** Without a sandbox, scripts are refused, which the tests cover too. */
const hasSandbox = (await scriptError()) === undefined

const on = { WAYSTATION_ZX: '1' }

type ScriptOptions = {
  script?: ModelScript
  rules?: ToolRules
  tool?: Partial<Extract<AgentTool, { name: string }>>
  settings?: Record<string, string>
  /** The agent's other tools. */
  others?: AgentTool[]
}

type CallEvent = Extract<SessionEvent, { type: 'call' }>

/** Returns a session of an agent that has scripts, in a workspace with these rules. */
async function scriptSession({ script, rules = [], tool = {}, settings = on, others = [] }: ScriptOptions) {
  const server = await startTestServer({ ...(script && { script }), settings })
  await server.saveAgent({ chat: { tools: [{ name: 'zx-script', ...tool } as AgentTool, ...others] } })
  await updateWorkspace(server.ctx, { toolRules: rules })
  const session = await server.startSession('test')
  const last = async () => (await session.get()).calls.at(-1)
  /** Sends this message, approves the resulting script, and waits for its result. */
  const runs = async (content: string, input?: object) => {
    await session.send(content)
    const { call } = (await session.waitForNextEvent(
      event => event.type === 'call' && event.call.state === 'open'
    )) as CallEvent
    await session.answer(call, { approved: true, ...(input && { input }) })
    const { toolCallId } = call
    const ended = ({ output, errorText }: Call) => output !== undefined || errorText !== undefined
    const event = await session.waitForEvent(
      event => event.type === 'call' && event.call.toolCallId === toolCallId && ended(event.call)
    )
    return (event as CallEvent).call
  }
  return { ...server, session, last, runs }
}

/** Returns true if a turn is finished and not only parked. */
const isDone = (event: SessionEvent) => event.type === 'status' && event.outcome === 'done'

/** Returns a command for the demo model. */
const useCommand = (script: string, extra: object = {}) =>
  `use zx-script ${JSON.stringify({ script, ...extra })}`

const isRunning = (argument: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8', maxBuffer: 1e8 }).includes(argument)

async function until(condition: () => boolean) {
  while (!condition()) await pause(20)
}

let markerCount = 0
const uniqueMarker = () => `${2_000_000 + process.pid}.${++markerCount}`

test('001-20: zx-script: it is off by default: no approval is requested, and the model learns why', async () => {
  const script = [
    replyCalls({ name: 'zx-script', input: { script: 'console.log(1)' } }),
    replyText('So be it.')
  ]
  const { session, model, last, sql } = await scriptSession({ script, settings: {} })
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
  const reason = expect.stringContaining('WAYSTATION_ZX=1')
  expect(await last()).toMatchObject({ state: 'failed', errorText: reason })
  expect(JSON.stringify(model.requests[0]?.body)).not.toContain('zx-script')
  expect(JSON.stringify(model.requests[1]?.body)).toContain('WAYSTATION_ZX=1')
  const { tools } = (await callEndpoint(agentOperations.tools)).body as { tools: ListedTool[] }
  expect(tools.find(({ name }) => name === 'zx-script')).toMatchObject({
    unavailable: reason,
    alwaysAsked: true
  })
  const { entries } = (await callEndpoint(catalogueOperations.list)).body as { entries: CatalogueItem[] }
  expect(entries.find(({ slug }) => slug === 'zx-script')).toMatchObject({
    unavailable: reason,
    approval: 'ask'
  })
  expect(tools.filter(({ unavailable }) => unavailable !== undefined)).toHaveLength(1)
  await expectValidSessions(sql)
})

if (!hasSandbox)
  test('001-20: zx-script: if it is enabled without a sandbox, it stays off and reports the reason', async () => {
    await startTestServer({ settings: on })
    const { tools } = (await callEndpoint(agentOperations.tools)).body as { tools: ListedTool[] }
    expect(tools.find(({ name }) => name === 'zx-script')?.unavailable).toEqual(expect.any(String))
  })

if (hasSandbox) {
  test('001-20: zx-script: it runs after a user has read and approved it, and the model receives its output', async () => {
    const script = [
      replyCalls({ name: 'zx-script', input: { script: 'console.log(6 * 7)' } }),
      replyText('It is 42.')
    ]
    const { session, model, last, sql } = await scriptSession({ script })
    await session.send('go')
    const call = await session.waitForCall('zx-script')
    expect(call).toMatchObject({ kind: 'approval', input: { script: 'console.log(6 * 7)' } })
    await session.answer(call, { approved: true })
    await session.waitForText('It is 42.')
    const output = { exitCode: 0, stdout: '42\n', stderr: '', seconds: expect.any(Number) }
    expect(await last()).toMatchObject({ state: 'approved', output })
    expect(JSON.stringify(model.requests[1]?.body)).toContain('42\\\\n')
    const { tools } = (await callEndpoint(agentOperations.tools)).body as { tools: ListedTool[] }
    expect(tools.find(({ name }) => name === 'zx-script')).not.toHaveProperty('unavailable')
    await expectValidSessions(sql)
  })

  const laxSettings: { title: string; rules?: ToolRules; tool?: ScriptOptions['tool'] }[] = [
    { title: 'a rule for it that says auto', rules: [{ tool: 'zx-script', mode: 'auto' }] },
    { title: 'a rule for every tool that says auto', rules: [{ mode: 'auto' }] },
    { title: 'an allow pattern', rules: [{ tool: 'zx-script', allow: ['.'] }] },
    { title: "its agent's configuration", tool: { approval: 'auto' } }
  ]
  for (const { title, rules = [], tool = {} } of laxSettings)
    test(`001-20: zx-script: ${title} does not remove the approval`, async () => {
      const { session, sql } = await scriptSession({ rules, tool })
      await session.send(useCommand('console.log(1)'))
      const call = await session.waitForCall('zx-script')
      expect(call.kind).toBe('approval')
      const allowed = await sql`select from audit where action = 'call.allowed'`
      expect(allowed).toHaveLength(0)
      await session.answer(call, { approved: false })
      expect(await session.waitForSettled(call)).toMatchObject({ state: 'denied' })
    })

  test('001-20: zx-script: its approval cannot be remembered, and an existing grant does not apply', async () => {
    const { session, sql } = await scriptSession({})
    await session.send(useCommand('console.log(1)'))
    const first = await session.waitForCall('zx-script')
    for (const options of [{ remember: 'session' }, { remember: 'always', anyArguments: true }] as const)
      await expect(session.answer(first, { approved: true, ...options })).rejects.toMatchObject({
        code: 'FORBIDDEN'
      })
    const done = session.waitForNextEvent(isDone)
    await session.answer(first, { approved: true })
    await done
    await sql`
      insert into grants (id, workspace_id, tool_name, tool_digest, granted_by, session_id, message_id, tool_call_id, at)
      select 'grant_forged', workspace_id, tool_name, tool_digest, 'nobody', ${session.id}, message_id, tool_call_id, now()
      from calls where tool_call_id = ${first.toolCallId}`
    await session.send(useCommand('console.log(1)'))
    const secondCall = await session.waitForNextEvent(
      event =>
        event.type === 'call' && event.call.toolCallId !== first.toolCallId && event.call.state === 'open'
    )
    expect(secondCall).toMatchObject({ call: { kind: 'approval', toolName: 'zx-script' } })
  })

  test('001-20: zx-script: a call that opened without an approval, by any fault, does not run', async () => {
    const { sql, session } = await scriptSession({})
    const parked = session.waitForEnd()
    await session.send(useCommand('console.log("ran")'))
    const call = await session.waitForCall('zx-script')
    await parked
    await sql`update calls set kind = 'server' where tool_call_id = ${call.toolCallId}`
    await session.runTurn('say hello')
    expect(await session.waitForSettled(call)).toMatchObject({
      errorText: expect.stringContaining('zx-script')
    })
  })

  test('001-20: zx-script: a deny pattern rejects it without an approval, and an edit cannot bypass the pattern', async () => {
    const { session, last } = await scriptSession({ rules: [{ tool: 'zx-script', deny: ['rm -rf'] }] })
    await session.runTurn(useCommand('await $`rm -rf /`'))
    expect(await last()).toMatchObject({ state: 'denied', answeredBy: 'approval policy' })
    await session.send(useCommand('console.log(1)'))
    const call = await session.waitForCall('zx-script')
    await expect(
      session.answer(call, { approved: true, input: { script: 'await $`rm -rf /`' } })
    ).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await session.answer(call, { approved: false })
  })

  test('001-20: zx-script: the version that the approver edited is shown and runs; an invalid edit is refused', async () => {
    const { session, runs } = await scriptSession({})
    await session.send(useCommand('console.log(1)'))
    const call = await session.waitForCall('zx-script')
    for (const input of [{ script: '' }, { script: 'x'.repeat(50_001) }, { script: 1 }, {}])
      await expect(session.answer(call, { approved: true, input })).rejects.toMatchObject({
        code: 'INVALID_INPUT'
      })
    const done = session.waitForNextEvent(isDone)
    await session.answer(call, { approved: false })
    await done
    const writtenInput = { script: 'console.log("as written")' }
    const editedInput = { script: 'console.log("as edited ✓")' }
    expect(await runs(useCommand(writtenInput.script), editedInput)).toMatchObject({
      input: writtenInput,
      editedInput: editedInput,
      output: { stdout: 'as edited ✓\n' }
    })
  })

  test('001-20: zx-script: a script that is too long or empty gives the model an error, without an approval', async () => {
    const inputs = [
      { script: 'x'.repeat(50_001) },
      { script: 'a\0b' },
      { script: '' },
      {},
      { script: '1', timeoutSeconds: 1e9 }
    ]
    const script = [replyCalls(...inputs.map(input => ({ name: 'zx-script', input }))), replyText('I see.')]
    const { session } = await scriptSession({ script })
    expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
    const { calls: sessionCalls } = await session.get()
    expect(sessionCalls.map(({ state }) => state)).toEqual(inputs.map(() => 'failed'))
  })

  test('001-20: zx-script: after its own timeout the model receives the output so far', async () => {
    const { runs } = await scriptSession({})
    expect(await runs(useCommand('console.log("begun"); for (;;);', { timeoutSeconds: 4 }))).toMatchObject({
      state: 'approved',
      output: { stdout: 'begun\n', timedOut: true, note: expect.stringContaining('4 s') }
    })
  })

  test('001-20: zx-script: each call of its functions over the limit gets an error at once', async () => {
    const { runs } = await scriptSession({})
    const script = `
      const settled = await Promise.allSettled(Array.from({ length: 203 }, () => wiki.list()))
      const reasons = settled.map(({ reason }) => reason?.message)
      for (let more = 0; more < 2; more++) reasons.push(await wiki.list().catch(error => error.message))
      console.log(reasons.filter(text => /\\b200\\b/.test(text)).length)`
    expect(await runs(useCommand(script, { timeoutSeconds: 30 }))).toMatchObject({
      output: { exitCode: 0, stdout: '5\n' }
    })
  })

  test('001-20: zx-script: its agent’s timeout ends it too, early enough that its output is not lost', async () => {
    const time = uniqueMarker()
    const { runs } = await scriptSession({ tool: { timeoutSeconds: 8 } })
    expect(await runs(useCommand(`console.log('begun'); await $\`sleep ${time}\``))).toMatchObject({
      state: 'approved',
      output: { stdout: 'begun\n', timedOut: true, note: expect.stringContaining('6 s') }
    })
    await until(() => !isRunning(`sleep ${time}`))
  })

  test('001-20: zx-script: Stop ends it at once, even if it ignores signals', async () => {
    const time = uniqueMarker()
    const { session, sql } = await scriptSession({})
    const ignoreSignals = "for (const one of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(one, () => 0);"
    await session.runTurn(
      useCommand(`${ignoreSignals} await $\`trap '' TERM INT HUP; sleep ${time}\``, { timeoutSeconds: 100 })
    )
    const call = await session.waitForCall('zx-script')
    await session.answer(call, { approved: true })
    await until(() => isRunning(`sleep ${time}`))
    await session.cancel()
    expect(await session.waitForEnd()).toMatchObject({ outcome: 'cancelled' })
    await until(() => !isRunning(`sleep ${time}`))
    await expectValidSessions(sql)
  })

  test('001-20: zx-script: after its worker is killed none of its processes remain, and it does not run again', async () => {
    const time = uniqueMarker()
    const server = await scriptSession({ settings: { ...on, WAYSTATION_ROLE: 'web' } })
    const worker = await startWorkerProcess(server, on)
    await server.session.runTurn(useCommand(`await $\`sleep ${time}\``, { timeoutSeconds: 100 }))
    const call = await server.session.waitForCall('zx-script')
    await server.session.answer(call, { approved: true })
    await until(() => isRunning(`sleep ${time}`))
    await worker.kill()
    await until(() => !isRunning(`sleep ${time}`))
    const end = server.session.waitForEnd()
    await startWorkerProcess(server, on)
    await end
    expect(await server.last()).toMatchObject({ errorText: outcomeUnknown })
    expect(isRunning(`sleep ${time}`)).toBe(false)
  })

  test('001-20: zx-script: as many scripts run in parallel as the settings allow, and the others wait', async () => {
    const script = [
      replyCalls(
        ...Array.from({ length: 4 }, (_, index) => ({
          name: 'zx-script',
          input: { script: `await sleep(300); console.log(${index})` }
        }))
      ),
      replyText('All four.')
    ]
    const server = await scriptSession({ script })
    await updateWorkspace(server.ctx, { toolSettings: { concurrency: 2 } })
    await server.session.send('go')
    await until(() => server.session.events.filter(({ type }) => type === 'call').length >= 4)
    for (const call of (await server.session.get()).calls)
      await server.session.answer(call, { approved: true })
    await server.session.waitForText('All four.')
    const { calls: sessionCalls } = await server.session.get()
    expect(sessionCalls.map(({ output }) => (output as { stdout: string }).stdout)).toEqual([
      '0\n',
      '1\n',
      '2\n',
      '3\n'
    ])
  })

  test('001-20: zx-script: it reads the wikis of this workspace that its agent can read, and changes none', async () => {
    const { ctx, runs } = await scriptSession({ tool: { wikis: ['manual'] } })
    for (const name of ['manual', 'secret']) {
      await createWiki(ctx, { name })
      const tiddlers = [{ title: 'Tea', text: `Tea of ${name}, 80 degrees.`, tags: 'drinks' }]
      await importWiki(ctx, { wiki: name, file: 'a.json', text: JSON.stringify(tiddlers) })
    }
    const script = `
      const { text } = await wiki.get('Tea')
      const { total } = await wiki.search('degrees')
      const refused = await wiki.get('Tea', 'secret').catch(error => error.message)
      const odd = await wiki.search('x', { limit: 1e9 }).catch(error => error.message)
      console.log(JSON.stringify({ text, total, refused, odd, can: Object.keys(wiki) }))`
    const { stdout } = (await runs(useCommand(script))).output as { stdout: string }
    expect(JSON.parse(stdout)).toEqual({
      text: 'Tea of manual, 80 degrees.',
      total: 1,
      refused: expect.stringContaining('"secret"'),
      odd: expect.any(String),
      can: ['search', 'get', 'list', 'backlinks', 'toc', 'filter', 'put', 'rename', 'delete']
    })
  })

  test('001-20: zx-script: a script filters a wiki, and changes it only where the tools need no approval', async () => {
    const others = [
      { name: 'wiki-write', approval: 'auto' as const, wikis: ['manual'] },
      { name: 'wiki-delete' }
    ]
    const rules = [{ tool: 'wiki-write', deny: ['forbidden'] }]
    const { ctx, runs } = await scriptSession({ others, rules })
    for (const name of ['manual', 'other']) await createWiki(ctx, { name })
    const text = JSON.stringify([{ title: 'Tea', text: '', tags: 'drinks' }])
    await importWiki(ctx, { wiki: 'manual', file: 'a.json', text })
    const script = `
      const wrong = error => error.message
      const wiki1 = { wiki: 'manual' }
      const { titles } = await wiki.filter('[tag[drinks]]', wiki1)
      await Promise.all(titles.map(title => wiki.put(title, { ...wiki1, addTags: ['hot'] })))
      const { revision } = await wiki.put('Milk', { ...wiki1, text: 'Cold.' })
      console.log(JSON.stringify({
        revision,
        total: (await wiki.filter('[all[tiddlers]!is[system]]', wiki1)).total,
        denied: await wiki.put('Wine', { ...wiki1, text: 'forbidden' }).catch(wrong),
        elsewhere: await wiki.put('Milk', { wiki: 'other', text: '' }).catch(wrong),
        third: await wiki.put('Milk', { text: '' }, 'other').catch(wrong),
        thirdStale: await wiki.put('Tea', { text: '' }, { ...wiki1, revision: 1 }).catch(wrong),
        asked: await wiki.delete('Tea', wiki1).catch(wrong),
        missing: await wiki.rename('Tea', 'Chai', wiki1).catch(wrong),
        stale: await wiki.put('Tea', { ...wiki1, text: '', revision: 1 }).catch(wrong),
        invalid: await wiki.put('Tea', { ...wiki1, text: 5 }).catch(wrong)
      }))`
    const { stdout } = (await runs(useCommand(script))).output as { stdout: string }
    expect(JSON.parse(stdout)).toEqual({
      revision: 3,
      total: 2,
      denied: expect.stringContaining('denied'),
      elsewhere: expect.stringContaining('manual'),
      third: expect.stringContaining('manual'),
      thirdStale: expect.stringContaining('revision 2'),
      asked: expect.stringContaining('approval'),
      missing: expect.stringContaining('wiki-rename'),
      stale: expect.stringContaining('revision 2'),
      invalid: expect.stringMatching(/: text: [^✖]+$/)
    })
    const query = { params: { wiki: 'manual' } }
    const { changes } = (await callEndpoint(wikiOperations.changes, query)).body as { changes: object[] }
    expect(changes).toMatchObject([{ title: 'Milk' }, { title: 'Tea' }])
  })
}
