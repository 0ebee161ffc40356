import { expect, test } from 'vitest'
import { HclError } from '#lib/hcl/hcl-error.ts'
import { readManifest } from '#lib/hcl/read-manifest.ts'
import { readView } from '#lib/hcl/read-view.ts'
import { readWorkspaces } from '#lib/hcl/read-workspace.ts'
import { document } from '#tests/support/fakes/hcl-document.ts'
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
  '003-18: no text is anything but read, or refused with its place',
  () =>
    fuzz(mutated(document, [...pieces, ...blocks]), text => {
      for (const read of [readWorkspaces, readManifest, readView])
        try {
          read(text)
        } catch (error) {
          expect(error).toBeInstanceOf(HclError)
        }
    }),
  fuzzTimeout
)
