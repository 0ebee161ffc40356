import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { useRouter } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { openAgent } from './opened-agent.ts'

type Named = { agentId: string; displayName: string }

type AddToAgentProps = {
  /** The thing that is added. */
  name: string
  description: string
  act: string
  /** Returns the changed configuration, or undefined if the agent already has it. */
  addTo: (config: AgentConfig) => AgentConfig | undefined
  /** Returns the error for an agent that already has it. `owner` is the agent's name, or “The draft of …”. */
  nothingToAdd: (owner: string) => string
  /** The dialog is open at first. */
  begin?: boolean
  /** Shown under the list of agents. */
  children?: ReactNode
}

/** Adds something to the draft of an agent, and opens the agent for review. */
export function AddToAgent({
  name,
  description,
  act,
  addTo,
  nothingToAdd,
  begin = false,
  children
}: AddToAgentProps) {
  const router = useRouter()
  const agents = useWorkspace().agents.filter(({ external }) => !external)
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState('')
  const [fault, setFault] = useState('')
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!begin) return
    // The dialog returns the focus to the button.
    button.current?.focus()
    setOpen(true)
  }, [begin])
  const agentId = chosen || (agents[0]?.agentId ?? '')
  const [add, busy] = useAction(async () => {
    const opened = await openAgent(agentId)
    if (!opened.ok) return setFault(changeError(opened))
    const { agent, state } = opened.body
    const { revision, updatedAt: _, ...published } = agent
    // The context of an agent is not part of its configuration.
    const { additional_context: __, ...config } = { additional_context: undefined, ...published }
    const next = addTo(state.draft?.config ?? (config as AgentConfig))
    if (next === undefined) {
      const owner = state.draft === null ? agent.displayName : `The draft of ${agent.displayName}`
      return setFault(nothingToAdd(owner))
    }
    const body = { config: next, base: state.draft?.base ?? revision, version: state.version }
    const reply = await replyTo(client.call('saveAgentDraft', { path: { agentId }, body }))
    if (!reply.ok) return setFault(changeError(reply))
    router.push(`/agents/${agentId}`)
  })
  return (
    <>
      <Button
        ref={button}
        data-hook="add-to-agent"
        tone="primary"
        onClick={() => {
          setFault('')
          setOpen(true)
        }}
      >
        {act}
      </Button>
      <Dialog open={open} onOpenChange={setOpen} title={`Add ${name} to an agent`} description={description}>
        {agents.length === 0 ? (
          <p>No chat agents yet. Create one under Agents.</p>
        ) : (
          <Labeled label="Agent">
            {control => (
              <Select
                {...control}
                value={agentId}
                onChange={value => {
                  setChosen(value)
                  setFault('')
                }}
                options={agents.map(agent => ({ value: agent.agentId, label: labelOf(agent, agents) }))}
                className="w-full"
              />
            )}
          </Labeled>
        )}
        {children}
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
        <div className="flex gap-2 pt-2">
          <Button
            data-hook="add-to-draft"
            tone="primary"
            disabled={busy || agents.length === 0}
            onClick={() => void add()}
          >
            Add to draft
          </Button>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
        </div>
      </Dialog>
    </>
  )
}

/** Returns the name of an agent, with its ID if another agent has the same name. */
const labelOf = ({ agentId, displayName }: Named, agents: readonly Named[]): string =>
  agents.some(other => other.displayName === displayName && other.agentId !== agentId)
    ? `${displayName} (${agentId})`
    : displayName
