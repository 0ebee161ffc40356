import { clsx } from 'clsx'
import { useId } from 'react'
import { useJustChanged } from '#components/browser/use-just-changed.ts'
import { Announcer } from '#components/session/content/announcer.tsx'
import { HeldMessage } from '#components/session/content/held-message.tsx'
import { OobAbout } from '#components/session/content/oob-about.tsx'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'

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
        intro="Needs approval: signal from "
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
                <li key={told.id} data-held-message className="border-t py-2 first:border-t-0 first:pt-0">
                  <HeldMessage told={told}>
                    <OobAbout told={told} />
                  </HeldMessage>
                </li>
              ))}
            </ul>
          </div>
        </section>
      )}
    </>
  )
}
