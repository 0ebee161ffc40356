import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { renderMarkdown } from './markdown-nodes.tsx'
import { parseMarkdown } from './parse-markdown.ts'

const html = (text: string) => renderToStaticMarkup(renderMarkdown(parseMarkdown(text)))

test.each([
  [
    'a paragraph',
    'a *b* **c** ~~d~~ `e`',
    '<p>a <em>b</em> <strong>c</strong> <del>d</del> <code>e</code></p>'
  ],
  ['a hard break', 'a  \nb', '<p>a<br/>b</p>'],
  ['headings', '# a\n### b\n##### c', '<h2>a</h2><h3>b</h3><h3>c</h3>'],
  ['a quote and a line', '> a\n\n---', '<blockquote><p>a</p></blockquote><hr/>'],
  ['a list without blank lines', '- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
  ['a list with blank lines', '- a\n\n- b', '<ul><li><p>a</p></li><li><p>b</p></li></ul>'],
  ['a list in a list', '3. a\n   - b', '<ol start="3"><li>a<ul><li>b</li></ul></li></ol>'],
  [
    'an entity',
    '&copy; &#8212; &#x41; &lt;b&gt; &nope; `&amp;`',
    '<p>© — A &lt;b&gt; &amp;nope; <code>&amp;amp;</code></p>'
  ],
  ['an escaped mark', '\\*a\\*', '<p>*a*</p>'],
  [
    'an entity in a URL',
    '[a](https://e.com/?b&amp;c)',
    expect.stringContaining('href="https://e.com/?b&amp;c"')
  ],
  ['a bare URL', 'https://e.com/?b&copy;c', expect.stringContaining('href="https://e.com/?b&amp;copy;c"')]
])('%s', (_, text, expected) => {
  expect(html(text)).toEqual(expected)
})

test('a task shows whether it is done', () => {
  const [done, toDo] = html('- [x] a\n- [ ] b').match(/<li.*?<\/li>/g) ?? []
  expect(done).toMatch(/role="img" aria-label="done".*<\/span>a<\/li>/)
  expect(toDo).toMatch(/role="img" aria-label="to do".*<\/span>b<\/li>/)
})

test('a table keeps the alignment of its columns', () => {
  const shown = html('| a | b |\n|:-:|---|\n| 1 | *2* |')
  expect(shown).toMatch(/<th style="text-align:center">a<\/th><th>b<\/th>/)
  expect(shown).toMatch(/<td style="text-align:center">1<\/td><td><em>2<\/em><\/td>/)
})

test('a reference finds its definition anywhere in the text', () => {
  const shown = html('[a][x] ![b][x]\n\n> [X]: https://example.com')
  expect(shown.match(/href="https:\/\/example\.com"/g)).toHaveLength(2)
})

test('text that looks like a footnote stays text', () => {
  expect(html('a[^1]\n\n[^1]: The source.')).toBe('<p>a[^1]</p><p>[^1]: The source.</p>')
})

test('HTML stays text, also across lines', () => {
  expect(html('<div>\n<b>x</b>\n</div>\n\nand <i>y</i>')).not.toMatch(/<(div|b|i)\b/)
})

test.each(['> ', '- ', '1. ', '> - '])('a text with 10,000 × "%s" is shown as it is, without delay', mark => {
  const text = `a\n\n${mark.repeat(10_000)}b`
  expect(html(text)).toMatch(/^<p>a[^<]+b<\/p>$/)
})
