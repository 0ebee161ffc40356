import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, setPriority } from 'node:os'
import type { Duplex, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ToolError } from '#lib/kernel/known-error.ts'
import type { ScriptOrder, ScriptRun } from '#lib/kernel/ports/scripts.ts'
import { killGroup } from './end-program.ts'
import { heldMemory } from './held-memory.ts'
import { KeptOutput } from './kept-output.ts'
import { type MemoryGroup, memoryGroup } from './memory-group.ts'
import { faultOf } from './sandbox.ts'
import { filterFd, scriptCommand, textFd } from './script-box.ts'
import { answerScript } from './script-questions.ts'
import { seccompFilter } from './seccomp-filter.ts'

/** What is kept of what it writes, in characters: 32,000 together. */
const kept = { stdout: 24_000, stderr: 8_000 }

/** The most that it may write at all, and hold in memory at once, in bytes; how often that is looked at, in milliseconds. */
const most = { output: 16 * 1024 * 1024, memory: 512 * 1024 * 1024 }
const lookMs = 200
const tooMuch = 'The script was stopped: it used more than 512 MiB of memory.'

/**
 * Runs a script in a sandbox of its own, to its end or to one of its bounds. Whatever it does is in the answer; throws only when
 * it was not begun, or when `signal` ended it. Everything of it is gone then: its namespace of processes ends with its first one.
 */
export async function runScript(order: ScriptOrder): Promise<ScriptRun> {
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
  { script, seconds, signal, ask }: ScriptOrder
): Promise<ScriptRun> {
  const filter = seccompFilter()
  const { command, args, env } = scriptCommand(group?.enter)
  const since = performance.now()
  const child = spawn(command, args, {
    env: env as NodeJS.ProcessEnv,
    cwd: '/',
    // A group of its own, so that one signal reaches all that stands around the sandbox.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']
  })
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  gone.catch(() => undefined)
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new ToolError(faultOf('', (error as { code?: unknown }).code), { cause: error })
  }
  const pid = child.pid as number
  setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)

  let note: string | undefined
  let timedOut = false
  const end = (why: string) => {
    note ??= why
    killGroup(pid)
  }
  const stop = () => end('The script was stopped.')
  signal.addEventListener('abort', stop, { once: true })
  const late = setTimeout(() => {
    timedOut = true
    end(`The script was stopped: it ran longer than ${seconds} s.`)
  }, seconds * 1000)
  const look = setInterval(() => {
    if (heldMemory(pid) > most.memory) end(tooMuch)
  }, lookMs)

  let begun = false
  answerScript(child.stdio[3] as Duplex, ask, () => {
    begun = true
  })
  const give = (fd: number, bytes: string | Buffer) =>
    (child.stdio[fd] as Writable).on('error', () => undefined).end(bytes)
  give(textFd, script)
  give(filterFd, filter)

  let written = 0
  const out = new KeptOutput(kept.stdout)
  const err = new KeptOutput(kept.stderr)
  const heed = (to: KeptOutput) => (piece: Buffer) => {
    to.take(piece)
    written += piece.length
    if (written > most.output) end('The script was stopped: it wrote more than 16 MiB.')
  }
  child.stdout?.on('data', heed(out))
  child.stderr?.on('data', heed(err))
  if (signal.aborted) stop()

  const [code] = await gone
  clearTimeout(late)
  clearInterval(look)
  signal.removeEventListener('abort', stop)
  killGroup(pid)
  // What it wrote last may still be on its way; nobody is left who could hold that up for long.
  await Promise.race([closed, pause(5_000, undefined, { ref: false })])
  for (const stream of child.stdio) stream?.destroy()
  signal.throwIfAborted()

  if (group?.overran()) note ??= tooMuch
  const stdout = out.end()
  const stderr = err.end()
  if (!begun && note === undefined) throw new ToolError(faultOf(stderr.text, code))
  return {
    exitCode: code ?? 128 + constants.signals.SIGKILL,
    stdout: stdout.text,
    stderr: stderr.text,
    ...(stdout.cut || stderr.cut ? { cut: true } : {}),
    ...(timedOut ? { timedOut: true } : {}),
    ...(note === undefined ? {} : { note }),
    seconds: Math.round((performance.now() - since) / 100) / 10
  }
}
