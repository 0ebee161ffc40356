import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startExample } from '#tests/examples/start-example.ts'
import {
  newStore,
  programs,
  runs,
  startWaystation
} from '#tests/support/fakes/http-tools/start-waystation.ts'

test.each(Object.entries(programs))(
  '%s: after a kill between receipt and answer, a program with a store runs the call again and answers it',
  async (_, [command, args]) => {
    const start = (settings: Record<string, string>) => startExample(command, args, settings)
    const server = await startWaystation('slow')
    const settings = { SECRETS: server.secret, STORE: newStore() }
    // The receipt must wait for the store, which takes longer than the time after which it is due.
    const first = await start({ ...settings, STORE_MS: '500', CONFIRM_MS: '50', SLOW_MS: '600000' })
    const { call, settled } = await server.open(await (await fetch(`${first.url}/slow`)).json(), first.url)
    await expect.poll(server.delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 202 }] })
    await first.stop('SIGKILL')
    const second = await start(settings)
    expect(await settled()).toMatchObject({ state: 'answered', output: { eta: 'Tuesday' } })
    expect([runs(first), runs(second)]).toEqual([
      [`run slow ${call.toolCallId}`],
      [`run slow ${call.toolCallId}`]
    ])
  }
)

test('the example in Python continues a call that a kill interrupted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'waystation-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const server = await startWaystation('report', { year: 2025 })
  const settings = { SECRET: server.secret, CALLS: join(folder, 'calls.db') }
  const start = (SECONDS: string) =>
    startExample('python3', ['examples/external-tool/report.py'], { ...settings, SECONDS })
  const first = await start('600')
  const definition = await (await fetch(`${first.url}/report`)).json()
  const { call, settled } = await server.open(definition, first.url)
  await expect.poll(() => first.lines.at(-1)).toBe(`${call.toolCallId}: counting 2025`)
  await first.stop('SIGKILL')
  await start('0')
  expect(await settled()).toMatchObject({ state: 'answered', output: { year: 2025, sales: 14_175 } })
})
