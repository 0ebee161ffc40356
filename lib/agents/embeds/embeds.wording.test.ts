import { expect, test } from 'vitest'
import { resolveEmbeds } from './resolve.ts'

const embed = (slug: string, path: string, siblings = {}) => ({
  '@ag.embed': { '@ag.references': { workflow: { slug } }, '@ag.selector': { path } },
  ...siblings
})

test.each<[what: string, value: unknown, sentence: string | RegExp]>([
  [
    'a field next to a text',
    embed('a', 'text', { name: 'x' }),
    'The embed is invalid: the selected value is not an object. Remove the fields next to the embed: name.'
  ],
  [
    'a path that does not exist',
    { list: ['', { at: '@{{workflow.slug=a, path:none}}' }] },
    'The embed at "list.1.at" is invalid: a has no value at "none".'
  ],
  [
    'a circular reference',
    { it: embed('a', 'circle') },
    'The embed at "it" is invalid: it is circular (a#circle → a#circle).'
  ],
  [
    'two kinds of embed at once',
    { '@ag.embed': { '@ag.references': { workflow: { slug: 'a' }, agent: { slug: 'b' } } } },
    /it refers to a workflow and an agent\. Remove one of the two/
  ]
])('the error of an embed with %s names the problem and the location', async (_, value, sentence) => {
  const data = { text: 'Paint well.', circle: embed('a', 'circle') }
  const lookup = () => ({ name: 'a', data, embeddable: true })
  await expect(resolveEmbeds(value, { lookup })).rejects.toThrow(sentence)
})
