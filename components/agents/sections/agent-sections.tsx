import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { ToolLimits } from '@waystation/protocol/call/tool-settings.ts'
import type { ListedPlugin } from '@waystation/protocol/plugin/listed-plugin.ts'
import type { ReactNode } from 'react'
import type { ToolChoice } from '#components/agents/agent-form.ts'
import { ToolsSection } from '#components/agents/tools/tools-section.tsx'
import type { Section } from '#components/agents/use-section.ts'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import type { KnownModels } from '#components/forms/known-models.ts'
import { json } from '#components/forms/text-format.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { ApprovalFields } from './approval-fields.tsx'
import { ExternalFields } from './external-fields.tsx'
import { ChatLimits, OutOfBand } from './limit-fields.tsx'
import { ChatSetup, NameFields } from './setup-fields.tsx'
import type { Person } from './who-may-answer.tsx'

/** The choices that the fields of an agent offer. */
export type AgentChoices = {
  tools: readonly ToolChoice[]
  /** The plugins that agents can enable. */
  plugins: readonly ListedPlugin[]
  models: KnownModels
  /** The limits of an agent that sets none. */
  toolLimits: ToolLimits
  /** The members of the workspace, for the answer policy. */
  people: readonly Person[]
}

type AgentSectionsProps = AgentChoices & { type: AgentConfig['type']; section: Section; prompt: ReactNode }

/** The fields of an agent. All sections stay mounted, so that an error is always at its field. */
export function AgentSections({ type, section, prompt, ...choices }: AgentSectionsProps) {
  const { tools, plugins, models, toolLimits, people } = choices
  const hasPlugins = useFormValue('chat.plugins').value !== undefined
  const part = (name: Section, children: ReactNode) => (
    <div key={name} data-section={name} hidden={section !== name} className="flex flex-col gap-8">
      {children}
    </div>
  )
  if (type === 'external')
    return [
      part(
        'setup',
        <>
          <NameFields />
          <ExternalFields />
        </>
      ),
      part('limits', <OutOfBand />)
    ]
  return [
    part(
      'setup',
      <>
        <NameFields />
        <ChatSetup models={models} prompt={prompt} />
      </>
    ),
    part(
      'tools',
      <>
        <ToolsSection tools={tools} />
        {plugins.length === 0 && !hasPlugins ? null : (
          <FormDetails summary="Plugins that change turns" summaryClassName="font-semibold">
            <div className="pt-3">
              <FormField
                name="chat.plugins"
                as={json}
                label="Plugins as JSON"
                hint={pluginHint(plugins)}
                rows={4}
                mono
              />
            </div>
          </FormDetails>
        )}
      </>
    ),
    part('approvals', <ApprovalFields tools={tools} people={people} />),
    part(
      'limits',
      <>
        <ChatLimits defaults={toolLimits} />
        <OutOfBand />
      </>
    )
  ]
}

const pluginHint = (plugins: readonly ListedPlugin[]): string => {
  const has = plugins.map(({ name, description }) => (description ? `${name} (${description})` : name))
  return `In the order in which they run: [{"name", "config", "onFailure"}]. Available: ${has.join(', ') || 'none'}.`
}
