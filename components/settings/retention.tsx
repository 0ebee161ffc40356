'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FieldRows } from '#components/forms/field-rows.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { amountOrNone } from '#components/forms/text-format.ts'
import { OwnerSection, SettingForm } from './setting-section.tsx'

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
    {saved => (
      <SettingForm
        workspace={saved}
        settings={['retentionDays']}
        // Deleted sessions cannot be restored, so a shorter time needs confirmation.
        confirm={({ retentionDays: days }) =>
          days === null || (saved.retentionDays !== null && days >= saved.retentionDays)
            ? undefined
            : {
                title: `Store sessions for ${days === 1 ? '1 day' : `${days} days`}?`,
                description:
                  "Sessions that were inactive for longer are deleted, starting within a minute. You can't restore them.",
                act: 'Delete older sessions'
              }
        }
      >
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
      </SettingForm>
    )}
  </OwnerSection>
)
