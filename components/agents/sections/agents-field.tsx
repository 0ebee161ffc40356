import { FormPicks } from '#components/forms/form-picks.tsx'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Other agents, for handoffs or sub-agents. */
export function AgentsField(props: { name: string; label: string; hint: string; placeholder: string }) {
  const { agents } = useWorkspace()
  const { value: self } = useFormValue<string>('agentId')
  return (
    <FormPicks
      {...props}
      options={agents
        .filter(({ agentId }) => agentId !== self)
        .map(({ agentId, displayName }) => ({ value: agentId, label: displayName }))}
      note="No other agents yet."
      unknown="does not exist"
    />
  )
}
