'use client'
import { oobSizes } from '@waystation/protocol/out-of-band/oob-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { get } from 'react-hook-form'
import { FieldRows } from '#components/forms/field-rows.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { OobPolicyFields } from '#components/forms/oob-policy-fields.tsx'
import { OwnerSection, SettingForm } from './setting-section.tsx'

const sizes = [
  { name: 'pending.visible', label: 'Maximum pending', hint: 'Per session, 1 to 500.' },
  { name: 'pending.urgent', label: 'Maximum with urgent ones', hint: 'Urgent: critical, or from people.' },
  { name: 'pending.held', label: 'Maximum held', hint: 'Per session, 1 to 500.' },
  {
    name: 'prompt.maxFull',
    label: 'Maximum complete in prompts',
    hint: 'With more, older ones are shortened.'
  },
  { name: 'prompt.full', label: 'Complete after shortening', hint: 'The newest ones, 1 to 200.' },
  { name: 'prompt.characters', label: 'Length when shortened', hint: '20 to 1000.', unit: 'characters' }
]

/** Omits `pending` and `prompt` if none of their values is set. */
const withoutEmpty = ({ outOfBand }: Pick<Workspace, 'outOfBand'>) => ({
  outOfBand: Object.fromEntries(
    Object.entries(outOfBand).filter(
      ([name, values]) =>
        (name !== 'pending' && name !== 'prompt') ||
        Object.values(values ?? {}).some(value => value !== undefined)
    )
  ) as Workspace['outOfBand']
})

/**
 * Sets the defaults and limits of out-of-band messages in the workspace (docs/out-of-band.md). `workspace` is undefined
 * if the user is not an owner.
 */
export const Signals = ({ workspace }: { workspace: Workspace | undefined }) => (
  <OwnerSection
    title="Signals"
    hook="out-of-band-defaults"
    saved={workspace}
    intro="Messages that reach agents outside the conversation. Agents and sessions can override these defaults."
  >
    {saved => (
      <SettingForm workspace={saved} settings={['outOfBand']} inputOf={withoutEmpty}>
        <FieldRows>
          <OobPolicyFields />
          <FormAmount
            name="outOfBand.ttlSeconds"
            label="Expire after"
            unit="seconds"
            hint="1 to 2592000 (30 days)."
            placeholder="never"
          />
          {sizes.map(({ name, ...field }) => (
            <FormAmount
              key={name}
              unit="signals"
              {...field}
              name={`outOfBand.${name}`}
              placeholder={String(get(oobSizes, name))}
            />
          ))}
        </FieldRows>
      </SettingForm>
    )}
  </OwnerSection>
)
