'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FormField } from '#components/forms/form-field.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { amountOrNone } from '#components/forms/text-format.ts'
import { SaveLine } from '#components/ui/save-line.tsx'
import { useWorkspaceForm } from './use-workspace-form.ts'
import { WorkspaceSection } from './workspace-section.tsx'

type Spend = Pick<Workspace, 'spendCaps' | 'spent'>

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
 * Sets the amounts at which sessions pause until a user continues them (docs/limits.md). `spend` is undefined
 * if the user is not an owner.
 */
export const Spending = ({ spend }: { spend: Spend | undefined }) => (
  <WorkspaceSection
    title="Spending"
    saved={spend}
    ownersOnly="Only workspace owners can view spending and set caps."
  >
    {saved => <CapFields {...saved} />}
  </WorkspaceSection>
)

function CapFields({ spendCaps, spent }: Spend) {
  const { of, save, line } = useWorkspaceForm({ spendCaps })
  return (
    <>
      <p className="max-w-[68ch]">
        A session that reaches a cap pauses and asks “Continue?”. If you continue, the same amount is allowed
        again for that day or month. End users can't answer this question. Days and months are in UTC.
      </p>
      <p>
        Spent today <b>{dollars(spent.today)}</b>, this month <b>{dollars(spent.thisMonth)}</b>.
      </p>
      <SchemaForm of={of} onSubmit={save} className="flex flex-col gap-3">
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
        <SaveLine act="Save caps" {...line} />
      </SchemaForm>
    </>
  )
}

const dollars = (usd: number): string => `$${usd.toFixed(2)}`
