import { type FormEvent, useState } from 'react'
import { readError } from '#components/browser/error-text.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog, DialogButtons } from '#components/ui/dialog.tsx'
import { Input } from '#components/ui/input.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'

/**
 * A dialog to hand the session off to another agent of the workspace, or back to its own agent. A chat agent
 * takes over at the next step, and an external agent at once.
 */
export function HandoffDialog({ onClose }: { onClose: () => void }) {
  const { agent, store } = useSessionContext()
  const speaker = useSpeaker()
  const [chosen, setChosen] = useState('')
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState('')
  const { data, error } = useRead({ queryKey: ['agents'], queryFn: () => store.client.agents.list() })
  const [hand, handing] = useAction(async () => {
    const reply = await store.handTo(chosen, reason.trim() || undefined)
    if (reply.ok) onClose()
    else setFault(readError(reply))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void hand()
  }
  const others = (data?.agents ?? []).filter(({ agentId }) => agentId !== speaker.agentId)
  const target = others.find(({ agentId }) => agentId === chosen)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Hand off this session"
      description={`${
        target?.type === 'external'
          ? `The external agent takes over at once, and a running turn stops. It receives the reason, ${historyWords(target.external.history)} and later messages.`
          : 'Another agent takes over at the next step with its own tools and sees the whole conversation.'
      } The session still belongs to ${agent.displayName}.`}
    >
      <form onSubmit={submit} className="flex min-w-0 flex-col gap-3 text-ui">
        {error !== null ? (
          <p role="alert" className="text-fail">
            Couldn't load the agents. Close this dialog and try again.
          </p>
        ) : data === undefined ? (
          <p className="text-muted">Loading agents…</p>
        ) : others.length === 0 ? (
          <p className="text-muted">This workspace has no other agent. Create one under Agents.</p>
        ) : (
          <RadioList
            legend="Agents"
            hideLegend
            autoFocus
            value={chosen}
            onChange={setChosen}
            options={others.map(({ agentId, displayName, description, type }) => ({
              value: agentId,
              label: (
                <>
                  <span className="font-semibold">{displayName}</span>{' '}
                  <span className="text-muted">
                    {type === 'external' ? 'External. ' : ''}
                    {description}
                  </span>
                </>
              )
            }))}
            className="max-h-[40dvh] overflow-y-auto border-t"
            itemClassName="items-baseline border-b py-1.5"
          />
        )}
        <label className="flex flex-col gap-1">
          <span>Reason (optional, shared with the agent)</span>
          <Input
            value={reason}
            maxLength={500}
            onChange={event => setReason(event.target.value)}
            className="w-full"
          />
        </label>
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
        <DialogButtons>
          <Button data-hook="start-handoff" type="submit" tone="primary" disabled={chosen === '' || handing}>
            Hand off session
          </Button>
          <Button data-hook="cancel-handoff" onClick={onClose}>
            Cancel
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}

/** Describes which earlier messages an external agent receives at a handoff. */
const historyWords = (count = 0): string =>
  count === 0 ? 'no earlier messages' : count === 1 ? 'the last message' : `the last ${count} messages`
