import type { ModelSettings, TakenFiles } from './provider.ts'
import { providerOf } from './registry.ts'

/** What the model of a spec takes: as its agent says (`said`), else as its provider knows it. An unknown one takes nothing. */
export function takenBy(
  spec: string,
  settings: ModelSettings,
  said: { images?: boolean | undefined; files?: boolean | undefined } = {}
): TakenFiles {
  const { provider, modelId } = providerOf(spec, settings) ?? {}
  const known = provider?.takes?.(modelId ?? '', settings) ?? { images: false, documents: false }
  return { images: said.images ?? known.images, documents: said.files ?? known.documents }
}
