import type { OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { clsx } from 'clsx'
import { useId } from 'react'
import { useAction } from '#components/browser/use-action.ts'
import { useJustChanged } from '#components/browser/use-just-changed.ts'
import { Announcer } from '#components/session/content/announcer.tsx'
import { MuteSource } from '#components/session/content/mute-source.tsx'
import { OobHead } from '#components/session/content/oob-head.tsx'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { Button } from '#components/ui/button.tsx'

/**
 * The out-of-band messages that are held for approval (004-14), above the composer, oldest first. Embedded
 * sessions do not show them, because a session token cannot approve them.
 */
export function HeldMessages() {
  const { may, me, can } = useSessionContext()
  const outOfBand = useSessionState(state => state.transcript.outOfBand)
  const id = useId()
  const held = Object.values(outOfBand)
    .filter(({ status }) => status === 'held')
    .sort((a, b) => a.queuedAt.localeCompare(b.queuedAt))
  // For a moment after the list changes, clicks are ignored: a second click is meant for the earlier message.
  const moved = useJustChanged(held.map(({ id }) => id).join(' '))
  if (!can.members) return null
  return (
    <>
      <Announcer
        data-hook="held-news"
        intro="Needs approval: out-of-band message from "
        news={held.map(told => ({ id: told.id, words: fromWords(told) }))}
      />
      {held.length === 0 ? null : (
        <section
          data-held
          tabIndex={-1}
          aria-labelledby={id}
          className="max-h-[34dvh] shrink-0 overflow-y-auto border-t pr-5 outline-offset-[-2px] mid:px-6"
        >
          <div data-settling={moved || undefined} className={clsx('column', moved && 'pointer-events-none')}>
            <h2 id={id} className="relative pt-2 pl-(--gutter) font-semibold text-you">
              <span className="absolute top-3 left-[calc(var(--rail-x)-6px)]">
                <StateGlyph kind={may.answer ? 'parked' : 'not-mine'} />
              </span>
              {may.answer ? 'Needs your approval' : `Needs approval from ${me.approvers ?? 'an approver'}`}
            </h2>
            <ul className="pl-(--gutter)">
              {held.map(told => (
                <HeldMessage key={told.id} told={told} />
              ))}
            </ul>
          </div>
        </section>
      )}
    </>
  )
}

function HeldMessage({ told }: { told: OutOfBand }) {
  const { store, may } = useSessionContext()
  const [letIn, letting] = useAction(() => store.letIn(told.id))
  const [remove, removing] = useAction(() => store.removeOutOfBand(told.id))
  const busy = letting || removing
  return (
    <li data-held-message className="border-t py-2 first:border-t-0 first:pt-0">
      <OobHead told={told} at={told.queuedAt} />
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
    </li>
  )
}
