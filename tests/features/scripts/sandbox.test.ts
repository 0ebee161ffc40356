import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { ScriptOrder } from '#lib/kernel/scripts.ts'
import { scriptFault, scriptsWith } from '#lib/net/programs/open-scripts.ts'
import { runScript } from '#lib/net/programs/run-script.ts'

/** Where no sandbox can be had, scripts are refused; here it is tested that they are. */
const boxed = (await scriptFault()) === undefined

const run = (script: string, more: Partial<ScriptOrder> = {}) =>
  runScript({ script, seconds: 60, signal: AbortSignal.timeout(90_000), ask: async () => null, ...more })

/** What a script prints, read as JSON. */
const printed = async (expression: string) => {
  const { stdout, stderr } = await run(`console.log(JSON.stringify(${expression}))`)
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** How many processes of this machine have these words in their command line. */
const running = (words: string) =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter(line => line.includes(words)).length

async function isGone(words: string) {
  while (running(words) > 0) await pause(20)
}

let marked = 0
/** Seconds that nobody else sleeps: the mark of a process. */
const mark = () => `${1_000_000 + process.pid}.${++marked}`

test('001-20: zx-script: where namespaces are refused there is a reason, and nothing is run', async () => {
  const fault = 'namespaces are refused.'
  const ask = async () => null
  const order = { script: '', seconds: 1, signal: AbortSignal.timeout(1000), ask }
  await expect(scriptsWith({ fault }).run(order)).rejects.toThrow('namespaces are refused.')
})

if (boxed) {
  test('001-20: zx-script: inside a sandbox that refuses namespaces the trial at the start says why', async () => {
    const trial =
      "const { scriptFault } = await import('./lib/net/programs/open-scripts.ts'); console.log(await scriptFault())"
    const said = execFileSync(
      'bwrap',
      [
        ...['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', '--'],
        ...[process.execPath, '--input-type=module', '-e', trial]
      ],
      { encoding: 'utf8' }
    )
    expect(said).toMatch(/bubblewrap does not work here|are not all installed here/)
  })

  test('001-20: zx-script: it says what was printed and how it ended; a script that fails is an answer', async () => {
    const well = await run(
      'console.log("hello", String(await $`echo from bash`).trim()); console.error("beside")'
    )
    expect(well).toMatchObject({ exitCode: 0, stdout: 'hello from bash\n', stderr: 'beside\n' })
    expect(well).not.toHaveProperty('cut')
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

  test('001-20: zx-script: it sees no file, no setting, no process and no name of this machine', async () => {
    process.env.WAYSTATION_CANARY = 'canary'
    onTestFinished(() => void delete process.env.WAYSTATION_CANARY)
    expect(
      await printed(`fs.existsSync('/etc/passwd') || fs.existsSync('${process.cwd()}/package.json')`)
    ).toBe(false)
    expect(await printed('Object.keys(process.env).sort()')).toEqual(['HOME', 'LANG', 'PATH', 'PWD'])
    const environs = `fs.readdirSync('/proc').filter(one => /^\\d+$/.test(one)).map(one => {
      try { return fs.readFileSync('/proc/' + one + '/environ', 'utf8') } catch (error) { return error.code }
    })`
    const seen = await printed(environs)
    expect(seen.length).toBeLessThan(4)
    expect(seen.join()).not.toContain('canary')
    expect(await printed('os.hostname()')).toBe('script')
    expect(await printed('process.getuid()')).toBe(65534)
  })

  test('001-20: zx-script: it works in an empty folder and can change nothing else', async () => {
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

  test('001-20: zx-script: no network is reached, not even this machine’s own', async () => {
    let heard = 0
    const canary = createServer(() => heard++).listen(0, '127.0.0.1')
    onTestFinished(() => void canary.close())
    await new Promise(resolve => canary.once('listening', resolve))
    const { port } = canary.address() as { port: number }
    const script = `
      const said = await fetch('http://127.0.0.1:${port}/').catch(error => error.cause?.code ?? String(error))
      const bash = await $\`exec 9<>/dev/tcp/127.0.0.1/${port}\`.nothrow().quiet()
      const seen = Object.keys(os.networkInterfaces())
      console.log(JSON.stringify([String(said), bash.exitCode, seen.filter(one => one !== 'lo')]))`
    const [said, bash, seen] = JSON.parse((await run(script)).stdout)
    expect(said).not.toContain('Response')
    expect([bash === 0, seen, heard]).toEqual([false, [], 0])
  })

  test('001-20: zx-script: no further namespaces, and no power of root', async () => {
    const tried = await run('await $`unshare --user true`.quiet()')
    expect(tried.exitCode).not.toBe(0)
    const status = await printed(`fs.readFileSync('/proc/self/status', 'utf8')`)
    expect(status).toMatch(/^CapEff:\s+0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(status).toMatch(/^Seccomp:\s+2$/m)
  })

  test('001-20: zx-script: the kernel gives it no memory that no process is held to, no keys and nothing of another processor’s', async () => {
    const memfd = process.arch === 'arm64' ? 279 : 319
    const tries = [
      'shmget(0, 100_000_000, 0600)',
      'msgget(0, 0600)',
      'semget(0, 1, 0600)',
      `syscall(${memfd}, 0, 0) >= 0`,
      `syscall(${process.arch === 'arm64' ? 219 : 250}, 0, -3, 0, 0, 0) >= 0`,
      ...(process.arch === 'x64' ? ['syscall(0x40000000 + 39) >= 0'] : [])
    ]
    for (const one of tries) {
      const { stdout } = await run(
        `console.log(String(await $({ input: ${JSON.stringify(`print ${one} ? "given" : 0 + $!`)} })\`perl\`))`
      )
      expect(stdout.trim(), one).toBe('38')
    }
  })

  test('001-20: zx-script: a fork bomb runs into the number of processes and ends with its time', async () => {
    const time = mark()
    const bomb = await run(
      `await $\`bomb() { sleep ${time} & bomb | bomb & }; bomb; wait\`.nothrow(); await sleep(60000)`,
      {
        seconds: 3
      }
    )
    expect(bomb).toMatchObject({ timedOut: true, exitCode: 137 })
    await isGone(`sleep ${time}`)
    const count = await run(`
      const { spawn } = await import('node:child_process')
      const begun = await Promise.all(Array.from({ length: 100 }, () => new Promise(resolve =>
        spawn('sleep', ['60'], { stdio: 'ignore' }).on('spawn', () => resolve(1)).on('error', () => resolve(0)))))
      console.log(begun.reduce((sum, one) => sum + one))
      process.exit(0)`)
    expect(Number(count.stdout)).toBeGreaterThan(10)
    expect(Number(count.stdout)).toBeLessThan(64)
  })

  test('001-20: zx-script: memory is bounded, of one process and of all together', async () => {
    const balloon = await run(`
      const held = []
      try { for (;;) held.push(Buffer.alloc(20_000_000, 1)) } catch (error) { console.log(error.message, held.length) }`)
    const [, blocks] = /(\d+)$/m.exec(balloon.stdout) ?? ['', '0']
    if (balloon.note === undefined) expect(Number(blocks)).toBeLessThan(50)
    else expect(balloon.note).toContain('512 MiB')
    const heap = await run('const held = []; for (;;) held.push(new Array(1e6).fill(held.length))')
    expect(heap.exitCode).not.toBe(0)
    const holds = `perl -e 'my $x = "a" x 150000000; sleep 60'`
    const many = await run(
      `await Promise.all(Array.from({ length: 8 }, () => $({ input: ${JSON.stringify(holds)} })\`bash\`))`
    )
    expect(many).toMatchObject({
      exitCode: 137,
      note: expect.stringContaining('512')
    })
  })

  test('001-20: zx-script: neither a file nor a folder grows beyond 16 MB', async () => {
    const fill = (folder: string) =>
      `(() => { let whole = 0
        for (let at = 0; at < 40; at++)
          try { fs.writeFileSync('${folder}/' + at, Buffer.alloc(1_000_000)); whole++ } catch {}
        return whole })()`
    for (const folder of ['/work', '/tmp', '/dev/shm']) expect(await printed(fill(folder))).toBeLessThan(17)
    expect((await run('fs.writeFileSync("/work/x", Buffer.alloc(20_000_000))')).stderr).toMatch(
      /EFBIG|ENOSPC/
    )
  })

  test('001-20: zx-script: of a flood the beginning and the end are kept, and an endless one is stopped', async () => {
    const long = await run('console.log("first\\n" + "x".repeat(200_000)); console.log("last")')
    expect(long).toMatchObject({ exitCode: 0, cut: true })
    expect(long.stdout).toMatch(/^first\n/)
    expect(long.stdout).toMatch(/last\n$/)
    expect(long.stdout).toContain('[… 176012 characters are left out here …]')
    expect(long.stdout.length + long.stderr.length).toBeLessThan(32_200)
    const endless = await run('await $({ stdio: "inherit" })`yes`')
    expect(endless).toMatchObject({ cut: true, note: expect.stringContaining('16') })
  })

  test('001-20: zx-script: what it prints that is no text does no harm', async () => {
    const { stdout } = await run(
      'process.stdout.write(Buffer.from([0xff, 0, 0xf0, 0x9f, 0x98, 0x80])); process.stdout.write("\\ud800é")'
    )
    expect(stdout).toBe('\ufffd\0😀\ufffdé')
    expect(stdout.isWellFormed()).toBe(true)
  })

  test('001-20: zx-script: a loop without end is stopped by the clock, with what it had printed', async () => {
    const loop = await run('console.log("begun"); for (;;);', { seconds: 2 })
    expect(loop).toMatchObject({
      stdout: 'begun\n',
      timedOut: true,
      note: expect.stringContaining('2 s')
    })
    expect(loop.seconds).toBeGreaterThanOrEqual(2)
  })

  test('001-20: zx-script: one that ignores signals and forks is gone at once when it is stopped', async () => {
    const time = mark()
    const stop = new AbortController()
    const begun = Promise.withResolvers<void>()
    const script = `
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
      const { spawn } = await import('node:child_process')
      for (let i = 0; i < 5; i++)
        spawn('setsid', ['bash', '-c', "trap '' TERM INT HUP; sleep ${time}; sleep ${time}"], { detached: true, stdio: 'ignore' })
      await wiki.get('begun')
      for (;;) await sleep(1000)`
    const ran = run(script, {
      signal: stop.signal,
      ask: async () => begun.resolve()
    })
    await begun.promise
    while (running(`sleep ${time}`) < 5) await pause(20)
    const since = performance.now()
    stop.abort(new Error('It was stopped.'))
    await expect(ran).rejects.toThrow('It was stopped.')
    expect(performance.now() - since).toBeLessThan(5_000)
    await isGone(time)
  })

  test('001-20: zx-script: what it leaves in the background ends with it', async () => {
    const time = mark()
    const left = await run(`
      const { spawn } = await import('node:child_process')
      const slow = spawn('setsid', ['sleep', '${time}'], { detached: true, stdio: 'ignore' })
      await new Promise(resolve => slow.once('spawn', resolve))
      slow.unref()
      console.log('done')`)
    expect(left).toMatchObject({ exitCode: 0, stdout: 'done\n' })
    await isGone(time)
  })

  test('001-20: zx-script: it asks its host by lines, and only so often; what is no question is passed over', async () => {
    const asked: unknown[] = []
    const ask = async (method: string, input: unknown) => {
      asked.push([method, input])
      if (method === 'toc') throw new Error('There is no wiki.')
      return { text: 'found' }
    }
    const { stdout } = await run(
      `fs.writeSync(3, 'no json\\n[1]\\nnull\\n{"id":"x"}\\n')
      console.log((await wiki.get('A', 'manual')).text, (await wiki.toc().catch(error => error.message)))`,
      { ask }
    )
    expect(stdout).toBe('found There is no wiki.\n')
    expect(asked).toEqual([
      ['get', { title: 'A', wiki: 'manual' }],
      ['toc', {}]
    ])
    const often = await run('for (;;) await wiki.list()', { ask: async () => ({}) })
    expect(often).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/\b200\b/)
    })
    const much = await run('for (;;) await wiki.list()', { ask: async () => 'x'.repeat(1_000_000) })
    expect(much).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/\b4\b/) })
  })

  test('001-20: zx-script: many runs leave no process, no descriptor and no control group behind', async () => {
    const time = mark()
    const descriptors = () => readdirSync('/proc/self/fd').length
    const groups = () =>
      spawnSync('find', ['/sys/fs/cgroup', '-name', `waystation-${process.pid}-*`], { encoding: 'utf8' })
        .stdout
    await run('')
    const before = descriptors()
    for (let round = 0; round < 10; round++) {
      const stop = new AbortController()
      await Promise.all([
        run('console.log("well")'),
        run(`$\`setsid sleep ${time}\`; await sleep(100); process.exit(1)`),
        run(`await $\`sleep ${time}\``, { seconds: 0.5 }),
        run(`wiki.get('x'); await $\`sleep ${time}\``, {
          signal: stop.signal,
          ask: async () => stop.abort(new Error('It was stopped.'))
        }).catch(() => undefined)
      ])
    }
    await isGone(time)
    expect(descriptors()).toBeLessThanOrEqual(before)
    expect(groups()).toBe('')
  })
}
