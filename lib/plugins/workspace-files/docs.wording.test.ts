import { expect, test } from 'vitest'
import { readWorkspaces } from './read-workspace.ts'

test('003-18: the error messages in docs/hcl.md match the actual ones', () => {
  expect(() => readWorkspaces('\n\n  model 3')).toThrow('3:9: expected "=" or "{" after "model", found "3"')
  const text = `workspace "w" {\n  plugin "weather" {${'\n'.repeat(10)}  versoin = "1"\n}\n}`
  expect(() => readWorkspaces(text)).toThrow(
    '12:3: unknown attribute "versoin" in plugin "weather": did you mean "version"?'
  )
})
