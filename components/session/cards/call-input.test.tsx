import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CallInput } from './call-input.tsx'

const html = (toolName: string, input: unknown) =>
  renderToStaticMarkup(<CallInput call={{ toolName }} input={input} edition="as edited" />)

test('001-20: zx-script: a script is shown with its exact lines and its hidden characters', () => {
  const shown = html('zx-script', { script: 'if (a < b) {\n\tgo("\u202e")\n}' })
  expect(shown).toContain('as edited')
  expect(shown).toContain('if (a &lt; b) {\n\tgo(&quot;')
  expect(shown).toMatch(/<mark[^>]*>U\+202E<\/mark>/)
})

test('other arguments are shown as JSON, even if another tool has the same name', () => {
  for (const shown of [html('web-fetch', { script: 'x' }), html('zx-script', { url: 'x' })]) {
    expect(shown).toContain('as edited')
    expect(shown).toContain('{\n  &quot;')
  }
})
