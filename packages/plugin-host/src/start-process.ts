import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { endProgram, killGroup } from '@waystation/base/end-program.ts'
import type { PluginAddress } from './address.ts'
import type { Clock } from './clock.ts'
import { readHandshake } from './handshake.ts'
import type { LogRing } from './log-ring.ts'
import { PluginError } from './plugin-error.ts'

/** How to run a local plugin: without a shell, and with `env` as its whole environment. */
export type LocalCommand = { command: string; args: string[]; cwd: string; env: Record<string, string> }
/** A command that runs in a sandbox, which reads its filter of system calls from descriptor 3. */
export type SandboxedCommand = LocalCommand & { filter?: Buffer | undefined }

/** A local plugin that has reported its address. */
export type PluginProcess = {
  address: PluginAddress
  pid: number
  /** Resolves with the reason once the process has ended and its group was killed. */
  ended: Promise<string>
  /** Closes its standard input, which asks the plugin to exit. */
  closeInput(): void
  /** Closes its input, sends SIGTERM, and kills it after 3 s. With `gently: false` it is killed at once. */
  end(gently: boolean): Promise<void>
}

/** How long the plugin has to exit after its input is closed, and after SIGTERM, in milliseconds. */
const graceMs = { input: 500, term: 3_000 }

/**
 * Starts a plugin in its own process group and waits for its handshake. Throws `PluginError` with the plugin's
 * last output if the handshake is wrong, is missing after `withinMs`, or if the process exits first. The
 * process group is then already killed.
 */
export async function startProcess(
  { command, args, cwd, env, filter }: SandboxedCommand,
  { logs, clock, withinMs, signal }: { logs: LogRing; clock: Clock; withinMs: number; signal: AbortSignal }
): Promise<PluginProcess> {
  const linesBefore = logs.added
  const child = spawn(command, args, {
    cwd,
    env: env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...(filter === undefined ? [] : ['pipe' as const])]
  }) as ChildProcessWithoutNullStreams
  const pipe = child.stdio[3] as Writable | undefined
  pipe?.on('error', () => undefined).end(filter)
  const ended = exitOf(child)
  const firstLine = Promise.withResolvers<string>()
  child.stdin.on('error', () => undefined)
  logs.follow('stdout', child.stdout, line => {
    firstLine.resolve(line)
    return true
  })
  logs.follow('stderr', child.stderr)
  const done = new AbortController()
  try {
    const timeout = clock
      .wait(withinMs, AbortSignal.any([done.signal, signal]))
      .then(() => (signal.aborted ? 'it was stopped' : `it sent nothing for ${withinMs / 1000} s`))
    const line = await Promise.race([
      firstLine.promise,
      Promise.race([ended, timeout]).then(why => {
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
        if (gently) await endProgram(child, graceMs)
        else killGroup(child.pid)
        await ended
      }
    }
  } catch (error) {
    killGroup(child.pid)
    await ended
    const tail = logs.tail(linesBefore)
    if (!(error instanceof PluginError) || tail === '') throw error
    throw new PluginError(error.reason, error.message, { cause: error, output: tail })
  } finally {
    done.abort()
  }
}

/** The usual causes of an error of the operating system. */
const hints = new Map<string | undefined, string>([
  ['EACCES', '. Make the program executable with chmod +x'],
  ['ENOENT', '. Check that the program exists, and that its first line names an installed interpreter']
])

/**
 * Resolves with the reason once the process has ended. Kills its process group and closes its pipes, because a
 * process that left the group may still hold them open.
 */
function exitOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  let why = 'it exited'
  const finish = () => {
    for (const stream of child.stdio) stream?.destroy()
    resolve(why)
  }
  child.once('error', error => {
    why = `it could not be started: ${error.message}${hints.get((error as NodeJS.ErrnoException).code) ?? ''}`
    if (child.pid === undefined) finish()
  })
  child.once('exit', (code, signal) => {
    why = code === null ? `it was ended by ${signal}` : `it exited with code ${code}`
    killGroup(child.pid)
    const timer = setTimeout(finish, 1_000)
    child.once('close', () => {
      clearTimeout(timer)
      finish()
    })
  })
  return promise
}
