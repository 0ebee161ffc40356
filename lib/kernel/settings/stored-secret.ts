import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a random secret of 32 bytes (in base64) from a file, and creates the file if it is missing. Only the file's
 * owner can read it. Processes that start at the same time get the same secret.
 */
export function storedSecret(dir: string, name: string): string {
  const file = join(dir, name)
  return read(file) ?? create(dir, file)
}

/** link(2) creates the complete file atomically, and fails if another process was faster. */
function create(dir: string, file: string) {
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
