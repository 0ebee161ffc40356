import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** What figures were measured on, for whoever reads them later. */
export type Machine = {
  cpu: string
  cores: number
  memoryGb: number
  platform: string
  node: string
  load: number
}

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  load: Math.round((loadavg()[0] ?? 0) * 10) / 10
})

/** Milliseconds on a clock that all processes of this machine share and that never jumps (CLOCK_MONOTONIC). */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6

/** proc(5) counts CPU time in ticks; USER_HZ is 100 on every Linux that Node runs on. */
const tickMs = 10

/**
 * Milliseconds of CPU that a process and its children have used; the dead ones that it has waited for are in it.
 * Undefined where there is no /proc: then no CPU is reported.
 */
export function cpuOf(pid: number): number | undefined {
  const own = statOf(pid)
  if (own === undefined) return undefined
  const children = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => statOf(Number(name)) ?? [])
    .filter(({ parent }) => parent === pid)
  return (
    own.ticks * tickMs + own.waitedFor * tickMs + children.reduce((sum, { ticks }) => sum + ticks * tickMs, 0)
  )
}

/** Megabytes of memory that a process has resident; undefined where there is no /proc. */
export function residentOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/** proc(5), `stat`: after the command come 3 (state), 4 (parent), …, 14 to 17 (user, system, and of children). */
function statOf(pid: number) {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const at = (field: number) => Number(fields[field - 3])
  return { parent: at(4), ticks: at(14) + at(15), waitedFor: at(16) + at(17) }
}

/** A process may end between two looks: then there is nothing to read. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
