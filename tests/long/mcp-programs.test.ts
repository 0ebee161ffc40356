import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { packaged, serverThat } from '#tests/support/fakes/program-list.ts'
import { boxed, stays, withPrograms } from '#tests/support/fakes/with-programs.ts'
import { startWorkerProcess } from '#tests/support/servers/worker-process.ts'

if (boxed) {
  test('001-19: server-everything runs in the sandbox', async () => {
    const { session } = await withPrograms({ everything: packaged('server-everything') }, 'everything', {
      timeoutSeconds: 30
    })
    await session.runTurn('use everything__echo {"message":"hello"}')
    await session.waitForText('Echo: hello')
  })

  test('001-19: server-filesystem sees the given folder and no other file of the host', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shown-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    writeFileSync(join(folder, 'note.txt'), 'from the folder')
    // If the tests run as root, the programs run as `nobody`.
    chmodSync(folder, 0o755)
    const files = packaged('server-filesystem', folder, '/etc')
    const { session, last } = await withPrograms(
      { files: { ...files, readOnly: [...files.readOnly, folder] } },
      'files'
    )
    await session.runTurn(`use files__read_text_file {"path":"${folder}/note.txt"}`)
    await session.waitForText('from the folder')
    await session.runTurn(`use files__write_file {"path":"${folder}/new.txt","content":"x"}`)
    expect((await last())?.errorText).toContain('EROFS')
    await session.runTurn('use files__read_text_file {"path":"/etc/passwd"}')
    expect(await last()).toMatchObject({ state: 'failed', errorText: expect.stringContaining('ENOENT') })
  })

  test('001-19: a program in the sandbox ends when its worker is killed', async () => {
    const mark = `mark-${process.pid}-${Date.now()}`
    const { command, args } = serverThat('say(id, text("here"))', stays)
    const x = {
      command,
      args: [...args, mark],
      description: 'x',
      readOnly: packaged('server-everything').readOnly
    }
    const server = await withPrograms({ x }, 'x', { role: 'web' })
    const worker = await startWorkerProcess(server, server.settings)
    await server.session.send('use x__go {}')
    await server.session.waitForEnd()
    const running = () => execFileSync('ps', ['-eo', 'args']).toString().includes(mark)
    expect(running()).toBe(true)
    await worker.kill()
    while (running()) await pause(50)
  })
}
