import type { Models } from '@waystation/protocol/workspace/models.ts'

/** The model that `default` means now, and the names of known models. */
export type KnownModels = { defaultModel: string; names: readonly string[] }

/** Returns the models that a field suggests. */
export const knownModels = ({ defaultModel, providers }: Models): KnownModels => ({
  defaultModel,
  names: providers.flatMap(({ models }) => models)
})
