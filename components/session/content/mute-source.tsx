'use client'
import type { MutedSource, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { Button } from '#components/ui/button.tsx'

type Source = Pick<OutOfBand, 'source' | 'sourceId'>

/** True if the entry mutes only this sender. */
const mutes = (one: MutedSource, { source, sourceId }: Source) =>
  one.source === source && one.sourceId === sourceId
/** True if the entry mutes all senders of this type. Users change such an entry in the session's policy. */
const mutesAll = (one: MutedSource, { source }: Source) => one.source === source && one.sourceId === undefined

/** Mutes or unmutes the sender of an out-of-band message, for users who can change the session's policy. */
export function MuteSource({ of: { source, sourceId } }: { of: Source }) {
  const { store, may, me, can } = useSessionContext()
  const policy = useSessionState(state => state.transcript.oobPolicy)
  const [fault, setFault] = useState<string>()
  const muted = policy.muted.some(one => mutes(one, { source, sourceId }))
  const [change, busy] = useAction(async () => {
    const next = muted
      ? policy.muted.filter(one => !mutes(one, { source, sourceId }))
      : [...policy.muted, { source, sourceId }]
    const reply = await store.setOobPolicy({ ...policy, muted: next })
    setFault(reply.ok ? undefined : changeError(reply))
  })
  if (!may.answer || !can.members || (source === 'user' && sourceId === me.name)) return null
  if (policy.muted.some(one => mutesAll(one, { source, sourceId })))
    return (
      <span data-hook="muted-kind" className="text-muted">
        All sources of this type are muted.
      </span>
    )
  const who = fromWords({ source, sourceId })
  const words = muted ? 'Unmute source' : 'Mute source'
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {muted ? (
        <span data-hook="muted" className="text-muted">
          Muted.
        </span>
      ) : null}
      <Button
        data-hook={muted ? 'unmute-source' : 'mute-source'}
        tone="quiet"
        disabled={busy}
        onClick={() => void change()}
        aria-label={`${words}: ${who}`}
      >
        {words}
      </Button>
      <span role="alert" className={fault === undefined ? 'sr-only' : 'text-fail'}>
        {fault ?? ''}
      </span>
    </span>
  )
}
