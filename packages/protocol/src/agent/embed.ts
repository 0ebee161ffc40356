import { z } from 'zod'

const nonEmpty = z.string().min(1).max(256)

/**
 * A reference to one entry, by `id` or by `slug`. `version` and `revision` mean the same. Default: the newest version.
 */
const EmbedTarget = z
  .strictObject({
    id: nonEmpty.optional(),
    slug: nonEmpty.optional(),
    version: z.union([nonEmpty, z.int()]).optional(),
    revision: z.union([nonEmpty, z.int()]).optional()
  })
  .refine(({ id, slug }) => (id === undefined) !== (slug === undefined), 'set either "slug" or "id"')
  .refine(
    ({ version, revision }) => version === undefined || revision === undefined,
    'set "version" or "revision", not both'
  )
export type EmbedTarget = z.infer<typeof EmbedTarget>

/** The target of an embed: either an entry of the catalog (`workflow`) or the configuration of an agent. */
export const EmbedReferences = z
  .strictObject({ workflow: EmbedTarget.optional(), agent: EmbedTarget.optional() })
  .refine(
    ({ workflow, agent }) => (workflow === undefined) !== (agent === undefined),
    'set either "workflow" or "agent"'
  )
export type EmbedReferences = z.infer<typeof EmbedReferences>

/**
 * Selects a part of the target. `path` has names and indexes, separated by dots. `key` is rejected with an explanation,
 * because no target supports it.
 */
const EmbedSelector = z.strictObject(
  { path: nonEmpty.optional() },
  {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' && keys?.includes('key')
        ? '"key" is no longer supported. Name the entry in "@ag.references" and remove "key"'
        : undefined
  }
)

/** The value of `@ag.embed` (docs/embeds.md). */
export const Embed = z.strictObject({
  '@ag.references': EmbedReferences,
  '@ag.selector': EmbedSelector.optional()
})
export type Embed = z.infer<typeof Embed>

/** Returns a short label for a reference, such as `workflow __ag__request_connection`. */
export function referenceLabel({ workflow, agent }: EmbedReferences): string {
  const target = workflow ?? agent
  const version = target?.version ?? target?.revision
  return `${workflow === undefined ? 'agent' : 'workflow'} ${target?.slug ?? target?.id}${version === undefined ? '' : `@${version}`}`
}
