'use client'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { FieldRows } from '#components/forms/field-rows.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { amountOrNone } from '#components/forms/text-format.ts'
import { OwnerSection, SettingForm } from './setting-section.tsx'

/** The path of each cap, its label and a hint. */
const caps = [
  ['sessionPerDay', 'Per session, per day', 'An owner, editor or operator can continue the session.'],
  ['subjectPerDay', 'Per end user, per day', 'An owner, editor or operator can continue the sessions.'],
  ['workspacePerMonth', 'Workspace, per month', 'An owner or editor can continue the sessions.']
] as const

/**
 * Sets the amounts at which sessions pause until a user continues them (docs/limits.md). `workspace` is undefined
 * if the user is not an owner.
 */
export const Spending = ({ workspace }: { workspace: Workspace | undefined }) => (
  <OwnerSection
    title="Spending"
    hook="spending"
    saved={workspace}
    intro="A session that reaches a cap pauses and asks “Continue?”. Continuing allows the same amount again. Days and months are in UTC."
  >
    {saved => (
      <>
        <dl className="flex gap-10">
          <Figure label="Today" usd={saved.spent.today} />
          <Figure label="This month" usd={saved.spent.thisMonth} />
        </dl>
        <SettingForm workspace={saved} settings={['spendCaps']}>
          <FieldRows>
            {caps.map(([name, label, hint]) => (
              <FormAmount
                key={name}
                name={`spendCaps.${name}`}
                label={label}
                hint={hint}
                as={amountOrNone}
                unit="US$"
                placeholder="no cap"
              />
            ))}
          </FieldRows>
        </SettingForm>
      </>
    )}
  </OwnerSection>
)

const Figure = ({ label, usd }: { label: string; usd: number }) => (
  <div className="flex flex-col-reverse">
    <dt className="text-muted">{label}</dt>
    <dd className="text-title font-semibold tabular-nums">${usd.toFixed(2)}</dd>
  </div>
)
