import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useEffect, useRef } from 'react'
import type { PendingAnswer } from '#components/session/store/outbox.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { leaveForm } from './widgets/leave.tsx'

/** Shows an answer that is not sent yet, with a button that takes it back. */
export function UndoAnswer({ held: { toolCallId, answer } }: { held: PendingAnswer }) {
  const { store } = useSessionContext()
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The option that the user just pressed is gone. The card of the same call at another place gets no focus.
    const { activeElement, body } = document
    const card = button.current?.closest('[data-call]')
    if (activeElement === body || card?.contains(activeElement)) button.current?.focus()
  }, [])
  const output = 'output' in answer && isJsonObject(answer.output) ? answer.output.answer : undefined
  return (
    <p role="status" data-hook="held-answer" className="flex flex-wrap items-center gap-3 text-ui">
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {typeof output === 'string' ? `Answered “${output}”.` : 'Answered.'}
      </span>
      <Button
        ref={button}
        data-hook="undo-answer"
        onClick={({ currentTarget }) =>
          leaveForm(currentTarget, 'ask-question-option-0', () => store.undoAnswer(toolCallId))
        }
      >
        Undo
      </Button>
    </p>
  )
}
