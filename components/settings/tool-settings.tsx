'use client'
import { toolDefaults } from '@waystation/protocol/call/tool-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { amount } from '#components/forms/text-format.ts'
import { SaveLine } from '#components/ui/save-line.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'
import { WorkspaceSection } from './workspace-section.tsx'

type Paced = Pick<Workspace, 'toolSettings'>

const { retry, ...own } = toolDefaults

/** The fields of the form. `standard` is the server's default. */
const fields: readonly { name: string; label: string; hint: string; standard: number }[] = [
  {
    name: 'timeoutSeconds',
    label: 'Call timeout (seconds)',
    hint: "For tools that don't set their own timeout.",
    standard: own.timeoutSeconds
  },
  {
    name: 'batchTimeoutSeconds',
    label: 'Step timeout (seconds)',
    hint: "For all calls of a step. Time spent waiting for people doesn't count.",
    standard: own.batchTimeoutSeconds
  },
  {
    name: 'concurrency',
    label: 'Parallel calls',
    hint: 'Per session. Other calls wait until one ends.',
    standard: own.concurrency
  },
  {
    name: 'retry.maxAttempts',
    label: 'Attempts per model call',
    hint: 'Including the first one.',
    standard: retry.maxAttempts
  },
  {
    name: 'retry.initialDelaySeconds',
    label: 'First retry delay (seconds)',
    hint: 'Maximum delay. The actual delay is random (full jitter).',
    standard: retry.initialDelaySeconds
  },
  {
    name: 'retry.multiplier',
    label: 'Delay multiplier',
    hint: 'Each retry multiplies the maximum delay by this factor.',
    standard: retry.multiplier
  },
  {
    name: 'retry.maxDelaySeconds',
    label: 'Maximum retry delay (seconds)',
    hint: 'The delay never grows beyond this.',
    standard: retry.maxDelaySeconds
  },
  {
    name: 'retry.maxRetryAfterSeconds',
    label: 'Maximum Retry-After (seconds)',
    hint: 'The longest wait that a provider can request.',
    standard: retry.maxRetryAfterSeconds
  }
]

/**
 * Sets timeouts, concurrency, and retries of model calls (docs/approvals.md). `paced` is undefined if the
 * user is not an owner.
 */
export const ToolSettings = ({ paced }: { paced: Paced | undefined }) => (
  <WorkspaceSection
    title="Timeouts and retries"
    hook="timeouts"
    saved={paced}
    ownersOnly="Only workspace owners can view and change timeouts and retries."
  >
    {saved => <SettingFields {...saved} />}
  </WorkspaceSection>
)

/** Omits `retry` if none of its values is set. */
const withoutEmpty = ({ toolSettings: { retry = {}, ...own } }: Paced): Paced => ({
  toolSettings: Object.values(retry).some(value => value !== undefined) ? { ...own, retry } : own
})

function SettingFields({ toolSettings }: Paced) {
  const { of, save, line } = useWorkspaceForm({ toolSettings }, withoutEmpty)
  return (
    <>
      <p className="max-w-[68ch]">
        These settings apply from each session's next step, unless the agent sets its own values. Calls that
        finish in time keep their results. For each other call, the agent receives an error.
      </p>
      <SchemaForm of={of} onSubmit={save} className="flex flex-col gap-3">
        <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
          {fields.map(({ name, standard, ...field }) => (
            <FormField
              key={name}
              {...field}
              name={`toolSettings.${name}`}
              as={amount}
              placeholder={String(standard)}
              inputMode="decimal"
            />
          ))}
        </div>
        <SaveLine act="Save timeouts" {...line} />
      </SchemaForm>
    </>
  )
}
