'use client'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { get } from 'react-hook-form'
import { ToolSettingFields } from '#components/forms/tool-setting-fields.tsx'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

/** Omits `retry` if none of its values is set. */
const withoutEmpty = ({ toolSettings: { retry = {}, ...own } }: Pick<Workspace, 'toolSettings'>) => ({
  toolSettings: Object.values(retry).some(value => value !== undefined) ? { ...own, retry } : own
})

/**
 * Sets timeouts, concurrency, and retries of model calls (docs/approvals.md). `workspace` is undefined if the
 * user is not an owner.
 */
export const ToolSettings = ({ workspace }: { workspace: Workspace | undefined }) => (
  <WorkspaceSection
    title="Timeouts and retries"
    hook="timeouts"
    saved={workspace}
    ownersOnly="Only workspace owners can view and change timeouts and retries."
    intro="These settings apply from each session's next step, unless the agent sets its own values. Calls that finish in time keep their results. For each other call, the agent receives an error."
  >
    {saved => (
      <SettingForm workspace={saved} setting="toolSettings" inputOf={withoutEmpty} act="Save timeouts">
        <ToolSettingFields name="toolSettings" placeholder={setting => String(get(toolDefaults, setting))} />
      </SettingForm>
    )}
  </WorkspaceSection>
)
