import type { WaitingCall } from '@waystation/protocol/call/waiting-call.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { errorText } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { ApproveSeveral } from '#components/session/cards/approve-several.tsx'
import { sessionTitle } from '#components/session/wording/session-title.ts'
import { Button } from '#components/ui/button.tsx'
import { callOf } from './request.ts'

type SeveralProps = {
  /** The selected calls, of one tool. */
  calls: readonly WaitingCall[]
  onClear: () => void
  onSettled: (answered: readonly WaitingCall[]) => void
}

/** The most calls that one request can answer. */
const most = 50

/** A bar for the selected requests. It shows the arguments of all of them before it approves them. */
export function Several({ calls, onClear, onSettled }: SeveralProps) {
  const [asked, setAsked] = useState<readonly WaitingCall[]>([])
  const [gone, setGone] = useState<readonly WaitingCall[]>([])
  const [problem, setProblem] = useState<string>()
  const sent = calls.slice(0, most)
  const [approve, busy] = useAction(async () => {
    const reply = await replyTo(
      client.call('answerCalls', {
        body: {
          calls: asked.map(({ sessionId, toolCallId, since }) => ({ sessionId, toolCallId, since })),
          approved: true
        }
      })
    )
    if (!reply.ok) return setProblem(errorText(reply, 'Try again.'))
    const failed = reply.body.results.flatMap(({ error }) => error?.error ?? [])
    // Calls that another user settled no longer wait either.
    const settled = asked.filter((_, at) => {
      const code = reply.body.results[at]?.error?.code
      return code === undefined || code === 'ALREADY_SETTLED'
    })
    if (failed.length === 0) return onSettled(settled)
    setGone(settled)
    setProblem(`${failed.length} of ${asked.length} calls were not approved. ${failed[0]}`)
  })
  const close = () => {
    setAsked([])
    setProblem(undefined)
    if (gone.length > 0) onSettled(gone)
  }
  return (
    <div
      data-hook="selected-requests"
      className="sticky -bottom-4 mt-auto flex flex-wrap items-center gap-3 border-t bg-ground py-3"
    >
      <Button tone="primary" data-hook="approve-several" onClick={() => setAsked(sent)}>
        Approve {sent.length}…
      </Button>
      <Button onClick={onClear}>Clear selection</Button>
      {asked.length > 0 ? (
        <ApproveSeveral
          calls={asked.map(call => ({
            call: callOf(call),
            from: sessionTitle(call.title, call.sessionId)
          }))}
          onApprove={() => void approve()}
          onClose={close}
          problem={problem}
          busy={busy}
        />
      ) : null}
    </div>
  )
}
