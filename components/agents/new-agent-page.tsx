'use client'
import type { Agent } from '@waystation/protocol/agent/agent.ts'
import type { ListedPlugin } from '@waystation/protocol/plugin/listed-plugin.ts'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { httpTo } from '#components/browser/http.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { configOf, draftOf, type ToolChoice } from './agent-draft.ts'
import { AgentFields } from './agent-fields.tsx'
import { type FormErrors, formErrors, missingFields, useFocusedFault } from './form-fields.ts'
import type { Person } from './who-may-answer.tsx'

type NewAgentPageProps = {
  tools: readonly ToolChoice[]
  plugins: readonly ListedPlugin[]
  people: readonly Person[]
}

/** The form that creates an agent with its first revision. */
export function NewAgentPage({ tools, plugins, people }: NewAgentPageProps) {
  const router = useRouter()
  const { me } = useWorkspace()
  const [form, setForm] = useState(() => draftOf(undefined, tools))
  const [errors, setErrors] = useState<FormErrors>({ faults: {}, text: '' })
  useFocusedFault(errors.faults)
  const [make, busy] = useAction(async () => {
    const missing = missingFields(form)
    if (missing !== undefined) return setErrors(missing)
    const made = configOf(form, undefined, tools)
    if ('fault' in made) return setErrors({ faults: { external: made.fault }, text: '' })
    const reply = await httpTo('')<Agent>('POST', '/api/agents', made.config)
    if (reply.ok) return router.push(`/agents/${reply.body.agentId}`)
    const { faults, text } = formErrors(reply.lost ? {} : (reply.refusal.fields ?? {}), made.config)
    setErrors({ faults, text: text || changeError(reply) })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void make()
  }
  return (
    <Page title="New agent" above={{ href: '/agents', label: 'Agents' }}>
      <form noValidate onSubmit={submit} className="flex max-w-[760px] flex-col gap-6">
        <fieldset disabled={!me.mayEdit} className="contents">
          <AgentFields
            draft={form}
            tools={tools}
            plugins={plugins}
            people={people}
            isNew
            faults={errors.faults}
            change={part => setForm(before => ({ ...before, ...part }))}
          />
        </fieldset>
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-ground py-3">
          {me.mayEdit ? (
            <Button data-hook="create-agent" type="submit" tone="primary" disabled={busy}>
              Create agent
            </Button>
          ) : (
            <p className="text-muted">
              You can view agents but not create them. Ask an editor or owner for access.
            </p>
          )}
          <p role="status" className="whitespace-pre-line text-fail">
            {errors.text}
          </p>
        </div>
      </form>
    </Page>
  )
}
