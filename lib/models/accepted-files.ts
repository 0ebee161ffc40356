import type { AcceptedFiles } from '@waystation/protocol/session/file.ts'
import type { ModelSettings } from './provider.ts'
import { providerOf } from './registry.ts'

/**
 * Returns which files a model accepts: as the agent's config (`override`) says, else as the provider says. An
 * unknown model accepts none.
 */
export function acceptedFiles(
  spec: string,
  settings: ModelSettings,
  override: { images?: boolean | undefined; files?: boolean | undefined } = {}
): AcceptedFiles {
  const { provider, modelId } = providerOf(spec, settings) ?? {}
  const byProvider = provider?.takes?.(modelId ?? '', settings) ?? { images: false, documents: false }
  return { images: override.images ?? byProvider.images, documents: override.files ?? byProvider.documents }
}
