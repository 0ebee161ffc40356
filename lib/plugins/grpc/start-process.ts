import { type ChildProcess, spawn } from 'node:child_process'
import { endProgram, killGroup } from '#lib/infra/sandbox/end-program.ts'
import type { PluginAddress } from './address.ts'
import type { Clock } from './clock.ts'
import { readHandshake } from './handshake.ts'
import type { LogRing } from './log-ring.ts'
import { PluginError } from './plugin-error.ts'

/** How a local plugin is run: no shell, and in `env` all of its environment. */
export type LocalCommand = { command: string; args: string[]; cwd: string; env: Record<string, string> }

/** A local plugin that has said where it listens. */
export type PluginProcess = {
  address: PluginAddress
  pid: number
  /** Resolves with why, when it has ended and nothing of its group is left. */
  ended: Promise<string>
  /** Closes its input, at which it has to end by itself. */
  closeInput(): void
  /** Asks it to end (its input ends, SIGTERM), and makes it after 3 s. `gently: false`: kills it at once. */
  end(gently: boolean): Promise<void>
}

/** How long it has after its input's end, and after SIGTERM. Milliseconds. */
const patience = { input: 500, term: 3_000 }

/**
 * Starts a plugin in a process group of its own and waits for its handshake. Throws `PluginError` when it says none within
 * `withinMs`, says a wrong one or ends first, with the end of what it wrote; nothing of it is left then.
 */
export async function startProcess(
  { command, args, cwd, env }: LocalCommand,
  { logs, clock, withinMs, signal }: { logs: LogRing; clock: Clock; withinMs: number; signal: AbortSignal }
): Promise<PluginProcess> {
  const before = logs.added
  const child = spawn(command, args, { cwd, env: env as NodeJS.ProcessEnv, detached: true, stdio: 'pipe' })
  const ended = endOf(child)
  const said = Promise.withResolvers<string>()
  child.stdin.on('error', () => undefined)
  logs.follow('stdout', child.stdout, line => {
    said.resolve(line)
    return true
  })
  logs.follow('stderr', child.stderr)
  const over = new AbortController()
  try {
    const silent = clock
      .wait(withinMs, AbortSignal.any([over.signal, signal]))
      .then(() => (signal.aborted ? 'it was stopped' : `it sent nothing for ${withinMs / 1000} s`))
    const line = await Promise.race([
      said.promise,
      Promise.race([ended, silent]).then(why => {
        throw new PluginError('unavailable', `The plugin did not report its address: ${why}.`)
      })
    ])
    const address = readHandshake(line)
    return {
      address,
      pid: child.pid as number,
      ended,
      closeInput: () => void child.stdin.end(),
      async end(gently) {
        if (gently) await endProgram(child, patience)
        else killGroup(child.pid)
        await ended
      }
    }
  } catch (error) {
    killGroup(child.pid)
    await ended
    const tail = logs.tail(before)
    if (!(error instanceof PluginError) || tail === '') throw error
    throw new PluginError(error.fault, `${error.message} Last output: ${tail}`, { cause: error })
  } finally {
    over.abort()
  }
}

/** When a program has ended its group is killed, and its pipes are closed even if somebody who left the group holds them. */
function endOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let why = 'it exited'
  const finish = () => {
    for (const stream of child.stdio) stream?.destroy()
    resolve(why)
  }
  child.once('error', error => {
    why = `it could not be started: ${error.message}`
    if (child.pid === undefined) finish()
  })
  child.once('exit', (code, signal) => {
    why = code === null ? `it was ended by ${signal}` : `it exited with code ${code}`
    killGroup(child.pid)
    const late = setTimeout(finish, 1_000)
    child.once('close', () => {
      clearTimeout(late)
      finish()
    })
  })
  return promise
}
