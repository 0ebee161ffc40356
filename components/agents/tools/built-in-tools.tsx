import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Select } from '#components/ui/select.tsx'
import { BuiltInToolFields } from './built-in-tool-fields.tsx'

const approvals: { value: 'ask' | 'auto'; label: string }[] = [
  { value: 'auto', label: 'Run automatically' },
  { value: 'ask', label: 'Ask for approval' }
]

/** Selects the built-in tools of an agent, which of them need approval for each call, and their settings. */
export function BuiltInTools({ tools }: { tools: readonly ToolChoice[] }) {
  const { value: chosen, onChange } = useFormValue<AgentForm['builtIn']>('builtIn')
  const toggle = ({ name, approval }: ToolChoice) => {
    const { [name]: had, ...others } = chosen
    onChange(had === undefined ? { ...others, [name]: { name, approval } } : others)
  }
  return (
    <fieldset className="min-w-0">
      <legend className="pb-2 text-person font-semibold">Tools</legend>
      <ul className="border-t">
        {tools.map(tool => (
          <li
            key={tool.name}
            data-tool={tool.name}
            className="grid items-start gap-x-4 gap-y-2 border-b py-2 mid:grid-cols-[minmax(0,1fr)_auto]"
          >
            <Checkbox
              checked={chosen[tool.name] !== undefined}
              disabled={tool.unavailable !== undefined && chosen[tool.name] === undefined}
              onChange={() => toggle(tool)}
              className="items-baseline"
            >
              <span className="block font-mono text-mono">{tool.name}</span>
              <span className="block text-muted">{tool.description}</span>
              {tool.source === undefined ? null : (
                <span data-hook="tool-source" className="block text-muted">
                  From {tool.source}
                </span>
              )}
              {tool.unavailable === undefined ? null : (
                <span data-hook="tool-unavailable" className="block text-fail">
                  {tool.unavailable}
                </span>
              )}
            </Checkbox>
            <Select
              aria-label={`Approval for ${tool.name}`}
              value={tool.alwaysAsked ? 'ask' : (chosen[tool.name]?.approval ?? tool.approval)}
              disabled={chosen[tool.name] === undefined || tool.alwaysAsked === true}
              onChange={approval =>
                onChange({ ...chosen, [tool.name]: { name: tool.name, ...chosen[tool.name], approval } })
              }
              options={approvals}
              className="max-mid:ml-5 max-mid:justify-self-start"
            />
            {chosen[tool.name] === undefined ? null : <BuiltInToolFields tool={tool} />}
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
