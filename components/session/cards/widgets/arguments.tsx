import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { Json } from '#components/ui/json.tsx'

/**
 * Shows a call's arguments: up to eight short values as a list, anything else as JSON. `said` lists the arguments that
 * the card already shows in full.
 */
export function Arguments({ input, said = [] }: { input: unknown; said?: readonly string[] }) {
  const entries = isJsonObject(input) ? Object.entries(input).filter(([name]) => !said.includes(name)) : null
  if (entries === null || entries.length > 8 || entries.some(([, value]) => !isShort(value)))
    return <Json label="Arguments" value={input} />
  if (entries.length === 0) return said.length > 0 ? null : <p className="text-muted">No arguments.</p>
  return (
    <dl
      data-hook="call-arguments"
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 font-mono text-mono"
    >
      {entries.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="[overflow-wrap:anywhere] whitespace-pre-wrap">{wordsOf(value)}</dd>
        </div>
      ))}
    </dl>
  )
}

const wordsOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value) && value.every(item => typeof item !== 'object')
      ? value.join(', ')
      : (JSON.stringify(value) ?? 'undefined')

const isShort = (value: unknown) => wordsOf(value).length <= (typeof value === 'string' ? 400 : 120)
