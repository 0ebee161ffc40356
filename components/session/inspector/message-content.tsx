import { Json } from '#components/ui/json.tsx'

type Part = { type?: unknown; text?: unknown; toolName?: unknown; input?: unknown; output?: unknown }

/** The parts of a message that the model receives: text as text, and calls and their results as JSON below their tool. */
export function MessageContent({ name, content }: { name: string; content: unknown }) {
  const parts: unknown[] = Array.isArray(content) ? content : [content]
  return (
    <div className="flex flex-col gap-3 border-b pt-2 pr-4 pb-4 pl-9">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never change their order
        <Json key={index} {...shownAs(name, part)} />
      ))}
    </div>
  )
}

function shownAs(name: string, part: unknown): { label: string; value: unknown; bare?: boolean } {
  if (typeof part !== 'object' || part === null) return { label: name, value: part, bare: true }
  const { type, text, toolName, input, output } = part as Part
  if (typeof text === 'string')
    return type === 'reasoning' ? { label: type, value: text } : { label: name, value: text, bare: true }
  if (typeof toolName !== 'string') return { label: name, value: part }
  return output === undefined
    ? { label: `${toolName} input`, value: input }
    : { label: `${toolName} output`, value: contentOf(output) }
}

/** The value of an output in the AI SDK's format, such as `{type: 'json', value}`. */
const contentOf = (output: unknown): unknown =>
  typeof output === 'object' && output !== null && 'value' in output ? output.value : output
