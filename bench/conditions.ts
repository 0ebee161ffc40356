import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { now, statOf, tickMs } from './machine.ts'

/**
 * The machine's state while something was measured. `others` is the share of its CPU time that other programs used,
 * and other virtual machines on the same host; undefined without /proc. `speedMs` is the time of a fixed piece of work.
 */
export type Conditions = { others?: number; speedMs: number }

/** Other programs may use this share of the machine. */
const maxOthers = 0.05
/** A fixed piece of work may take this many times as long as under the best conditions of the run. */
const maxSlowdown = 1.25

/** Milliseconds that ended programs get to exit. */
const exitMs = 500

/** Tells whether figures measured under these conditions say little, because the machine was busy or slowed down. */
export const isDisturbed = ({ others = 0, speedMs }: Conditions, fastestMs: number): boolean =>
  others > maxOthers || speedMs > maxSlowdown * fastestMs

/** Runs `measure`, and returns the machine's state meanwhile. Processes below `ours` are not others. */
export async function underConditions<T>(
  ours: readonly number[],
  measure: () => Promise<T>
): Promise<{ result: T; conditions: Conditions }> {
  const speedBefore = speed()
  const before = snapshot()
  const startedAt = now()
  const result = await measure()
  // The processes of a closed browser belong to init until they have ended.
  await pause(exitMs)
  const elapsed = (now() - startedAt) * availableParallelism()
  const after = snapshot()
  const speedMs = Math.max(speedBefore, speed())
  if (before === undefined || after === undefined) return { result, conditions: { speedMs } }
  const others = [...after.processes].filter(([pid]) => !isBelow(pid, ours, after.processes))
  // A process that started meanwhile is not in `before`.
  const used = others.reduce(
    (sum, [pid, { ticks }]) => sum + ticks - (before.processes.get(pid)?.ticks ?? 0),
    0
  )
  const share = ((used + after.stolen - before.stolen) * tickMs) / elapsed
  return { result, conditions: { others: share, speedMs } }
}

/** Returns the milliseconds of a fixed piece of work, the best of three. */
export function speed(): number {
  const times = [0, 1, 2].map(() => {
    const startedAt = now()
    let sum = 0
    for (let n = 0; n < 2e7; n++) sum += n % 7
    return sum > 0 ? now() - startedAt : 0
  })
  return Math.min(...times)
}

type Processes = Map<number, { parent: number; ticks: number }>

/** The CPU time of all processes, and the time stolen by the host (proc(5), `/proc/stat`, field 8 of `cpu`). */
function snapshot(): { processes: Processes; stolen: number } | undefined {
  if (process.platform !== 'linux') return undefined
  const processes: Processes = new Map()
  for (const pid of readdirSync('/proc').map(Number)) {
    const stat = Number.isNaN(pid) ? undefined : statOf(pid)
    if (stat !== undefined) processes.set(pid, stat)
  }
  const [, ...times] = readFileSync('/proc/stat', 'utf8').split('\n')[0]?.split(/\s+/) ?? []
  return { processes, stolen: Number(times[7] ?? 0) }
}

/** The parent of all threads of the kernel, which also work for the benchmark. */
const kernel = 2

function isBelow(pid: number, ancestors: readonly number[], processes: Processes): boolean {
  for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0)
    if (at === kernel || ancestors.includes(at)) return true
  return false
}
