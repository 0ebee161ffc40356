'use client'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
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

type Start = AgentForm['type'] | 'copy'

/** The templates of a new agent. Its type can't be changed later. */
const starts: { value: Start; label: string; hint: string }[] = [
  { value: 'chat', label: 'Chat agent', hint: 'A model replies and calls tools.' },
  { value: 'external', label: 'External agent', hint: 'Your own service replies, now or later.' },
  { value: 'copy', label: 'Copy of an agent', hint: 'Its configuration, with a new name.' }
]

/** Creates an agent from a few fields, or as a copy of another one. Its page has all other fields. */
export function NewAgentPage({ tools, models }: NewAgentPageProps) {
  const router = useRouter()
  const { me, agents } = useWorkspace()
  const of = useSchemaForm<AgentForm, AgentConfig>({
    saved: formOf(undefined, tools),
    inputOf: values => configOf(values, undefined, tools),
    check: errorsOf
  })
  const [said, setSaid] = useState('')
  const [source, setSource] = useState('')
  const { form, values } = of
  const { type, displayName, agentId } = values
  /** The ID that was made from the name. The user has not changed it. */
  const made = useRef('')
  useEffect(() => {
    if (form.getValues('agentId') !== made.current) return
    made.current = idOf(displayName)
    form.setValue('agentId', made.current, { shouldValidate: form.formState.isSubmitted })
  }, [displayName, form])
  /** Fills the fields with the configuration of an agent, or empties them. The typed name and ID stay. */
  const fill = (source?: AgentConfig) => {
    const { displayName, agentId } = form.getValues()
    const copied = source && { displayName: `${source.displayName.slice(0, 70)} (copy)` }
    form.reset({ ...formOf(source, tools), displayName, agentId, ...(displayName === '' && copied) })
  }
  const copy = async (agentId: string) => {
    setSource(agentId)
    const reply = await replyTo(client.agents.get(agentId))
    if (reply.ok) fill(reply.body)
    else setSaid(changeError(reply))
  }
  const startFrom = (start: Start) => {
    if (start === 'copy') return void copy(agents[0]?.agentId ?? '')
    if (source !== '') fill()
    setSource('')
    form.setValue('type', start, { shouldDirty: true })
  }
  const from = useSearchParams().get('from')
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once
  useEffect(() => {
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
              value={source === '' ? type : 'copy'}
              onChange={startFrom}
              options={agents.length === 0 ? starts.slice(0, 2) : starts}
              className="grid items-stretch gap-3 mid:grid-cols-3"
              itemClassName="items-baseline rounded-sm border p-3 hover:bg-panel has-checked:border-ink"
            />
            {source === '' ? null : (
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
            <FormField name="displayName" label="Name" required />
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
              placeholder="Shown when someone picks an agent"
            />
          </Group>
          <Group title={type === 'chat' ? 'Behavior' : 'Service'}>
            {type === 'chat' ? (
              <>
                <FormModel name="chat.model" label="Model" known={models} unset="default" />
                <FormField name="chat.instructions" label="Instructions" rows={8} grows />
              </>
            ) : (
              <FormField
                name="external.inputUrl"
                as={trimmed}
                label="Input URL"
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
