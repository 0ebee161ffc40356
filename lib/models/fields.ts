import type { ProviderSetting } from './provider.ts'

/** The field for an API key. */
export const apiKey = (variable: string, required = true): ProviderSetting => ({
  name: 'apiKey',
  label: 'API key',
  secret: true,
  required,
  variable
})

/** The field for the address of a provider's API. */
export const baseUrl = (
  variable: string | undefined,
  placeholder: string,
  required = false
): ProviderSetting => ({
  name: 'baseUrl',
  label: 'Base URL',
  secret: false,
  required,
  placeholder,
  ...(required ? {} : { hint: `If empty: ${placeholder}` }),
  ...(variable === undefined ? {} : { variable })
})

/** A field for a plain value, such as a region. It becomes part of a URL. */
export const urlPart = (
  name: string,
  label: string,
  variable: string,
  placeholder: string
): ProviderSetting => ({
  name,
  label,
  secret: false,
  required: true,
  variable,
  placeholder
})

/** Returns why a value cannot be part of a host name, as a sentence. */
export const urlPartProblem = (label: string, value = ''): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9.:-]*$/.test(value)
    ? undefined
    : `${label} can only have letters, digits, ".", ":" and "-".`
