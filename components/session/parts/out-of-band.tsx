'use client'
import { Moment } from '#components/session/moment.tsx'
import { MuteSource } from '#components/session/mute-source.tsx'
import { OobHead } from '#components/session/oob-head.tsx'
import { fromWords } from '#components/session/out-of-band-words.ts'
import type { RowProps } from './content.tsx'

/** What reached the agent beside the conversation, where it was told, and what it made of it (004-12). */
export function OutOfBandRow({ row: { told } }: RowProps<'oob'>) {
  const { content, acknowledgedAt, effect } = told
  return (
    <section
      data-hook="out-of-band-message"
      data-oob={told.id}
      aria-label={`Out-of-band message from ${fromWords(told)}`}
      className="border border-l-2 border-l-other px-3 py-2"
    >
      <OobHead told={told} />
      <blockquote className="mt-1 max-h-60 overflow-y-auto break-words whitespace-pre-wrap">
        {content}
      </blockquote>
      {acknowledgedAt === undefined ? null : (
        <p className="mt-1 text-muted">
          Acknowledged <Moment at={acknowledgedAt} short />: {effect}
        </p>
      )}
      <p className="mt-1 empty:hidden">
        <MuteSource of={told} />
      </p>
    </section>
  )
}
