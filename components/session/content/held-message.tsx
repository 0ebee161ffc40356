import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import type { ReactNode } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { Button } from '#components/ui/button.tsx'
import { MuteSource } from './mute-source.tsx'
import { OobHead } from './oob-head.tsx'

/** A held out-of-band message with its text and the buttons that decide about it. `children` precede the text. */
export function HeldMessage({ told, children }: { told: OutOfBand; children?: ReactNode }) {
  const { store, may, me } = useSessionContext()
  const [letIn, letting] = useAction(() => store.letIn(told.id, me.name))
  const [remove, removing] = useAction(() => store.removeOutOfBand(told.id))
  const busy = letting || removing
  return (
    <>
      <OobHead told={told} at={told.queuedAt} />
      {children}
      <blockquote className="mt-1 max-h-24 overflow-y-auto break-words whitespace-pre-wrap">
        {told.content}
      </blockquote>
      {may.answer || may.send ? (
        <div className="mt-2 flex flex-wrap items-center gap-2">
          {may.answer ? (
            <Button
              data-hook="let-in-message"
              onClick={() => void letIn()}
              disabled={busy}
              aria-label={`Approve message from ${fromWords(told)}`}
            >
              Approve message
            </Button>
          ) : null}
          {may.send ? (
            <Button
              data-hook="remove-message"
              onClick={() => void remove()}
              disabled={busy}
              aria-label={`Remove message from ${fromWords(told)}`}
            >
              Remove message
            </Button>
          ) : null}
          <MuteSource of={told} />
        </div>
      ) : null}
    </>
  )
}
