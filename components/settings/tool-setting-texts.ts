import { type ToolSettings, toolDefaults } from '@waystation/protocol/call/tool-settings.ts'

type Own = Exclude<keyof ToolSettings, 'retry'>
type OfRetry = keyof NonNullable<ToolSettings['retry']>
type Name = Own | `retry.${OfRetry}`

/** The settings as text. An empty field has the default value, `standard`. */
export type Texts = Record<Name, string>
export type Faults = Partial<Record<Name, string>>

const { retry, ...own } = toolDefaults

/** The fields of the form. `standard` is the server's default. */
export const settingFields: readonly { name: Name; label: string; hint: string; standard: number }[] = [
  {
    name: 'timeoutSeconds',
    label: 'Call timeout (seconds)',
    hint: "For tools that don't set their own timeout.",
    standard: own.timeoutSeconds
  },
  {
    name: 'batchTimeoutSeconds',
    label: 'Step timeout (seconds)',
    hint: "For all calls of a step. Time spent waiting for people doesn't count.",
    standard: own.batchTimeoutSeconds
  },
  {
    name: 'concurrency',
    label: 'Parallel calls',
    hint: 'Per session. Other calls wait until one ends.',
    standard: own.concurrency
  },
  {
    name: 'retry.maxAttempts',
    label: 'Attempts per model call',
    hint: 'Including the first one.',
    standard: retry.maxAttempts
  },
  {
    name: 'retry.initialDelaySeconds',
    label: 'First retry delay (seconds)',
    hint: 'Maximum delay. The actual delay is random (full jitter).',
    standard: retry.initialDelaySeconds
  },
  {
    name: 'retry.multiplier',
    label: 'Delay multiplier',
    hint: 'Each retry multiplies the maximum delay by this factor.',
    standard: retry.multiplier
  },
  {
    name: 'retry.maxDelaySeconds',
    label: 'Maximum retry delay (seconds)',
    hint: 'The delay never grows beyond this.',
    standard: retry.maxDelaySeconds
  },
  {
    name: 'retry.maxRetryAfterSeconds',
    label: 'Maximum Retry-After (seconds)',
    hint: 'The longest wait that a provider can request.',
    standard: retry.maxRetryAfterSeconds
  }
]

/** Returns the settings as text. Unset values become empty fields. */
export const textsOf = ({ retry = {}, ...settings }: ToolSettings): Texts =>
  Object.fromEntries(
    settingFields.map(({ name }) => {
      const value = name.startsWith('retry.') ? retry[name.slice(6) as OfRetry] : settings[name as Own]
      return [name, value?.toString() ?? '']
    })
  ) as Texts

/**
 * Parses the settings. A decimal comma is accepted. Empty fields are omitted, so that their defaults apply.
 */
export function readSettings(texts: Texts): { settings: ToolSettings; faults: Faults } {
  const faults: Faults = {}
  const read: Partial<Record<Name, number>> = {}
  for (const { name } of settingFields) {
    const text = texts[name].trim().replace(',', '.')
    if (text === '') continue
    if (/^\d+(\.\d+)?$/.test(text)) read[name] = Number(text)
    else faults[name] = 'Enter a number, like 30, or leave the field empty.'
  }
  const named = Object.entries(read)
  const isOfRetry = ([name]: [string, number]) => name.startsWith('retry.')
  const ofRetry = named.filter(isOfRetry).map(([name, value]) => [name.slice(6), value])
  const settings = Object.fromEntries(named.filter(entry => !isOfRetry(entry)))
  return {
    settings: { ...settings, ...(ofRetry.length === 0 ? {} : { retry: Object.fromEntries(ofRetry) }) },
    faults
  }
}

/** Returns the server's errors as sentences, by field. */
export const faultsIn = (said: Record<string, string> = {}): Faults =>
  Object.fromEntries(
    settingFields.flatMap(({ name }) => {
      const fault = said[`toolSettings.${name}`]
      return fault === undefined ? [] : [[name, `${fault[0]?.toUpperCase()}${fault.slice(1)}.`]]
    })
  )
