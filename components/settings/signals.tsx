'use client'
import { oobSizes } from '@waystation/protocol/out-of-band/oob-settings.ts'
import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import { get } from 'react-hook-form'
import { FieldGroup, FieldRows } from '#components/forms/field-rows.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormDuration } from '#components/forms/form-duration.tsx'
import { OobPolicyFields } from '#components/forms/oob-policy-fields.tsx'
import { OwnerSection, SettingForm } from './setting-section.tsx'

/** The groups of limits. Each limit has its path, its label, its unit and a hint. */
const groups = [
  {
    title: 'Queue',
    about: 'How many signals a session stores until its agent reads them.',
    sizes: [
      ['pending.visible', 'Unread', 'signals', '1 to 500.'],
      ['pending.urgent', 'Unread, with urgent ones', 'signals', 'Urgent: critical, or from people.'],
      ['pending.held', 'Waiting for approval', 'signals', '1 to 500.']
    ]
  },
  {
    title: 'Prompts',
    about: 'How many signals a prompt contains completely. Older ones are shortened.',
    sizes: [
      ['prompt.maxFull', 'Shorten above', 'signals', '2 to 400.'],
      ['prompt.full', 'Newest, in full', 'signals', '1 to 200.'],
      ['prompt.characters', 'Shortened length', 'characters', '20 to 1,000.']
    ]
  }
] as const

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
      <SettingForm workspace={saved} settings={['outOfBand']}>
        <FieldRows>
          <OobPolicyFields />
          <FormDuration
            name="outOfBand.ttlSeconds"
            label="Expire after"
            hint="Up to 30 days. If empty, never."
            placeholder="never"
          />
        </FieldRows>
        <FormDetails data-hook="advanced" summary="Advanced" summaryClassName="tap text-person font-semibold">
          {groups.map(({ title, about, sizes }) => (
            <FieldGroup key={title} title={title} about={about}>
              <FieldRows>
                {sizes.map(([name, label, unit, hint]) => (
                  <FormAmount
                    key={name}
                    label={label}
                    unit={unit}
                    hint={hint}
                    name={`outOfBand.${name}`}
                    placeholder={String(get(oobSizes, name))}
                  />
                ))}
              </FieldRows>
            </FieldGroup>
          ))}
        </FormDetails>
      </SettingForm>
    )}
  </OwnerSection>
)
