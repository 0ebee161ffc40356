import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { birthOf } from './processes.ts'

let taken = 0

/**
 * Runs `work` while no other process (and nobody else in this one) is in a `withLock` of the same file. The lock of
 * a process that died is broken. Throws when the holder lives and keeps it longer than `patience` milliseconds.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, patience = 120_000): Promise<T> {
  const mine = `${file}.${process.pid}.${++taken}`
  const words = JSON.stringify({ pid: process.pid, born: birthOf(process.pid), taken })
  writeFileSync(mine, words, { mode: 0o600 })
  try {
    await take(file, mine, performance.now() + patience)
    try {
      return await work()
    } finally {
      rmSync(file, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

/** link(2) is atomic and brings its content along: a lock that exists always names its holder. */
async function take(file: string, mine: string, until: number) {
  for (;;) {
    try {
      linkSync(mine, file)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = read(file)
    if (holder && !lives(holder)) breakLock(file, mine, holder)
    else if (performance.now() > until) throw new Error(`${file} is locked by another process: ${holder}`)
    else await pause(25)
  }
}

/** Moves a dead holder's lock away. If somebody else broke it first and took a new one, that one is put back. */
function breakLock(file: string, mine: string, dead: string) {
  const aside = `${mine}.broken`
  try {
    renameSync(file, aside)
    if (read(aside) !== dead) linkSync(aside, file)
  } catch (error) {
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function lives(words: string) {
  const { pid, born } = JSON.parse(words) as { pid: number; born?: string }
  return birthOf(pid) === born
}

function read(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
