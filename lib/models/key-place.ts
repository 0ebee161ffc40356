import { isForeign } from './providers/openai.ts'
import type { WorkspaceModels } from './workspace-models.ts'

/** The provider of a model call, and where its key is set, as a sentence. */
export type KeyPlace = { provider: string; key: string }

/** Returns the name of a model's provider, and where a user can change its key. Undefined if it has none. */
export function keyPlaceOf(models: WorkspaceModels, spec: string): KeyPlace | undefined {
  const configured = models.providerOf(spec)
  if (configured === undefined || configured.provider.fields.length === 0) return undefined
  const { name, provider, values, isServer } = configured
  // End users see these errors, so they do not contain the address of a server.
  const isOther =
    provider.name === 'openai-compatible' || (provider.name === 'openai' && isForeign(values.baseUrl))
  const title = isOther ? 'The model server' : provider.title
  const secrets = provider.fields.filter(({ secret }) => secret)
  const { variable } = secrets.find(({ name }) => values[name] !== undefined) ?? secrets[0] ?? {}
  return {
    provider: name === provider.name ? title : `The model server ${name}`,
    key:
      isServer && variable ? `Check ${variable} and restart the server.` : 'Check it under Settings → Models.'
  }
}
