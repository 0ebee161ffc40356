import type { ConfigChange } from '@waystation/protocol/agent/comparison.ts'

const names: Record<string, string> = {
  displayName: 'Name',
  description: 'Description',
  type: 'Type',
  outOfBand: 'Signals',
  model: 'Model',
  parameters: 'Model parameters',
  temperature: 'temperature',
  topP: 'top P',
  maxOutputTokens: 'output tokens per step',
  handler: 'Handler',
  skills: 'Skills',
  plugins: 'In-process plugins',
  toolCalling: 'Tool calls',
  buildKit: 'Build kit in new sessions',
  instructions: 'Instructions',
  tools: 'Tools',
  handoffs: 'Can hand off to',
  answer: 'Answer permissions',
  limits: 'Limits',
  toolSettings: 'Timeouts and retries',
  compaction: 'Summary of old messages',
  userAfterTools: 'Accepts a message after tool results',
  attachments: 'Model reads',
  images: 'images',
  files: 'documents (PDF)',
  stepsPerTurn: 'steps per turn',
  usdPerTurn: 'US$ per turn',
  contextTokens: 'context window (tokens)',
  starters: 'Starters',
  price: 'Price',
  inputPerMillion: 'US$ per million input tokens',
  outputPerMillion: 'US$ per million output tokens',
  inputUrl: 'Input URL',
  checkUrl: 'Check URL',
  callbackBaseUrl: 'Callback base URL',
  redact: 'Redacted fields',
  activeItem: 'Active items',
  retries: 'Retries',
  history: 'Earlier messages'
}

/** The groups whose fields have names too. In other lists and objects, a part is a name that a person gave. */
const groups = new Set(['limits', 'parameters', 'attachments', 'price'])

/** Returns the place of a change, with the field names of the form: "Tools › web-fetch › approval". */
export function placeOf({ path }: Pick<ConfigChange, 'path'>): string {
  const [first = '', ...rest] = path
  const told = (first === 'chat' || first === 'external') && rest.length > 0 ? rest : path
  return told
    .map((part, index) => (index === 0 || groups.has(told[0] ?? '') ? (names[part] ?? part) : part))
    .join(' › ')
}

export const kindWord = { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Reordered' }

/** Returns a value as text: strings unchanged, other values as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
