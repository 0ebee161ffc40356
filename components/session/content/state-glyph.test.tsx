import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { FaceKind } from '#components/session/wording/session-status.ts'
import { StateGlyph } from './state-glyph.tsx'

const kinds = [
  'empty',
  'idle',
  'running',
  'parked',
  'parked-other',
  'both',
  'failed',
  'reconnecting',
  'not-mine'
] satisfies FaceKind[]

test('every state has its own shape, so that it is recognizable without color', () => {
  const form = (kind: FaceKind) => renderToStaticMarkup(<StateGlyph kind={kind} />).replace(/^<svg[^>]*>/, '')
  expect(new Set(kinds.map(form)).size).toBe(kinds.length)
})
