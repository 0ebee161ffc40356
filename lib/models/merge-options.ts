import type { SharedV4ProviderOptions } from '@ai-sdk/provider'

/** Merges options of providers, field by field. Those of `over` win. */
export function mergeOptions(
  base: SharedV4ProviderOptions | undefined,
  over: SharedV4ProviderOptions | undefined
): SharedV4ProviderOptions | undefined {
  if (base === undefined || over === undefined) return over ?? base
  const merged: SharedV4ProviderOptions = { ...base }
  for (const [provider, options] of Object.entries(over)) {
    const fields: SharedV4ProviderOptions[string] = { ...base[provider], ...options }
    for (const [field, value] of Object.entries(options)) {
      const below = base[provider]?.[field]
      if (isObject(value) && isObject(below)) fields[field] = { ...below, ...value }
    }
    merged[provider] = fields
  }
  return merged
}

const isObject = (value: unknown): value is Record<string, never> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
