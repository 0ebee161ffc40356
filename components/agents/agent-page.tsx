'use client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { faultOf } from '#components/session/fault-of.ts'
import { httpTo } from '#components/session/http.ts'
import { Page } from '#components/shell/page.tsx'
import { useShell } from '#components/shell/shell-context.ts'
import { Button } from '#components/ui/button.tsx'
import type { Agent } from '#lib/protocol/agent.ts'
import type { SigningSecret } from '#lib/protocol/signing-secret.ts'
import { type AgentDraft, configOf, draftOf, type ToolChoice } from './agent-draft.ts'
import { AgentFields } from './agent-fields.tsx'
import { AgentHistory, type SavedRevision } from './agent-history.tsx'
import { AgentSecrets } from './agent-secrets.tsx'
import type { Person } from './who-may-answer.tsx'

type AgentPageProps = {
  agent?: Agent
  tools: readonly ToolChoice[]
  people: readonly Person[]
  history?: readonly SavedRevision[]
  secrets?: readonly SigningSecret[]
}

/** An agent to read and to change; without one, the form that makes it. Saving begins a revision. */
export function AgentPage({ agent, tools, people, history = [], secrets = [] }: AgentPageProps) {
  const router = useRouter()
  const { me, newSession } = useShell()
  const [draft, setDraft] = useState(() => draftOf(agent, tools))
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [said, setSaid] = useState('')
  const [busy, setBusy] = useState(false)
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(agent, tools))

  const save = async (event: FormEvent) => {
    event.preventDefault()
    const made = configOf(draft, agent)
    if ('fault' in made) return setFaults({ external: made.fault })
    setBusy(true)
    const reply = await (agent === undefined
      ? httpTo('')<Agent>('POST', '/api/agents', made.config)
      : httpTo('')<Agent>('PUT', `/api/agents/${agent.agentId}`, {
          ...made.config,
          revision: agent.revision
        }))
    setBusy(false)
    if (!reply.ok) {
      setFaults(reply.lost ? {} : formFields(reply.refusal.fields ?? {}))
      return setSaid(faultOf(reply))
    }
    setFaults({})
    setSaid(`Saved as revision ${reply.body.revision}.`)
    setDraft(draftOf(reply.body, tools))
    if (agent === undefined) router.push(`/agents/${reply.body.agentId}`)
    router.refresh()
  }

  return (
    <Page
      title={agent?.displayName ?? 'New agent'}
      above={{ href: '/agents', label: 'Agents' }}
      actions={
        agent && me.maySend ? <Button onClick={() => newSession(agent.agentId)}>New session</Button> : null
      }
    >
      <form onSubmit={save} className="flex max-w-[760px] flex-col gap-6">
        <fieldset disabled={!me.mayEdit} className="contents">
          <AgentFields
            draft={draft}
            tools={tools}
            people={people}
            isNew={agent === undefined}
            faults={faults}
            change={(part: Partial<AgentDraft>) => setDraft(before => ({ ...before, ...part }))}
          />
        </fieldset>
        <div className="sticky bottom-0 flex flex-wrap items-center gap-3 border-t bg-ground py-3">
          {me.mayEdit ? (
            <Button type="submit" tone="primary" disabled={busy || !changed}>
              {agent === undefined ? 'Make agent' : 'Save as next revision'}
            </Button>
          ) : (
            <p className="text-muted">Your role here may look at agents, not change them.</p>
          )}
          <p role="status" className={Object.keys(faults).length > 0 ? 'text-fail' : 'text-muted'}>
            {said}
          </p>
        </div>
      </form>
      {agent && sendsOut(agent) ? (
        <AgentSecrets agentId={agent.agentId} external={agent.type === 'external'} secrets={secrets} />
      ) : null}
      {agent ? <AgentHistory revisions={history} /> : null}
    </Page>
  )
}

/** Whether anything of this agent goes to another system. */
const sendsOut = (agent: Agent) => agent.type === 'external' || agent.chat.tools.some(tool => 'where' in tool)

/** Where the form shows what the server said about a place in the configuration. */
function formFields(fields: Record<string, string>): Record<string, string> {
  const placeOf = (path: string) => {
    if (path.startsWith('chat.tools')) return 'external'
    return path.split('.').at(-1) ?? path
  }
  return Object.fromEntries(Object.entries(fields).map(([path, words]) => [placeOf(path), words]))
}
