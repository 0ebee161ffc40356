import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from './fault.mjs'
import { root } from './root.mjs'
import { run, tail } from './run.mjs'

/** The files that the built pages depend on. */
const SOURCES = [
  'app',
  'components',
  'db',
  'lib',
  'packages/base',
  'packages/client/src',
  'packages/demo-model',
  'packages/egress',
  'packages/hcl',
  'packages/json-schemas',
  'packages/mcp-client',
  'packages/plugin-host',
  'packages/protocol',
  'packages/sandbox',
  'packages/text-stream',
  'packages/text-tools',
  'packages/tiddlywiki',
  'packages/tools',
  'public',
  'instrumentation-client.ts',
  'next.config.mjs',
  'postcss.config.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json'
]
/**
 * Contains the hash of the sources of the last complete build. `next build` deletes it with everything else in
 * `.next`.
 */
const STAMP = join(root, '.next', 'waystation-sources')

/**
 * Returns true if the sources differ from those of the last complete build. Reads all of them, which takes a few
 * tens of milliseconds.
 */
export function needsBuild() {
  if (!existsSync(STAMP) || !existsSync(join(root, '.next', 'BUILD_ID'))) return true
  return readFileSync(STAMP, 'utf8') !== hashSources()
}

/**
 * Builds the pages. The next call of `needsBuild` detects changes that are made during the build.
 *
 * @param {string} node
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

/** Returns all files of a folder in a fixed order, without tests. @param {string} path @returns {string[]} */
function filesIn(path) {
  const full = join(root, path)
  if (!existsSync(full) || /\.test\.tsx?$/.test(path)) return []
  if (!statSync(full).isDirectory()) return [path]
  return readdirSync(full)
    .sort()
    .flatMap(name => filesIn(`${path}/${name}`))
}
