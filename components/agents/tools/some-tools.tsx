import { names } from '#components/forms/text-format.ts'
import { ValueField } from '#components/forms/value-field.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'

type SomeToolsProps = {
  name: string
  /** The names of the selected tools. Undefined: all. */
  value: unknown
  onChange: (tools: unknown) => void
  fault: string | undefined
  known: readonly { name: string; description: string }[] | undefined
}

/** Selects some of the tools of a server or plugin. Without known tools, the user types their names. */
export function SomeTools({ known = [], ...field }: SomeToolsProps) {
  const { value, onChange } = field
  const [first] = known
  if (first === undefined)
    return (
      <ValueField
        {...field}
        as={names}
        label="Tools"
        hint="Names, separated by commas. Leave empty for all."
        mono
      />
    )
  const chosen = Array.isArray(value) ? (value as string[]) : undefined
  const missing = (chosen ?? []).filter(tool => !known.some(({ name }) => name === tool))
  const toggle = (tool: string, before: readonly string[]) => {
    const next = before.includes(tool) ? before.filter(other => other !== tool) : [...before, tool]
    onChange(next.length === 0 ? undefined : next)
  }
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1 font-semibold">Tools</legend>
      <Checkbox
        checked={chosen === undefined}
        onChange={() => onChange(chosen === undefined ? [first.name] : undefined)}
      >
        All tools, also later ones
      </Checkbox>
      {chosen === undefined ? null : (
        <ul className="mt-1 max-h-60 overflow-y-auto border-t pl-5">
          {[...known, ...missing.map(name => ({ name, description: 'The server no longer offers it.' }))].map(
            tool => (
              <li key={tool.name} className="border-b py-1">
                <Checkbox
                  checked={chosen.includes(tool.name)}
                  onChange={() => toggle(tool.name, chosen)}
                  className="items-baseline"
                >
                  <span className="block font-mono text-mono [overflow-wrap:anywhere]">{tool.name}</span>
                  <span className="line-clamp-2 text-muted">{tool.description}</span>
                </Checkbox>
              </li>
            )
          )}
        </ul>
      )}
    </fieldset>
  )
}
