'use client'
import type { ToolChoice } from './agent-draft.ts'

type Approval = 'ask' | 'auto'
type BuiltInToolsProps = {
  tools: readonly ToolChoice[]
  chosen: Readonly<Record<string, Approval>>
  onChange: (chosen: Record<string, Approval>) => void
}

/** Selects the built-in tools of an agent, and which of them need approval for each call. */
export function BuiltInTools({ tools, chosen, onChange }: BuiltInToolsProps) {
  const toggle = (tool: ToolChoice) => {
    const { [tool.name]: had, ...others } = chosen
    onChange(had === undefined ? { ...others, [tool.name]: tool.approval } : others)
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
            <label className="tap flex min-w-0 items-start gap-2">
              <input
                type="checkbox"
                checked={chosen[tool.name] !== undefined}
                disabled={tool.unavailable !== undefined && chosen[tool.name] === undefined}
                onChange={() => toggle(tool)}
                className="mt-1 shrink-0"
              />
              <span className="min-w-0">
                <span className="block font-mono text-mono">{tool.name}</span>
                <span className="block text-muted">{tool.description}</span>
                {tool.unavailable === undefined ? null : (
                  <span data-hook="tool-unavailable" className="block text-fail">
                    {tool.unavailable}
                  </span>
                )}
              </span>
            </label>
            <select
              aria-label={`Approval for ${tool.name}`}
              value={tool.alwaysAsked ? 'ask' : (chosen[tool.name] ?? tool.approval)}
              disabled={chosen[tool.name] === undefined || tool.alwaysAsked === true}
              onChange={event => onChange({ ...chosen, [tool.name]: event.target.value as Approval })}
              className="tap h-[30px] rounded-sm border border-rail bg-panel px-2 max-mid:ml-5 max-mid:justify-self-start disabled:border-line disabled:text-muted"
            >
              <option value="auto">Run automatically</option>
              <option value="ask">Ask for approval</option>
            </select>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
