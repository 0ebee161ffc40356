import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { CutText } from './cut-text.tsx'

const endOf = (text: string) => /data-end="([^"]*)"/.exec(renderToStaticMarkup(<CutText text={text} />))?.[1]

test('a long URL at the end of a text keeps its end, and the text stays whole for screen readers', () => {
  const text = 'Fetch https://example.com/samples/page/12345'
  const html = renderToStaticMarkup(<CutText text={text} />)
  expect(endOf(text)).toBe('s/page/12345')
  expect(html.replace(/<[^>]*>/g, '')).toBe(text)
})

test('a sentence, a short URL and a text that was cut before are only cut at their end', () => {
  for (const text of [
    'Which color do you choose, and/or why?',
    'Fetch example.com/a',
    'a example.com/samples/pag…'
  ])
    expect(endOf(text)).toBeUndefined()
})
