'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { amount } from '#components/forms/text-format.ts'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

/**
 * Sets when out-of-band messages expire in the workspace (docs/out-of-band.md). `workspace` is undefined if the
 * user is not an owner.
 */
export const OutOfBandDefaults = ({ workspace }: { workspace: Workspace | undefined }) => (
  <WorkspaceSection
    title="Out-of-band messages"
    hook="out-of-band-defaults"
    saved={workspace}
    ownersOnly="Only workspace owners can set when out-of-band messages expire."
    intro="An out-of-band message waits until its agent receives it. Set a time limit if old messages are of no use. Messages and agents with their own limit aren't affected."
  >
    {saved => (
      <SettingForm workspace={saved} setting="outOfBand" act="Save limit">
        <div className="grid gap-x-4 gap-y-3 mid:grid-cols-3">
          <FormField
            name="outOfBand.ttlSeconds"
            as={amount}
            label="Expire after (seconds)"
            hint="1 to 2592000 (30 days). Leave empty for no limit."
            placeholder="never"
            inputMode="numeric"
          />
        </div>
      </SettingForm>
    )}
  </WorkspaceSection>
)
