import { test } from 'vitest'
import { expectSameReading, expectSameRefusals } from '#packages/hcl/src/hashicorp.ts'

test('003-18: what is generated is read as HashiCorp’s parser reads it, or refused by both', () =>
  expectSameReading(1_000))

test('003-18: with a few letters changed, a text is refused by both or by neither, but for what docs/hcl.md names', () =>
  expectSameRefusals(1_000))
