import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Sends a signal to a process group, by the ID of its leader. An empty group is not an error. */
export function killGroup(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The group has no processes.
  }
}

/**
 * Ends a program that leads a process group: closes its input, then sends SIGTERM, then SIGKILL. SIGTERM and
 * SIGKILL go to the whole group. Resolves once the program has exited, at once if it already has.
 *
 * @param graceMs milliseconds to wait after closing the input, and after SIGTERM
 */
export async function endProgram(
  child: ChildProcess,
  graceMs: { input: number; term: number }
): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const exitsWithin = (ms: number) =>
    Promise.race([exited.then(() => true), pause(ms, false, { ref: false })])
  child.stdin?.end()
  if (await exitsWithin(graceMs.input)) return
  killGroup(child.pid, 'SIGTERM')
  if (await exitsWithin(graceMs.term)) return
  killGroup(child.pid)
  await exited
}
