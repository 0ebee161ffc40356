import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Folder = { path: string; folders: string[]; sources: string[] }

/** Returns every folder below a path with its source files, without tests and generated files. */
function foldersIn(path: string): Folder[] {
  const entries = readdirSync(path, { withFileTypes: true })
  const folders = entries.flatMap(entry => (entry.isDirectory() ? [join(path, entry.name)] : []))
  const sources = entries.flatMap(({ name }) =>
    /\.(ts|tsx|mjs)$/.test(name) && !/\.test\.tsx?$/.test(name) ? [join(path, name)] : []
  )
  return [
    { path, folders, sources },
    ...folders.filter(folder => !folder.endsWith('/generated')).flatMap(foldersIn)
  ]
}

const folders = foldersIn('lib')
const componentFolders = foldersIn('components')

/** Counts lines of code, without blank lines and comments. */
const linesOf = (sources: readonly string[]): number =>
  sources
    .map(file => readFileSync(file, 'utf8').replaceAll(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, ''))
    .flatMap(text => text.split('\n'))
    .filter(line => line.trim() !== '' && !line.trim().startsWith('//')).length

const under = (path: string) =>
  folders.flatMap(folder => (`${folder.path}/`.startsWith(`${path}/`) ? folder.sources : []))

test('no folder of lib has more than 40 source files, and lib/sessions no more than 30', () => {
  const counts = Object.fromEntries(folders.map(({ path, sources }) => [path, sources.length]))
  expect(Object.entries(counts).filter(([, count]) => count > 40)).toEqual([])
  expect(counts['lib/sessions']).toBeLessThanOrEqual(30)
})

test('no folder of components has more than 40 source files', () => {
  const large = componentFolders.filter(({ sources }) => sources.length > 40)
  expect(large.map(({ path }) => path)).toEqual([])
})

test('the loop and its contract have at most 400 lines', () => {
  const loop = ['run-turn', 'start-step', 'call-tools', 'turn'].map(name => `lib/engine/turn/${name}.ts`)
  expect(linesOf(loop)).toBeLessThanOrEqual(400)
})

test('the engine has at most 6,000 lines', () => {
  expect(linesOf(under('lib/engine'))).toBeLessThanOrEqual(6_000)
})

// Trial sessions took 100 lines (snapshots, their deletion, the mark that lists read), and comparisons and test sets 700. Titles and previews without marks took 70, and answers to several calls 20. Calls of external agents took 600.
test('lib has at most 41,180 lines', () => {
  expect(linesOf(under('lib'))).toBeLessThanOrEqual(41_180)
})

test('each folder of lib and components has a README of at most ten lines', () => {
  const documented = [...folders, ...componentFolders].filter(({ path }) =>
    /^(lib|components)(\/[^/]+)?$|^(lib\/engine|lib\/features|components\/session)\/[^/]+$/.test(path)
  )
  for (const { path } of documented) {
    const file = join(path, 'README.md')
    expect(existsSync(file), file).toBe(true)
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length, file).toBeLessThanOrEqual(10)
  }
})

test('a README of lib or components names only files that exist', () => {
  for (const { path } of [...folders, ...componentFolders]) {
    const file = join(path, 'README.md')
    if (!existsSync(file)) continue
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/`([\w/.-]+(?:\.ts|\.json|\/))`/g))
      expect([join(path, name), join('lib', name), name].some(existsSync), `${file}: ${name}`).toBe(true)
  }
})
