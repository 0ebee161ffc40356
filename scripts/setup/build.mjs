import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { root } from './root.mjs'
import { run, tail } from './run.mjs'

/** What the built pages are made of. */
const SOURCES = [
  'app',
  'components',
  'db',
  'lib',
  'packages/demo-model',
  'packages/hcl',
  'public',
  'instrumentation-client.ts',
  'next.config.ts',
  'postcss.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json'
]
/** Says what the last complete build was made of. `next build` clears it away with everything else. */
const STAMP = join(root, '.next', 'waystation-sources')

/** Whether the sources are not those of the last complete build. Reads them all: some ten milliseconds. */
export function needsBuild() {
  if (!existsSync(STAMP) || !existsSync(join(root, '.next', 'BUILD_ID'))) return true
  return readFileSync(STAMP, 'utf8') !== hashSources()
}

/**
 * Builds the pages. What changes while it works is noticed the next time. @param {string} node
 */
export async function build(node) {
  const sources = hashSources()
  const next = join('node_modules', 'next', 'dist', 'bin', 'next')
  const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
  const { code, output } = await run([node, next, 'build'], { env })
  if (code !== 0) throw new Fault(`The pages could not be built. Output of Next.js:\n\n${tail(output)}`)
  writeFileSync(STAMP, sources)
}

function hashSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesIn))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}

/** All files of a folder in a fixed order, without tests. @param {string} path @returns {string[]} */
function filesIn(path) {
  const full = join(root, path)
  if (!existsSync(full) || /\.test\.tsx?$/.test(path)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .sort()
    .flatMap(name => filesIn(`${path}/${name}`))
}
