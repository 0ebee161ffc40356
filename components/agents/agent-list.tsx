'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { age } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
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

type AgentListProps = {
  agents: readonly ListedAgent[]
  /** The model that `default` means now. */
  defaultModel: string
}

/** Lists the agents of the workspace with how they are used. */
export function AgentList({ agents, defaultModel }: AgentListProps) {
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
        <>
          {/* Each cell names itself to screen readers. */}
          <div
            aria-hidden="true"
            className={`${columns} hidden border-b pb-2 text-muted split:grid [&>:nth-child(n+3)]:text-right`}
          >
            {['Agent', 'Model', 'Tools', 'Version', 'Waiting', 'Last used'].map(heading => (
              <span key={heading}>{heading}</span>
            ))}
          </div>
          <ul data-hook="agents" aria-label="Agents" className="max-split:border-t">
            {found.map(agent => (
              <AgentRow key={agent.agentId} agent={agent} defaultModel={defaultModel} />
            ))}
          </ul>
        </>
      )}
      <p role="status" className={found.length === 0 && agents.length > 0 ? 'text-muted' : 'sr-only'}>
        {query.trim() === '' ? '' : found.length === 0 ? 'No agent matches.' : `${found.length} found`}
      </p>
    </Page>
  )
}

const columns = 'grid-cols-[minmax(0,1fr)_160px_40px_56px_72px_104px_30px] gap-x-4'

/** A row of the table on wide screens, and else a card. */
function AgentRow({ agent, defaultModel }: { agent: ListedAgent; defaultModel: string }) {
  const { me, newSession } = useWorkspace()
  const now = useNow()
  const { agentId, displayName, description, hasDraft, revision, requests, failed, usedAt } = agent
  const [model, tools] =
    agent.type === 'external'
      ? [`External, ${new URL(agent.external.inputUrl).host}`, undefined]
      : [modelName(agent.chat.model, defaultModel), agent.chat.tools.length]
  return (
    <li
      data-agent={agentId}
      className={`group relative isolate border-b py-3 pr-10 before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 hover:before:bg-panel split:grid split:items-center split:py-2 split:pr-0 ${columns}`}
    >
      <div className="min-w-0">
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
        <p className="line-clamp-2 text-muted split:line-clamp-1">{description ?? agentId}</p>
      </div>
      <p className="flex flex-wrap gap-x-4 text-muted tabular-nums max-split:pt-1 split:contents split:*:text-right">
        <span className="truncate split:text-left!">{model}</span>
        <span className={tools === undefined ? 'max-split:hidden' : ''}>
          {tools ?? '–'}
          {tools === undefined ? null : <Word>{tools === 1 ? ' tool' : ' tools'}</Word>}
        </span>
        <span>
          <Word>Version </Word>
          {revision}
        </span>
        <span className={`split:text-ink ${requests + failed === 0 ? 'max-split:hidden' : ''}`}>
          {requests === 0 ? null : (
            <span
              data-hook="requests"
              className="inline-flex items-center gap-1.5 whitespace-nowrap text-you"
            >
              <StateGlyph kind="parked" />
              {requests}
              <Word>{requests === 1 ? ' request' : ' requests'}</Word>
            </span>
          )}{' '}
          {failed === 0 ? null : <span className="whitespace-nowrap text-fail">{failed} failed</span>}
        </span>
        {usedAt === null ? (
          <span>
            Never<Word> used</Word>
          </span>
        ) : (
          <time data-hook="used" dateTime={usedAt}>
            {now === undefined ? '' : usedWords(age(usedAt, now))}
          </time>
        )}
      </p>
      <div className="z-10 max-split:absolute max-split:top-1 max-split:-right-2 split:relative">
        <AgentMenu agent={agent} />
      </div>
      {me.maySend ? (
        <Button
          data-hook="new-session"
          onClick={() => newSession(agentId)}
          className="absolute! right-10 z-10 bg-ground opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-mid:hidden max-split:top-3 [@media(hover:none)]:hidden"
        >
          New session
        </Button>
      ) : null}
    </li>
  )
}

/** The name of a model without its provider, and of the one that `default` means now. */
const modelName = (model: string, defaultModel: string): string =>
  model === 'default' ? `${modelName(defaultModel, '')} (default)` : model.slice(model.indexOf('/') + 1)

/** A word that the heading of the column replaces on wide screens. */
const Word = (props: { children: string }) => <span {...props} className="split:sr-only" />

const usedWords = (age: string): string => (age === 'now' ? 'Just now' : `${age} ago`)
