import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testPlugin } from '@waystation/plugin/testing'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { checkPlugin } from '#tests/support/fakes/plugins/check-plugin.ts'
import { buildGo, withGo } from '#tests/support/fakes/plugins/go.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

withGo.describe('the dice plugin of the examples, in Go', () => {
  let folder: string
  let program: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'dice-'))
    program = buildGo('examples/plugins/dice-go/dice.go', folder)
  }, 600_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  withGo.test('builds with Debian’s packages, and passes plugin:check', async () => {
    const { code, output } = await checkPlugin(program)
    expect(output).toContain('All checks passed.')
    expect(code).toBe(0)
  })

  withGo.test(
    'rolls dice with the sides of its setting, and rejects wrong settings and arguments',
    async () => {
      const host = await testPlugin({ program }, { settings: { sides: 2 } })
      onTestFinished(host.stop)
      const roll = await host.callTool('roll_dice', { count: 100 })
      const { points } = (roll as { result: { points: number[] } }).result
      expect(points).toHaveLength(100)
      expect(points.every(value => value === 1 || value === 2)).toBe(true)
      expect(await host.callTool('roll_dice', { count: 0 })).toEqual({
        ok: false,
        reason: 'Roll 1 to 100 dice.'
      })
      await expect(testPlugin({ program }, { settings: { sides: 1 } })).rejects.toThrow('“sides” is “1”')
    }
  )

  withGo.test('stops with exit code 0 on SIGTERM', async () => {
    const child = spawn(program, {
      env: { ...process.env, PLUGIN_LISTEN_ADDR: '127.0.0.1:0' },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  withGo.test('works in a workspace, and answers only calls that have its token', async () => {
    const host = await testPlugin({ program })
    onTestFinished(host.stop)
    const stranger = await checkPlugin(`remote://${host.address}`)
    expect(stranger).toMatchObject({ code: 1, output: expect.stringContaining('rejected the credentials') })

    const server = await startTestServer({
      script: [replyCalls({ name: 'roll_dice', input: { count: 2 } }), replyText('You won.')],
      settings: {
        WAYSTATION_PLUGIN_FOLDER: folder,
        WAYSTATION_WORKSPACES: workspaceFolder('plugin "dice" { source = "local://plugin" }')
      }
    })
    await server.ctx.ports.plugins?.ready('default', 20_000)
    await server.saveAgent({ chat: { tools: [{ plugin: 'dice', approval: 'auto' }] } })
    const session = await server.startSession('test')
    await session.runTurn('Roll two dice.')
    expect(JSON.stringify(server.model.requests.at(-1)?.body.messages)).toContain('points')
  })
})
