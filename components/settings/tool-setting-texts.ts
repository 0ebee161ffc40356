import { type ToolSettings, toolDefaults } from '#lib/protocol/tool-settings.ts'

type Own = Exclude<keyof ToolSettings, 'retry'>
type OfRetry = keyof NonNullable<ToolSettings['retry']>
type Name = Own | `retry.${OfRetry}`

/** The settings as they stand in a form; an empty field is as `standard` says. */
export type Texts = Record<Name, string>
export type Faults = Partial<Record<Name, string>>

const { retry, ...own } = toolDefaults

export const settingFields: readonly { name: Name; label: string; hint: string; standard: number }[] = [
  {
    name: 'timeoutSeconds',
    label: 'A call, in seconds',
    hint: 'How long a tool of this server may run that says nothing itself.',
    standard: own.timeoutSeconds
  },
  {
    name: 'batchTimeoutSeconds',
    label: 'A step’s calls together, in seconds',
    hint: 'From when they can run; waiting for people does not count.',
    standard: own.batchTimeoutSeconds
  },
  {
    name: 'concurrency',
    label: 'Calls at once',
    hint: 'In one session; the others wait for their turn.',
    standard: own.concurrency
  },
  {
    name: 'retry.maxAttempts',
    label: 'Tries of a model call',
    hint: 'The first one included.',
    standard: retry.maxAttempts
  },
  {
    name: 'retry.initialDelaySeconds',
    label: 'First wait, in seconds',
    hint: 'At most so long: waits are drawn by lot.',
    standard: retry.initialDelaySeconds
  },
  {
    name: 'retry.multiplier',
    label: 'Each wait times',
    hint: 'The longest that is drawn grows by this.',
    standard: retry.multiplier
  },
  {
    name: 'retry.maxDelaySeconds',
    label: 'Longest wait, in seconds',
    hint: 'However often it was tried.',
    standard: retry.maxDelaySeconds
  },
  {
    name: 'retry.maxRetryAfterSeconds',
    label: 'Longest wait asked for, in seconds',
    hint: 'What a provider asks for is waited in full, up to this.',
    standard: retry.maxRetryAfterSeconds
  }
]

export const textsOf = ({ retry = {}, ...settings }: ToolSettings): Texts =>
  Object.fromEntries(
    settingFields.map(({ name }) => {
      const value = name.startsWith('retry.') ? retry[name.slice(6) as OfRetry] : settings[name as Own]
      return [name, value?.toString() ?? '']
    })
  ) as Texts

/** What was typed; a comma is a point. An empty field is left to the standard. */
export function readSettings(texts: Texts): { settings: ToolSettings; faults: Faults } {
  const faults: Faults = {}
  const read: Partial<Record<Name, number>> = {}
  for (const { name } of settingFields) {
    const text = texts[name].trim().replace(',', '.')
    if (text === '') continue
    if (/^\d+(\.\d+)?$/.test(text)) read[name] = Number(text)
    else faults[name] = 'Write a number, like 30, or leave it empty.'
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

/** The server's words, by field. */
export const faultsIn = (said: Record<string, string> = {}): Faults =>
  Object.fromEntries(
    settingFields.flatMap(({ name }) => {
      const fault = said[`toolSettings.${name}`]
      return fault === undefined ? [] : [[name, `${fault[0]?.toUpperCase()}${fault.slice(1)}.`]]
    })
  )
