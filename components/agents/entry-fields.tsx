import { isJsonObject } from '@waystation/protocol/json-object.ts'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { FormSelect } from '#components/forms/form-select.tsx'
import { json, optional, trimmed } from '#components/forms/text-format.ts'
import { Tabs } from '#components/ui/tabs.tsx'
import type { EntryValues } from './entry-values.ts'

type EntryFieldsProps = {
  isNew: boolean
  kind: EntryValues['kind']
  tool: EntryValues['data']['parameters']['tool']
  /** The slug that is derived from the name, if the user enters none. */
  slug: string
}

/** The fields of an own entry of the catalog: a tool, as a form or as JSON, or a skill. */
export function EntryFields({ isNew, kind, tool, slug }: EntryFieldsProps) {
  const [tab, setTab] = useState<'form' | 'json'>('form')
  const { trigger } = useFormContext()
  return (
    <>
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
      <FormField name="name" label="Name" required />
      <FormField
        name="description"
        label="Description"
        hint={isNew && kind === 'tool' ? 'People and the model read it.' : undefined}
        rows={3}
      />
      {isNew ? (
        <FormDetails
          summary={kind === 'tool' ? 'Slug and tool name' : 'Slug'}
          summaryClassName="tap text-muted"
          data-hook="entry-names"
        >
          <div className="grid gap-4 pt-2 mid:grid-cols-2">
            <FormField
              name="slug"
              as={trimmed}
              label="Slug"
              hint="Can't be changed later."
              placeholder={slug}
              mono
            />
            {kind === 'tool' && isJsonObject(tool) && tab === 'form' ? (
              <FormField name={`${toolPath}.name`} as={trimmed} label="Tool name" placeholder={slug} mono />
            ) : null}
          </div>
        </FormDetails>
      ) : null}
      {kind === 'skill' ? (
        <FormField name="data.parameters.text" label="Text" rows={12} required />
      ) : (
        <div className="[&_[role=tablist]]:-ml-4">
          <Tabs
            label="Tool definition"
            value={tab}
            // A form would replace a text with a syntax error.
            onValueChange={next => (isJsonObject(tool) ? setTab(next) : void trigger())}
            tabs={[
              {
                name: 'form',
                label: 'Form',
                content: <ToolFields tool={isJsonObject(tool) ? tool : {}} isNew={isNew} />
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
        </div>
      )}
    </>
  )
}

const toolPath = 'data.parameters.tool'

type ToolFieldsProps = { tool: Record<string, unknown>; isNew: boolean }

/** The fields of a tool. They depend on the place where its calls are fulfilled. */
function ToolFields({ tool: { where, description }, isNew }: ToolFieldsProps) {
  const [hasOwnText] = useState(description !== '')
  return (
    <div className="flex flex-col gap-4 pt-4">
      {isNew ? null : <FormField name={`${toolPath}.name`} as={trimmed} label="Tool name" required mono />}
      {hasOwnText ? (
        <FormField name={`${toolPath}.description`} label="Description for the model" rows={3} />
      ) : null}
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
}
