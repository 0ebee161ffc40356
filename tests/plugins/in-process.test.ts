import { join } from 'node:path'
import type { AgentPlugin } from '@waystation/protocol/agent/agent.ts'
import type { HookRun } from '@waystation/protocol/plugin/hook.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { composeServer } from '#lib/compose/compose.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { startExternalSystem } from '#tests/support/fakes/external-system.ts'
import { type Reply, replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { pluginFolder } from '#tests/support/fakes/plugin-folder.ts'
import { endsOf, expectValidSessions } from '#tests/support/servers/expect-valid-sessions.ts'
import { tablesWith } from '#tests/support/servers/full-session.ts'
import { startTestServer, type TestSession, testEnv } from '#tests/support/servers/test-server.ts'

/** The hook calls of the plugins of a test, in order. The plugins run in this process. */
const seen: [point: string, times: number, payload: object][] = []

type Setup = {
  script: (address: string) => Reply[]
  chat?: object
  plugins?: Partial<AgentPlugin>[]
  settings?: Record<string, string>
}

/** Starts a server with these plugins, and a session whose agent enables them in this order. */
async function plugged(
  modules: Record<string, string>,
  { script, chat = {}, plugins, settings = {} }: Setup
) {
  seen.length = 0
  vi.stubGlobal('pluginsSaw', seen)
  onTestFinished(() => void vi.unstubAllGlobals())
  const externalSystem = await startExternalSystem()
  const files = Object.entries(modules).map(([name, source]) => [`${name}.mjs`, source])
  const server = await startTestServer({
    script: script(externalSystem.url),
    settings: {
      WAYSTATION_PLUGINS: await pluginFolder(Object.fromEntries(files)),
      WAYSTATION_EGRESS_ALLOW: externalSystem.host,
      ...settings
    }
  })
  const enabled = plugins ?? Object.keys(modules).map(name => ({ name }))
  await server.saveAgent({
    chat: {
      instructions: 'Be brief.',
      tools: [{ name: 'web-fetch' }],
      plugins: enabled.map(plugin => ({ name: '', onFailure: 'continue', ...plugin })),
      ...chat
    }
  })
  return { ...server, externalSystem, open: server.startSession, session: await server.startSession('test') }
}

/** Returns the source of a plugin with these hooks. */
const plugin = (name: string, hooks: string) =>
  `export default { name: '${name}', hooks: () => ({ ${hooks} }) }`

const fetchCall = (address: string, path = '/a') =>
  replyCalls({ name: 'web-fetch', input: { url: `${address}${path}` } })

/** Returns the plugin runs that the session shows. */
const hookRuns = async (session: TestSession): Promise<Partial<HookRun>[]> =>
  (await session.get()).messages.flatMap(({ parts }) =>
    parts.flatMap(part => (part.type === 'data-hook' ? [part.data] : []))
  )

test('22 B4: the hooks of a turn run in order, onMessage before onStatus, with a new plugin instance for each step (001-3, 001-4, 001-5)', async () => {
  const watcher = `export default { name: 'watcher', hooks: () => {
    let times = 0
    const note = point => payload => { globalThis.pluginsSaw.push([point, ++times, payload]) }
    return Object.fromEntries(['onStatus', 'onMessage', 'beforeTurn', 'beforeRound', 'beforeModel', 'afterModel',
      'beforeTool', 'afterTool', 'onRound', 'onTurn'].map(point => [point, note(point)]))
  } }`
  const { session, sql } = await plugged({ watcher }, { script: at => [fetchCall(at), replyText('Read.')] })
  expect(await session.runTurn('read it')).toMatchObject({ outcome: 'done' })
  expect(seen.map(([point, times]) => `${point} ${times}`)).toEqual([
    ...['onMessage 1', 'onStatus 2', 'beforeTurn 3', 'beforeRound 4', 'beforeModel 5', 'afterModel 6'],
    ...['beforeTool 7', 'onRound 8'],
    // The tool runs between two steps, and its hooks have their own instance.
    'afterTool 1',
    ...['beforeRound 1', 'beforeModel 2', 'afterModel 3', 'onRound 4', 'onStatus 5', 'onTurn 6']
  ])
  const payloads = Object.fromEntries(seen.map(([point, , payload]) => [point, payload]))
  expect(payloads).toMatchObject({
    onMessage: { text: 'read it', sentBy: 'Ann' },
    beforeTurn: { input: 'read it' },
    afterTool: { toolName: 'web-fetch', result: { type: 'output' } },
    onRound: { round: 2, calls: [] },
    onTurn: { outcome: 'done' }
  })
  expect(await hookRuns(session)).toEqual([])
  await expectValidSessions(sql)
})

test('onChunk receives text as it streams, and a plugin that only observes delays nothing (001-8)', async () => {
  const listener = plugin(
    'listener',
    `onChunk: ({ chunk }) => { globalThis.pluginsSaw.push([chunk.type, 0, chunk]) }`
  )
  const { session } = await plugged({ listener }, { script: () => [replyText('Hello there.')] })
  await session.runTurn('hi')
  const deltas = seen.flatMap(([type, , chunk]) =>
    type === 'text-delta' && 'delta' in chunk ? [chunk.delta] : []
  )
  expect(deltas.join('')).toBe('Hello there.')
})

test('each hook changes the output of the previous one: the prompt, a call, its result and the text', async () => {
  const first = plugin(
    'first',
    `
    beforeModel: prompt => ({ change: { ...prompt, instructions: prompt.instructions + ' One.' } }),
    beforeTool: call => ({ change: { ...call, input: { url: call.input.url + '1' } } }),
    afterTool: call => ({ change: { ...call, result: { type: 'output', value: 'first' } } }),
    afterModel: said => said.text === '' ? undefined : ({ change: { ...said, text: said.text + ' One.' } })`
  )
  const second = plugin(
    'second',
    `
    beforeModel: prompt => ({ change: { ...prompt, instructions: prompt.instructions + ' Two.' } }),
    beforeTool: call => ({ change: { ...call, input: { url: call.input.url + '2' } } }),
    afterTool: call => ({ change: { ...call, result: { type: 'output', value: call.result.value + ' and second' } } }),
    afterModel: said => said.text === '' ? undefined : ({ change: { ...said, text: said.text + ' Two.' } })`
  )
  const { session, model, externalSystem, sql } = await plugged(
    { first, second },
    { script: at => [fetchCall(at, '/page-'), replyText('Read.'), replyText('Well.')] }
  )
  await session.runTurn('read it')
  expect(externalSystem.requests.map(({ path }) => path)).toEqual(['/page-12'])
  const [firstPrompt, secondPrompt] = model.requests.map(({ body }) => JSON.stringify(body.messages))
  expect(firstPrompt).toMatch(/^\[\{"role":"system","content":"Be brief\.[^}]* One\. Two\."/)
  // The history of the model has the call as it ran.
  expect(secondPrompt).toContain('/page-12')
  expect(secondPrompt).not.toContain(`${externalSystem.url}/page-\\"`)
  expect(secondPrompt).toContain('first and second')
  expect((await session.get()).calls.at(-1)).toMatchObject({
    input: { url: `${externalSystem.url}/page-12` }
  })
  expect(await session.agentTexts()).toEqual(['Read. One. Two.'])
  expect(
    (await hookRuns(session)).map(({ plugin, point, outcome }) => `${plugin} ${point} ${outcome}`)
  ).toEqual([
    ...['beforeModel', 'beforeTool', 'afterTool', 'beforeModel', 'afterModel'].flatMap(point => [
      `first ${point} changed`,
      `second ${point} changed`
    ])
  ])
  // The changed text is stored, and the model sees it as its own.
  await session.runTurn('and now')
  expect(JSON.stringify(model.requests.at(-1)?.body.messages)).toContain('Read. One. Two.')
  await expectValidSessions(sql)
})

test('changes that a hook makes in place to its payload have no effect', async () => {
  const vandal = plugin(
    'vandal',
    `
    beforeModel: prompt => { prompt.messages.length = 0; prompt.instructions = ''; prompt.tools.length = 0 },
    beforeTool: call => { call.input.url = 'http://elsewhere.example/' }`
  )
  const { session, model, externalSystem } = await plugged(
    { vandal },
    { script: at => [fetchCall(at), replyText('Read.')] }
  )
  await session.runTurn('read it')
  expect(JSON.stringify(model.requests[0]?.body)).toMatch(/Be brief.*read it.*web-fetch/)
  expect(externalSystem.requests.map(({ path }) => path)).toEqual(['/a'])
})

test('a hook can remove calls and tools, and removed calls never run', async () => {
  const strict = plugin(
    'strict',
    `
    beforeModel: prompt => ({ change: { ...prompt, tools: [] } }),
    afterModel: said => ({ change: { ...said, calls: [], text: 'I may not.' } })`
  )
  const { session, model, externalSystem, sql } = await plugged({ strict }, { script: at => [fetchCall(at)] })
  expect(await session.runTurn('read it')).toMatchObject({ outcome: 'done' })
  expect(model.requests[0]?.body.tools ?? []).toEqual([])
  expect(externalSystem.requests).toEqual([])
  expect(await session.agentTexts()).toEqual(['I may not.'])
  expect((await session.get()).calls).toEqual([])
  await expectValidSessions(sql)
})

test.each(['beforeTurn', 'beforeRound', 'beforeModel', 'afterModel'])(
  'a hook that cancels at %s ends the turn with its reason, and nothing of the step is stored',
  async point => {
    const guard = plugin('guard', `${point}: () => ({ cancel: 'Not today.' })`)
    const { session, model, sql } = await plugged({ guard }, { script: () => [replyText('Never.')] })
    expect(await session.runTurn('hi')).toMatchObject({
      outcome: 'failed',
      error: {
        code: 'STOPPED_BY_PLUGIN',
        message: expect.stringContaining('Not today.')
      }
    })
    expect(await session.agentTexts()).toEqual([''])
    expect(model.requests).toHaveLength(point === 'afterModel' ? 1 : 0)
    await expectValidSessions(sql)
  }
)

test('a call that a hook cancels needs no approval and does not run, and the model receives the reason', async () => {
  const guard = plugin(
    'guard',
    `
    beforeTool: ({ input }) => input.url.endsWith('/secret') ? { cancel: 'That page is not for you.' } : undefined,
    afterTool: () => ({ cancel: 'Nothing of it leaves.' })`
  )
  const { session, model, externalSystem, sql } = await plugged(
    { guard },
    {
      script: at => [
        replyCalls(...['/secret', '/open'].map(path => ({ name: 'web-fetch', input: { url: at + path } }))),
        replyText('I see.')
      ],
      chat: { tools: [{ name: 'web-fetch' }] }
    }
  )
  expect(await session.runTurn('read both')).toMatchObject({ outcome: 'done' })
  expect(externalSystem.requests.map(({ path }) => path)).toEqual(['/open'])
  const prompt = JSON.stringify(model.requests[1]?.body.messages)
  expect(prompt).toMatch(/\\"guard\\": That page is not for you\./)
  expect(prompt).toMatch(/\\"guard\\": Nothing of it leaves\./)
  await expectValidSessions(sql)
})

test('a plugin that throws, returns invalid data, hangs or is missing is skipped, logged and shown, and the turn continues', async () => {
  const modules = {
    thrower: plugin('thrower', `beforeModel: () => { throw new Error('Ouch.') }`),
    garbler: plugin('garbler', `beforeModel: () => 42, afterModel: () => ({ change: { text: 7 } })`),
    sleeper: plugin(
      'sleeper',
      `beforeRound: () => new Promise(() => undefined), onMessage: () => Promise.reject(null)`
    ),
    unmade: `export default { name: 'unmade', hooks: () => { throw new Error('No hooks today.') } }`,
    hookless: `export default { name: 'hookless', hooks: () => null }`
  }
  const { session, sql } = await plugged(modules, {
    script: () => [replyText('All the same.')],
    plugins: [...Object.keys(modules), 'missing'].map(name => ({ name }))
  })
  expect(await session.runTurn('hi')).toMatchObject({ outcome: 'done' })
  expect(await session.agentTexts()).toEqual(['All the same.'])
  const results = (await hookRuns(session)).map(({ plugin, point, outcome, words }) => [
    plugin,
    point,
    outcome,
    words
  ])
  for (const expected of [
    ['thrower', 'beforeModel', 'failed', 'Ouch.'],
    ['garbler', 'beforeModel', 'failed', expect.any(String)],
    ['garbler', 'afterModel', 'failed', expect.stringContaining('text')],
    ['sleeper', 'beforeRound', 'failed', expect.stringContaining('5 s')],
    ['sleeper', 'onMessage', 'failed', 'null'],
    ['unmade', 'beforeTurn', 'failed', 'No hooks today.'],
    ['hookless', 'beforeTurn', 'failed', expect.any(String)],
    ['missing', 'beforeTurn', 'failed', expect.stringContaining('"missing"')]
  ])
    expect(results).toContainEqual(expected)
  await expectValidSessions(sql)
})

test.each([
  ['throws', plugin('guard', `beforeTool: () => { throw new Error('Ouch.') }`), [{ blocked: true }]],
  ['is missing', plugin('other', ''), []]
])('a guard with onFailure "stop" stops the turn if it %s', async (_, source, runs) => {
  const { session, externalSystem } = await plugged(
    { guard: source },
    { script: at => [fetchCall(at), replyText('I see.')], plugins: [{ name: 'guard', onFailure: 'stop' }] }
  )
  await session.runTurn('read it')
  expect(externalSystem.requests).toEqual([])
  expect(await hookRuns(session)).toMatchObject(runs)
})

test.each(['continue', 'stop'] as const)(
  'a stop while a hook hangs ends the turn at once (onFailure: %s)',
  async onFailure => {
    const sleeper = plugin(
      'sleeper',
      `beforeModel: () => new Promise(() => globalThis.pluginsSaw.push(['asleep', 0, {}]))`
    )
    const { session, model, sql } = await plugged(
      { sleeper },
      { script: () => [], plugins: [{ name: 'sleeper', onFailure }] }
    )
    const ended = session.waitForEnd()
    await session.send('hi')
    await expect.poll(() => seen).toHaveLength(1)
    await session.cancel()
    expect(await ended).toMatchObject({ outcome: 'cancelled' })
    expect(model.requests).toEqual([])
    await expectValidSessions(sql)
  }
)

test('a hook gives the agent further steps until it stops doing so or the step limit is reached (001-9)', async () => {
  const again = plugin(
    'again',
    `
    afterModel: ({ text }, { actions }) => { if (text !== 'Enough.') actions.yieldNextRoundTo = 'self' }`
  )
  const { session, model, sql } = await plugged(
    { again },
    {
      script: () => [
        replyText('One.'),
        replyText('Two.'),
        replyText('Enough.'),
        ...Array.from({ length: 9 }, () => replyText('On.'))
      ],
      chat: { limits: { stepsPerTurn: 5 } }
    }
  )
  expect(await session.runTurn('go')).toMatchObject({ outcome: 'done' })
  expect(model.requests).toHaveLength(3)
  expect(JSON.stringify(model.requests[1]?.body.messages)).toMatch(/One\..*Continue: you have one more step/)
  expect(endsOf(await session.log())).toHaveLength(1)

  expect(await session.runTurn('on and on')).toMatchObject({ outcome: 'parked' })
  expect(model.requests).toHaveLength(3 + 5)
  const limit = (await session.get()).calls.at(-1)
  expect(limit).toMatchObject({ kind: 'limit', state: 'open' })
  await expectValidSessions(sql)
})

test('a stop ends a step that a hook requested', async () => {
  const again = plugin(
    'again',
    `afterModel: (_, { actions }) => { actions.yieldNextRoundTo = 'self' },
    beforeRound: ({ round }) => round === 2 ? new Promise(() => globalThis.pluginsSaw.push(['second', 0, {}])) : undefined`
  )
  const { session, model, sql } = await plugged(
    { again },
    { script: () => [replyText('One.'), replyText('Two.')] }
  )
  const ended = session.waitForEnd()
  await session.send('go')
  await expect.poll(() => seen, { timeout: 5_000 }).toHaveLength(1)
  await session.cancel()
  expect(await ended).toMatchObject({ outcome: 'cancelled' })
  expect(model.requests).toHaveLength(1)
  await expectValidSessions(sql)
})

test('text, arguments and reasons from a plugin pass the redaction before they are stored', async () => {
  allowErrors(/the redaction failed/)
  const folder = await pluginFolder({
    'redact.mjs': `export default text => {
      if (text.includes('break')) throw new Error('no')
      return text.replaceAll('s3cret', '[secret]')
    }`
  })
  const leaky = plugin(
    'leaky',
    `beforeRound: () => { throw new Error('s3cret in an error') },
    beforeTool: call => ({ change: { ...call, input: { url: call.input.url + '?s3cret' } } }),
    afterTool: call => ({ change: { ...call, result: { type: 'output', value: 's3cret in a result' } } }),
    afterModel: said => said.calls.length > 0
      ? ({ change: { ...said, calls: [...said.calls, { toolCallId: 'x', toolName: 'nothing', input: { a: 's3cret in a call' } }] } })
      : said.text === 'One.' ? ({ change: { ...said, text: 's3cret in words' } })
      : said.text === 'Two.' ? ({ change: { ...said, text: 'break' } })
      : ({ cancel: 's3cret in a reason' })`
  )
  const { session, sql, externalSystem } = await plugged(
    { leaky },
    {
      script: at => [fetchCall(at), replyText('One.'), replyText('Two.'), replyText('Three.')],
      settings: { WAYSTATION_REDACT: join(folder, 'redact.mjs') }
    }
  )
  await session.runTurn('go')
  expect(externalSystem.requests.map(({ path }) => path)).toEqual(['/a?[secret]'])
  expect(await session.agentTexts()).toEqual(['[secret] in words'])
  expect(await session.runTurn('again')).toMatchObject({
    outcome: 'failed',
    error: { code: expect.any(String) }
  })
  await session.runTurn('once more')
  expect(await tablesWith(sql, 's3cret')).toEqual([])
  expect((await hookRuns(session)).map(({ words }) => words)).toContain('[secret] in an error')
})

test.each<[string, Record<string, string>, RegExp]>([
  ['cannot be loaded', { 'a.mjs': 'export default {' }, /a\.mjs/],
  ['is not a plugin', { 'a.mjs': 'export default { name: "A B", hooks() {} }' }, /a\.mjs/],
  ['has no hooks', { 'a.mjs': 'export default { name: "a" }' }, /a\.mjs.*hooks/],
  ['has the name of another plugin', { 'a.mjs': plugin('a', ''), 'b.mjs': plugin('a', '') }, /"a".*b\.mjs/]
])('a server does not start with a plugin that %s, and names the file', async (_, modules, fault) => {
  const env = testEnv('postgres://nowhere', { WAYSTATION_PLUGINS: await pluginFolder(modules) })
  await expect(composeServer(env)).rejects.toThrow(fault)
})

test('the plugin checks the config of an agent with its own schema and receives it', async () => {
  const tone = `import { z } from 'zod'
    export default { name: 'tone', config: z.strictObject({ words: z.string() }), hooks: ({ words }) => ({
      beforeModel: prompt => ({ change: { ...prompt, instructions: words } }) }) }`
  const { session, model, saveAgent, open } = await plugged(
    { tone: tone.replace("'zod'", JSON.stringify(import.meta.resolve('zod'))) },
    {
      script: () => [replyText('Arr.'), replyText('Hm.')],
      plugins: [{ name: 'tone', config: { words: 'Talk like a pirate.' } }]
    }
  )
  await session.runTurn('hi')
  expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('Talk like a pirate.')
  const plugins: AgentPlugin[] = [{ name: 'tone', config: { word: 1 }, onFailure: 'continue' }]
  const other = await open(await saveAgent({ agentId: 'other', chat: { plugins } }))
  await other.runTurn('hi')
  expect(await hookRuns(other)).toEqual([expect.objectContaining({ words: expect.any(String) })])
})
