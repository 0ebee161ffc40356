import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { askingTools } from '#components/agents/tools/tool-kinds.ts'
import { showSection } from '#components/agents/use-section.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Button } from '#components/ui/button.tsx'
import { Section } from '#components/ui/section.tsx'
import { Link } from '#components/workspace/link.tsx'
import { AgentsField } from './agents-field.tsx'
import { type Person, WhoMayAnswer } from './who-may-answer.tsx'

type ApprovalFieldsProps = { tools: readonly ToolChoice[]; people: readonly Person[] }

/** The calls that need an approval, the people who can answer, and the agents that can take over. */
export function ApprovalFields({ tools, people }: ApprovalFieldsProps) {
  const { value: builtIn } = useFormValue<AgentForm['builtIn']>('builtIn')
  const { value: others } = useFormValue<readonly AgentTool[] | undefined>('chat.tools')
  const asking = askingTools(tools, builtIn, Array.isArray(others) ? others : [])
  return (
    <>
      <Section title="Calls that ask first" hook="asking-tools">
        {asking.length === 0 ? <p className="text-muted">All tools run automatically.</p> : null}
        <ul data-rows className="empty:hidden">
          {asking.map(({ name, reason }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two tools can have the same name for a moment
            <li key={at} className="flex min-h-10 items-center justify-between gap-4 border-b">
              <span className="min-w-0 truncate font-mono text-mono font-semibold">{name}</span>
              <span className="text-muted">{reason}</span>
            </li>
          ))}
        </ul>
        <p className="max-w-[68ch] text-muted">
          Change this in{' '}
          <Button tone="quiet" onClick={() => showSection('tools')}>
            Tools
          </Button>
          . The workspace's{' '}
          <Link href="/settings#tool-rules" className="underline underline-offset-3">
            tool rules
          </Link>{' '}
          come first.
        </p>
      </Section>
      <WhoMayAnswer people={people} />
      <Section title="Handoffs">
        <AgentsField
          name="chat.handoffs"
          label="Agents that can take over"
          hint="Each becomes a tool, such as handoff_to_billing."
          placeholder="None"
        />
      </Section>
    </>
  )
}
