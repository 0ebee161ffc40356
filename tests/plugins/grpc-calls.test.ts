import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelPart } from '@waystation/plugin-host/model-calls.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { superviseProbe } from '#tests/support/fakes/plugins/probe.ts'
import { pythonProtos, withPython } from '#tests/support/fakes/plugins/python.ts'

const protos = pythonProtos()

/** Starts the Python plugin and returns its calls. */
async function serving(settings?: Parameters<typeof superviseProbe>[1]) {
  const probe = superviseProbe(protos, settings)
  await probe.waitForState('serving')
  const calls = probe.plugin.calls()
  const run = (name: string, args: unknown = {}, timeoutMs?: number) =>
    calls.executeTool({ name, args }, { timeoutMs })
  return { ...probe, calls, run }
}

const request = { model: 'm', messages: [], tools: [] }

withPython.describe('a plugin in Python', () => {
  test('003-2, 003-3, 003-4: registers with its settings and reports its capabilities', async () => {
    const { plugin, run } = await serving({ envVars: { CITY: 'Bergen' } })
    expect(plugin.introduction).toMatchObject({
      name: 'probe',
      capabilities: ['model', 'tools', 'hooks', 'views'],
      metadata: { version: '1.2.3' }
    })
    const { result } = (await run('registered')) as { result: Record<string, Record<string, string>> }
    expect(result.config).toEqual({ unit: 'metric' })
    expect(result.env_vars).toEqual({})
    expect(result.metadata?.authorization).toBe(`Bearer ${result.environ?.PLUGIN_TOKEN}`)
  })

  test('003-2: its environment has the variables of the workspace and none of the server', async () => {
    vi.stubEnv('SECRET_OF_THE_SERVER', 'hidden')
    onTestFinished(() => void vi.unstubAllEnvs())
    const platform = { address: '127.0.0.1:1', token: 't' }
    const { run } = await serving({ envVars: { CITY: 'Bergen' }, platform })
    const { result } = (await run('registered')) as { result: { environ: Record<string, string> } }
    const platformVariables = [
      'HOME',
      'LANG',
      'PATH',
      'PLATFORM_HOST_ADDR',
      'PLATFORM_HOST_TOKEN',
      'PLUGIN_LISTEN_ADDR'
    ]
    expect(
      Object.keys(result.environ)
        .filter(name => name !== 'LC_CTYPE')
        .sort()
    ).toEqual(['CITY', ...platformVariables, 'PLUGIN_TOKEN', 'PORT', 'PYTHONPATH'].sort())
    expect(result.environ.PLATFORM_HOST_ADDR).toBe('127.0.0.1:1')
  })

  test('003-9: its tools are listed once, and a tool with an invalid schema or a repeated name is skipped with a reason', async () => {
    const { plugin } = await serving()
    expect(plugin.introduction?.tools.tools).toEqual([
      {
        name: 'echo',
        description: 'A tool.',
        parameters: { type: 'object', properties: { text: { type: 'string' } } }
      },
      { name: 'plain', description: 'A tool.', parameters: { type: 'object' } }
    ])
    expect(plugin.introduction?.tools.skipped).toEqual([
      { name: 'no-json', reason: expect.any(String) },
      { name: 'no-object', reason: expect.any(String) },
      { name: '', reason: expect.any(String) },
      { name: 'echo', reason: expect.any(String) }
    ])
  })

  test('003-9: every tool call ends with a result or a reason', async () => {
    const { run } = await serving()
    expect(await run('echo', { text: 'grüß\u{1F600}' })).toEqual({
      ok: true,
      result: { text: 'grüß\u{1F600}' }
    })
    for (const [name, reason] of [
      ['fail', 'No such city.'],
      ['refuse', expect.stringContaining('Not on Sundays.')],
      ['crash', expect.stringContaining('boom')],
      ['no-json', expect.any(String)],
      ['deep', expect.stringContaining('100')],
      ['no-such-tool', expect.stringContaining('no_such_tool')]
    ] as const)
      expect(await run(name), name).toEqual({ ok: false, reason })
    expect(await run('hang', {}, 200)).toEqual({ ok: false, reason: expect.any(String) })
  })

  test('a response of 50 MB is not read, a result over the size limit is rejected, and the next call works', async () => {
    const { run } = await serving()
    expect(await run('large', { bytes: 50_000_000 })).toEqual({
      ok: false,
      reason: expect.any(String)
    })
    expect(await run('large', { bytes: 2_000_000 })).toMatchObject({ ok: false })
    expect(await run('large', { bytes: 1_000_000 })).toMatchObject({ ok: true })
  })

  test('its results are well-formed, without NUL and without names that pollute prototypes', async () => {
    const { run } = await serving()
    expect(await run('odd')).toEqual({ ok: true, result: { a: '\uFFFD \uFFFD' } })
    expect(({} as { b?: unknown }).b).toBeUndefined()
  })

  test('003-10, 003-11: its model receives the whole prompt, and its response arrives in parts', async () => {
    const { calls } = await serving()
    const parts = await Array.fromAsync(
      calls.complete({
        model: 'm',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: '4', toolCallId: 'c0' }
        ],
        tools: [{ name: 'echo', description: 'd', parameters: { type: 'object' } }],
        maxTokens: 0
      })
    )
    expect(JSON.parse((parts.shift() as { text: string }).text)).toEqual({
      roles: ['system', 'user'],
      tools: ['echo'],
      temperature: null,
      max_tokens: 0,
      result_of: ['c0']
    })
    expect(parts).toEqual([
      { type: 'tool-call', id: 'c1', name: 'echo', chunk: '{"text":' },
      { type: 'tool-call', id: 'c1', chunk: '"hi"}' },
      { type: 'usage', inputTokens: 7, outputTokens: 3 },
      { type: 'finish', reason: 'tool-use' }
    ] satisfies ModelPart[])
  })

  test('003-11: an endless, a silent and a cut-off model response have different errors, and the call is cancelled', async () => {
    const { calls, cwd } = await serving({ envVars: { LEFT: 'left' } })
    const reasonOf = (model: string, silence?: number) =>
      Array.fromAsync(calls.complete({ ...request, model }, {}, silence)).then(
        () => 'none',
        (error: { reason?: string }) => error.reason
      )
    expect(await reasonOf('flood')).toBe('too-large')
    await expect.poll(() => existsSync(join(cwd, 'left'))).toBe(true)
    expect(await reasonOf('silent', 200)).toBe('late')
    expect(await reasonOf('cut')).toBe('invalid')
  })

  test('003-10: a caller that stops reading or aborts ends the model call', async () => {
    const { calls, cwd } = await serving({ envVars: { LEFT: 'left' } })
    const stop = new AbortController()
    const flood = calls.complete({ ...request, model: 'flood' }, { signal: stop.signal })
    await flood.next()
    stop.abort()
    const rest = async () => {
      for await (const _ of flood);
    }
    await expect(rest()).rejects.toMatchObject({ reason: 'stopped' })
    await expect.poll(() => existsSync(join(cwd, 'left'))).toBe(true)
  })

  test('003-12, 003-13: its views are listed and rendered, and routes pass bytes unchanged', async () => {
    const { plugin, calls } = await serving()
    expect(plugin.introduction?.views).toEqual({
      views: [
        {
          name: 'tasks',
          label: 'Tasks',
          icon: 'calendar',
          scope: 'workspace',
          routes: [{ method: 'GET', path: '/api/tasks' }]
        }
      ],
      skipped: [{ name: 'odd', reason: expect.stringContaining('galaxy') }]
    })
    const view = { viewName: 'tasks', workspaceId: 'w1', params: { tab: 'open' } }
    expect(await calls.renderView(view)).toContain('content = "w1 open"')
    const body = Uint8Array.from({ length: 256 }, (_, at) => at)
    const route = { method: 'POST', body, headers: { 'x-sent': 'a' }, query: { q: 'b' } }
    const answer = await calls.handleRoute({ ...route, path: '/api/tasks' })
    expect(answer).toEqual({
      status: 201,
      body,
      headers: { 'x-method': 'POST', 'x-query': 'b', 'x-sent': 'a' }
    })
    for (const path of ['/split', '/odd-name', '/no-status'])
      await expect(calls.handleRoute({ ...route, path }), path).rejects.toMatchObject({ reason: 'invalid' })
  })

  test('003-14: a stream starts with the user, then relays bytes in both directions until one side ends it', async () => {
    const { calls } = await serving()
    async function* messages() {
      for (const text of ['one', 'two', 'stop']) yield Buffer.from(text)
    }
    const user = { workspaceId: 'w1', userId: 'u1', userEmail: 'u1@example.com' }
    const received = await Array.fromAsync(calls.handleStream(user, messages()), data =>
      Buffer.from(data).toString()
    )
    expect(JSON.parse(received[0] as string)).toEqual({
      workspace_id: 'w1',
      user_id: 'u1',
      user_email: 'u1@example.com'
    })
    expect(received.slice(1)).toEqual(['one', 'two'])
  })

  test('003-15, 003-16: a hook continues, modifies or cancels, and a change that is not JSON is an error', async () => {
    const { calls } = await serving()
    const on = (type: 'TURN_START' | 'TOOL_CALL' | 'HANDOFF' | 'TOOL_RESULT') =>
      calls.onEvent({ type, agentName: 'triage', payload: { tool_name: 'echo', arguments_json: '{}' } })
    expect(await on('TURN_START')).toEqual({ action: 'continue' })
    expect(await on('TOOL_CALL')).toEqual({
      action: 'modify',
      payload: { tool_name: 'echo', arguments_json: '{"changed": true}' }
    })
    expect(await on('HANDOFF')).toEqual({ action: 'cancel' })
    await expect(on('TOOL_RESULT')).rejects.toMatchObject({ reason: 'invalid' })
  })
})
