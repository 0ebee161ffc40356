import { test } from 'vitest'
import { expectSameReading, expectSameRefusals } from '#packages/hcl/src/hashicorp.ts'

test('003-18: generated text is parsed as HashiCorp’s parser does, or both reject it', () =>
  expectSameReading(1_000))

test('003-18: both parsers reject the same slightly changed texts, except for the differences in docs/hcl.md', () =>
  expectSameRefusals(1_000))
