/**
 * `npm run test:wording` checks that tests do not depend on wording. It copies the checkout, puts `~` in front of
 * every sentence of the UI and of errors, and runs `npm test` in the copy. Only the tables of sentences
 * (`*.wording.test.ts`, and `wording*.test.ts` of the browser) can fail.
 *
 * - Words select test files whose path contains one of them.
 * - `--each-word` marks every word, which also finds tests that match a part of a sentence. Each table must then
 *   fail.
 * - `--keep` keeps the copy.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyCheckout, git } from './setup/copy-checkout.mjs'
import { run } from './setup/run.mjs'
import { findTests } from './setup/test-files.mjs'
import { markSentences } from './wording/mark.mjs'

const SOURCE = /^(?:lib|components|app|packages\/[^/]+\/src|scripts\/serve)\/.*\.tsx?$|^server\.ts$/
const SKIPPED = /\.test\.tsx?$|\.d\.ts$|\/generated\//
const TABLE = /(?:^|[/.])wording[^/]*\.test\.ts$/

const args = process.argv.slice(2)
const eachWord = args.includes('--each-word')
const words = args.filter(arg => !arg.startsWith('--'))
const files = findTests('all', words)
const copy = copyCheckout()
try {
  let marked = 0
  const listedFiles = git('ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate')
  for (const file of listedFiles.filter(file => SOURCE.test(file) && !SKIPPED.test(file))) {
    const path = join(copy, file)
    if (!existsSync(path)) continue
    const { text, count } = markSentences(file, readFileSync(path, 'utf8'), { eachWord })
    if (count > 0) writeFileSync(path, text)
    marked += count
  }
  console.log(`Marked ${marked} sentences in ${copy}. Its tests run now, which takes as long as npm test.`)
  const { output } = await run([process.execPath, join('scripts', 'test.mjs'), ...words], { cwd: copy })
  console.log(output)
  const failed = files.filter(file => output.includes(`\n✗ ${file}`))
  const dependent = failed.filter(file => !TABLE.test(file))
  const ineffective = eachWord ? files.filter(file => TABLE.test(file) && !failed.includes(file)) : []
  for (const file of dependent) console.log(`${file} depends on wording.`)
  for (const file of ineffective) console.log(`${file} asserts no sentence of the sources.`)
  console.log(
    `${files.length - dependent.length - ineffective.length} passed, ${dependent.length + ineffective.length} failed`
  )
  process.exitCode = dependent.length + ineffective.length === 0 ? 0 : 1
} finally {
  if (!args.includes('--keep')) rmSync(copy, { recursive: true, force: true })
}
