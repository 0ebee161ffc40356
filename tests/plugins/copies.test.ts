import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { forwardRoute } from '#lib/plugins/views/forward-route.ts'
import { openStream } from '#lib/plugins/views/open-stream.ts'
import { renderView } from '#lib/plugins/views/views.ts'
import { generate, withPython } from '#tests/support/fakes/plugins/python.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

/** A plugin that keeps the messages of its streams in memory. Its view and its route show them, with its index. */
const code = `#!/usr/bin/python3
import os
from waystation_plugin import Plugin, PluginError

plugin = Plugin("board", version="1.0.0", description="A board.")
index = os.environ["PLUGIN_COPY_INDEX"]
received = []

@plugin.stream
def talk(messages, context):
    for message in messages:
        received.append(message)
        yield message

@plugin.view("board", label="Board")
def board(params, context):
    return [{"type": "text", "content": f"{index}: {len(received)}"}]

@board.route("POST", "/messages")
def post(request, context):
    if request.json() == "fail":
        raise PluginError("INVALID_ARGUMENT", "No.")
    return {"index": index, "sent": request.json(), "user": context.user_id}

plugin.serve()
`

/** Starts two server processes that each run a copy of the plugin. Returns the contexts of one user in both. */
async function startTwo() {
  const folder = mkdtempSync(join(tmpdir(), 'plugins-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const own = join(folder, 'board')
  mkdirSync(own)
  generate(own)
  writeFileSync(join(own, 'plugin'), code)
  chmodSync(join(own, 'plugin'), 0o755)
  const first = await startTestServer({
    settings: {
      WAYSTATION_PLUGIN_FOLDER: folder,
      WAYSTATION_WORKSPACES: workspaceFolder('plugin "board" { source = "local://board" }')
    }
  })
  await first.ctx.ports.plugins?.ready('default', 20_000)
  const started = await first.startSecondServer()
  await started.ctx.ports.plugins?.ready('default', 20_000)
  const second = { ...started.ctx, actor: first.ctx.actor }
  return {
    first: first.ctx,
    second,
    stopSecond: started.server.stop,
    other: first.actAs('Eve').actor,
    startSecondServer: first.startSecondServer,
    sql: first.sql
  }
}

const shownTo = async (ctx: Ctx) => {
  const { components } = await renderView(ctx, {
    workspaceId: 'default',
    plugin: 'board',
    view: 'board',
    params: {}
  })
  return components[0]?.attributes.content
}

/** Opens a stream and sends it a message. The stream ends when the signal aborts. */
async function talk(ctx: Ctx, signal: AbortSignal) {
  const relay = await openStream(ctx, { workspaceId: 'default', plugin: 'board' })
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve())
  async function* outgoing() {
    yield Buffer.from('"hello"')
    await ended
  }
  const incoming = relay(outgoing(), signal)[Symbol.asyncIterator]()
  await incoming.next()
  return () => incoming.next().catch(() => undefined)
}

const post = (ctx: Ctx, text: string) =>
  forwardRoute(
    ctx,
    { workspaceId: 'default', plugin: 'board' },
    { method: 'POST', path: '/messages', body: Buffer.from(JSON.stringify(text)), headers: {}, query: {} },
    AbortSignal.timeout(10_000)
  )
const textOf = ({ body }: { body: Uint8Array }) => JSON.parse(Buffer.from(body).toString()) as unknown

withPython.describe('two copies of a local plugin', () => {
  test('003-12, 003-14: each copy knows its index, and a view reaches the copy that holds the user’s stream', async () => {
    const { first, second, other, sql } = await startTwo()
    expect([await shownTo(first), await shownTo(second)]).toEqual(['0: 0', '1: 0'])
    const end = new AbortController()
    const ended = await talk(first, end.signal)
    expect([await shownTo(first), await shownTo(second)]).toEqual(['0: 1', '0: 1'])
    // Another user without a stream sees the copy of the process that responds.
    const eve = { ...second, actor: other }
    expect(await shownTo(eve)).toBe('1: 0')
    expect(await post(second, 'hi')).toMatchObject({ status: 200 })
    expect(textOf(await post(second, 'hi'))).toEqual({ index: '0', sent: 'hi', user: expect.any(String) })
    expect(textOf(await post(eve, 'hi'))).toMatchObject({ index: '1', sent: 'hi' })
    await expect(post(second, 'fail')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    // Nothing of a request stays.
    expect(await sql`select from plugin_requests`).toEqual([])
    end.abort()
    await ended()
    await expect.poll(() => shownTo(second)).toBe('1: 0')
  })

  test('a request whose process dies ends with an error, and the next one reaches the own copy', async () => {
    const { first, second, sql } = await startTwo()
    await talk(second, new AbortController().signal)
    expect(await shownTo(first)).toBe('1: 1')
    // The process no longer answers, as after a kill: it does not take requests, and is not seen again.
    await sql`
      create function keep_untaken() returns trigger language plpgsql as 'begin return null; end'`
    await sql`
      create trigger keep_untaken before update of taken on plugin_requests
      for each row when (new.taken) execute function keep_untaken()`
    const asked = shownTo(first)
    await expect.poll(() => sql`select from plugin_requests`).toHaveLength(1)
    await sql`delete from plugin_processes where copy_index = 1`
    await expect(asked).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await shownTo(first)).toBe('0: 0')
  })

  test('a process that stops leaves its index to the next one', async () => {
    const { second, stopSecond, startSecondServer } = await startTwo()
    expect(await shownTo(second)).toBe('1: 0')
    await stopSecond()
    const { ctx: third } = await startSecondServer()
    await third.ports.plugins?.ready('default', 20_000)
    expect(await shownTo(third)).toBe('1: 0')
  })
})
