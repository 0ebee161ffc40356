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

/** The numbers of a model, at their path in the configuration of a chat agent. */
const amounts = [
  ['parameters.temperature', 'Temperature', "0 to 2. Leave empty for the provider's default."],
  ['parameters.topP', 'Top P', '0 to 1.'],
  ['parameters.maxOutputTokens', 'Output tokens per step', 'A longer answer is cut off.'],
  ['parameters.reasoningBudget', 'Reasoning tokens', 'Instead of an effort. Some providers ignore it.'],
  ['parameters.seed', 'Seed', 'Some providers then repeat an answer to the same prompt.'],
  ['price.inputPerMillion', 'US$ per million input tokens', 'For models without a list price.'],
  ['price.outputPerMillion', 'US$ per million output tokens', undefined]
] as const

/** Settings of the model that most agents leave empty: parameters, files, price and the handler. */
export const ModelFields = () => (
  <FormDetails
    data-hook="model-settings"
    summary="Model parameters, price and handler"
    summaryClassName="font-semibold"
  >
    <div className="grid items-start gap-x-4 gap-y-3 pt-3 mid:grid-cols-3">
      {amounts.map(([name, label, hint]) => (
        <FormField
          key={name}
          name={`chat.${name}`}
          as={amount}
          label={label}
          hint={hint}
          inputMode="decimal"
        />
      ))}
      <FormSelect
        name="chat.parameters.reasoning"
        fallback=""
        label="Reasoning effort"
        options={efforts}
        data-hook="reasoning-effort"
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
