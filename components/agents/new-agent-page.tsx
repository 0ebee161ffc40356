'use client'
import { type AgentConfig, type BuiltInTool, ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { useRouter, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { FormDetails } from '#components/forms/form-details.tsx'
import { FormField } from '#components/forms/form-field.tsx'
import type { KnownModels } from '#components/forms/known-models.ts'
import { FormModel } from '#components/forms/model-picker.tsx'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { optional, trimmed } from '#components/forms/text-format.ts'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { Labeled } from '#components/ui/field.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { Select } from '#components/ui/select.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { type AgentForm, configOf, errorsOf, formOf, type ToolChoice } from './agent-form.ts'

type NewAgentPageProps = { tools: readonly ToolChoice[]; models: KnownModels }

type Template = { value: string; label: string; hint: string; instructions: string; tools: BuiltInTool[] }
type Start = Omit<Template, 'instructions' | 'tools'> & Partial<Template>

/** They fill the form with a name, instructions and tools. */
const templates: Template[] = [
  {
    value: 'research',
    label: 'Web researcher',
    hint: 'Reads web pages, each after an approval.',
    instructions: 'You answer questions from web pages. Read at least two, and name them in your answer.',
    tools: [{ name: 'web-fetch', approval: 'ask' }, { name: 'ask-question' }]
  },
  {
    value: 'wiki',
    label: 'Wiki editor',
    hint: 'Answers from your wikis, and proposes changes.',
    instructions: 'You answer questions from the wikis. If a page is wrong or missing, propose the change.',
    tools: [{ name: 'wiki-search' }, { name: 'wiki-write', approval: 'ask' }]
  },
  {
    value: 'reminders',
    label: 'Reminder',
    hint: 'Sets alarms, and continues when they ring.',
    instructions:
      'You remind the user of things. Ask for a missing time. When one is due, ask if it is done.',
    tools: ['alarm-clock', 'list-alarms', 'cancel-alarm', 'ask-question'].map(name => ({ name }))
  }
]

const blank: Start = { value: 'chat', label: 'Blank agent', hint: 'A model, with tools that you add later.' }
const others: Start[] = [
  { value: 'external', label: 'External agent', hint: 'Your own service replies, now or later.' },
  { value: 'copy', label: 'Copy of an agent', hint: 'Its configuration, with a new name.' }
]

/** Creates an agent from a few fields, a template or another agent. Its page has all other fields. */
export function NewAgentPage({ tools, models }: NewAgentPageProps) {
  const router = useRouter()
  const { me, agents } = useWorkspace()
  const of = useSchemaForm<AgentForm, AgentConfig>({
    saved: formOf(undefined, tools),
    inputOf: values => configOf(values, undefined, tools),
    check: errorsOf
  })
  const [said, setSaid] = useState('')
  const [start, setStart] = useState('chat')
  const [source, setSource] = useState('')
  const { form, values } = of
  const { type, displayName, agentId } = values
  const offered = new Set(tools.filter(tool => tool.unavailable === undefined).map(({ name }) => name))
  /** The ID that was made from the name. The user has not changed it. */
  const made = useRef('')
  useEffect(() => {
    if (form.getValues('agentId') !== made.current) return
    made.current = idOf(displayName)
    form.setValue('agentId', made.current, { shouldValidate: form.formState.isSubmitted })
  }, [displayName, form])
  /** The name that a template has filled in. The user has not changed it. */
  const filled = useRef('')
  /** Fills the fields with a configuration, or empties them. A typed name and ID stay. */
  const fill = (source?: AgentConfig, name = '') => {
    const { displayName, agentId } = form.getValues()
    const isTyped = displayName !== filled.current
    if (!isTyped) filled.current = name
    form.reset({ ...formOf(source, tools), agentId, displayName: isTyped ? displayName : name })
  }
  const copy = async (agentId: string) => {
    setStart('copy')
    setSource(agentId)
    const reply = await replyTo(client.agents.get(agentId))
    if (reply.ok) fill(reply.body, `${reply.body.displayName.slice(0, 70)} (copy)`)
    else setSaid(changeError(reply))
  }
  const startFrom = (next: string) => {
    if (next === 'copy') return void copy(agents[0]?.agentId ?? '')
    setStart(next)
    const template = templates.find(({ value }) => value === next)
    if (template !== undefined) {
      const { label: displayName, hint: description, instructions, tools } = template
      const chat = ChatConfig.parse({ instructions, tools })
      fill({ agentId: next, displayName, description, type: 'chat', chat }, displayName)
    } else {
      // The typed values stay if the form has only those.
      if (start !== 'chat' && start !== 'external') fill()
      form.setValue('type', next === 'external' ? next : 'chat', { shouldDirty: true })
    }
  }
  const from = useSearchParams().get('from')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once
  useEffect(() => {
    form.setFocus('displayName')
    if (from !== null) void copy(from)
  }, [])
  const make = async (values: AgentForm) => {
    const reply = await replyTo(client.agents.create(configOf(values, undefined, tools)))
    setSaid(reply.ok ? '' : of.showErrors(reply))
    if (reply.ok) router.push(`/agents/${reply.body.agentId}`)
  }
  return (
    <Page title="New agent" above={{ href: '/agents', label: 'Agents' }}>
      {me.mayEdit ? (
        <SchemaForm of={of} onSubmit={make} className="flex flex-col gap-8">
          <Group title="Start from">
            <RadioList
              legend="Start from"
              hideLegend
              name="type"
              value={start}
              onChange={startFrom}
              options={[
                blank,
                ...templates.filter(one => one.tools.every(({ name }) => offered.has(name))),
                ...others.slice(0, agents.length === 0 ? 1 : 2)
              ]}
              className="grid items-stretch gap-3 mid:grid-cols-3"
              itemClassName="items-baseline rounded-sm border p-3 hover:bg-panel has-checked:border-ink"
            />
            {start !== 'copy' ? null : (
              <Labeled label="Agent to copy">
                {control => (
                  <Select
                    {...control}
                    data-hook="copy-agent"
                    value={source}
                    onChange={agentId => void copy(agentId)}
                    options={agents.map(agent => ({ value: agent.agentId, label: agent.displayName }))}
                  />
                )}
              </Labeled>
            )}
          </Group>
          <Group title="Agent">
            <FormField name="displayName" label="Name" placeholder="Order desk" required />
            <FormDetails
              data-hook="agent-id-details"
              summary={
                <>
                  ID{' '}
                  <code className="pl-1 font-mono text-mono text-muted">{agentId || '(from the name)'}</code>
                </>
              }
            >
              <div className="pt-2">
                <FormField
                  name="agentId"
                  as={trimmed}
                  label="ID"
                  hint="Letters, digits, - and _. Can't be changed later."
                  required
                  mono
                />
              </div>
            </FormDetails>
            <FormField
              name="description"
              as={optional}
              label="Description"
              placeholder="Answers questions about orders"
              hint="Shown when someone picks an agent."
            />
          </Group>
          <Group title={type === 'chat' ? 'Behavior' : 'Service'}>
            {type === 'chat' ? (
              <>
                <FormModel name="chat.model" label="Model" known={models} unset="default" />
                <FormField
                  name="chat.instructions"
                  label="Instructions"
                  placeholder="You answer questions about orders. Look each order up before you answer."
                  rows={8}
                  grows
                />
                {Object.keys(values.builtIn).length === 0 ? null : (
                  <div>
                    <p className="font-semibold">Tools</p>
                    <p data-hook="template-tools" className="font-mono text-mono text-muted">
                      {Object.keys(values.builtIn).join(', ')}
                    </p>
                  </div>
                )}
              </>
            ) : (
              <FormField
                name="external.inputUrl"
                as={trimmed}
                label="Input URL"
                placeholder="https://example.com/messages"
                hint="Each message is sent to this URL as JSON, with the callbackUrl for replies."
                inputMode="url"
                required
                mono
              />
            )}
          </Group>
          <div className="flex flex-wrap items-center gap-3 split:pl-[272px]">
            <Button
              data-hook="create-agent"
              type="submit"
              tone="primary"
              disabled={form.formState.isSubmitting}
            >
              Create agent
            </Button>
            <Link href="/agents" className="tap inline-flex items-center text-muted">
              Cancel
            </Link>
            <p role="status" className="text-fail">
              {said}
            </p>
          </div>
        </SchemaForm>
      ) : (
        <p className="text-muted">
          You can view agents but not create them. Ask an editor or owner for access.
        </p>
      )}
    </Page>
  )
}

/** A group of fields, beside its heading on wide screens. */
const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="grid items-start gap-x-8 gap-y-3 border-b pb-8 split:grid-cols-[240px_minmax(0,1fr)]">
    <h2 className="text-person font-semibold">{title}</h2>
    <div className="grid min-w-0 items-start gap-4">{children}</div>
  </section>
)

/** Returns an ID that resembles a name. Empty if the name has no usable character. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
