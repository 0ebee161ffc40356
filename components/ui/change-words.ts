import type { ConfigChange } from '@waystation/protocol/agent/comparison.ts'

const names: Record<string, string> = {
  displayName: 'Name',
  description: 'Description',
  model: 'Model',
  toolCalling: 'Tool calls',
  buildKit: 'Build kit in new sessions',
  instructions: 'Instructions',
  tools: 'Tools',
  handoffs: 'Can hand off to',
  answer: 'Answer permissions',
  limits: 'Limits',
  stepsPerTurn: 'steps per turn',
  usdPerTurn: 'US$ per turn',
  contextTokens: 'context window (tokens)',
  starters: 'Starters',
  price: 'Price',
  inputUrl: 'Input URL',
  checkUrl: 'Check URL',
  callbackBaseUrl: 'Callback base URL',
  redact: 'Redacted fields',
  activeItem: 'Active items',
  retries: 'Retries',
  history: 'Earlier messages'
}

/** Returns the place of a change, with the field names of the form: "Tools › web-fetch › approval". */
export function placeOf({ path }: Pick<ConfigChange, 'path'>): string {
  const [first = '', ...rest] = path
  const told = (first === 'chat' || first === 'external') && rest.length > 0 ? rest : path
  return told
    .map((part, index) => (index === 0 || told[0] === 'limits' ? (names[part] ?? part) : part))
    .join(' › ')
}

export const kindWord = { added: 'Added', removed: 'Removed', changed: 'Changed', moved: 'Reordered' }

/** Returns a value as text: strings unchanged, other values as JSON. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
