'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { age } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Input } from '#components/ui/input.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AgentMenu } from './agent-menu.tsx'
import type { ListedAgent } from './listed-agent.ts'

/** From this number of agents, the list has a search. */
const fewest = 8

/** Lists the agents of the workspace with how they are used. */
export function AgentList({ agents }: { agents: readonly ListedAgent[] }) {
  const { me } = useWorkspace()
  const router = useRouter()
  const [query, setQuery] = useState('')
  const words = query.toLowerCase().split(/\s+/)
  const found = agents.filter(({ displayName, agentId, description = '' }) =>
    words.every(word => `${displayName} ${agentId} ${description}`.toLowerCase().includes(word))
  )
  const newAgent = me.mayEdit ? (
    <Button tone="primary" onClick={() => router.push('/agents/new')} data-hook="create-agent">
      New agent
    </Button>
  ) : null
  const actions = (
    <>
      <Button onClick={() => router.push('/catalogue')} data-hook="open-catalogue">
        Catalog
      </Button>
      {agents.length > 0 ? newAgent : null}
    </>
  )
  return (
    <Page title="Agents" actions={actions}>
      {agents.length === 0 ? (
        <Empty title="No agents yet" action={newAgent ?? undefined}>
          An agent has instructions for a model and tools that it can use.{' '}
          {me.mayEdit ? '' : 'Ask an editor or owner to create one.'}
        </Empty>
      ) : null}
      {agents.length < fewest ? null : (
        <Input
          type="search"
          data-hook="search-agents"
          value={query}
          onChange={event => setQuery(event.target.value)}
          placeholder="Search agents"
          aria-label="Search agents"
          className="mb-4 w-full mid:max-w-80"
        />
      )}
      {found.length === 0 ? null : (
        <ul data-hook="agents" aria-label="Agents" className="border-t">
          {found.map(agent => (
            <AgentRow key={agent.agentId} agent={agent} />
          ))}
        </ul>
      )}
      <p role="status" className={found.length === 0 && agents.length > 0 ? 'text-muted' : 'sr-only'}>
        {query.trim() === '' ? '' : found.length === 0 ? 'No agent matches.' : `${found.length} found`}
      </p>
    </Page>
  )
}

function AgentRow({ agent }: { agent: ListedAgent }) {
  const { me, newSession } = useWorkspace()
  const { agentId, displayName, description, hasDraft } = agent
  return (
    <li
      data-agent={agentId}
      className="relative isolate grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 gap-y-1 border-b py-3 before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 hover:before:bg-panel mid:grid-cols-[minmax(0,1fr)_128px_auto] split:grid-cols-[minmax(0,1fr)_128px_56px_72px_104px_auto] split:gap-x-5"
    >
      <div className="min-w-0 max-mid:col-span-2">
        <p className="flex items-center gap-2">
          {/* The link covers the row. */}
          <Link
            href={`/agents/${encodeURIComponent(agentId)}`}
            className="truncate text-person font-semibold no-underline after:absolute after:inset-0"
          >
            {displayName}
          </Link>
          {hasDraft ? (
            <span data-hook="has-draft" className="rounded-sm border border-rail px-1.5 text-mono text-muted">
              Draft
            </span>
          ) : null}
        </p>
        <p className="line-clamp-2 text-muted">{description ?? agentId}</p>
      </div>
      <Facts agent={agent} />
      <Use agent={agent} />
      <div className="relative z-10 -mr-2 flex items-center gap-1">
        {me.maySend ? (
          <Button data-hook="new-session" onClick={() => newSession(agentId)} className="bg-ground">
            New session
          </Button>
        ) : null}
        <AgentMenu agent={agent} />
      </div>
    </li>
  )
}

/** The model, the tools and the version of an agent: columns on wide screens, and else a line below the others. */
const Facts = ({ agent }: { agent: ListedAgent }) => (
  <p className="flex flex-wrap gap-x-4 text-muted tabular-nums max-split:order-last max-split:col-span-full split:contents">
    {factsOf(agent).map(fact => (
      <span key={fact} className="truncate">
        {fact}
      </span>
    ))}
  </p>
)

/** How many sessions of an agent wait or failed, or else how many it has, and when it was used last. */
function Use({ agent }: { agent: ListedAgent }) {
  const now = useNow()
  const { sessions, waiting, failed, usedAt } = agent
  return (
    <p className="flex flex-wrap gap-x-3 text-muted tabular-nums mid:flex-col">
      {waiting > 0 ? (
        <span className="inline-flex items-center gap-1.5 font-semibold">
          <span aria-hidden="true" className="size-2.5 shrink-0 rounded-full border-2 border-ink" />
          {waiting} waiting
        </span>
      ) : null}
      {failed > 0 ? <span className="text-fail">{failed} failed</span> : null}
      <span>{sessions === 0 ? 'No sessions' : `${sessions} ${sessions === 1 ? 'session' : 'sessions'}`}</span>
      {usedAt === null || now === undefined ? null : (
        <time dateTime={usedAt}>{usedWords(age(usedAt, now))}</time>
      )}
    </p>
  )
}

const usedWords = (age: string): string => (age === 'now' ? 'just now' : `${age} ago`)

function factsOf(agent: ListedAgent): string[] {
  const version = `Version ${agent.revision}`
  if (agent.type === 'external') return [new URL(agent.external.inputUrl).host, 'External', version]
  const { model, tools } = agent.chat
  return [
    model === 'default' ? 'Default model' : model,
    `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
    version
  ]
}
