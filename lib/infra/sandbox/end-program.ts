import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Sends a signal to all of a process group, by its leader's ID. Nobody left in it is fine. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // Nobody is left in it.
  }
}

/**
 * Ends a program that leads a process group, for certain: its input ends, then SIGTERM, then SIGKILL, each to all of the group.
 * Resolves when it is gone; at once for one that is.
 *
 * @param patience milliseconds after its input's end, and after SIGTERM
 */
export async function endProgram(
  child: ChildProcess,
  patience: { input: number; term: number }
): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  const within = (ms: number) => Promise.race([gone.then(() => true), pause(ms, false, { ref: false })])
  child.stdin?.end()
  if (await within(patience.input)) return
  killGroup(child.pid, 'SIGTERM')
  if (await within(patience.term)) return
  killGroup(child.pid)
  await gone
}
