'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { useState } from 'react'
import { FieldRows } from '#components/forms/field-rows.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { SaveBar } from '#components/forms/save-bar.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { amountOrNone } from '#components/forms/text-format.ts'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { OwnerSection } from './setting-section.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'

/**
 * Sets how long the workspace stores its sessions (docs/retention.md). `workspace` is undefined if the
 * user is not an owner.
 */
export const Retention = ({ workspace }: { workspace: Workspace | undefined }) => (
  <OwnerSection
    title="Retention"
    hook="retention"
    saved={workspace}
    intro="Old sessions are deleted with everything in them. Pending calls, running turns, deliveries and alarms delay it."
  >
    {saved => <DaysField workspace={saved} />}
  </OwnerSection>
)

function DaysField({ workspace }: { workspace: Workspace }) {
  const [asking, setAsking] = useState<number>()
  const { of, save, bar } = useWorkspaceForm(['retentionDays'], workspace)
  const saved = workspace.retentionDays
  const submit = ({ retentionDays: days }: Pick<Workspace, 'retentionDays'>) => {
    // Deleted sessions cannot be restored, so a shorter time needs confirmation.
    if (days !== null && (saved === null || days < saved)) setAsking(days)
    else return save({ retentionDays: days })
  }
  return (
    <>
      <SchemaForm of={of} onSubmit={submit} className="flex flex-col gap-4">
        <FieldRows>
          <FormAmount
            name="retentionDays"
            as={amountOrNone}
            label="Delete after"
            unit="days without activity"
            hint="1 to 3650. If empty, sessions are stored forever."
            placeholder="never"
          />
        </FieldRows>
        <SaveBar {...bar} />
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
