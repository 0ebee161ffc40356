import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** Returns the project files that a file loads when it starts, directly or through others. */
function loadedBy(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded
  loaded.add(file)
  if (!/\.(ts|mjs)$/.test(file)) return loaded
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export|\}) (?!type\b)[^'\n]*'([#.][^']+|@waystation\/[^']+)'/gm
  )
  for (const [, path = ''] of imports) {
    if (path === '#package') continue
    loadedBy(fileOf(path, file), loaded)
  }
  return loaded
}

/** Returns the file that an import names. */
function fileOf(path: string, importer: string): string {
  if (path.startsWith('#')) return path.slice(1)
  if (path.startsWith('.')) return normalize(join(dirname(importer), path))
  const [, name = '', file = 'index.ts'] = /^@waystation\/([^/]+)(?:\/(.+))?$/.exec(path) ?? []
  return `packages/${name}/src/${file}`
}

test('the Docker image contains each folder that the server loads', () => {
  const copiedPaths = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY --from=build (.+) \S+$/gm)]
    .flatMap(([, paths = '']) => paths.split(' '))
    .map(path => path.replace('/app/', ''))
  const folders = [...loadedBy('server.ts')].map(file => {
    const [top = '', name = ''] = file.split('/')
    return top === 'packages' ? `${top}/${name}` : top
  })
  expect([...new Set(folders)].filter(folder => !copiedPaths.includes(folder))).toEqual([])
  expect(new Set(folders).size).toBeGreaterThan(4)
})
