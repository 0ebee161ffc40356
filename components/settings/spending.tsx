'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { amountOrNone } from '#components/forms/text-format.ts'
import { SettingForm, WorkspaceSection } from './workspace-section.tsx'

const fields = [
  {
    name: 'spendCaps.sessionPerDay',
    label: 'Per session, per day',
    hint: 'The session stops at this amount until an owner, editor or operator continues it.'
  },
  {
    name: 'spendCaps.subjectPerDay',
    label: 'Per end user, per day',
    hint: 'Across all sessions of an end user. They stop until an owner, editor or operator continues them.'
  },
  {
    name: 'spendCaps.workspacePerMonth',
    label: 'Workspace, per month',
    hint: 'Across all sessions. They stop until an owner or editor continues them.'
  }
]

/**
 * Sets the amounts at which sessions pause until a user continues them (docs/limits.md). `workspace` is undefined
 * if the user is not an owner.
 */
export const Spending = ({ workspace }: { workspace: Workspace | undefined }) => (
  <WorkspaceSection
    title="Spending"
    saved={workspace}
    ownersOnly="Only workspace owners can view spending and set caps."
    intro="A session that reaches a cap pauses and asks “Continue?”. If you continue, the same amount is allowed again for that day or month. End users can't answer this question. Days and months are in UTC."
  >
    {saved => (
      <>
        <p>
          Spent today <b>{dollars(saved.spent.today)}</b>, this month <b>{dollars(saved.spent.thisMonth)}</b>.
        </p>
        <SettingForm workspace={saved} setting="spendCaps" act="Save caps">
          <p>Amounts are in US dollars. Leave a field empty for no cap.</p>
          <div className="grid gap-x-4 gap-y-3 mid:grid-cols-3">
            {fields.map(field => (
              <FormField
                key={field.name}
                {...field}
                as={amountOrNone}
                placeholder="no cap"
                inputMode="decimal"
              />
            ))}
          </div>
        </SettingForm>
      </>
    )}
  </WorkspaceSection>
)

const dollars = (usd: number): string => `$${usd.toFixed(2)}`
