import type { Grant } from '@waystation/protocol/call/grant.ts'
import { client } from '#components/browser/client.ts'
import { useAction } from '#components/browser/use-action.ts'
import { grantWords } from '#components/session/wording/grant-words.ts'
import { Button } from '#components/ui/button.tsx'
import { useChange } from './use-change.ts'

/** Lists the approvals that apply to all sessions (001-15). */
export function Grants({ grants }: { grants: readonly Grant[] }) {
  const { change, fault } = useChange()
  return (
    <div className="flex flex-col gap-2">
      <h3 className="font-semibold">Remembered approvals</h3>
      <p className="max-w-[68ch] text-muted">
        Calls approved with “always” run without approval in every session. To see approvals for one session,
        open its menu.
      </p>
      {grants.length === 0 ? (
        <p data-hook="no-grants" className="text-muted">
          None yet.
        </p>
      ) : (
        <ul className="flex flex-col border-t">
          {grants.map(grant => (
            <Row
              key={grant.grantId}
              grant={grant}
              onRevoke={() => change(client.call('revokeGrant', { path: { grantId: grant.grantId } }))}
            />
          ))}
        </ul>
      )}
      <p role="status" className="text-fail">
        {fault}
      </p>
    </div>
  )
}

function Row({ grant, onRevoke }: { grant: Grant; onRevoke: () => Promise<unknown> }) {
  const [revoke, revoking] = useAction(onRevoke)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2">
      <div className="min-w-0">
        <p className="font-mono text-mono [overflow-wrap:anywhere]">{grant.toolName}</p>
        <p data-hook="grant-scope" className="line-clamp-4 text-muted [overflow-wrap:anywhere]">
          {grantWords(grant)}
        </p>
        <p className="text-muted">by {grant.grantedBy}</p>
      </div>
      <Button
        data-hook="revoke-grant"
        onClick={() => void revoke()}
        disabled={revoking}
        aria-label={`Revoke the approval for ${grant.toolName} ${grantWords(grant).slice(0, 100)}`}
      >
        Revoke
      </Button>
    </li>
  )
}
