import { dirname } from 'node:path'
import { Fault } from './fault.mjs'
import { run } from './run.mjs'
import { findTests, kindOf, listTests } from './test-files.mjs'

/** Folders of the sources whose tests have another name. */
const TESTED_IN = /** @type {Record<string, string[]>} */ ({
  api: ['http', 'server'],
  client: ['packages'],
  compose: ['infra', 'server'],
  'demo-model': ['models'],
  deliveries: ['features/webhooks', 'deliveries'],
  'features/approvals': ['features/approvals', 'engine/calls'],
  'features/compaction': ['engine/context'],
  'features/connections': ['features/connections', 'features/mcp'],
  'features/prompts': ['engine/context'],
  engine: ['engine', 'features/approvals', 'features/out-of-band', 'plugins', 'sessions'],
  hcl: ['plugins'],
  infra: ['engine', 'infra', 'features/connections'],
  kernel: ['engine', 'infra'],
  postgres: ['infra'],
  react: ['packages'],
  'sample-acme': ['features/connections'],
  sessions: ['engine', 'sessions'],
  proto: ['plugins'],
  db: ['engine', 'infra']
})

/**
 * The tests for what changed since a commit, with and without commits of its own: the quick tests, the changed test
 * files, and the tests in folders of the same name as each changed source folder. Long tests run only when they changed.
 *
 * @param {string} since
 */
export async function findChangedTests(since) {
  const changed = await changedFiles(since)
  const folders = new Set(changed.flatMap(foldersFor))
  const quick = new Set(findTests('quick', []))
  return listTests().filter(file => {
    if (quick.has(file) || changed.includes(file)) return true
    if (kindOf(file) === 'long') return false
    return [...folders].some(folder => `${dirname(file)}/`.includes(`/${folder}/`))
  })
}

/**
 * The folders of tests for a file.
 *
 * @param {string} file its path
 */
export function foldersFor(file) {
  const [top = '', second = '', third = ''] = file.split('/')
  if (top === 'tests') return file.endsWith('.test.ts') ? [] : [dirname(file).slice('tests/'.length)]
  if (top === 'app') return ['http', 'browser']
  const own = ['lib', 'components', 'packages'].includes(top) ? second.replace(/\.tsx?$/, '') : top
  const noun = own === 'features' ? `features/${third}` : own
  return TESTED_IN[noun] ?? [noun]
}

/** @param {string} since @returns {Promise<string[]>} */
async function changedFiles(since) {
  const tracked = await git('diff', '--name-only', since, '--')
  const untracked = await git('ls-files', '--others', '--exclude-standard')
  return [...tracked, ...untracked]
}

/** @param {string[]} args */
async function git(...args) {
  const { code, output } = await run(['git', ...args])
  if (code !== 0) throw new Fault(`git could not list the changes: ${output.trim()}`)
  return output.split('\n').filter(Boolean)
}
