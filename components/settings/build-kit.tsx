'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

/**
 * Sets if new sessions have the build kit by default (docs/embeds.md). `workspace` is undefined if the user is not an
 * owner.
 */
export const BuildKit = ({ workspace }: { workspace: Workspace | undefined }) => (
  <WorkspaceSection
    title="Build kit"
    hook="build-kit-default"
    saved={workspace}
    ownersOnly="Only workspace owners can set which sessions start with the build kit."
    intro="With the build kit, an agent can find tools, request connections and propose changes to itself. An agent's own setting takes precedence."
  >
    {saved => (
      <SettingForm workspace={saved} setting="buildKit" act="Save default">
        <FormCheckbox name="buildKit">
          Add the build kit to sessions that owners and editors start on these pages
        </FormCheckbox>
      </SettingForm>
    )}
  </WorkspaceSection>
)
