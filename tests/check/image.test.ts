import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

/** The files of this project that a file loads when it starts, and what they load in turn. */
function loadedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  if (!/\.(ts|mjs)$/.test(file)) return found
  const imports = readFileSync(file, 'utf8').matchAll(
    /^(?:import|export|\}) (?!type\b)[^'\n]*'([#.][^']+)'/gm
  )
  for (const [, path = ''] of imports) {
    if (path === '#package') continue
    loadedBy(path.startsWith('#') ? path.slice(1) : normalize(join(dirname(file), path)), found)
  }
  return found
}

test('the Docker image contains each folder that the server loads', () => {
  const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY --from=build (.+) \S+$/gm)]
    .flatMap(([, paths = '']) => paths.split(' '))
    .map(path => path.replace('/app/', ''))
  const folders = [...loadedBy('server.ts')].map(file => {
    const [top = '', name = ''] = file.split('/')
    return top === 'packages' ? `${top}/${name}` : top
  })
  expect([...new Set(folders)].filter(folder => !copied.includes(folder))).toEqual([])
  expect(new Set(folders).size).toBeGreaterThan(4)
})
