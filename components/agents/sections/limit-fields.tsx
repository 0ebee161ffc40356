import { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import { FieldRows } from '#components/forms/field-rows.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { FormDuration } from '#components/forms/form-duration.tsx'
import { OobPolicyFields } from '#components/forms/oob-policy-fields.tsx'
import { retries, SettingRows, timeouts } from '#components/forms/tool-setting-fields.tsx'
import { Section } from '#components/ui/section.tsx'

const { limits } = ChatConfig.parse({})

/** The limits, timeouts and retries of a chat agent. */
export const ChatLimits = ({ defaults }: { defaults: ToolLimits }) => (
  <>
    <Section title="Each turn">
      <FieldRows>
        <FormAmount
          name="chat.limits.stepsPerTurn"
          label="Steps"
          unit="steps"
          standard={limits.stepsPerTurn}
        />
        <FormAmount name="chat.limits.usdPerTurn" label="Spending" unit="US$" standard={limits.usdPerTurn} />
        <FormAmount
          name="chat.limits.contextTokens"
          label="Context"
          unit="tokens"
          standard={limits.contextTokens}
        />
      </FieldRows>
      <FormCheckbox name="chat.compaction" on="model" off="words" fallback="model">
        Summarize older messages when the context is full (otherwise they are trimmed)
      </FormCheckbox>
    </Section>
    {[timeouts, retries].map(group => (
      <Section key={group.title} title={group.title} about={group.about}>
        <SettingRows name="chat.toolSettings" defaults={defaults} group={group} />
      </Section>
    ))}
  </>
)

/** The policy for out-of-band messages of an agent of either type. */
export const OutOfBand = () => (
  <Section title="Signals">
    <FieldRows>
      <OobPolicyFields inherits />
      <FormDuration
        name="outOfBand.ttlSeconds"
        label="Expire after"
        hint="Up to 30 days, or never."
        placeholder="Default"
        canBeNever
      />
    </FieldRows>
  </Section>
)
