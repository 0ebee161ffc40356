'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { amount } from '#components/forms/text-format.ts'
import { SaveLine } from '#components/ui/save-line.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'
import { WorkspaceSection } from './workspace-section.tsx'

type Saved = Pick<Workspace, 'outOfBand'>

/**
 * Sets when out-of-band messages expire in the workspace (docs/out-of-band.md). `saved` is undefined if the
 * user is not an owner.
 */
export const OutOfBandDefaults = ({ saved }: { saved: Saved | undefined }) => (
  <WorkspaceSection
    title="Out-of-band messages"
    hook="out-of-band-defaults"
    saved={saved}
    ownersOnly="Only workspace owners can set when out-of-band messages expire."
  >
    {saved => <TtlField {...saved} />}
  </WorkspaceSection>
)

function TtlField({ outOfBand }: Saved) {
  const { of, save, line } = useWorkspaceForm({ outOfBand })
  return (
    <>
      <p className="max-w-[68ch]">
        An out-of-band message waits until its agent receives it. Set a time limit if old messages are of no
        use. Messages and agents with their own limit aren't affected.
      </p>
      <SchemaForm of={of} onSubmit={save} className="flex flex-col gap-3">
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
        <SaveLine act="Save limit" {...line} />
      </SchemaForm>
    </>
  )
}
