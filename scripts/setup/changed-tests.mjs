import { dirname } from 'node:path'
import { Fault } from './fault.mjs'
import { run } from './run.mjs'
import { findTests, kindOf, listTests } from './test-files.mjs'

/** The folders with the tests of a source folder, if they have another name. */
const TESTED_IN = /** @type {Record<string, string[]>} */ ({
  api: ['http', 'server'],
  base: ['engine', 'infra'],
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
  'mcp-client': ['features/mcp'],
  plugin: ['packages', 'examples'],
  'plugin-host': ['plugins'],
  postgres: ['infra'],
  protocol: ['engine', 'http'],
  react: ['packages'],
  'sample-acme': ['features/connections'],
  sandbox: ['features/mcp', 'features/scripts'],
  server: ['packages', 'examples'],
  sessions: ['engine', 'sessions'],
  'text-tools': ['models', 'tools'],
  ui: ['browser'],
  workspace: ['browser/shell'],
  tools: ['tools'],
  tiddlywiki: ['features/scripts', 'features/wikis'],
  'text-stream': ['engine', 'models'],
  'json-schemas': ['agents', 'engine', 'features/approvals', 'features/mcp'],
  proto: ['plugins'],
  db: ['engine', 'infra']
})

/**
 * Finds the tests for the changes since a commit, committed or not: the quick tests, the changed test files, and
 * the tests in folders named like each changed source folder. Long tests run only if they changed themselves.
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
 * Returns the folders with the tests for a file.
 *
 * @param {string} file its path
 */
export function foldersFor(file) {
  const [top = '', second = '', third = ''] = file.split('/')
  if (top === 'tests') return file.endsWith('.test.ts') ? [] : [dirname(file).slice('tests/'.length)]
  if (top === 'app') return ['http', 'browser']
  const folder = ['lib', 'components', 'packages'].includes(top) ? second.replace(/\.tsx?$/, '') : top
  const name = folder === 'features' ? `features/${third}` : folder
  return TESTED_IN[name] ?? [name]
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
