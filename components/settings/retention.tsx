'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useState } from 'react'
import { FormField } from '#components/forms/form-field.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { amountOrNone } from '#components/forms/text-format.ts'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { SaveLine } from '#components/ui/save-line.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'
import { WorkspaceSection } from './workspace-section.tsx'

/**
 * Sets how long the workspace stores its sessions (docs/retention.md). `workspace` is undefined if the
 * user is not an owner.
 */
export const Retention = ({ workspace }: { workspace: Workspace | undefined }) => (
  <WorkspaceSection
    title="Retention"
    hook="retention"
    saved={workspace}
    ownersOnly="Only workspace owners can set how long sessions are stored."
    intro="Sessions without activity for this many days are deleted with everything in them. Sessions with a pending call, a running turn, a delivery or an alarm stay until it ends."
  >
    {saved => <DaysField workspace={saved} />}
  </WorkspaceSection>
)

function DaysField({ workspace }: { workspace: Workspace }) {
  const [asking, setAsking] = useState<number>()
  const { of, save, line } = useWorkspaceForm('retentionDays', workspace)
  const saved = workspace.retentionDays
  const submit = ({ retentionDays: days }: Pick<Workspace, 'retentionDays'>) => {
    // Deleted sessions cannot be restored, so a shorter time needs confirmation.
    if (days !== null && (saved === null || days < saved)) setAsking(days)
    else return save({ retentionDays: days })
  }
  return (
    <>
      <SchemaForm of={of} onSubmit={submit} className="flex flex-col gap-3">
        <div className="grid gap-x-4 gap-y-3 mid:grid-cols-3">
          <FormField
            name="retentionDays"
            as={amountOrNone}
            label="Days"
            hint="1 to 3650. Leave empty to store sessions forever."
            placeholder="forever"
            inputMode="numeric"
          />
        </div>
        <SaveLine act="Save retention" {...line} />
      </SchemaForm>
      <Dialog
        open={asking !== undefined}
        onOpenChange={open => open || setAsking(undefined)}
        title={`Store sessions for ${asking === 1 ? '1 day' : `${asking} days`}?`}
        description="Sessions that were inactive for longer are deleted, starting within a minute. You can't restore them."
      >
        <ConfirmButtons
          act="Delete older sessions"
          onAct={() => {
            setAsking(undefined)
            void save({ retentionDays: asking ?? null })
          }}
          onKeep={() => setAsking(undefined)}
        />
      </Dialog>
    </>
  )
}
