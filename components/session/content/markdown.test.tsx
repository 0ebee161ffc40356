import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Prose } from './markdown.tsx'

const html = (text: string) => renderToStaticMarkup(<Prose text={text} />)

test('the agent’s HTML is shown as text and never becomes an element', () => {
  const shown = html('Hello <script>alert(1)</script> <img src=x onerror=alert(1)> <b>b</b>')
  expect(shown).not.toMatch(/<(script|img|b)\b/)
  expect(shown).toContain('&lt;script&gt;')
})

test('an image is a link with its alt text, so nothing is loaded', () => {
  const shown = html('![a map](https://example.com/map.png)')
  expect(shown).not.toContain('<img')
  expect(shown).toContain('href="https://example.com/map.png"')
  expect(shown).toContain('>a map</a>')
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'file:///etc/passwd',
  '/relative',
  'JaVaScRiPt:alert(1)'
])('a link to %s is shown as plain text', url => {
  expect(html(`[words](${url})`)).not.toContain('<a')
  expect(html(`![words](${url})`)).not.toContain('<a')
})

test.each(['https://example.com', 'http://example.com', 'mailto:a@example.com'])(
  'a link to %s opens in a new tab, without an opener',
  url => {
    expect(html(`[words](${url})`)).toMatch(
      /<a href="[^"]+" target="_blank" rel="noopener noreferrer nofollow">words<\/a>/
    )
  }
)
