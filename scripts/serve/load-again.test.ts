import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

test('a module is loaded again with the current content of its imports, and a broken one leaves the previous copy', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waystation-load-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [outer, inner, main] = ['outer.ts', 'inner.ts', 'main.ts'].map(name => join(folder, name))
  writeFileSync(outer!, `import { word } from './inner.ts'\nexport const said: string = word\n`)
  writeFileSync(inner!, `export const word: string = 'one'\n`)
  writeFileSync(
    main!,
    `import { writeFileSync } from 'node:fs'
    import { loadAgain } from ${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'load-again.ts')).href)}
    const outer = ${JSON.stringify(pathToFileURL(outer!).href)}
    const write = text => writeFileSync(${JSON.stringify(inner)}, text)
    const first = await import(outer)
    write("export const word: string = 'two'")
    const second = await loadAgain(outer)
    write('export const word: = 3')
    const third = await loadAgain(outer).catch(() => ({ said: 'broken' }))
    write("export const word = 'four'")
    const fourth = await loadAgain(outer)
    console.log(JSON.stringify([first, second, third, fourth].map(({ said }) => said)))`
  )
  const { stdout, stderr } = spawnSync(process.execPath, [main!], { encoding: 'utf8' })
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: '["one","two","broken","four"]', stderr: '' })
})
