'use client'
import type { AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { SigningSecret } from '@waystation/protocol/external-agent/signing-secret.ts'
import { SchemaForm } from '#components/forms/schema-form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AgentEditor } from './agent-editor.tsx'
import type { AgentChoices } from './agent-fields.tsx'
import { AgentHistory, type SavedRevision } from './agent-history.tsx'
import { AgentSecrets } from './agent-secrets.tsx'
import { DraftActions } from './draft-actions.tsx'
import { DraftChanges } from './draft-changes.tsx'
import type { OpenedAgent } from './opened-agent.ts'
import { TestAgent } from './test-agent.tsx'
import { useAgentDraft } from './use-agent-draft.ts'

type AgentPageProps = AgentChoices & {
  opened: OpenedAgent
  history: readonly SavedRevision[]
  /** Undefined if the user cannot view them. */
  secrets: readonly SigningSecret[] | undefined
}

/** Shows and edits an agent. Changes are a draft until the user publishes them as the next revision. */
export function AgentPage({ opened, history, secrets, ...choices }: AgentPageProps) {
  const { me, newSession } = useWorkspace()
  const draft = useAgentDraft(opened, choices.tools)
  const { agent } = draft
  return (
    <Page
      title={agent.displayName}
      above={{ href: '/agents', label: 'Agents' }}
      actions={
        me.maySend ? (
          <Button data-hook="new-session" onClick={() => newSession(agent.agentId)}>
            New session
          </Button>
        ) : null
      }
    >
      <SchemaForm of={draft.of} onSubmit={draft.keep} className="flex flex-col gap-6">
        <DraftChanges draft={draft} mayEdit={me.mayEdit} />
        <AgentEditor {...choices} config={draft.of.input} type={agent.type} isNew={false} />
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-ground py-3">
          {me.mayEdit ? (
            <DraftActions draft={draft} />
          ) : (
            <p className="text-muted">
              You can view agents but not edit them. Ask an editor or owner for access.
            </p>
          )}
          <p
            role="status"
            data-hook="draft-outcome"
            data-failed={draft.said.failed || undefined}
            className={draft.said.failed ? 'text-fail' : 'text-muted'}
          >
            {draft.said.text}
          </p>
        </div>
      </SchemaForm>
      {agent.type === 'external' && me.mayEdit ? <TestAgent agentId={agent.agentId} /> : null}
      {sendsOut(agent) && secrets !== undefined ? (
        <AgentSecrets agentId={agent.agentId} external={agent.type === 'external'} secrets={secrets} />
      ) : null}
      <AgentHistory
        agentId={agent.agentId}
        revisions={history}
        draftVersion={draft.draft?.version}
        mayEdit={me.mayEdit}
        onRestored={revision => draft.load(`Published as revision ${revision}.`)}
      />
    </Page>
  )
}

/** True if the agent sends requests to other services. An embedded tool might. */
const sendsOut = (agent: AgentConfig) =>
  agent.type === 'external' || agent.chat.tools.some(tool => 'where' in tool || '@ag.embed' in tool)
