/**
 * Builds and packs the npm packages, and checks what their users would install: the fields of package.json with
 * publint, and the resolution of types with Are The Types Wrong. Part of `npm run check`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { root } from './setup/root.mjs'
import { run } from './setup/run.mjs'
import { findNode } from './setup/runtime.mjs'

const node = findNode()
const attw = fileURLToPath(
  new URL('dist/index.js', import.meta.resolve('@arethetypeswrong/cli/package.json'))
)
const folder = mkdtempSync(join(tmpdir(), 'waystation-packages-'))
/** @type {string[]} */
const problems = []

/** @param {string[]} command @param {string} cwd */
async function runIn(command, cwd) {
  const { code, output } = await run(command, { cwd })
  if (code !== 0) problems.push(output.trim())
  return code === 0 ? output : undefined
}

// The React components and the command line import the client, so it is built first.
for (const name of ['client', 'react', 'cli', 'plugin', 'server', 'tools']) {
  const cwd = join(root, 'packages', name)
  // The package `tools` is written as it is published.
  if (name !== 'tools' && (await runIn([node, 'build.mjs'], cwd)) === undefined) break
  const packed = await runIn(['npm', 'pack', '--ignore-scripts', '--pack-destination', folder], cwd)
  if (packed === undefined) break
  const { version } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'))
  const file = join(folder, `waystation-${name}-${version}.tgz`)
  const bytes = readFileSync(file)
  const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
  for (const message of messages)
    problems.push(`@waystation/${name}: ${formatMessage(message, pkg, { color: false })}`)
  // The command line is a program without types.
  if (name === 'cli') continue
  // A style sheet has no types.
  await runIn([node, attw, file, '--profile', 'esm-only', '--exclude-entrypoints', './style.css'], root)
}
rmSync(folder, { recursive: true })
for (const problem of problems) console.error(problem)
process.exitCode = problems.length === 0 ? 0 : 1
