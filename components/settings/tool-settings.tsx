'use client'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { get } from 'react-hook-form'
import { FormField } from '#components/forms/form-field.tsx'
import { amount } from '#components/forms/text-format.ts'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

const fields = [
  {
    name: 'timeoutSeconds',
    label: 'Call timeout (seconds)',
    hint: "For tools that don't set their own timeout."
  },
  {
    name: 'batchTimeoutSeconds',
    label: 'Step timeout (seconds)',
    hint: "For all calls of a step. Time spent waiting for people doesn't count."
  },
  {
    name: 'concurrency',
    label: 'Parallel calls',
    hint: 'Per session. Other calls wait until one ends.'
  },
  {
    name: 'retry.maxAttempts',
    label: 'Attempts per model call',
    hint: 'Including the first one.'
  },
  {
    name: 'retry.initialDelaySeconds',
    label: 'First retry delay (seconds)',
    hint: 'Maximum delay. The actual delay is random (full jitter).'
  },
  {
    name: 'retry.multiplier',
    label: 'Delay multiplier',
    hint: 'Each retry multiplies the maximum delay by this factor.'
  },
  {
    name: 'retry.maxDelaySeconds',
    label: 'Maximum retry delay (seconds)',
    hint: 'The delay never grows beyond this.'
  },
  {
    name: 'retry.maxRetryAfterSeconds',
    label: 'Maximum Retry-After (seconds)',
    hint: 'The longest wait that a provider can request.'
  }
]

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
        <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
          {fields.map(({ name, ...field }) => (
            <FormField
              key={name}
              {...field}
              name={`toolSettings.${name}`}
              as={amount}
              placeholder={String(get(toolDefaults, name))}
              inputMode="decimal"
            />
          ))}
        </div>
      </SettingForm>
    )}
  </WorkspaceSection>
)
