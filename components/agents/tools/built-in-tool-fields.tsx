import { spawnTool } from '@waystation/protocol/agent/agent.ts'
import { httpRequestTool } from '@waystation/protocol/call/tool-names.ts'
import { useWatch } from 'react-hook-form'
import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { AgentsField } from '#components/agents/sections/agents-field.tsx'
import { WikisField } from '#components/agents/sections/wikis-field.tsx'
import { FormAmount } from '#components/forms/form-amount.tsx'
import { FormDuration } from '#components/forms/form-duration.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { json } from '#components/forms/text-format.ts'

const servicesHint =
  'As JSON: [{"integration": "google", "hosts": ["www.googleapis.com"], "methods": ["GET"]}]. Without hosts, all hosts of the service. Without methods, only GET.'

/** The settings of an enabled built-in tool. */
export function BuiltInToolFields({ tool: { name, where, description } }: { tool: ToolChoice }) {
  const field = (setting: string) => `builtIn.${name}.${setting}`
  const isRequest = name === httpRequestTool
  return (
    <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
      {isRequest ? (
        <div className="mid:col-span-2">
          <FormField name={field('services')} as={json} label="Services" hint={servicesHint} rows={6} mono />
        </div>
      ) : null}
      {name === spawnTool ? (
        <AgentsField
          name={field('agents')}
          label="Agents that it can start"
          hint="It can always start a copy of itself."
          placeholder="None"
        />
      ) : null}
      {name.startsWith('wiki-') || name === 'zx-script' ? <WikisField name={field('wikis')} /> : null}
      {where === 'server' ? (
        <FormDuration name={field('timeoutSeconds')} label="Timeout" placeholder="Default" />
      ) : null}
      <FormDuration
        name={field('deadlineSeconds')}
        label="Deadline of a request"
        placeholder="Default"
        hint="How long a request to a person stays open, up to 30 days."
      />
      <FormAmount
        name={field('duration')}
        label="Results in the prompt"
        unit="steps"
        hint="For how many later steps they stay."
        placeholder="All"
      />
      {description === '' ? null : (
        <div className="mid:col-span-2">
          <p className="font-semibold">Text for the model</p>
          <p className="max-w-[68ch] text-muted whitespace-pre-wrap">{description}</p>
        </div>
      )}
    </div>
  )
}

/** Shows how many settings of a built-in tool have a value, because they are closed. */
export function SetCount({ name }: { name: string }) {
  const tool = useWatch<AgentForm, `builtIn.${string}`>({ name: `builtIn.${name}` })
  const { name: _, approval: __, answer: ___, ...settings } = tool ?? {}
  const count = Object.values(settings).filter(setting => setting !== undefined).length
  return count === 0 ? null : <span> · {count} set</span>
}
