'use client'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
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
    intro="Defaults for all agents, from each session's next step. An agent's own settings take precedence."
  >
    {saved => (
      <SettingForm workspace={saved} settings={['toolSettings', 'buildKit']} inputOf={withoutEmpty}>
        <ToolSettingFields name="toolSettings" defaults={toolDefaults} />
        <div data-hook="build-kit-default">
          <h3 className="font-semibold">Build kit</h3>
          <p className="max-w-[68ch] pb-1 text-muted">
            With it, an agent can find tools, request connections and propose changes to itself.
          </p>
          <FormCheckbox name="buildKit">
            Add the build kit to sessions that owners and editors start on these pages
          </FormCheckbox>
        </div>
      </SettingForm>
    )}
  </OwnerSection>
)
