import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PlatformAddress } from '@waystation/plugin-host/connect-source.ts'
import type { PluginState, Timing } from '@waystation/plugin-host/plugin-state.ts'
import { supervise } from '@waystation/plugin-host/supervise.ts'
import { expect, onTestFinished } from 'vitest'
import { ManualClock } from '#tests/support/servers/manual-clock.ts'
import { python } from './python.ts'

/** Supervises the tests' Python plugin with a clock that the test controls. Stops it when the test ends. */
export function superviseProbe(
  protos: string,
  {
    ways = [],
    envVars = {},
    platform,
    timing,
    command = python
  }: {
    ways?: string[]
    envVars?: Record<string, string>
    platform?: PlatformAddress
    timing?: Partial<Timing>
    command?: string
  } = {}
) {
  const clock = new ManualClock()
  const states: PluginState[] = []
  const cwd = mkdtempSync(join(tmpdir(), 'plugin-'))
  const args = [resolve('tests/support/fakes/plugins/plugin.py'), ...ways]
  const plugin = supervise({
    name: 'probe',
    source: { kind: 'local', command, args, cwd },
    config: { unit: 'metric' },
    envVars: { PYTHONPATH: protos, ...envVars },
    platform,
    clock,
    timing: timing ?? {},
    onState: state => states.push(state)
  })
  onTestFinished(async () => {
    await plugin.stop()
    rmSync(cwd, { recursive: true, force: true })
  })
  return {
    plugin,
    clock,
    cwd,
    states,
    /** Resolves with the state when the plugin reaches a state of this kind. */
    async waitForState<K extends PluginState['kind']>(kind: K) {
      await expect.poll(() => plugin.state.kind, { message: JSON.stringify(plugin.state) }).toBe(kind)
      return plugin.state as Extract<PluginState, { kind: K }>
    },
    /** Moves the clock to the next health check and no further. */
    async waitForHealthCheck() {
      await expect.poll(() => clock.waits()[0]).toBeLessThanOrEqual(10_000)
      clock.advance(clock.waits()[0] as number)
    }
  }
}

/** Returns true if a process with this ID is running. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
