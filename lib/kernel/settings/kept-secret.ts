import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A random secret of 32 bytes (in base64) that is made once and kept in a file for its owner alone. When several
 * processes ask at the same time for the first time, they all get the same one.
 */
export function keptSecret(dir: string, name: string): string {
  const file = join(dir, name)
  return read(file) ?? make(dir, file)
}

/** link(2) makes the whole file appear at once, and fails when somebody was faster. */
function make(dir: string, file: string) {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, randomBytes(32).toString('base64'), { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

function read(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
