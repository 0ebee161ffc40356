/**
 * `npm run test:wording` checks that tests do not depend on wording. It marks every sentence of the UI and of errors in a
 * copy of the checkout with `~` and runs the tests there. Only the tables of sentences (`*.wording.test.ts`) may fail,
 * and each of them must. Words narrow the run to test files whose path contains one of them. `--each-word` marks every
 * word, which also finds tests that look for a part of a sentence.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findTests, kindOf } from './setup/test-files.mjs'
import { copyCheckout } from './wording/copy.mjs'
import { markSentences } from './wording/mark.mjs'
import { runTests } from './wording/run.mjs'

const args = process.argv.slice(2)
const eachWord = args.includes('--each-word')
const words = args.filter(arg => !arg.startsWith('--'))
const files = findTests('all', words).filter(file => ['pure', 'world'].includes(kindOf(file)))
const isTable = (/** @type {string} */ file) => file.includes('.wording.test.')

const { copy, sources } = copyCheckout()
try {
  let marked = 0
  for (const file of sources) {
    const path = join(copy, file)
    const { text, count } = markSentences(file, readFileSync(path, 'utf8'), { eachWord })
    if (count > 0) writeFileSync(path, text)
    marked += count
  }
  console.log(`Marked ${marked} sentences in ${copy}.`)
  const failed = await runTests(copy, files)
  const tied = [...failed].filter(file => !isTable(file))
  const blind = files.filter(file => isTable(file) && !failed.has(file))
  for (const file of tied) console.log(`${file} depends on wording.`)
  for (const file of blind) console.log(`${file} asserts no sentence of the sources.`)
  console.log(`${files.length - tied.length - blind.length} passed, ${tied.length + blind.length} failed`)
  process.exitCode = tied.length + blind.length === 0 ? 0 : 1
} finally {
  if (!args.includes('--keep')) rmSync(copy, { recursive: true, force: true })
}
