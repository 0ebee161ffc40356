import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { exposedPaths, exposureOf, programsWith, sandboxError, scriptError } from '@waystation/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { endProgramsOfEndedSessions } from '#lib/compose/end-programs.ts'
import { readAllowList } from '#lib/infra/allow-list.ts'
import { hiddenPaths } from '#lib/infra/hidden-paths.ts'
import { createSession } from '#lib/sessions/create-session.ts'
import { deleteSession } from '#lib/sessions/delete-session.ts'
import { packaged, programList, serverThat } from '#tests/support/fakes/program-list.ts'
import { boxed, isAlive, isGone, stays, withPrograms } from '#tests/support/fakes/with-programs.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

const sayPid = 'say(id, text(String(process.pid) + " " + ++count))'

test('001-19: a listed program starts once per session, keeps its state, and ends with the worker', async () => {
  const { session, last, stopServer } = await withPrograms({ x: serverThat(sayPid) }, 'x')
  await session.runTurn('use x__go {}')
  const [pid, first] = String((await last())?.output).split(' ')
  await session.runTurn('use x__go {}')
  expect([first, (await last())?.output]).toEqual(['1', `${pid} 2`])
  await stopServer()
  await isGone(Number(pid))
})

test('001-19: another session has its own copy', async () => {
  const { ctx, reopenSession, session, last } = await withPrograms({ x: serverThat(sayPid) }, 'x')
  await session.runTurn('use x__go {}')
  const other = await reopenSession((await createSession(ctx, { agentId: 'test' })).sessionId)
  await other.runTurn('use x__go {}')
  const otherOutput = (await other.get()).calls.at(-1)?.output
  expect(String(otherOutput)).toMatch(/^\d+ 1$/)
  expect(otherOutput).not.toBe((await last())?.output)
})

test('001-19: a program gets an environment that was built for it, and no variable of the server', async () => {
  const env = { GREETING: 'hello' }
  const x = { ...serverThat('say(id, text(JSON.stringify(process.env)))'), env }
  const { session, last } = await withPrograms({ x }, 'x')
  await session.runTurn('use x__go {}')
  expect(Object.keys(JSON.parse(String((await last())?.output))).sort()).toEqual([
    'GREETING',
    'HOME',
    'LANG',
    'PATH'
  ])
})

test('001-19: a name that is not on the list starts no program', async () => {
  const { session, ctx } = await withPrograms({ x: serverThat(sayPid) }, 'y')
  await session.runTurn('use y__go {}')
  expect((await session.get()).calls).toEqual([])
  const { programs } = ctx.ports
  const sessionRef = { workspaceId: 'default', sessionKey: session.key, generation: 1 }
  const pendingCall = programs?.talk(sessionRef, 'y', AbortSignal.timeout(5000), client => client.listTools())
  await expect(pendingCall).rejects.toThrow('"y"')
})

/** Returns code that writes this text repeatedly, as fast as it is read, without buffering it. */
const flood = (text: string) =>
  `const more = () => process.stdout.write(${text}) ? setImmediate(more) : process.stdout.once('drain', more); more()`

for (const { title, go, words, timeoutSeconds = 30 } of [
  {
    title: 'dies in the middle',
    go: 'process.exit(3)',
    words: 'x: '
  },
  {
    title: 'floods without an end of a line',
    go: flood('"x".repeat(1e6)'),
    words: 'x: '
  },
  {
    title: 'floods with messages that nobody asked for',
    go: flood(
      'JSON.stringify({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x".repeat(1e5) } }) + "\\n"'
    ),
    words: 'x: '
  },
  { title: 'never answers', go: '', words: '1 s', timeoutSeconds: 1 }
])
  test(`001-19: if a program ${title}, the model receives an error and a new copy serves the next call`, async () => {
    const x = serverThat(`if (params.arguments.well) ${sayPid}; else { ${go} }`)
    const { session, last } = await withPrograms({ x }, 'x', { timeoutSeconds })
    // The first listing starts the program, so that the second call measures only the call.
    await session.runTurn('use x__go {"well":true}')
    await session.runTurn('use x__go {}')
    expect(await last()).toMatchObject({ state: 'failed', errorText: expect.stringContaining(words) })
    await session.runTurn('use x__go {"well":true}')
    expect(String((await last())?.output)).toMatch(/^\d+ 1$/)
  })

test('001-19: output that is not a response is ignored', async () => {
  const noisyStart =
    'console.log("Listening!"); console.log("{not json"); console.log(JSON.stringify({ a: 1 }));'
  const { session, last } = await withPrograms({ x: serverThat(sayPid, { hello: noisyStart }) }, 'x')
  await session.runTurn('use x__go {}')
  expect(String((await last())?.output)).toMatch(/^\d+ 1$/)
})

test('001-19: a program that never says hello, or that is not executable, gives an error, and the turn continues', async () => {
  const silentProgram = { ...serverThat(''), args: ['-e', 'setInterval(() => {}, 1000)'] }
  const missingProgram = { command: '/nowhere/at-all', description: 'Is not there.', sandbox: false }
  const programs = programsWith(
    await readAllowList(programList({ mute: silentProgram, absent: missingProgram })),
    {
      version: '1',
      limits: { hello: 300 }
    }
  )
  onTestFinished(() => programs.stop())
  const sessionRef = { workspaceId: 'default', sessionKey: 1, generation: 1 }
  const ask = (name: string) =>
    programs.talk(sessionRef, name, AbortSignal.timeout(10_000), client => client.listTools())
  await expect(ask('mute')).rejects.toThrow()
  await expect(ask('absent')).rejects.toThrow()
})

/** Returns programs that return their process ID, for sessions with these keys. */
async function programsOf(limits: Parameters<typeof programsWith>[1]['limits']) {
  const list = await readAllowList(programList({ x: serverThat(sayPid), y: serverThat(sayPid) }))
  const programs = programsWith(list, { version: '1', limits })
  onTestFinished(() => programs.stop())
  const signal = AbortSignal.timeout(20_000)
  const ask = (name: string, workspaceId: string, work: () => Promise<unknown> = async () => undefined) =>
    programs.talk({ workspaceId, sessionKey: 1, generation: 1 }, name, signal, async client => {
      const { content } = await client.callTool('go', {})
      await work()
      return Number(String(content[0]?.type === 'text' && content[0].text).split(' ')[0])
    })
  return { programs, ask }
}

test('001-19: the programs of a workspace and of a process are limited, and the one that was unused for longest ends for a new one', async () => {
  const { programs, ask } = await programsOf({ ofWorkspace: 1, ofProcess: 2 })
  const first = await ask('x', 'a', async () => {
    await expect(ask('y', 'a')).rejects.toThrow()
    await ask('x', 'b', async () => {
      await expect(ask('x', 'c')).rejects.toThrow(/\b2\b/)
    })
  })
  const release = programs.hold({ workspaceId: 'a', sessionKey: 1, generation: 1 })
  await expect(ask('y', 'a')).rejects.toThrow()
  expect(await ask('x', 'a')).toBe(first)
  release()
  await ask('y', 'a')
  await isGone(first)
  const inB = await ask('x', 'b')
  await ask('y', 'a')
  await ask('x', 'c')
  await isGone(inB)
})

test('001-19: a program without use ends after a time', async () => {
  const { ask } = await programsOf({ idle: 50 })
  await isGone(await ask('x', 'a'))
})

test('001-19: a program runs as long as its session, and ends soon after the session is deleted', async () => {
  const { session, last, sql, ctx } = await withPrograms({ x: serverThat(sayPid) }, 'x')
  const { programs } = ctx.ports
  await session.runTurn('use x__go {}')
  const first = String((await last())?.output)
  await session.runTurn('use x__go {}')
  expect((await last())?.output).toBe(first.replace(/1$/, '2'))
  if (programs === undefined) throw new Error('The server has no programs.')
  await endProgramsOfEndedSessions(sql, programs)
  const pid = Number(first.split(' ')[0])
  expect(isAlive(pid)).toBe(true)
  await deleteSession(ctx, { sessionId: session.id })
  await endProgramsOfEndedSessions(sql, programs)
  await isGone(pid)
})

test('001-19: the programs of a killed worker end with it', async () => {
  const server = await withPrograms({ x: serverThat(sayPid, stays) }, 'x', { role: 'web' })
  const worker = await startWorkerProcess(server, server.settings)
  await server.session.send('use x__go {}')
  await server.session.waitForEnd()
  const pid = Number(String((await server.last())?.output).split(' ')[0])
  expect(isAlive(pid)).toBe(true)
  await worker.kill()
  await isGone(pid)
})

test('001-19: a server with an invalid list does not start, and reports the error', async () => {
  const start = (list: Record<string, object> | string) =>
    startTestServer({ settings: { WAYSTATION_MCP_STDIO: programList(list) } })
  await expect(start('{')).rejects.toThrow('WAYSTATION_MCP_STDIO')
  await expect(start({ x: { command: 'x' } })).rejects.toThrow('servers.x.description')
  await expect(start({ x: { command: 'x', description: 'x', shell: true } })).rejects.toThrow('shell')
  await expect(start({ 'A b': { command: 'x', description: 'x' } })).rejects.toThrow('WAYSTATION_MCP_STDIO')
})

test('22 A7: a sandbox that would expose the server’s folder, its data directory or a key file is not created', async () => {
  const data = mkdtempSync(join(tmpdir(), 'data-'))
  onTestFinished(() => rmSync(data, { recursive: true, force: true }))
  mkdirSync(join(data, 'deep'))
  symlinkSync(data, join(data, 'deep/link'))
  const keys = programList({})
  const redactModule = join(mkdtempSync(join(tmpdir(), 'redact-')), 'redact.mjs')
  writeFileSync(redactModule, 'export default text => text')
  onTestFinished(() => rmSync(dirname(redactModule), { recursive: true, force: true }))
  const hiddenList = hiddenPaths({ dataDir: data, mcpStdio: keys, redact: redactModule })
  const visiblePaths = (readOnly: string[], readWrite: string[] = []) =>
    exposureOf(exposedPaths({ network: true, readOnly, readWrite }), hiddenList)
  const app = process.cwd()
  expect(visiblePaths(['/etc/hostname', join(app, 'node_modules')])).toBeUndefined()
  for (const path of [
    '/',
    dirname(app),
    app,
    data,
    dirname(data),
    join(data, 'deep'),
    join(data, 'deep/link'),
    keys,
    dirname(redactModule)
  ])
    expect(visiblePaths([path]), path).toContain(path)
  // A program can read what it cannot write, and the folder of `.env` can be absent.
  expect(visiblePaths([], [join(app, 'node_modules')])).toContain('node_modules')
  expect(exposureOf([{ path: '/usr' }], hiddenPaths({ dataDir: '/usr/src/app/.data' }))).toContain('/usr')

  const list = await readAllowList(
    programList({ x: { command: 'true', description: 'x', readOnly: [data] } })
  )
  const programs = programsWith(list, { version: '1', hidden: hiddenList })
  onTestFinished(() => programs.stop())
  const sessionRef = { workspaceId: 'default', sessionKey: 1, generation: 1 }
  await expect(
    programs.talk(sessionRef, 'x', AbortSignal.timeout(5000), client => client.listTools())
  ).rejects.toThrow(data)
  const blockedPaths = [{ path: '/usr/bin', name: 'the data directory' }]
  expect(await sandboxError(blockedPaths)).toContain('/usr')
  expect(await scriptError(blockedPaths)).toContain('/usr')
})

test('001-19: without a sandbox, a program that needs one does not run, and reports the reason', async () => {
  const list = await readAllowList(programList({ everything: packaged('server-everything') }))
  const programs = programsWith(list, { version: '1', error: 'bubblewrap is not there.' })
  onTestFinished(() => programs.stop())
  const sessionRef = { workspaceId: 'default', sessionKey: 1, generation: 1 }
  await expect(
    programs.talk(sessionRef, 'everything', AbortSignal.timeout(5000), client => client.listTools())
  ).rejects.toThrow('bubblewrap')
})

test('22 A7: a program never runs as root and gains no rights, even without a sandbox', async () => {
  const go = `say(id, text(JSON.stringify([process.getuid(), process.getgid(), process.getgroups(),
    require('node:fs').readFileSync('/proc/self/status', 'utf8')])))`
  const { session, last } = await withPrograms({ x: serverThat(go) }, 'x')
  await session.runTurn('use x__go {}')
  const [uid, gid, groups, status] = JSON.parse(String((await last())?.output))
  expect([uid, gid, groups.includes(0)]).toEqual([expect.any(Number), expect.any(Number), false])
  expect([uid, gid]).not.toContain(0)
  expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
})

if (boxed) {
  test('22 A7: a program in the sandbox has the system call filter of scripts, runs as an unprivileged user, and sees certificates but no keys', async () => {
    const marker = `mark-${process.pid}-${Date.now()}`
    const go = `
      const { execFileSync } = require('node:child_process')
      const { existsSync, readFileSync } = require('node:fs')
      const perl = words => execFileSync('perl', ['-e', words]).toString()
      const made = family => perl('print socket(my $s, ' + family + ', 2, 0) ? "made" : 0 + $!')
      const asked = call => perl('print syscall(' + call + ', 0, 0, 0, 0, 0) >= 0 ? "given" : 0 + $!')
      say(id, text(JSON.stringify({
        uid: process.getuid(),
        seccomp: /^Seccomp:\\s+(\\d)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1],
        made: [1, 2, 10, 16].map(made),
        refused: [17, 40, 44].map(made),
        asked: [428, 430, 432, 435, 438, 442].map(asked),
        ssl: [existsSync('/etc/ssl/private'), existsSync('/etc/ssl/openssl.cnf')]
      })))`
    const { command, args } = serverThat(go, stays)
    const x = {
      ...{ command, args: [...args, marker], description: 'x' },
      readOnly: packaged('server-everything').readOnly
    }
    const { session, last } = await withPrograms({ x }, 'x', { timeoutSeconds: 30 })
    await session.runTurn('use x__go {}')
    expect(JSON.parse(String((await last())?.output))).toEqual({
      uid: 65534,
      seccomp: '2',
      made: ['made', 'made', 'made', 'made'],
      refused: ['97', '97', '97'],
      asked: ['38', '38', '38', '38', '38', '38'],
      ssl: [false, false]
    })
    const users = execFileSync('ps', ['-eo', 'uid,args'], { encoding: 'utf8' })
      .split('\n')
      .filter(line => line.includes(marker))
      .map(line => Number.parseInt(line, 10))
    expect(users.length).toBeGreaterThan(0)
    expect(users).not.toContain(0)
  })

  test('001-19: a program in the sandbox reaches no network and sees no process of this machine', async () => {
    let connections = 0
    const canary = createServer(() => connections++).listen(0, '127.0.0.1')
    onTestFinished(() => void canary.close())
    await once(canary, 'listening')
    const { port } = canary.address() as AddressInfo
    const go = `
      const tcp = require('node:net').connect(${port}, '127.0.0.1')
      const seen = require('node:fs').readdirSync('/proc').filter(name => /^\\d+$/.test(name)).length
      const done = net => { tcp.destroy(); say(id, text(net + ' ' + seen)) }
      tcp.on('connect', () => done('connected')).on('error', error => done(error.code))`
    const inspect = async (x: object) => {
      const { session, last } = await withPrograms({ x }, 'x')
      await session.runTurn('use x__go {}')
      const [network, visible] = String((await last())?.output).split(' ')
      return { net: network, seen: Number(visible) }
    }
    const { command, args } = serverThat(go)
    const sandboxed = { command, args, description: 'x', readOnly: packaged('server-everything').readOnly }
    const insideView = await inspect(sandboxed)
    expect([insideView.net, connections]).toEqual(['ECONNREFUSED', 0])
    expect(insideView.seen).toBeLessThan(4)
    // The same program without the sandbox proves that the port is open.
    expect(await inspect(serverThat(go))).toMatchObject({ net: 'connected' })
    expect(connections).toBe(1)
  })
}
