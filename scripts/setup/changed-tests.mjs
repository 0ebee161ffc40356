import { dirname } from 'node:path'
import { Fault } from './fault.mjs'
import { run } from './run.mjs'
import { findTests, kindOf, listTests } from './test-files.mjs'

/** Folders of the sources whose tests have another name. */
const TESTED_IN = /** @type {Record<string, string[]>} */ ({
  bus: ['engine'],
  calls: ['engine/calls', 'features/approvals'],
  client: ['packages'],
  deliveries: ['features/webhooks', 'deliveries'],
  'demo-model': ['models'],
  events: ['engine'],
  hcl: ['plugins'],
  inbox: ['engine'],
  jobs: ['infra'],
  kernel: ['engine', 'infra'],
  messages: ['engine/context', 'sessions'],
  observe: ['infra'],
  oob: ['features/out-of-band', 'out-of-band'],
  postgres: ['infra'],
  queue: ['engine', 'infra'],
  react: ['packages'],
  'sample-acme': ['features/connections'],
  samples: ['features/connections'],
  sessions: ['engine', 'sessions'],
  turn: ['engine', 'plugins'],
  vault: ['features/connections'],
  'workspace-files': ['plugins'],
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

/** @param {string} file the path of a changed file */
function foldersFor(file) {
  const [top = '', second = ''] = file.split('/')
  if (top === 'tests') return file.endsWith('.test.ts') ? [] : [dirname(file).slice('tests/'.length)]
  if (top === 'app') return ['http', 'browser']
  const noun = ['lib', 'components', 'packages'].includes(top) ? second.replace(/\.tsx?$/, '') : top
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
