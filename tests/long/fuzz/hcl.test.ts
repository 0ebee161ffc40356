import { HclError } from '@waystation/hcl'
import { expect, test } from 'vitest'
import { readView } from '#lib/plugins/views/read-view.ts'
import { readManifest } from '#lib/plugins/workspace-files/read-manifest.ts'
import { readWorkspaces } from '#lib/plugins/workspace-files/read-workspace.ts'
import { document } from '#packages/hcl/src/generated-text.ts'
import { fuzz, fuzzTimeout, mutated } from '#tests/support/fuzz.ts'

const pieces = [
  '{',
  '}',
  '[',
  ']',
  '(',
  '"',
  '\n',
  '<<A\n',
  '${',
  '%{',
  '/*',
  '=',
  ',',
  '\\u',
  '!',
  'a ? b : c'
]
const blocks = ['workspace "a" {\n', 'plugin "b" {\n', 'component "c" {\n', 'source = "remote://h:1"\n']

test(
  '003-18: every text is parsed or rejected with its position',
  () =>
    fuzz(mutated(document, [...pieces, ...blocks]), text => {
      for (const parse of [readWorkspaces, readManifest, readView])
        try {
          parse(text)
        } catch (error) {
          expect(error).toBeInstanceOf(HclError)
        }
    }),
  fuzzTimeout
)
