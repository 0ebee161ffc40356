'use client'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { useSchemaForm } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AgentEditor } from './agent-editor.tsx'
import type { AgentChoices } from './agent-fields.tsx'
import { type AgentForm, configOf, errorsOf, formOf } from './agent-form.ts'

/** The form that creates an agent with its first revision. */
export function NewAgentPage(choices: AgentChoices) {
  const { tools } = choices
  const router = useRouter()
  const { me } = useWorkspace()
  const of = useSchemaForm<AgentForm, AgentConfig>({
    saved: formOf(undefined, tools),
    inputOf: values => configOf(values, undefined, tools),
    check: errorsOf
  })
  const [said, setSaid] = useState('')
  const make = async (values: AgentForm) => {
    const reply = await replyTo(client.agents.create(configOf(values, undefined, tools)))
    setSaid(reply.ok ? '' : of.showErrors(reply))
    if (reply.ok) router.push(`/agents/${reply.body.agentId}`)
  }
  return (
    <Page title="New agent" above={{ href: '/agents', label: 'Agents' }}>
      <SchemaForm of={of} onSubmit={make} className="flex flex-col gap-6">
        <AgentEditor {...choices} config={of.input} type={of.values.type} isNew />
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-ground py-3">
          {me.mayEdit ? (
            <Button
              data-hook="create-agent"
              type="submit"
              tone="primary"
              disabled={of.form.formState.isSubmitting}
            >
              Create agent
            </Button>
          ) : (
            <p className="text-muted">
              You can view agents but not create them. Ask an editor or owner for access.
            </p>
          )}
          <p role="status" className="text-fail">
            {said}
          </p>
        </div>
      </SchemaForm>
    </Page>
  )
}
