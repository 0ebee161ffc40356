import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { QueriesProvider } from '#components/browser/queries.tsx'
import { SessionContext, type SessionUse } from '#components/session/store/session-context.ts'
import { Prose } from './markdown.tsx'

/** Renders a page before the server has rendered any wikitext. */
function shown(text: string, streaming: boolean): string {
  const use = { store: { path: { sessionId: 's' } } } as unknown as SessionUse
  return renderToStaticMarkup(
    <QueriesProvider>
      <SessionContext value={use}>
        <Prose text={text} streaming={streaming} />
      </SessionContext>
    </QueriesProvider>
  )
}

test('001-21: wikitext is faded while it streams, and its source is shown from the start', () => {
  const html = shown('Look:\n\n```wikitext\n! Seeds\n* round', true)
  expect(html).toContain('data-hook="wikitext-message" data-streaming="true"')
  expect(html).toContain('opacity-60')
  expect(html).toContain('! Seeds\n* round')
})

test.each([
  ['its block ends', 'Look:\n\n```tid\n! Seeds\n```', true],
  ['the message is complete', '```tiddlywiki\n! Seeds', false],
  ['text follows it', '```wikitext\n! Seeds\n```\n\nAnd', true]
])('001-21: wikitext is rendered as soon as %s', (_, text, streaming) => {
  const html = shown(text, streaming)
  expect(html).toContain('data-hook="wikitext-message"')
  expect(html).not.toMatch(/data-streaming|opacity-60/)
})

test('001-21: other code blocks do not change', () => {
  const html = shown('```js\nlet wikitext\n```', true)
  expect(html).not.toContain('wikitext-message')
})
