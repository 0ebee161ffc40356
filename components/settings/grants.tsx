import type { Grant } from '@waystation/protocol/call/grant.ts'
import { client } from '#components/browser/client.ts'
import { grantWords } from '#components/session/wording/grant-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { SettingSection } from './setting-section.tsx'
import { useChange } from './use-change.ts'

/** Lists the approvals that apply to all sessions (001-15). */
export function Grants({ grants }: { grants: readonly Grant[] }) {
  const { change, fault } = useChange()
  return (
    <SettingSection
      title="Remembered approvals"
      hook="grants"
      intro="Calls that you approve with “always” run without approval in every session."
    >
      {grants.length === 0 ? (
        <Empty title="No remembered approvals" data-hook="no-grants">
          Approve a call with “always”, and it is listed here.
        </Empty>
      ) : (
        <Rows>
          {grants.map(grant => (
            <Row
              key={grant.grantId}
              name={<span className="font-mono text-mono">{grant.toolName}</span>}
              about={
                <>
                  <p data-hook="grant-scope" className="line-clamp-4">
                    {grantWords(grant)}
                  </p>
                  <p>by {grant.grantedBy}</p>
                </>
              }
              actions={
                <Button
                  data-hook="revoke-grant"
                  onClick={() =>
                    void change(client.call('revokeGrant', { path: { grantId: grant.grantId } }))
                  }
                  aria-label={`Revoke the approval for ${grant.toolName} ${grantWords(grant).slice(0, 100)}`}
                >
                  Revoke
                </Button>
              }
            />
          ))}
        </Rows>
      )}
      <Fault>{fault}</Fault>
    </SettingSection>
  )
}
