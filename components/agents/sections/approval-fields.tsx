import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { ToolApproval } from '#components/agents/tools/tool-approval.tsx'
import { approvalOf, approvalOfOther, nameOf } from '#components/agents/tools/tool-kinds.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Section } from '#components/ui/section.tsx'
import { Link } from '#components/workspace/link.tsx'
import { type Person, WhoMayAnswer } from './who-may-answer.tsx'

type ApprovalFieldsProps = { tools: readonly ToolChoice[]; people: readonly Person[] }

/** The approval that each tool needs, and the people who can answer. */
export function ApprovalFields({ tools, people }: ApprovalFieldsProps) {
  const { value: chosen, onChange: choose } = useFormValue<AgentForm['builtIn']>('builtIn')
  const { value, onChange } = useFormValue<readonly AgentTool[] | undefined>('chat.tools')
  const others = Array.isArray(value) ? (value as readonly AgentTool[]) : []
  const rows = [
    ...Object.values(chosen).map(tool => ({
      ...approvalOf(tools, tool),
      name: tool.name,
      onApproval: (approval: 'ask' | 'auto') => choose({ ...chosen, [tool.name]: { ...tool, approval } })
    })),
    ...others.map((tool, at) => ({
      approval: approvalOfOther(tool),
      name: nameOf(tool) || 'New tool',
      onApproval: (approval: 'ask' | 'auto') =>
        onChange(others.map((other, index) => (index === at ? ({ ...other, approval } as AgentTool) : other)))
    }))
  ]
  return (
    <>
      <Section title="Approval of each tool" hook="asking-tools">
        {rows.length === 0 ? <p className="text-muted">No tools yet.</p> : null}
        <ul data-rows className="empty:hidden">
          {rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tools can have the same name for a moment
            <li key={at} className="flex min-h-10 items-center justify-between gap-4 border-b">
              <span className="min-w-0 truncate font-mono text-mono font-semibold">{row.name}</span>
              <ToolApproval {...row} />
            </li>
          ))}
        </ul>
        <p className="max-w-[68ch] text-muted">
          The workspace's{' '}
          <Link href="/settings#tool-rules" className="underline underline-offset-3">
            tool rules
          </Link>{' '}
          come first.
        </p>
      </Section>
      <WhoMayAnswer people={people} />
    </>
  )
}
