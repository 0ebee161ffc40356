import { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import { FieldRows } from '#components/forms/field-rows.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { OobPolicyFields } from '#components/forms/oob-policy-fields.tsx'
import { amount, type TextFormat } from '#components/forms/text-format.ts'
import { ToolSettingFields } from '#components/forms/tool-setting-fields.tsx'
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
    <Section title="Timeouts and retries" hook="agent-timeouts">
      <ToolSettingFields name="chat.toolSettings" defaults={defaults} />
    </Section>
  </>
)

/** The policy for out-of-band messages of an agent of either type. */
export const OutOfBand = () => (
  <Section title="Signals">
    <FieldRows>
      <OobPolicyFields inherits />
      <FormAmount
        name="outOfBand.ttlSeconds"
        as={ttl}
        label="Expire after"
        unit="seconds"
        hint="Up to 2,592,000 (30 days), or never."
        placeholder="inherited"
      />
    </FieldRows>
  </Section>
)

/** A number of seconds, or `never` for null. */
const ttl: TextFormat = {
  format: value => (value === null ? 'never' : amount.format(value)),
  parse: typed => (typed.trim().toLowerCase() === 'never' ? null : amount.parse(typed))
}
