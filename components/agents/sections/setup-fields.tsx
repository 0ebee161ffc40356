import type { ReactNode } from 'react'
import { FormField } from '#components/forms/form-field.tsx'
import { FormSelect } from '#components/forms/form-select.tsx'
import type { KnownModels } from '#components/forms/known-models.ts'
import { FormModel } from '#components/forms/model-picker.tsx'
import { optional } from '#components/forms/text-format.ts'
import { AgentsField } from './agents-field.tsx'
import { ModelFields } from './model-fields.tsx'
import { Starters } from './starters.tsx'

/** The name and the description of an agent of either type. */
export const NameFields = () => (
  <div className="flex flex-col gap-4">
    <FormField name="displayName" label="Name" required />
    <FormField
      name="description"
      as={optional}
      label="Description"
      placeholder="Shown when someone picks an agent"
    />
  </div>
)

/** The first section of a chat agent: its model, its instructions and its starters. */
export const ChatSetup = ({ models, prompt }: { models: KnownModels; prompt: ReactNode }) => (
  <>
    <div className="flex flex-col gap-3">
      <div className="grid items-start gap-4 mid:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <FormModel name="chat.model" label="Model" known={models} unset="default" />
        <FormSelect
          name="chat.toolCalling"
          fallback="native"
          label="Tool calling"
          options={[
            { value: 'native', label: 'Native' },
            { value: 'text', label: 'Prompted (for models without tool support)' }
          ]}
          data-hook="tool-calling"
        />
      </div>
      <ModelFields />
    </div>
    <div className="relative">
      <FormField name="chat.instructions" label="Instructions" rows={10} grows />
      {prompt}
    </div>
    <Starters />
    <AgentsField
      name="chat.handoffs"
      label="Handoffs"
      hint="Agents that can take over. Each becomes a tool, such as handoff_to_billing."
      placeholder="None"
    />
    <FormSelect
      name="chat.buildKit"
      fallback=""
      label="Build kit"
      hint="The agent can propose changes to itself in sessions that editors start here."
      options={[
        { value: '', label: 'Default' },
        { value: 'on', label: 'On' },
        { value: 'off', label: 'Off' }
      ]}
      data-hook="agent-build-kit"
    />
  </>
)
