import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { FormField } from '#components/forms/form-field.tsx'
import { FormSelect } from '#components/forms/form-select.tsx'
import { json, optional, trimmed } from '#components/forms/text-format.ts'
import { Tabs } from '#components/ui/tabs.tsx'
import type { EntryValues } from './entry-values.ts'

type EntryFieldsProps = {
  isNew: boolean
  kind: EntryValues['kind']
  tool: EntryValues['data']['parameters']['tool']
}

/** The fields of an own entry of the catalog: a tool, as a form or as JSON, or a skill. */
export function EntryFields({ isNew, kind, tool }: EntryFieldsProps) {
  const [tab, setTab] = useState<'form' | 'json'>('form')
  const { trigger } = useFormContext()
  return (
    <>
      <div className="grid gap-4 mid:grid-cols-2">
        <FormField name="name" label="Name" required />
        <FormField
          name="slug"
          as={trimmed}
          label="Slug"
          hint={isNew ? "Lowercase letters, digits, - and _. Can't be changed later." : "Can't be changed."}
          readOnly={!isNew}
          required
          mono
        />
      </div>
      <FormField name="description" label="Description" rows={2} />
      {isNew ? (
        <FormSelect
          name="kind"
          fallback="tool"
          label="Kind"
          hint="A tool can be called. A skill is a text that follows the agent's instructions."
          options={[
            { value: 'tool', label: 'Tool' },
            { value: 'skill', label: 'Skill' }
          ]}
          data-hook="entry-kind"
        />
      ) : null}
      {kind === 'skill' ? (
        <FormField name="data.parameters.text" label="Text" rows={12} required />
      ) : (
        <Tabs
          label="Tool definition"
          value={tab}
          // A form would replace a text with a syntax error.
          onValueChange={next => (isJsonObject(tool) ? setTab(next) : void trigger())}
          tabs={[
            {
              name: 'form',
              label: 'Form',
              content: <ToolFields where={isJsonObject(tool) ? tool.where : ''} />
            },
            {
              name: 'json',
              label: 'JSON',
              content: (
                <div className="pt-4">
                  <FormField name="data.parameters.tool" as={json} label="Tool as JSON" rows={20} mono />
                </div>
              )
            }
          ]}
        />
      )}
    </>
  )
}

const toolPath = 'data.parameters.tool'

/** The fields of a tool. They depend on the place where its calls are fulfilled. */
const ToolFields = ({ where }: { where: unknown }) => (
  <div className="flex flex-col gap-4 pt-4">
    <div className="grid gap-4 mid:grid-cols-2">
      <FormField name={`${toolPath}.name`} as={trimmed} label="Tool name" required mono />
      <FormSelect
        name={`${toolPath}.where`}
        fallback="external"
        label="Runs in"
        options={[
          { value: 'external', label: 'An external service' },
          { value: 'browser', label: "The user's browser" }
        ]}
        data-hook="entry-where"
      />
    </div>
    <FormField name={`${toolPath}.description`} label="Description for the model" rows={3} />
    {where === 'browser' ? (
      <FormField
        name={`${toolPath}.render.kind`}
        as={trimmed}
        label="Widget"
        hint="Such as connect. Without a widget of this name, the user sees a generic form."
        required
        mono
      />
    ) : (
      <FormField
        name={`${toolPath}.url`}
        as={trimmed}
        label="URL"
        hint="Receives each call as JSON, signed with a secret of the agent."
        inputMode="url"
        required
        mono
      />
    )}
    <FormField name={`${toolPath}.title`} as={optional} label="Display name" />
    <FormSelect
      name={`${toolPath}.approval`}
      fallback="auto"
      label="Approval"
      options={[
        { value: 'auto', label: 'Run automatically' },
        { value: 'ask', label: 'Ask for approval' }
      ]}
    />
    <FormField
      name={`${toolPath}.inputSchema`}
      as={json}
      label="Input (JSON Schema)"
      rows={6}
      required
      mono
    />
    <FormField
      name={`${toolPath}.outputSchema`}
      as={json}
      label={where === 'browser' ? 'Output (JSON Schema)' : 'Output (JSON Schema, optional)'}
      rows={4}
      mono
    />
  </div>
)
