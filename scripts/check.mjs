/**
 * `npm run check` checks formatting, lint, import boundaries, types, dead code, unused packages, npm packages and prose. It runs
 * every check, even after one fails.
 */
import { join } from 'node:path'
import { endWith } from './setup/end-with.mjs'
import { install, needsInstall } from './setup/install.mjs'
import { run } from './setup/run.mjs'
import { findNode } from './setup/runtime.mjs'
import { countSteps } from './setup/steps.mjs'

/** Runs in this order, the fastest first. `next typegen` writes the route types that `tsc` needs. */
const CHECKS = {
  'Form, lint, import borders': [
    ['node_modules', '@biomejs', 'biome', 'bin', 'biome'],
    'check',
    '--error-on-warnings',
    '--max-diagnostics=200',
    '.'
  ],
  'Types of routes': [['node_modules', 'next', 'dist', 'bin', 'next'], 'typegen'],
  Types: [['node_modules', 'typescript', 'bin', 'tsc'], '--noEmit', '--incremental', 'false'],
  'Dead code': [['node_modules', 'knip', 'bin', 'knip.js']],
  Packages: [['scripts', 'check-packages.mjs']],
  Prose: [['scripts', 'prose', 'check.ts']]
}

const steps = countSteps(Object.keys(CHECKS).length)

await endWith(steps, async () => {
  if (needsInstall()) await install()
  const node = findNode()
  const failures = []
  for (const [title, [script, ...args]] of Object.entries(CHECKS)) {
    steps.begin(title)
    const file = join(.../** @type {string[]} */ (script))
    const { code, output } = await run([node, file, .../** @type {string[]} */ (args)], {
      env: { NEXT_TELEMETRY_DISABLED: '1' }
    })
    if (code !== 0) failures.push(`${title}:\n\n${output.trim()}\n`)
    steps.end(code === 0 ? undefined : 'failed')
  }
  for (const failure of failures) console.error(`\n${failure}`)
  return failures.length === 0 ? 0 : 1
})
