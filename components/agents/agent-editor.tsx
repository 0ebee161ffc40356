import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { type ComponentProps, useEffect, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { FormField } from '#components/forms/form-field.tsx'
import { json, type TextFormat } from '#components/forms/text-format.ts'
import { Tabs } from '#components/ui/tabs.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AgentFields } from './agent-fields.tsx'
import { type AgentForm, valuesOf } from './agent-form.ts'

type AgentEditorProps = ComponentProps<typeof AgentFields> & {
  /** The configuration that the form has now. */
  config: AgentConfig
}

/** An agent's configuration, as fields or as JSON. While the JSON is open, it is what the form saves. */
export function AgentEditor({ config, ...fields }: AgentEditorProps) {
  const [tab, setTab] = useState<'form' | 'json'>('form')
  const { me } = useWorkspace()
  const { getValues, setValue, trigger, watch } = useFormContext<AgentForm>()
  const open = watch('json') !== undefined
  // After a save, the form has the new configuration, and no JSON.
  useEffect(() => {
    if (tab === 'json' && !open) setValue('json', config)
  }, [tab, open, config, setValue])
  const select = (next: 'form' | 'json') => {
    if (next === 'form') {
      const values = valuesOf(getValues(), fields.tools)
      // The fields would replace a text that is no configuration.
      if (values.json !== undefined) return void trigger()
      const { agentId, type } = fields.isNew ? values : getValues()
      for (const [name, value] of Object.entries({ ...values, agentId, type, json: undefined }))
        setValue(name as keyof AgentForm, value as never, { shouldDirty: true })
    }
    setTab(next)
  }
  return (
    <Tabs
      label="Configuration"
      value={tab}
      onValueChange={select}
      tabs={[
        {
          name: 'form',
          label: 'Form',
          content: (
            <div className="flex flex-col gap-6 pt-4">
              <AgentFields {...fields} />
            </div>
          )
        },
        {
          name: 'json',
          label: 'JSON',
          content: (
            <fieldset disabled={!me.mayEdit} className="min-w-0 pt-4">
              <FormField
                name="json"
                as={whole}
                label="Configuration as JSON"
                hint="The whole configuration, as in the API. Open the form to see the same values as fields."
                rows={28}
                mono
              />
            </fieldset>
          )
        }
      ]}
    />
  )
}

/** JSON that is never unset, so that an empty text stays. */
const whole: TextFormat = { ...json, parse: typed => json.parse(typed) ?? typed }
