import { useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Input } from '#components/ui/input.tsx'

/**
 * Shows whether this session is pinned to a revision of its agent. Only users who can edit agents can pin and
 * unpin the session.
 */
export function PinControl({ revision, pinned }: { revision: number; pinned: boolean }) {
  const { agent, me, store } = useSessionContext()
  const [chosen, setChosen] = useState<string>()
  const number = chosen ?? String(revision)
  const [fault, setFault] = useState('')
  const published = Math.max(agent.published ?? 0, pinned ? 0 : revision)
  const [set, busy] = useAction(async () => {
    const reply = await store.pin(pinned ? null : Number(number))
    setFault(reply.ok ? '' : changeError(reply))
    if (reply.ok) setChosen(undefined)
  })
  const sentence = pinned
    ? `Pinned to ${revision < 0 ? 'a snapshot of the draft' : `version ${revision}`}.${published > revision ? ` Version ${published} is published.` : ''}`
    : 'Not pinned. Each step uses the latest published version.'
  return (
    <form
      aria-label="Pinned version"
      data-hook="pin"
      onSubmit={event => {
        event.preventDefault()
        void set()
      }}
      className="flex flex-col gap-2"
    >
      <p data-hook="pin-state" data-published={published}>
        {sentence}
      </p>
      {me.may?.edit ? (
        <div className="flex flex-wrap items-center gap-2">
          {pinned ? (
            <Button type="submit" disabled={busy} data-hook="unpin-session">
              Unpin session
            </Button>
          ) : (
            <>
              <Button type="submit" disabled={busy || !/^[1-9]\d*$/.test(number)} data-hook="pin-session">
                Pin to version
              </Button>
              <Input
                aria-label="Version to pin"
                data-hook="pin-revision"
                value={number}
                inputMode="numeric"
                onChange={event => setChosen(event.target.value)}
                mono
                className="w-16"
              />
            </>
          )}
        </div>
      ) : null}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
    </form>
  )
}
