import { ownPolicy } from '@waystation/protocol/out-of-band/effective-policy.ts'
import type { MutedSource, OutOfBand } from '@waystation/protocol/out-of-band/out-of-band.ts'
import { useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { fromWords } from '#components/session/wording/out-of-band-words.ts'
import { Button } from '#components/ui/button.tsx'

/** Mutes or unmutes the sender of an out-of-band message, for users who can change the session's policy. */
export function MuteSource({ of: { source, sourceId } }: { of: Pick<OutOfBand, 'source' | 'sourceId'> }) {
  const { store, may, me, can } = useSessionContext()
  const policy = useSessionState(state => state.transcript.oobPolicy)
  const [fault, setFault] = useState<string>()
  const mutes = (one: MutedSource) => one.source === source && one.sourceId === sourceId
  const muted = policy.muted.some(mutes)
  // Users change an entry for all senders of a type in the session's policy.
  const allMuted = policy.muted.some(one => one.source === source && one.sourceId === undefined)
  const [change, busy] = useAction(async () => {
    const next = muted ? policy.muted.filter(one => !mutes(one)) : [...policy.muted, { source, sourceId }]
    const reply = await store.setOobPolicy({ ...ownPolicy(policy), muted: next })
    setFault(reply.ok ? undefined : changeError(reply))
  })
  if (!may.answer || !can.members || (source === 'user' && sourceId === me.name)) return null
  if (allMuted)
    return (
      <span data-hook="muted-kind" className="text-muted">
        All sources of this type are muted.
      </span>
    )
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
        aria-label={`${words}: ${fromWords({ source, sourceId })}`}
      >
        {words}
      </Button>
      <span role="alert" className={fault === undefined ? 'sr-only' : 'text-fail'}>
        {fault ?? ''}
      </span>
    </span>
  )
}
