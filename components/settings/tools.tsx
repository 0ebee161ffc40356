'use client'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FieldGroup } from '#components/forms/field-rows.tsx'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { ToolSettingFields } from '#components/forms/tool-setting-fields.tsx'
import { OwnerSection, SettingForm } from './setting-section.tsx'

/**
 * Sets timeouts, concurrency, retries of model calls (docs/approvals.md), and if new sessions have the build kit
 * (docs/embeds.md). `workspace` is undefined if the user is not an owner.
 */
export const Tools = ({ workspace }: { workspace: Workspace | undefined }) => (
  <OwnerSection
    title="Limits"
    hook="tools"
    saved={workspace}
    intro="Defaults for all agents. An agent can have its own."
  >
    {saved => (
      <SettingForm workspace={saved} settings={['toolSettings', 'buildKit']}>
        <ToolSettingFields name="toolSettings" defaults={toolDefaults} />
        <FieldGroup
          title="Build kit"
          about="Lets an agent find tools, request connections and propose changes to itself."
          data-hook="build-kit-default"
        >
          <FormCheckbox name="buildKit">
            Add it to sessions that owners and editors start in the playground
          </FormCheckbox>
        </FieldGroup>
      </SettingForm>
    )}
  </OwnerSection>
)
