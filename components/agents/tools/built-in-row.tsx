import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { Select } from '#components/ui/select.tsx'
import { BuiltInToolFields } from './built-in-tool-fields.tsx'
import { wordsOf } from './tool-words.ts'

const approvals: { value: 'ask' | 'auto'; label: string }[] = [
  { value: 'auto', label: 'Run automatically' },
  { value: 'ask', label: 'Ask for approval' }
]

type BuiltInRowProps = {
  tool: ToolChoice
  value: AgentForm['builtIn'][string]
  onChange: (value: AgentForm['builtIn'][string]) => void
  onRemove: () => void
}

/** A chosen tool of the server: what it does, if its calls need approval, and its settings. */
export const BuiltInRow = ({ tool, value, onChange, onRemove }: BuiltInRowProps) => (
  <li
    data-tool={tool.name}
    data-chosen
    className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 border-b py-2 mid:grid-cols-[minmax(0,1fr)_auto_auto]"
  >
    <div className="min-w-0">
      <p className="font-mono text-mono font-semibold [overflow-wrap:anywhere]">{tool.name}</p>
      <p className="text-muted">{wordsOf(tool).line}</p>
      <ToolNotes tool={tool} />
    </div>
    <Select
      aria-label={`Approval for ${tool.name}`}
      value={tool.alwaysAsked ? 'ask' : (value.approval ?? tool.approval)}
      disabled={tool.alwaysAsked === true}
      onChange={approval => onChange({ ...value, approval })}
      options={approvals}
      className="max-mid:order-1 max-mid:justify-self-start"
    />
    <IconButton label={`Remove ${tool.name}`} data-hook="remove-tool" onClick={onRemove}>
      <CloseIcon />
    </IconButton>
    <BuiltInToolFields tool={tool} />
  </li>
)

/** The origin of a tool, and why this server cannot run it. */
export const ToolNotes = ({ tool: { source, unavailable } }: { tool: ToolChoice }) => (
  <>
    {source === undefined ? null : (
      <p data-hook="tool-source" className="text-muted">
        From {source}
      </p>
    )}
    {unavailable === undefined ? null : (
      <p data-hook="tool-unavailable" className="text-fail">
        {unavailable}
      </p>
    )}
  </>
)
