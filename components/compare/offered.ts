import type { Variant } from '@waystation/protocol/session/comparison.ts'
import type { KnownModels } from '#components/forms/known-models.ts'

/** The configurations that a message can run on. `revisions` are the published ones, newest first. */
export type Offered = {
  revisions: ReadonlyArray<{ revision: number; model: string }>
  draft?: { model: string } | undefined
  models: KnownModels
}

/** Returns the revisions, and the draft if there is one, as options of a list. The published one is marked. */
export const revisionOptions = ({ revisions, draft }: Offered): { value: string; label: string }[] => [
  ...(draft === undefined ? [] : [{ value: 'draft', label: 'Draft' }]),
  ...revisions.map(({ revision }, index) => ({
    value: String(revision),
    label: `Revision ${revision}${index === 0 ? ' (published)' : ''}`
  }))
]

/** Returns the configuration of an option of `revisionOptions`. */
export const variantOf = (value: string): Variant => ({
  revision: value === 'draft' ? 'draft' : Number(value)
})
