import { createServer } from 'node:net'
import { ToolError } from '@waystation/base/known-error.ts'
import { scriptsWith } from '@waystation/sandbox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { boxed, isGone, mark, printed, run } from '#tests/support/fakes/sandboxed-scripts.ts'

test('001-20: zx-script: without user namespaces there is a reason, and nothing runs', async () => {
  const error = 'namespaces are refused.'
  const refuseAll = async () => null
  const order = { script: '', seconds: 1, signal: AbortSignal.timeout(1000), ask: refuseAll }
  await expect(scriptsWith({ error }).run(order)).rejects.toThrow('namespaces are refused.')
})

if (boxed) {
  test('001-20: zx-script: it returns the output and the exit status; a failing script is an answer', async () => {
    const result = await run(
      'console.log("hello", String(await $`echo from bash`).trim()); console.error("beside")'
    )
    expect(result).toMatchObject({ exitCode: 0, stdout: 'hello from bash\n', stderr: 'beside\n' })
    expect(result).not.toHaveProperty('cut')
    expect(await run('await $`exit 7`')).toMatchObject({ exitCode: 7 })
    expect(await run('throw new Error("no luck")')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no luck')
    })
    expect(await run('this is no JavaScript')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('SyntaxError')
    })
    expect(await run('process.kill(process.pid, "SIGKILL"); await sleep(9000)')).toMatchObject({
      exitCode: 137
    })
  })

  test('001-20: zx-script: it sees no file, setting, process or name of this machine', async () => {
    vi.stubEnv('WAYSTATION_CANARY', 'canary')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(
      await printed(`fs.existsSync('/etc/passwd') || fs.existsSync('${process.cwd()}/package.json')`)
    ).toBe(false)
    expect(await printed('Object.keys(process.env).sort()')).toEqual(['HOME', 'LANG', 'PATH', 'PWD'])
    const environCode = `fs.readdirSync('/proc').filter(one => /^\\d+$/.test(one)).map(one => {
      try { return fs.readFileSync('/proc/' + one + '/environ', 'utf8') } catch (error) { return error.code }
    })`
    const environ = await printed(environCode)
    expect(environ.length).toBeLessThan(4)
    expect(environ.join()).not.toContain('canary')
    expect(await printed('os.hostname()')).toBe('script')
    expect(await printed('process.getuid()')).toBe(65534)
  })

  test('001-20: zx-script: it runs in an empty folder and can change nothing else', async () => {
    expect(await printed('[process.cwd(), fs.readdirSync("."), fs.readdirSync("/tmp")]')).toEqual([
      '/work',
      [],
      []
    ])
    const tries = [
      '/x',
      '/usr/x',
      '/etc/x',
      '/opt/script/main.mjs',
      '/opt/script/script.mjs',
      '/dev/x',
      '/proc/sys/kernel/hostname'
    ]
    expect(
      await printed(`${JSON.stringify(tries)}.map(one => {
        try { fs.writeFileSync(one, 'x'); return 'written' } catch (error) { return error.code }
      })`)
    ).toEqual(tries.map(() => expect.stringMatching(/^(EROFS|EACCES|EPERM)$/)))
    expect(await printed('(fs.writeFileSync("a", "kept while it runs"), fs.readFileSync("a", "utf8"))')).toBe(
      'kept while it runs'
    )
    expect(await printed('fs.readdirSync(".")')).toEqual([])
  })

  test('001-20: zx-script: it reaches no network, not even that of this machine', async () => {
    let connections = 0
    const canary = createServer(() => connections++).listen(0, '127.0.0.1')
    onTestFinished(() => void canary.close())
    await new Promise(resolve => canary.once('listening', resolve))
    const { port } = canary.address() as { port: number }
    const script = `
      const said = await fetch('http://127.0.0.1:${port}/').catch(error => error.cause?.code ?? String(error))
      const bash = await $\`exec 9<>/dev/tcp/127.0.0.1/${port}\`.nothrow().quiet()
      const seen = Object.keys(os.networkInterfaces())
      console.log(JSON.stringify([String(said), bash.exitCode, seen.filter(one => one !== 'lo')]))`
    const [fetchResult, bash, interfaces] = JSON.parse((await run(script)).stdout)
    expect(fetchResult).not.toContain('Response')
    expect([bash === 0, interfaces, connections]).toEqual([false, [], 0])
  })

  test('001-20: zx-script: its background processes end with it', async () => {
    const time = mark()
    const finished = await run(`
      const { spawn } = await import('node:child_process')
      const slow = spawn('setsid', ['sleep', '${time}'], { detached: true, stdio: 'ignore' })
      await new Promise(resolve => slow.once('spawn', resolve))
      slow.unref()
      console.log('done')`)
    expect(finished).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    await isGone(time)
  })

  test('001-20: zx-script: it sends requests to its host line by line, up to a limit; lines that are no request are ignored', async () => {
    const requests: unknown[] = []
    const ask = async (method: string, input: unknown) => {
      requests.push([method, input])
      if (method === 'toc') throw new ToolError('There is no wiki.')
      return { text: 'found' }
    }
    const { stdout } = await run(
      `fs.writeSync(3, 'no json\\n[1]\\nnull\\n{"id":"x"}\\n')
      console.log((await wiki.get('A', 'manual')).text, (await wiki.toc().catch(error => error.message)))`,
      { ask }
    )
    expect(stdout).toBe('found There is no wiki.\n')
    expect(requests).toEqual([
      ['get', { title: 'A', wiki: 'manual' }],
      ['toc', {}]
    ])
    const failed = await run("console.log('first')\nawait wiki.toc()", { ask })
    expect(failed.stderr).toContain('There is no wiki.')
    expect(failed.stderr).toMatch(/script\.mjs:2:\d/)
    expect(failed.stderr).not.toMatch(/main\.mjs|node:/)
    const manyRequests = await run('for (;;) await wiki.list()', { ask: async () => ({}) })
    expect(manyRequests).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/\b200\b/)
    })
    const largeResponses = await run('for (;;) await wiki.list()', { ask: async () => 'x'.repeat(1_000_000) })
    expect(largeResponses).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/\b4\b/) })
  })
}
