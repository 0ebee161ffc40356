import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EmbedError } from '#lib/agents/embeds/embed-error.ts'
import { resolveEmbeds } from '#lib/agents/embeds/resolve.ts'
import { anyText, fuzz, fuzzTimeout, mutated } from '#tests/support/fuzz.ts'

const pieces = [
  '@ag.embed[',
  '@ag.references[',
  '@ag.selector[',
  '@{{',
  'workflow.slug=a',
  'agent.id=b',
  'path:x.0.y',
  'key:k',
  ']',
  '}}',
  ',',
  ' '
]
const embedded = fc.constantFrom(
  '@{{workflow.slug=a, path:x}}',
  '@{{agent.slug=b, path:x.0}} and @{{workflow.slug=c}}',
  '@ag.embed[@ag.references[workflow.slug=a], @ag.selector[path:x]]'
)
const texts = fc.oneof(mutated(embedded, pieces), anyText())
const reference = fc.record({ workflow: fc.record({ slug: fc.constantFrom('a', 'b', 'c', 'none') }) })
const { value } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 5 },
    texts,
    fc.jsonValue(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(anyText(6), fc.constantFrom('@ag.embed', '__proto__')), tie('value'), {
      maxKeys: 4
    }),
    fc.record({
      '@ag.embed': fc.record({ '@ag.references': reference, '@ag.selector': fc.record({ path: texts }) })
    })
  )
}))

test(
  '002-5: every value is resolved or rejected with its path, including embeds that contain embeds',
  () =>
    fuzz(fc.tuple(value, fc.dictionary(fc.constantFrom('a', 'b', 'c'), value)), async ([value, entries]) => {
      const lookup = ({ workflow, agent }: { workflow?: { slug?: string }; agent?: { slug?: string } }) => {
        const name = workflow?.slug ?? agent?.slug ?? ''
        return Object.hasOwn(entries, name) ? { name, data: entries[name] } : undefined
      }
      try {
        await resolveEmbeds(value, { lookup: lookup as never })
      } catch (error) {
        expect(error).toBeInstanceOf(EmbedError)
      }
    }),
  fuzzTimeout
)
