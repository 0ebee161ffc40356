import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

type Folder = { path: string; folders: string[]; sources: string[] }

/** Every folder of the server's code with its source files; tests and generated files do not count. */
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

/** Lines of code: no blank lines, no comments. */
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

test('the loop and its contract stay small', () => {
  const loop = ['run-turn', 'begin-round', 'call-tools', 'turn'].map(name => `lib/engine/turn/${name}.ts`)
  expect(linesOf(loop)).toBeLessThanOrEqual(400)
})

test('the engine stays small', () => {
  expect(linesOf(under('lib/engine'))).toBeLessThanOrEqual(6_300)
})

test('each folder of lib says in at most ten lines what it is for', () => {
  const mustSay = folders.filter(
    ({ path }) => path === 'lib' || /^lib\/[^/]+$/.test(path) || /^lib\/(engine|features)\/[^/]+$/.test(path)
  )
  for (const { path } of mustSay) {
    const file = join(path, 'README.md')
    expect(existsSync(file), file).toBe(true)
    expect(readFileSync(file, 'utf8').trimEnd().split('\n').length, file).toBeLessThanOrEqual(10)
  }
})

test('a README of lib names only files that are there', () => {
  for (const { path } of folders) {
    const file = join(path, 'README.md')
    if (!existsSync(file)) continue
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/`([\w/.-]+(?:\.ts|\.json|\/))`/g))
      expect([join(path, name), join('lib', name), name].some(existsSync), `${file}: ${name}`).toBe(true)
  }
})
