import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { boxed, isGone, mark, printed, run, running } from '#tests/support/fakes/sandboxed-scripts.ts'

if (boxed) {
  test('001-20: zx-script: in a sandbox without namespaces, the check at the start returns the reason', async () => {
    const trial =
      "const { scriptError } = await import('./packages/sandbox/src/open-scripts.ts'); console.log(await scriptError())"
    const output = execFileSync(
      'bwrap',
      [
        ...['--unshare-user', '--disable-userns', '--dev-bind', '/', '/', '--'],
        ...[process.execPath, '--input-type=module', '-e', trial]
      ],
      { encoding: 'utf8' }
    )
    expect(output).toMatch(/bubblewrap does not work on this machine|is not installed/)
  })

  test('001-20: zx-script: scripts get no further namespaces and no root privileges', async () => {
    const result = await run('await $`unshare --user true`.quiet()')
    expect(result.exitCode).not.toBe(0)
    const status = await printed(`fs.readFileSync('/proc/self/status', 'utf8')`)
    expect(status).toMatch(/^CapEff:\s+0+$/m)
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    expect(status).toMatch(/^Seccomp:\s+2$/m)
  })

  test('001-20: zx-script: the kernel gives a script no unaccounted memory, no keys and no system calls of another architecture', async () => {
    const memfd = process.arch === 'arm64' ? 279 : 319
    const tries = [
      'shmget(0, 100_000_000, 0600)',
      'msgget(0, 0600)',
      'semget(0, 1, 0600)',
      `syscall(${memfd}, 0, 0) >= 0`,
      `syscall(${process.arch === 'arm64' ? 219 : 250}, 0, -3, 0, 0, 0) >= 0`,
      ...(process.arch === 'x64' ? ['syscall(0x40000000 + 39) >= 0'] : [])
    ]
    for (const attempt of tries) {
      const { stdout } = await run(
        `console.log(String(await $({ input: ${JSON.stringify(`print ${attempt} ? "given" : 0 + $!`)} })\`perl\`))`
      )
      expect(stdout.trim(), attempt).toBe('38')
    }
  })

  test('001-20: zx-script: a fork bomb reaches the process limit and ends after its time limit', async () => {
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

  test('001-20: zx-script: memory is limited for each process and for all processes together', async () => {
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
      note: 'The script was stopped: it used more than 512 MiB of memory.'
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

  test('001-20: zx-script: long output keeps its beginning and end, and endless output stops the script', async () => {
    const long = await run('console.log("first\\n" + "x".repeat(200_000)); console.log("last")')
    expect(long).toMatchObject({ exitCode: 0, cut: true })
    expect(long.stdout).toMatch(/^first\n/)
    expect(long.stdout).toMatch(/last\n$/)
    expect(long.stdout).toContain('[… 176012 characters omitted …]')
    expect(long.stdout.length + long.stderr.length).toBeLessThan(32_200)
    const endless = await run('await $({ stdio: "inherit" })`yes`')
    expect(endless).toMatchObject({ cut: true, note: 'The script was stopped: it wrote more than 16 MiB.' })
  })

  test('001-20: zx-script: invalid text in the output does no harm', async () => {
    const { stdout } = await run(
      'process.stdout.write(Buffer.from([0xff, 0, 0xf0, 0x9f, 0x98, 0x80])); process.stdout.write("\\ud800é")'
    )
    expect(stdout).toBe('\ufffd\0😀\ufffdé')
    expect(stdout.isWellFormed()).toBe(true)
  })

  test('001-20: zx-script: an endless loop is stopped at the time limit and keeps its output', async () => {
    const loop = await run('console.log("begun"); for (;;);', { seconds: 2 })
    expect(loop).toMatchObject({
      stdout: 'begun\n',
      timedOut: true,
      note: 'The script was stopped: it ran longer than 2 s.'
    })
    expect(loop.seconds).toBeGreaterThanOrEqual(2)
  })

  test('001-20: zx-script: a script that ignores signals and forks ends at once when it is stopped', async () => {
    const time = mark()
    const stop = new AbortController()
    const started = Promise.withResolvers<void>()
    const script = `
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => undefined)
      const { spawn } = await import('node:child_process')
      for (let i = 0; i < 5; i++)
        spawn('setsid', ['bash', '-c', "trap '' TERM INT HUP; sleep ${time}; sleep ${time}"], { detached: true, stdio: 'ignore' })
      await wiki.get('begun')
      for (;;) await sleep(1000)`
    const ran = run(script, {
      signal: stop.signal,
      ask: async () => started.resolve()
    })
    await started.promise
    while (running(`sleep ${time}`) < 5) await pause(20)
    const since = performance.now()
    stop.abort(new Error('It was stopped.'))
    await expect(ran).rejects.toThrow('It was stopped.')
    expect(performance.now() - since).toBeLessThan(5_000)
    await isGone(time)
  })

  test('001-20: zx-script: runs leave no process, descriptor or control group behind', async () => {
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
