import type { Variant } from '@waystation/protocol/session/comparison.ts'
import type { KnownModels } from '#components/forms/known-models.ts'

/** The configurations that a message can run on. `revisions` are the published ones, newest first. */
export type Offered = {
  revisions: ReadonlyArray<{ revision: number; model: string }>
  draft?: { model: string } | undefined
  models: KnownModels
}

type Versions = { versions: readonly number[]; hasDraft: boolean }

/** Returns the draft, if there is one, and the versions as options of a list. The published one is marked. */
export const revisionOptions = ({ versions, hasDraft }: Versions): { value: string; label: string }[] => [
  ...(hasDraft ? [{ value: 'draft', label: 'Draft' }] : []),
  ...versions.map((version, index) => ({
    value: String(version),
    label: `Version ${version}${index === 0 ? ' (published)' : ''}`
  }))
]

/** Returns the configuration of an option of `revisionOptions`. */
export const variantOf = (value: string): Variant => ({
  revision: value === 'draft' ? 'draft' : Number(value)
})
