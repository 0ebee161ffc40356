import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import type { FieldErrors } from '#components/forms/place-errors.ts'

/** A tool in a row of the form. `faults` has the errors of its fields by path, once the user has tried to save. */
export type ToolFieldsProps = {
  tool: AgentTool
  onChange: (tool: AgentTool) => void
  faults: FieldErrors
}

/** Returns a function that returns the props of a field of the tool. An unset value is removed. */
export function fieldsOf({ tool, onChange, faults }: ToolFieldsProps) {
  const values = tool as Record<string, unknown>
  return <Value = unknown>(name: string) => ({
    name,
    value: values[name] as Value,
    fault: faultAt(faults, name),
    onChange: (value: Value | undefined) => {
      const { [name]: _, ...rest } = values
      onChange((value === undefined ? rest : { ...values, [name]: value }) as AgentTool)
    }
  })
}

/** Returns the error of a field or of something in it, as a sentence. */
export function faultAt(faults: FieldErrors, name: string): string | undefined {
  const entry = Object.entries(faults).find(([path]) => path === name || path.startsWith(`${name}.`))
  if (entry === undefined) return undefined
  const place = entry[0].slice(name.length + 1)
  const message = place === '' ? entry[1] : `${place}: ${entry[1]}`
  return `${message[0]?.toUpperCase()}${message.slice(1)}.`
}
