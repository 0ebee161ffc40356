import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { isAlive, superviseProbe } from '#tests/support/fakes/plugins/probe.ts'
import { python, pythonProtos, withPython } from '#tests/support/fakes/plugins/python.ts'

const protos = pythonProtos()

/** The waits in milliseconds after 1, 2, 3, … failed starts. */
const backoff = [250, 500, 1_000, 2_000]

withPython.describe('a local plugin', () => {
  test.each([
    ['reports another name', 'wrong-name', '“somebody-else”'],
    ['ends at once', 'early-exit', 'it exited with code'],
    ['prints other output first', 'bad-handshake', '“Hello, I am a plugin.”'],
    ['listens on a public address', 'public-handshake', '|0.0.0.0:'],
    ['names a host instead of an address', 'named-handshake', '|localhost:'],
    ['prints an endless line', 'endless-line', '1']
  ])(
    'a plugin that %s is started five times with growing waits and then fails with a reason, leaving no process',
    async (_, behavior, why) => {
      const { plugin, clock, states, waitForState } = superviseProbe(protos, { ways: [behavior] })
      for (const ms of backoff) {
        await expect.poll(() => plugin.state).toMatchObject({ kind: 'restarting', waitMs: ms })
        expect(clock.waits()).toContain(ms)
        clock.advance(ms)
      }
      expect(await waitForState('failed')).toMatchObject({ why: expect.stringContaining(why) })
      expect(states.filter(({ kind }) => kind === 'starting')).toHaveLength(5)
      expect(() => plugin.calls()).toThrow(why)
      expect(children()).toEqual([])
      plugin.restart()
      await expect.poll(() => plugin.state).toMatchObject({ kind: 'restarting', waitMs: 250 })
    }
  )

  test('that prints nothing is stopped after ten seconds', async () => {
    const { plugin, clock } = superviseProbe(protos, { ways: ['silent'] })
    await expect.poll(() => clock.waits()).toEqual([10_000])
    clock.advance(9_999)
    expect(plugin.state.kind).toBe('starting')
    clock.advance(1)
    await expect
      .poll(() => plugin.state)
      .toMatchObject({ kind: 'restarting', why: expect.stringContaining('10 s') })
    expect(children()).toEqual([])
  })

  test('that does not exist reports an error', async () => {
    const { plugin } = superviseProbe(protos, { command: '/nowhere/plugin' })
    await expect.poll(() => plugin.state).toMatchObject({ kind: 'restarting', why: expect.any(String) })
  })

  test('that is restarted is starting, and no longer serving, while it ends', async () => {
    const { plugin, waitForState } = superviseProbe(protos)
    await waitForState('serving')
    const refusal = () => {
      try {
        return void plugin.calls()
      } catch (error) {
        return String(error)
      }
    }
    plugin.restart()
    let first: string | undefined
    // Its program ends within milliseconds, so look before the next event.
    for (let looks = 0; looks < 100 && first === undefined; looks++) {
      first = refusal()
      await Promise.resolve()
    }
    expect(first).toContain('is starting')
    await waitForState('serving')
  })

  test('that is killed during calls fails each of them at once and is restarted', async () => {
    const { plugin, clock, waitForState } = superviseProbe(protos)
    await waitForState('serving')
    const { pid } = plugin
    const calls = plugin.calls()
    const pending = Array.from({ length: 20 }, () => calls.executeTool({ name: 'hang', args: {} }))
    const stream = Array.fromAsync(calls.complete({ model: 'silent', messages: [], tools: [] }))
    stream.catch(() => undefined)
    expect(await calls.executeTool({ name: 'echo', args: {} })).toMatchObject({ ok: true })
    process.kill(pid as number, 'SIGKILL')
    for (const outcome of await Promise.all(pending))
      expect(outcome).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/unavailable.*may have taken effect/s)
      })
    await expect(stream).rejects.toMatchObject({ reason: 'unavailable' })
    await waitForState('restarting')
    clock.advance(250)
    await waitForState('serving')
    expect(plugin.pid).not.toBe(pid)
    expect(await calls.executeTool({ name: 'echo', args: {} })).toMatchObject({ ok: false })
    expect(await plugin.calls().executeTool({ name: 'echo', args: {} })).toMatchObject({ ok: true })
  })

  test('003-3: that hangs misses three health checks, is killed and restarted', async () => {
    const { plugin, clock, states, waitForState, waitForHealthCheck } = superviseProbe(protos, {
      timing: { healthWithin: 200 }
    })
    await waitForState('serving')
    const pid = plugin.pid as number
    process.kill(pid, 'SIGSTOP')
    // A thread on another core stops a little later and could answer once more.
    const stateOf = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.[0]
    if (process.platform === 'linux') await expect.poll(stateOf).toBe('T')
    for (const misses of [1, 2]) {
      await waitForHealthCheck()
      await expect.poll(() => plugin.state).toMatchObject({ kind: 'unhealthy', misses })
    }
    const hanging = plugin.calls().executeTool({ name: 'echo', args: {} })
    await waitForHealthCheck()
    expect(await waitForState('restarting')).toMatchObject({ why: expect.stringMatching(/ 3 .* in a row/) })
    expect(await hanging).toMatchObject({ ok: false, reason: expect.stringContaining('unavailable') })
    expect(isAlive(pid)).toBe(false)
    clock.advance(250)
    await waitForState('serving')
    expect(states.map(({ kind }) => kind)).toEqual(
      'starting serving unhealthy unhealthy unhealthy restarting starting serving'.split(' ')
    )
  })

  test('003-3: that reports once that it is not serving is unhealthy, and is serving again once it reports so', async () => {
    const { plugin, cwd, waitForState, waitForHealthCheck } = superviseProbe(protos, {
      envVars: { SICK: 'sick' }
    })
    await waitForState('serving')
    const { pid } = plugin
    writeFileSync(join(cwd, 'sick'), '')
    await waitForHealthCheck()
    expect(await waitForState('unhealthy')).toMatchObject({ misses: 1, why: expect.any(String) })
    rmSync(join(cwd, 'sick'))
    await waitForHealthCheck()
    await waitForState('serving')
    expect(plugin.pid).toBe(pid)
  })

  test('that served for a minute restarts with the shortest wait', async () => {
    const { plugin, clock, waitForState } = superviseProbe(protos)
    for (const [uptime, waitMs] of [
      [0, 250],
      [59_999, 500],
      [60_000, 250]
    ] as const) {
      await waitForState('serving')
      // Advance in steps, so that health checks can run in between.
      for (let remaining = uptime; remaining > 0; remaining -= 10_000) {
        await expect.poll(() => clock.waits().length).toBe(1)
        clock.advance(Math.min(remaining, 10_000))
      }
      process.kill(plugin.pid as number, 'SIGKILL')
      expect(await waitForState('restarting')).toMatchObject({ waitMs })
      clock.advance(waitMs)
    }
  })

  test('ends its child processes when it is stopped or dies', async () => {
    const { plugin, waitForState } = superviseProbe(protos)
    await waitForState('serving')
    await plugin.calls().executeTool({ name: 'child', args: {} })
    const group = children()
    expect(group).toHaveLength(2)
    await plugin.stop()
    expect(plugin.state).toEqual({ kind: 'stopped' })
    expect(() => plugin.calls()).toThrow('stopped')
    expect(children()).toEqual([])
  })

  test('that ignores the end of its input and SIGTERM is killed', async () => {
    const { plugin, waitForState } = superviseProbe(protos, { ways: ['deaf'] })
    await waitForState('serving')
    const pid = plugin.pid as number
    await plugin.stop()
    expect(isAlive(pid)).toBe(false)
  })

  test('that floods its log is read at one megabyte a second at most, and the newest lines are stored', async () => {
    const { plugin, waitForState } = superviseProbe(protos)
    await waitForState('serving')
    expect(plugin.logs()).toMatchObject([{ stream: 'server' }, { stream: 'stdout', text: 'I am here.' }])
    const calls = plugin.calls()
    const since = performance.now()
    await calls.executeTool({ name: 'shout', args: {} })
    const bytesLogged = async () => {
      const outcome = await calls.executeTool({ name: 'shouted', args: {} })
      return outcome.ok ? Number(outcome.result) : 0
    }
    // There are two streams, so two megabytes per second can be read. The first second can have started earlier.
    await expect.poll(bytesLogged).toBeGreaterThan(6_500_000)
    expect(performance.now() - since).toBeGreaterThan(1_000)
    await expect.poll(() => plugin.logs().length).toBe(500)
    expect(plugin.logs().every(({ text }) => text.length <= 1_000)).toBe(true)
  })

  test('leaves no process and no descriptor behind, however often it starts and stops', async () => {
    const cycle = async () => {
      const { plugin, waitForState } = superviseProbe(protos)
      await waitForState('serving')
      await plugin.calls().executeTool({ name: 'echo', args: {} })
      await plugin.stop()
    }
    await cycle()
    const descriptors = () => readdirSync('/proc/self/fd').length
    const before = descriptors()
    for (let at = 0; at < 25; at++) await cycle()
    expect(children()).toEqual([])
    await expect.poll(descriptors).toBeLessThanOrEqual(before)
  })

  test('ends when its server is killed', async () => {
    const host = spawn(
      process.execPath,
      [
        resolve('tests/support/fakes/plugins/host.ts'),
        python,
        resolve('tests/support/fakes/plugins/plugin.py'),
        protos
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] }
    )
    onTestFinished(() => void host.kill('SIGKILL'))
    const [pid] = (await once(createInterface(host.stdout), 'line')) as [string]
    expect(isAlive(Number(pid))).toBe(true)
    host.kill('SIGKILL')
    await expect.poll(() => isZombieOrGone(Number(pid))).toBe(true)
  })
})

/** Returns the processes of plugins of this test, found by the folder of their protos in their environment. */
function children(): number[] {
  const all = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return all.map(Number).filter(pid => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(protos) && !isZombieOrGone(pid)
    } catch {
      return false
    }
  })
}

/** An orphan that ended stays a zombie until the init process reaps it, which is not up to us. */
function isZombieOrGone(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/\(.*\)/, ''))
  } catch {
    return true
  }
}
