import { z } from 'zod'

const words = z.string().min(1).max(256)

/** One entry of a family: by `id` or by `slug`; without a version (or revision, which is the same) the newest. */
const EmbedTarget = z
  .strictObject({
    id: words.optional(),
    slug: words.optional(),
    version: z.union([words, z.int()]).optional(),
    revision: z.union([words, z.int()]).optional()
  })
  .refine(({ id, slug }) => (id === undefined) !== (slug === undefined), 'set either "slug" or "id"')
  .refine(
    ({ version, revision }) => version === undefined || revision === undefined,
    'set "version" or "revision", not both'
  )
export type EmbedTarget = z.infer<typeof EmbedTarget>

/** What an embed refers to: an entry of the catalogue (`workflow`), or the configuration of an agent. Never of both. */
export const EmbedReferences = z
  .strictObject({ workflow: EmbedTarget.optional(), agent: EmbedTarget.optional() })
  .refine(
    ({ workflow, agent }) => (workflow === undefined) !== (agent === undefined),
    'set either "workflow" or "agent"'
  )
export type EmbedReferences = z.infer<typeof EmbedReferences>

/** What is taken of it: down `path`, names and indexes with dots. No entry ever had what `key` followed. */
const EmbedSelector = z.strictObject(
  { path: words.optional() },
  {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' && keys?.includes('key')
        ? '"key" is no longer supported. Name the entry in "@ag.references" and remove "key"'
        : undefined
  }
)

/** What stands under `@ag.embed` (docs/embeds.md). */
export const Embed = z.strictObject({
  '@ag.references': EmbedReferences,
  '@ag.selector': EmbedSelector.optional()
})
export type Embed = z.infer<typeof Embed>

/** What an embed refers to, in a few words: `workflow __ag__request_connection`. */
export function referenceWords({ workflow, agent }: EmbedReferences): string {
  const target = workflow ?? agent
  const version = target?.version ?? target?.revision
  return `${workflow === undefined ? 'agent' : 'workflow'} ${target?.slug ?? target?.id}${version === undefined ? '' : `@${version}`}`
}
