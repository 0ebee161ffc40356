import { FormCheckbox } from '#components/forms/form-checkbox.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { OobPolicyFields } from '#components/forms/oob-policy-fields.tsx'
import { amount, type TextFormat } from '#components/forms/text-format.ts'
import { ToolSettingFields } from '#components/forms/tool-setting-fields.tsx'
import { Section } from '#components/ui/section.tsx'

/** The limits, timeouts and retries of a chat agent. */
export const ChatLimits = () => (
  <>
    <Section title="Each turn">
      <div className="grid items-start gap-4 mid:grid-cols-3">
        <FormField name="chat.limits.stepsPerTurn" as={amount} label="Steps" inputMode="numeric" />
        <FormField name="chat.limits.usdPerTurn" as={amount} label="Spending (US$)" inputMode="decimal" />
        <FormField
          name="chat.limits.contextTokens"
          as={amount}
          label="Context (tokens)"
          inputMode="numeric"
        />
      </div>
      <FormCheckbox name="chat.compaction" on="model" off="words" fallback="model">
        Summarize older messages when the context is full (otherwise they are trimmed)
      </FormCheckbox>
    </Section>
    <Section title="Timeouts and retries" hook="agent-timeouts">
      <ToolSettingFields name="chat.toolSettings" placeholder={() => 'workspace default'} />
    </Section>
  </>
)

/** The policy for out-of-band messages of an agent of either type. */
export const OutOfBand = () => (
  <Section title="Signals">
    <div className="grid items-start gap-4 mid:grid-cols-3">
      <OobPolicyFields inherits />
      <FormField
        name="outOfBand.ttlSeconds"
        as={ttl}
        label="Expire after (seconds)"
        hint="Up to 2592000 (30 days), or never."
        placeholder="workspace default"
      />
    </div>
  </Section>
)

/** A number of seconds, or `never` for null. */
const ttl: TextFormat = {
  format: value => (value === null ? 'never' : amount.format(value)),
  parse: typed => (typed.trim().toLowerCase() === 'never' ? null : amount.parse(typed))
}
