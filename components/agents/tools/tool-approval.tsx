import { Select } from '#components/ui/select.tsx'

export type ToolApprovalProps = {
  name: string
  approval: 'ask' | 'auto'
  onApproval: (approval: 'ask' | 'auto') => void
  /** True if a call cannot run without an approval. */
  alwaysAsked?: boolean | undefined
  /** True if a person answers each call, so that it needs no approval. */
  answered?: boolean | undefined
}

const approvals: { value: 'ask' | 'auto'; label: string }[] = [
  { value: 'auto', label: 'Automatic' },
  { value: 'ask', label: 'Ask first' }
]

/** Selects if the calls of a tool need an approval. */
export const ToolApproval = ({ name, approval, onApproval, alwaysAsked, answered }: ToolApprovalProps) =>
  answered && approval === 'auto' ? (
    <span className="text-muted">Waits for a person</span>
  ) : (
    <Select
      aria-label={`Approval for ${name || 'the new tool'}`}
      value={approval}
      disabled={alwaysAsked === true}
      onChange={onApproval}
      options={approvals}
      // Without a border until the pointer or the focus is on it.
      className={`*:bg-transparent *:text-right *:[text-align-last:right] *:not-hover:not-focus-visible:border-transparent ${approval === 'auto' ? 'text-muted' : ''}`}
    />
  )
