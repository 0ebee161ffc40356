import { spawnTool } from '@waystation/protocol/agent/agent.ts'
import { httpRequestTool } from '@waystation/protocol/call/tool-names.ts'
import { useWatch } from 'react-hook-form'
import type { AgentForm, ToolChoice } from '#components/agents/agent-form.ts'
import { WikisField } from '#components/agents/sections/wikis-field.tsx'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import { amount, json, names } from '#components/forms/text-format.ts'

const servicesHint =
  'As JSON: [{"integration": "google", "hosts": ["www.googleapis.com"], "methods": ["GET"]}]. Without hosts, all hosts of the service. Without methods, only GET.'

/** The settings of an enabled built-in tool. `http-request` requires one, so its settings are open. */
export function BuiltInToolFields({ tool: { name, where, description } }: { tool: ToolChoice }) {
  const field = (setting: string) => `builtIn.${name}.${setting}`
  const isRequest = name === httpRequestTool
  return (
    <FormDetails
      open={isRequest}
      data-hook="tool-settings"
      className="col-span-full text-muted max-mid:order-2"
      summary={
        <>
          Settings<span className="sr-only"> of {name}</span>
          <SetCount name={name} />
        </>
      }
    >
      <div className="grid items-start gap-x-4 gap-y-3 pt-2 pb-2 text-ink mid:grid-cols-2">
        {isRequest ? (
          <div className="mid:col-span-2">
            <FormField
              name={field('services')}
              as={json}
              label="Services"
              hint={servicesHint}
              rows={6}
              mono
            />
          </div>
        ) : null}
        {name === spawnTool ? (
          <FormField
            name={field('agents')}
            as={names}
            label="Agents that it can start"
            hint="Agent IDs, separated by commas. It can always start a copy of itself."
            mono
          />
        ) : null}
        {name.startsWith('wiki-') || name === 'zx-script' ? <WikisField name={field('wikis')} /> : null}
        {where === 'server' ? (
          <FormField
            name={field('timeoutSeconds')}
            as={amount}
            label="Timeout (seconds)"
            hint="Leave empty to use the tool's own timeout, or else the agent's."
            inputMode="decimal"
          />
        ) : null}
        <FormField
          name={field('deadlineSeconds')}
          as={amount}
          label="Deadline of a request (seconds)"
          hint="How long a request to a person stays open. Up to 2592000 (30 days)."
          inputMode="numeric"
        />
        <FormField
          name={field('duration')}
          as={amount}
          label="Steps in the prompt"
          hint="For how many later steps its results stay in the prompt. Leave empty for all."
          inputMode="numeric"
        />
        {description === '' ? null : (
          <div className="mid:col-span-2">
            <p className="font-semibold">Text for the model</p>
            <p className="max-w-[68ch] text-muted whitespace-pre-wrap">{description}</p>
          </div>
        )}
      </div>
    </FormDetails>
  )
}

/** Shows how many settings have a value, because they are closed. */
function SetCount({ name }: { name: string }) {
  const tool = useWatch<AgentForm, `builtIn.${string}`>({ name: `builtIn.${name}` })
  const { name: _, approval: __, answer: ___, ...settings } = tool ?? {}
  const count = Object.values(settings).filter(setting => setting !== undefined).length
  return count === 0 ? null : <span> · {count} set</span>
}
