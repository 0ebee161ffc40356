import { allProviders } from './all-providers.ts'
import type { ModelProvider, ProviderValues } from './provider.ts'

/** A provider with its settings. `name` is the part of a model name before the first slash. */
export type Configured = {
  name: string
  provider: ModelProvider
  values: ProviderValues
  /** True if the settings come from the server's environment. */
  isServer: boolean
  /** Sends the requests. Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
}

/** The providers that a workspace can use, and the name of its default model, if one is set. */
export type ConfiguredModels = {
  providers: ReadonlyMap<string, Configured>
  defaultModel?: string | undefined
}

/** Returns why a provider cannot be used with these values, as a sentence. Undefined if it can. */
export function problemOf(
  provider: ModelProvider,
  values: ProviderValues,
  isServer: boolean
): string | undefined {
  // A field without a variable is for workspaces only.
  for (const { name, label, required, variable } of provider.fields)
    if (required && !(isServer && variable === undefined) && values[name] === undefined)
      return `${provider.title} needs a value for "${label}".`
  const { baseUrl } = values
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    return 'The base URL must be a URL such as http://localhost:11434/v1.'
  return provider.check?.(values, isServer)
}

/** Returns the providers that the variables of the environment configure completely. */
export function serverProviders(
  environment: Readonly<Record<string, string | undefined>>,
  fetch?: typeof globalThis.fetch
): Map<string, Configured> {
  const configured = new Map<string, Configured>()
  for (const provider of allProviders) {
    const values: Record<string, string> = {}
    for (const { name, variable } of provider.fields) {
      const value = variable === undefined ? undefined : environment[variable]?.trim()
      if (value) values[name] = value
    }
    const { name } = provider
    if (problemOf(provider, values, true) === undefined)
      configured.set(name, { name, provider, values, isServer: true, fetch })
  }
  return configured
}
