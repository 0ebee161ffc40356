import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Prose } from './markdown.tsx'

const html = (text: string, streaming = false) =>
  renderToStaticMarkup(<Prose text={text} streaming={streaming} />)

/** Returns the text of rendered HTML, as a reader sees it. */
const shownText = (markup: string) => markup.replace(/<button.*?<\/button>|<[^>]+>/g, '')

test('the agent’s HTML is shown as text and never becomes an element', () => {
  const shown = html('Hello <script>alert(1)</script> <img src=x onerror=alert(1)> <b>b</b>')
  expect(shown).not.toMatch(/<(script|img|b)\b/)
  expect(shown).toContain('&lt;script&gt;')
})

test('a very long word is shown without kerning, which browsers need seconds for', () => {
  expect(html('a'.repeat(60_000))).toContain('[font-kerning:none]')
  expect(html('a word. '.repeat(10_000))).not.toContain('kerning')
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

const answer = [
  '# One *title*',
  'Some **bold words**, ***both***, an _other_ word and ~~a mistake~~.',
  'Read [the **docs**](https://example.com/a_b), [more](https://example.com "Title") and ![a map](https://example.com/map.png).',
  '- Run `npm test`.\n- Then **wait**.',
  '```ts\nconst list = [1, 2]\n```',
  'The end.'
].join('\n\n')

test('text that streams in never shows unfinished marks', () => {
  const complete = shownText(html(answer))
  for (let end = 1; end <= answer.length; end++)
    for (const mark of shownText(html(answer.slice(0, end), true)).match(/[*_~`]|\]\(|\[(?!1)/g) ?? [])
      expect(complete, answer.slice(0, end)).toContain(mark)
})

test('unfinished emphasis, code and links have their final form while text streams in', () => {
  expect(html('a **bo', true)).toContain('<strong>bo</strong>')
  expect(html('a `co', true)).toContain('<code>co</code>')
  expect(html('see [the docs](https://exa', true)).toMatch(/>see the docs</)
})

test('HTML, comparisons and amounts look the same during streaming and afterwards', () => {
  for (const text of ['a <b', '- > 25', '20~25', 'costs $$5', '- [x] done', 'list[10]', '```\na = [1, 2]'])
    expect(html(text, true)).toBe(html(text))
})

test('text that has ended is shown as it is', () => {
  expect(shownText(html('2 ** 3 and **bo'))).toBe('2 ** 3 and **bo')
})
