'use client'
import type { CatalogueItem } from '@waystation/protocol/agent/catalogue.ts'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { toolGroups, wordsOf } from '#components/session/wording/tool-words.ts'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { Link } from '#components/workspace/link.tsx'
import { Page } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { factsOf, lineOf, nameOf } from './catalogue-words.ts'

type Shown = 'all' | 'tool' | 'skill' | 'own' | 'archived'

const shownOptions: { value: Shown; label: string }[] = [
  { value: 'all', label: 'All entries' },
  { value: 'tool', label: 'Tools' },
  { value: 'skill', label: 'Skills' },
  { value: 'own', label: 'Own entries' },
  { value: 'archived', label: 'Archived entries' }
]

/** Lists the tools and skills that agents can use, the workspace's own first. `entries` has archived ones too. */
export function CatalogueList({ entries }: { entries: readonly CatalogueItem[] }) {
  const { me } = useWorkspace()
  const router = useRouter()
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const [shown, setShown] = useState<Shown>('all')
  const words = query.toLowerCase().split(/\s+/)
  const found = entries
    .filter(item => matches(item, shown))
    .filter(item =>
      words.every(word =>
        `${item.slug} ${item.name} ${item.description} ${lineOf(item)}`.toLowerCase().includes(word)
      )
    )
  const groups = [ownEntries, ...toolGroups, ...Object.values(others)].flatMap(group => {
    const items = found.filter(item => groupOf(item) === group)
    return items.length === 0 ? [] : [{ group, items }]
  })
  return (
    <Page
      title="Catalog"
      above={{ href: '/agents', label: 'Agents' }}
      actions={
        me.mayEdit ? (
          <Button tone="primary" data-hook="new-entry" onClick={() => router.push('/catalogue/new')}>
            New entry
          </Button>
        ) : null
      }
    >
      <div className="flex flex-col gap-6">
        <div className="flex flex-wrap gap-2">
          <Input
            ref={field}
            type="search"
            data-hook="search-catalogue"
            value={query}
            placeholder="Search catalog"
            aria-label="Search catalog"
            onChange={event => setQuery(event.target.value)}
            className="min-w-0 flex-1 basis-48 mid:max-w-80"
          />
          <Select
            data-hook="filter-catalogue"
            aria-label="Show"
            value={shown}
            onChange={setShown}
            options={shownOptions}
          />
          <p role="status" data-hook="catalogue-count" className="self-center text-muted mid:ml-auto">
            {found.length} {found.length === 1 ? 'entry' : 'entries'}
          </p>
        </div>
        {found.length === 0 && query.trim() !== '' ? (
          <Empty
            title="No entries match your search"
            action={
              <Button
                data-hook="clear-search"
                onClick={() => {
                  setQuery('')
                  field.current?.focus()
                }}
              >
                Clear search
              </Button>
            }
          />
        ) : found.length === 0 ? (
          <Empty title={shown === 'archived' ? 'No archived entries' : 'No own entries yet'}>
            {shown === 'archived' ? undefined : 'A tool or skill that several agents share.'}
          </Empty>
        ) : (
          <div data-hook="catalogue" className="flex flex-col gap-8">
            {groups.map(({ group, items }) => (
              <section key={group}>
                <h2 className="flex items-baseline gap-2 border-b pb-2 text-person font-semibold">
                  {group}
                  <span className="text-ui font-normal text-muted tabular-nums">{items.length}</span>
                </h2>
                <ul aria-label={group}>
                  {items.map(item => (
                    <EntryRow key={item.slug} item={item} />
                  ))}
                </ul>
              </section>
            ))}
          </div>
        )}
      </div>
    </Page>
  )
}

const ownEntries = 'Own entries'
const others = { skill: 'Skills', overlay: 'Overlays' }

const groupOf = ({ slug, description = '', kind, own }: CatalogueItem): string =>
  own ? ownEntries : kind === 'tool' ? wordsOf({ name: slug, description }).group : others[kind]

function EntryRow({ item }: { item: CatalogueItem }) {
  const agents = new Set(item.usedBy.map(({ agentId }) => agentId)).size
  return (
    <li
      data-entry={item.slug}
      className="relative isolate grid min-h-10 items-baseline gap-x-4 border-b py-2 before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 hover:before:bg-panel mid:grid-cols-[200px_minmax(0,1fr)_auto_72px]"
    >
      {/* The link covers the row. */}
      <Link
        href={`/catalogue/${encodeURIComponent(item.slug)}`}
        className={`font-semibold no-underline [overflow-wrap:anywhere] after:absolute after:inset-0 ${item.toolName === undefined ? '' : 'font-mono text-mono'}`}
      >
        {nameOf(item)}
      </Link>
      <p className="line-clamp-2 mid:truncate">{lineOf(item)}</p>
      <p className="text-muted max-mid:hidden">{factsOf(item)}</p>
      <p className="text-muted tabular-nums empty:hidden mid:text-right">
        {agents === 0 ? '' : `${agents} ${agents === 1 ? 'agent' : 'agents'}`}
      </p>
    </li>
  )
}

function matches({ kind, own, archived }: CatalogueItem, shown: Shown): boolean {
  if (shown === 'archived') return archived === true
  return !archived && (shown === 'all' || (shown === 'own' ? own === true : kind === shown))
}
