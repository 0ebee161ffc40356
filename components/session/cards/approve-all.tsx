import type { Call } from '@waystation/protocol/call/call.ts'
import { useState } from 'react'
import { isBusy } from '#components/session/store/outbox.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { isPlainApproval } from '#components/session/wording/describe-call.ts'
import { whyNotAnswerable } from '#components/session/wording/why-not-answerable.ts'
import { ApproveSeveral } from './approve-several.tsx'

/**
 * A button that approves the pending calls of one tool, after it has shown them. Nothing if fewer than two wait for this
 * user. Each is answered like a single call, so the answers survive a lost connection.
 */
export function ApproveAll({ calls, toolName }: { calls: readonly Call[]; toolName: string | undefined }) {
  const { may, me, store } = useSessionContext()
  const answers = useSessionState(state => state.pending.answers)
  const [asked, setAsked] = useState<readonly Call[]>([])
  const mine = calls.filter(
    call =>
      call.toolName === toolName &&
      call.state === 'open' &&
      isPlainApproval(call) &&
      whyNotAnswerable(call, me) === undefined &&
      !isBusy(answers[call.toolCallId])
  )
  const approve = () => {
    setAsked([])
    for (const { toolCallId } of asked) store.answer(toolCallId, { approved: true })
  }
  return (
    <>
      {may.answer && mine.length > 1 ? (
        <button
          type="button"
          data-hook="approve-all"
          onClick={() => setAsked(mine)}
          className="tap shrink-0 rounded-sm border border-rail px-2 text-ui hover:border-ink"
        >
          Approve all {mine.length}…
        </button>
      ) : null}
      {asked.length === 0 ? null : (
        <ApproveSeveral
          calls={asked.map(call => ({ call }))}
          onApprove={approve}
          onClose={() => setAsked([])}
        />
      )}
    </>
  )
}
