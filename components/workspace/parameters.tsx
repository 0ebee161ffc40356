import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { VisibleText } from '#components/ui/visible-text.tsx'

/** Lists the parameters of a tool with their types and descriptions, required ones first. */
export function Parameters({ schema, of }: { schema: JsonSchema; of: string }) {
  const properties = isJsonObject(schema.properties) ? Object.entries(schema.properties) : []
  const required = Array.isArray(schema.required) ? schema.required : []
  properties.sort(([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)))
  if (properties.length === 0) return <p className="text-muted">No parameters.</p>
  return (
    <ul
      aria-label={`Parameters of ${of}`}
      data-hook="parameters"
      data-rows
      className="@container border-t [overflow-wrap:anywhere]"
    >
      {properties.map(([name, property]) => {
        const { description } = isJsonObject(property) ? property : {}
        return (
          <li
            key={name}
            data-parameter={name}
            className="grid items-baseline gap-x-4 border-b py-2 @min-[560px]:grid-cols-[160px_160px_minmax(0,1fr)]"
          >
            <span className="font-mono text-mono font-semibold">
              <VisibleText text={name} />
            </span>{' '}
            <span className="text-muted">
              {typeOf(property)}
              {required.includes(name) ? '' : ', optional'}
            </span>{' '}
            {typeof description === 'string' ? (
              <span>
                <VisibleText text={description.slice(0, 500)} />
              </span>
            ) : null}
          </li>
        )
      })}
    </ul>
  )
}

/** Returns the type of a parameter in a few words: "string", "list of number", "a | b". */
function typeOf(property: unknown): string {
  if (!isJsonObject(property)) return 'any'
  if (Array.isArray(property.enum)) return property.enum.slice(0, 8).map(String).join(' | ')
  if (property.type === 'array') return `list of ${typeOf(property.items)}`
  if (Array.isArray(property.type)) return property.type.map(String).join(' | ')
  return typeof property.type === 'string' ? property.type : 'any'
}
