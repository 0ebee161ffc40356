import { ReasoningEffort } from '@waystation/protocol/agent/agent.ts'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { FormSelect } from '#components/forms/form-select.tsx'
import { amount, json, optional } from '#components/forms/text-format.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Labeled } from '#components/ui/field.tsx'
import { Select } from '#components/ui/select.tsx'

const answers = [
  { value: '', label: 'As its name suggests' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' }
]

const efforts = [
  { value: '', label: "Provider's default" },
  ...ReasoningEffort.options.map(value => ({ value, label: value }))
]

/** Settings of the model that most agents leave empty: parameters, files, price and the handler. */
export const ModelFields = () => (
  <FormDetails
    data-hook="model-settings"
    summary="Model parameters, price and handler"
    summaryClassName="font-semibold"
  >
    <div className="grid items-start gap-x-4 gap-y-3 pt-3 mid:grid-cols-3">
      <FormField
        name="chat.parameters.temperature"
        as={amount}
        label="Temperature"
        hint="0 to 2. Leave empty for the provider's default."
        inputMode="decimal"
      />
      <FormField name="chat.parameters.topP" as={amount} label="Top P" hint="0 to 1." inputMode="decimal" />
      <FormField
        name="chat.parameters.maxOutputTokens"
        as={amount}
        label="Output tokens per step"
        hint="A longer answer is cut off."
        inputMode="numeric"
      />
      <FormSelect
        name="chat.parameters.reasoning"
        fallback=""
        label="Reasoning effort"
        options={efforts}
        data-hook="reasoning-effort"
      />
      <FormField
        name="chat.parameters.reasoningBudget"
        as={amount}
        label="Reasoning tokens"
        hint="The most tokens to reason with, instead of an effort. Some providers ignore it."
        inputMode="numeric"
      />
      <FormField
        name="chat.parameters.seed"
        as={amount}
        label="Seed"
        hint="Some providers then repeat an answer to the same prompt."
        inputMode="numeric"
      />
      <FormField
        name="chat.price.inputPerMillion"
        as={amount}
        label="US$ per million input tokens"
        hint="For models without a list price."
        inputMode="decimal"
      />
      <FormField
        name="chat.price.outputPerMillion"
        as={amount}
        label="US$ per million output tokens"
        inputMode="decimal"
      />
      <FormField
        name="chat.handler"
        as={optional}
        label="Handler"
        hint="chat, or plugin/handler. A handler answers the steps instead of the model."
        placeholder="chat"
        mono
      />
      <div className="mid:col-span-3">
        <FormField
          name="chat.parameters.providerOptions"
          as={json}
          label="Provider options"
          hint='Other options of the provider, as JSON: {"anthropic": {"serviceTier": "auto"}}'
          rows={3}
          mono
        />
      </div>
      <YesOrNo name="chat.attachments.images" label="Model reads images" />
      <YesOrNo name="chat.attachments.files" label="Model reads documents (PDF)" />
      <YesOrNo name="chat.userAfterTools" label="Accepts a message after tool results" />
    </div>
  </FormDetails>
)

/** Selects true, false or an unset value, with which the server decides by the model's name. */
function YesOrNo({ name, label }: { name: string; label: string }) {
  const { value, onChange, fault, ...field } = useFormValue<boolean | undefined>(name)
  return (
    <Labeled label={label} fault={fault}>
      {control => (
        <Select
          {...field}
          {...control}
          name={name}
          value={value === undefined ? '' : value ? 'yes' : 'no'}
          onChange={answer => onChange(answer === '' ? undefined : answer === 'yes')}
          options={answers}
          className="w-full"
        />
      )}
    </Labeled>
  )
}
