'use client'
import { type Agent, agentToolName } from '@waystation/protocol/agent/agent.ts'
import { useRouter } from 'next/navigation'
import { Button } from '#components/ui/button.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Lists the agents of the workspace with their revision, model or host, and tools. */
export function AgentList({ agents }: { agents: readonly Agent[] }) {
  const { me, newSession } = useWorkspace()
  const router = useRouter()
  const actions = (
    <>
      <Link href="/catalogue" data-hook="open-catalogue" className="tap inline-flex items-center">
        Catalog
      </Link>
      {me.mayEdit ? (
        <Button onClick={() => router.push('/agents/new')} data-hook="create-agent">
          New agent
        </Button>
      ) : null}
    </>
  )
  return (
    <Page title="Agents" actions={actions}>
      {agents.length === 0 ? (
        <p className="max-w-[68ch]">
          No agents yet. An agent has instructions for a model and tools that it can use.{' '}
          {me.mayEdit ? 'To create one, select “New agent”.' : 'Ask an editor or owner to create one.'}
        </p>
      ) : (
        <ul className="border-t">
          {agents.map(agent => (
            <li
              key={agent.agentId}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-3"
            >
              <div className="min-w-0">
                <Link
                  href={`/agents/${agent.agentId}`}
                  className="tap inline-flex items-center text-person font-semibold"
                >
                  {agent.displayName}
                </Link>
                {agent.description ? <p>{agent.description}</p> : null}
                <p className="truncate font-mono text-mono text-muted">{factsOf(agent)}</p>
              </div>
              {me.maySend ? <Button onClick={() => newSession(agent.agentId)}>New session</Button> : null}
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

const factsOf = (agent: Agent) =>
  [
    `${agent.agentId} @ ${agent.revision}`,
    ...(agent.type === 'external'
      ? ['external', new URL(agent.external.inputUrl).host]
      : [agent.chat.model, ...agent.chat.tools.map(agentToolName)])
  ].join(' · ')
