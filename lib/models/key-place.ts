import { isForeign } from './providers/openai.ts'
import type { WorkspaceModels } from './workspace-models.ts'

/** The provider of a model call, and where its key is set, as a sentence. */
export type KeyPlace = { provider: string; key: string }

/** Returns the name of a model's provider, and where a user can change its key. Undefined if it has none. */
export function keyPlaceOf(models: WorkspaceModels, spec: string): KeyPlace | undefined {
  const configured = models.providerOf(spec)
  if (configured === undefined || configured.provider.fields.length === 0) return undefined
  const { provider, values, isServer } = configured
  const { baseUrl } = values
  // An address says more than the name of a protocol.
  const name =
    isForeign(baseUrl) && /^(openai|ollama)/.test(provider.name) ? URL.parse(baseUrl!)?.host : provider.title
  const secrets = provider.fields.filter(({ secret }) => secret)
  const { variable } = secrets.find(({ name }) => values[name] !== undefined) ?? secrets[0] ?? {}
  return {
    provider: name ?? provider.title,
    key:
      isServer && variable ? `Check ${variable} and restart the server.` : 'Check it under Settings → Models.'
  }
}
