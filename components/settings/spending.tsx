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
        <dl className="grid grid-cols-2 gap-x-8 border-t pt-4 mid:grid-cols-[minmax(0,264px)_minmax(0,320px)]">
          <Figure label="Today" usd={saved.spent.today} />
          <Figure
            label="This month"
            usd={saved.spent.thisMonth}
            cap={saved.spendCaps.workspacePerMonth ?? undefined}
          />
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

type FigureProps = { label: string; usd: number; cap?: number | undefined }

/** An amount, with a bar if it has a cap. */
const Figure = ({ label, usd, cap }: FigureProps) => (
  <div className="flex flex-col">
    <dt className="text-muted">{label}</dt>
    <dd className="tabular-nums">
      <span className="text-title font-semibold">${usd.toFixed(2)}</span>
      {cap === undefined ? null : (
        <>
          <span className="text-muted"> of ${cap.toFixed(2)}</span>
          <span aria-hidden="true" data-hook="spent-bar" className="mt-2 block h-1 rounded-sm bg-line">
            <span
              className="block h-full rounded-sm bg-ink"
              style={{ width: `${Math.min(100, (100 * usd) / cap)}%` }}
            />
          </span>
        </>
      )}
    </dd>
  </div>
)
