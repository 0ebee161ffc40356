import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { foldersFor } from './changed-tests.mjs'
import { listTests } from './test-files.mjs'

const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ name }) => `${folder}/${name}`)

test('a change in any folder of the server or the playground selects tests', () => {
  const folders = [
    ...foldersIn('lib').filter(folder => folder !== 'lib/features'),
    ...foldersIn('lib/features'),
    ...foldersIn('components')
  ]
  const tested = listTests().map(file => `${dirname(file)}/`)
  const untested = folders.filter(
    folder => !foldersFor(`${folder}/some.ts`).some(name => tested.some(path => path.includes(`/${name}/`)))
  )
  expect(untested).toEqual([])
})
