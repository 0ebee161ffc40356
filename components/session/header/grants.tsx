import type { Grant } from '@waystation/protocol/call/grant.ts'
import { errorText } from '#components/browser/error-text.ts'
import { clock } from '#components/browser/format-time.ts'
import { useQueries, useRead } from '#components/browser/queries.tsx'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { grantWords } from '#components/session/wording/grant-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

/** Lists the remembered approvals of this session (001-15). Approvers can revoke them. */
export function GrantsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Remembered approvals"
      description="These calls run without approval in this session. Approvals for every session are in Settings, under Tool rules."
    >
      <GrantList />
      <div className="pt-2">
        <Button onClick={onClose}>Close</Button>
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
  const queries = useQueries()
  const queryKey = ['grants', store.path]
  const { data, error } = useRead({
    queryKey,
    queryFn: () => store.client.call('listSessionGrants', { path: store.path }),
    version: [settled]
  })
  if (data === undefined)
    return error === null ? null : (
      <p role="alert" className="text-fail">
        {errorText({ error }, 'Close this dialog and try again.')}
      </p>
    )
  const { grants } = data
  if (grants.length === 0)
    return (
      <p data-hook="no-grants" className="text-muted">
        No remembered approvals yet. To add one, approve a call for this session.
      </p>
    )
  return (
    <ul className="mt-2 flex flex-col">
      {grants.map(grant => (
        <GrantRow key={grant.grantId} grant={grant} onGone={() => queries.invalidateQueries({ queryKey })} />
      ))}
    </ul>
  )
}

function GrantRow({ grant, onGone }: { grant: Grant; onGone: () => Promise<void> }) {
  const { store, may } = useSessionContext()
  const now = useNow()
  const [revoke, revoking] = useAction(async () => {
    if ((await store.revokeGrant(grant.grantId)) !== undefined) await onGone()
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
