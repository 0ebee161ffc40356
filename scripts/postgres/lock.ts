import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { birthOf } from './processes.ts'

let count = 0

/**
 * Runs `work` while no other process, and no other caller in this process, runs one with the same lock file. Breaks
 * the lock of a dead process. Throws if a live holder keeps the lock for more than `patience` milliseconds.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, timeoutMs = 120_000): Promise<T> {
  const mine = `${file}.${process.pid}.${++count}`
  const content = JSON.stringify({ pid: process.pid, born: birthOf(process.pid), taken: count })
  writeFileSync(mine, content, { mode: 0o600 })
  try {
    await acquire(file, mine, performance.now() + timeoutMs)
    try {
      return await work()
    } finally {
      rmSync(file, { force: true })
    }
  } finally {
    rmSync(mine, { force: true })
  }
}

/**
 * Acquires the lock. link(2) is atomic and creates the file with its content, so an existing lock always names its
 * holder.
 */
async function acquire(file: string, mine: string, deadline: number) {
  for (;;) {
    try {
      linkSync(mine, file)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const holder = read(file)
    if (holder && !isAlive(holder)) breakLock(file, mine, holder)
    else if (performance.now() > deadline) throw new Error(`${file} is locked by another process: ${holder}`)
    else await pause(25)
  }
}

/**
 * Moves a dead holder's lock away. If another process broke it first and took a new one, this restores the new
 * lock.
 */
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

function isAlive(content: string) {
  const { pid, born } = JSON.parse(content) as { pid: number; born?: string }
  return birthOf(pid) === born
}

function read(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
