/**
 * `npm run mutants -- --seed 21 --count 60` draws one-line changes of the engine, sign-in, the vault, deliveries
 * and connections. It tests each one in a copy of the checkout. A change that no test detects is a gap in the
 * tests. The script prints a report in Markdown and, with `--out`, also writes it to that file after each mutant.
 *
 * | option | default | description |
 * |---|---|---|
 * | `--seed N` | 1 | which mutants are drawn |
 * | `--count N` | 60 | the number of mutants |
 * | `--from N` | 1 | the first mutant to test; earlier rows are read from the `--out` file |
 * | `--to N` | the count | the last mutant to test |
 * | `--parallel N` | 1 | the number of copies that run tests at once |
 * | `--list` | | lists the mutants and tests none |
 *
 * The script runs the pure tests and those of the project `integration`. A test that starts a server or a browser can
 * still catch a mutant that survives them: apply it by hand and run `npm test`.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawMutants } from './mutants/draw.mjs'
import { findMutants } from './mutants/find.mjs'
import { createMutantTester } from './mutants/test-mutants.mjs'
import { copyCheckout, git } from './setup/copy-checkout.mjs'
import { root } from './setup/root.mjs'
import { findNode } from './setup/runtime.mjs'

/** @typedef {ReturnType<typeof drawMutants>[number]} Drawn */

/** The paths that belong to each area: below `lib/`, or of a package. */
const areas = {
  engine: ['engine/', 'sessions/', 'infra/queue/', 'compose/turn/', 'packages/text-stream/'],
  features: [
    'approvals',
    'alarms',
    'attachments',
    'compaction',
    'data',
    'delegation',
    'out-of-band',
    'prompts',
    'self-config'
  ].map(name => `features/${name}/`),
  auth: ['auth/'],
  vault: ['infra/vault.ts'],
  deliveries: ['deliveries/', 'features/webhooks/', 'features/external-agents/'],
  connections: ['features/connections/']
}

const text = /** @type {const} */ ({ type: 'string' })
const { values } = parseArgs({
  options: {
    seed: text,
    count: text,
    from: text,
    to: text,
    parallel: text,
    out: text,
    list: { type: 'boolean' }
  }
})
const seed = Number(values.seed ?? 1)
const count = Number(values.count ?? 60)
const from = Number(values.from ?? 1)
const parallel = Number(values.parallel ?? 1)
const drawn = drawMutants(findAll(), seed, count)
const to = Number(values.to ?? drawn.length)
/** Tells for each test file that failed whether it passes without a mutant. @type {Map<string, boolean>} */
const baselineTests = new Map()
/** Rows of the report by number. @type {Map<number, string>} */
const rows = new Map(readRows().filter(([number]) => number < from || number > to))

if (values.list)
  for (const [index, mutant] of drawn.entries()) rows.set(index + 1, row(index + 1, mutant, '', ''))
else await testAll()
console.log(report())

async function testAll() {
  const node = findNode()
  const queue = drawn.map((mutant, at) => ({ mutant, number: at + 1 })).slice(from - 1, to)
  const total = queue.length
  /** @type {string[]} */
  const copies = []
  process.once('exit', () => {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  await Promise.all(
    Array.from({ length: Math.min(parallel, total) }, async () => {
      const copy = copyCheckout()
      copies.push(copy)
      const checkMutant = createMutantTester(node, copy, baselineTests)
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const started = Date.now()
        const { result, by } = await checkMutant(next.mutant)
        rows.set(next.number, row(next.number, next.mutant, result, by))
        console.error(`${next.number}: ${result} in ${Math.round((Date.now() - started) / 1000)} s. ${by}`)
        if (values.out !== undefined) writeFileSync(values.out, report())
      }
    })
  )
}

function findAll() {
  const files = git('ls-files', '-z', 'lib', 'packages/text-stream').filter(
    file => file.endsWith('.ts') && !file.endsWith('.test.ts')
  )
  const mutantsIn = (/** @type {string} */ file) => findMutants(file, readFileSync(join(root, file), 'utf8'))
  return Object.fromEntries(
    Object.entries(areas).map(([area, paths]) => [
      area,
      files.filter(file => paths.some(path => file.replace(/^lib\//, '').startsWith(path))).flatMap(mutantsIn)
    ])
  )
}

/** @param {number} number @param {Drawn} mutant @param {string} result @param {string} by */
function row(number, { area, file, line, kind, start, end, text }, result, by) {
  const before = readFileSync(join(root, file), 'utf8').slice(start, end)
  const shown = [before, text].map(code => (code === '' ? 'nothing' : `\`\` ${code} \`\``)).join(' → ')
  const cells = [number, area, `${file}:${line}`, kind, shown, result, by]
  return `| ${cells.map(cell => String(cell).replaceAll('|', '\\|')).join(' | ')} |`
}

function report() {
  const sorted = [...rows].sort(([a], [b]) => a - b).map(([, row]) => row)
  const counts = ['killed', 'survived'].map(
    result => `${sorted.filter(row => row.includes(` | ${result} | `)).length} ${result}`
  )
  const excluded = [...baselineTests].filter(([, isSound]) => !isSound).map(([file]) => file)
  const commit = git('rev-parse', 'HEAD')[0]?.trim()
  return `# Mutants

Seed ${seed}, ${drawn.length} mutants, commit ${commit}: ${counts.join(', ')}.
${excluded.length === 0 ? '' : `\nExcluded, because they fail without a mutant: ${excluded.join(', ')}.\n`}
| # | area | place | kind | change | result | failed test |
|---|---|---|---|---|---|---|
${sorted.join('\n')}
`
}

/** @returns {[number, string][]} */
function readRows() {
  if (values.out === undefined || !existsSync(values.out)) return []
  const lines = readFileSync(values.out, 'utf8').split('\n')
  return lines.flatMap(line => {
    const number = /^\| (\d+) \|/.exec(line)?.[1]
    return number === undefined ? [] : [/** @type {[number, string]} */ ([Number(number), line])]
  })
}
