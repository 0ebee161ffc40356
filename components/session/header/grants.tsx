'use client'
import type { Grant } from '@waystation/protocol/call/grant.ts'
import { useEffect, useState } from 'react'
import { clock } from '#components/browser/format-time.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { grantWords } from '#components/session/wording/grant-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

/** Lists the remembered approvals of this session (001-15). Approvers can revoke them. */
export function GrantsDialog({
  open,
  onOpenChange
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Remembered approvals"
      description="These calls run without approval in this session. Approvals for every session are in Settings, under Tool rules."
    >
      <GrantList />
      <div className="pt-2">
        <Button onClick={() => onOpenChange(false)}>Close</Button>
      </div>
    </Dialog>
  )
}

function GrantList() {
  const { store } = useSessionContext()
  // Each settled call can have added an approval, so reload the list when another call settles.
  const settled = useSessionState(
    ({ transcript: { calls } }) => Object.values(calls).filter(call => call.settledAt !== undefined).length
  )
  const [grants, setGrants] = useState<readonly Grant[]>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: reload when `settled` changes
  useEffect(() => {
    let isOld = false
    void store.loadGrants().then(listed => {
      if (!isOld) setGrants(listed ?? [])
    })
    return () => {
      isOld = true
    }
  }, [store, settled])
  if (grants === undefined) return null
  if (grants.length === 0)
    return (
      <p data-hook="no-grants" className="text-muted">
        No remembered approvals yet. To add one, approve a call for this session.
      </p>
    )
  return (
    <ul className="mt-2 flex flex-col">
      {grants.map(grant => (
        <GrantRow
          key={grant.grantId}
          grant={grant}
          onGone={() => setGrants(grants.filter(({ grantId }) => grantId !== grant.grantId))}
        />
      ))}
    </ul>
  )
}

function GrantRow({ grant, onGone }: { grant: Grant; onGone: () => void }) {
  const { store, may } = useSessionContext()
  const now = useNow()
  const [revoke, revoking] = useAction(async () => {
    if ((await store.revokeGrant(grant.grantId)) !== undefined) onGone()
  })
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-t py-2 last:border-b">
      <div className="min-w-0">
        <p className="font-mono text-mono [overflow-wrap:anywhere]">{grant.toolName}</p>
        <p data-hook="grant-scope" className="line-clamp-4 text-muted [overflow-wrap:anywhere]">
          {grantWords(grant)}
        </p>
        <p className="text-muted">
          {grant.grantedBy}
          {now === undefined ? null : `, ${clock(grant.at, now)}`}
        </p>
      </div>
      {may.answer ? (
        <Button
          data-hook="revoke-grant"
          onClick={() => void revoke()}
          disabled={revoking}
          aria-label={`Revoke approval for ${grant.toolName} ${grantWords(grant).slice(0, 100)}`}
        >
          Revoke
        </Button>
      ) : null}
    </li>
  )
}
