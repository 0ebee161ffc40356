'use client'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FieldGroup } from '#components/forms/field-rows.tsx'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { ToolSettingFields } from '#components/forms/tool-setting-fields.tsx'
import { OwnerSection, SettingForm } from './setting-section.tsx'

type Values = Pick<Workspace, 'toolSettings' | 'buildKit'>

/** Omits `retry` if none of its values is set. */
const withoutEmpty = ({ toolSettings: { retry = {}, ...own }, ...rest }: Values): Values => ({
  ...rest,
  toolSettings: Object.values(retry).some(value => value !== undefined) ? { ...own, retry } : own
})

/**
 * Sets timeouts, concurrency, retries of model calls (docs/approvals.md), and if new sessions have the build kit
 * (docs/embeds.md). `workspace` is undefined if the user is not an owner.
 */
export const Tools = ({ workspace }: { workspace: Workspace | undefined }) => (
  <OwnerSection
    title="Tools"
    hook="tools"
    saved={workspace}
    intro="Defaults for all agents. An agent can have its own."
  >
    {saved => (
      <SettingForm workspace={saved} settings={['toolSettings', 'buildKit']} inputOf={withoutEmpty}>
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
