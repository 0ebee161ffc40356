import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'

/** The machine that the figures were measured on. */
export type Machine = {
  cpu: string
  cores: number
  memoryGb: number
  platform: string
  node: string
  load: number
}

/** Describes this machine and its current load. */
export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGb: Math.round(totalmem() / 2 ** 30),
  platform: `${process.platform} ${process.arch}`,
  node: process.version,
  load: Math.round((loadavg()[0] ?? 0) * 10) / 10
})

/**
 * Returns milliseconds of a clock that all processes of this machine share and that never jumps (CLOCK_MONOTONIC).
 */
export const now = (): number => Number(process.hrtime.bigint()) / 1e6

/** proc(5) counts CPU time in ticks. USER_HZ is 100 on every Linux that Node supports. */
export const tickMs = 10

/**
 * Returns the milliseconds of CPU time of a process and its children, including dead children that it has waited
 * for. Returns undefined without /proc.
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

/** Returns the resident memory of a process in megabytes, or undefined without /proc. */
export function residentOf(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/**
 * proc(5), `stat`: the fields after the command start with 3 (state) and 4 (parent). Fields 14 to 17 are user and
 * system time, of the process and of its children.
 */
export function statOf(pid: number) {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === '') return undefined
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const at = (field: number) => Number(fields[field - 3])
  return { parent: at(4), ticks: at(14) + at(15), waitedFor: at(16) + at(17) }
}

/** Returns an empty string if the process ended in the meantime. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/**
 * Starts to measure the share of the machine's CPU time that all programs use, from 0 to 1. The returned function
 * returns the share since then. Returns undefined without /proc.
 */
export function busyShare(): (() => number) | undefined {
  if (process.platform !== 'linux') return undefined
  const snapshot = () => {
    // proc(5): user, nice, system, idle, iowait, irq, softirq, steal.
    const times = read('/proc/stat').split('\n')[0]?.split(/\s+/).slice(1, 9).map(Number) ?? []
    const [, , , idle = 0, waiting = 0] = times
    return { all: times.reduce((sum, ticks) => sum + ticks, 0), idle: idle + waiting }
  }
  const before = snapshot()
  return () => {
    const after = snapshot()
    return 1 - (after.idle - before.idle) / (after.all - before.all)
  }
}
