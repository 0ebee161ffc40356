import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { Duplex, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { killGroup } from '@waystation/base/end-program.ts'
import { ToolError } from '@waystation/base/known-error.ts'
import { type MemoryGroup, memoryGroup } from './memory-group.ts'
import { memoryInUse } from './memory-in-use.ts'
import { sandboxErrorOf } from './sandbox.ts'
import { filterFd, scriptCommand, textFd } from './script-box.ts'
import { serveScriptRequests } from './script-questions.ts'
import type { ScriptRequest, ScriptRun } from './scripts.ts'
import { seccompFilter } from './seccomp-filter.ts'
import { TruncatedOutput } from './truncated-output.ts'

/** Stored output in characters, 32,000 together. */
const keptChars = { stdout: 24_000, stderr: 8_000 }

/**
 * Limits for all output and for memory in use, in bytes, and the interval of memory checks, in milliseconds.
 */
const maxBytes = { output: 16 * 1024 * 1024, memory: 512 * 1024 * 1024 }
const checkMs = 200
const outOfMemory = 'The script was stopped: it used more than 512 MiB of memory.'

/**
 * Runs a script in its own sandbox until it ends or reaches a limit. The outcome is in the result. Throws only
 * if the script could not be started, or if `signal` stopped it. No process of it remains, because its PID
 * namespace ends with its first process.
 */
export async function runScript(order: ScriptRequest): Promise<ScriptRun> {
  order.signal.throwIfAborted()
  const group = memoryGroup()
  try {
    return await runIn(group, order)
  } finally {
    await group?.leave()
  }
}

async function runIn(
  group: MemoryGroup | undefined,
  { script, seconds, signal, ask }: ScriptRequest
): Promise<ScriptRun> {
  const filter = seccompFilter()
  const { command, args, env } = scriptCommand(group?.enter)
  const startedAt = performance.now()
  const child = spawn(command, args, {
    env: env as NodeJS.ProcessEnv,
    cwd: '/',
    // Its own process group, so that one signal reaches all processes around the sandbox.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']
  })
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  exited.catch(() => undefined)
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new ToolError(sandboxErrorOf('', (error as { code?: unknown }).code), { cause: error })
  }
  const pid = child.pid as number
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)

  let note: string | undefined
  let timedOut = false
  const kill = (why: string) => {
    note ??= why
    killGroup(pid)
  }
  const stop = () => kill('The script was stopped.')
  signal.addEventListener('abort', stop, { once: true })
  const timer = setTimeout(() => {
    timedOut = true
    kill(`The script was stopped: it ran longer than ${seconds} s.`)
  }, seconds * 1000)
  const memoryTimer = setInterval(() => {
    if (memoryInUse(pid) > maxBytes.memory) kill(outOfMemory)
  }, checkMs)

  let started = false
  serveScriptRequests(child.stdio[3] as Duplex, ask, () => {
    started = true
  })
  const writeTo = (fd: number, bytes: string | Buffer) =>
    (child.stdio[fd] as Writable).on('error', () => undefined).end(bytes)
  writeTo(textFd, script)
  writeTo(filterFd, filter)

  let written = 0
  const out = new TruncatedOutput(keptChars.stdout)
  const err = new TruncatedOutput(keptChars.stderr)
  const collect = (output: TruncatedOutput) => (bytes: Buffer) => {
    output.take(bytes)
    written += bytes.length
    if (written > maxBytes.output) kill('The script was stopped: it wrote more than 16 MiB.')
  }
  child.stdout?.on('data', collect(out))
  child.stderr?.on('data', collect(err))
  if (signal.aborted) stop()

  const [code] = await exited
  clearTimeout(timer)
  clearInterval(memoryTimer)
  signal.removeEventListener('abort', stop)
  killGroup(pid)
  // The last output may still arrive. All processes have ended, so this does not take long.
  await Promise.race([closed, pause(5_000, undefined, { ref: false })])
  for (const stream of child.stdio) stream?.destroy()
  signal.throwIfAborted()

  if (group?.overran()) note ??= outOfMemory
  const stdout = out.end()
  const stderr = err.end()
  if (!started && note === undefined) throw new ToolError(sandboxErrorOf(stderr.text, code))
  return {
    exitCode: code ?? 128 + constants.signals.SIGKILL,
    stdout: stdout.text,
    stderr: stderr.text,
    ...(stdout.cut || stderr.cut ? { cut: true } : {}),
    ...(timedOut ? { timedOut: true } : {}),
    ...(note === undefined ? {} : { note }),
    seconds: Math.round((performance.now() - startedAt) / 100) / 10
  }
}
