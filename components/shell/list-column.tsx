import type { ListedWorkspace } from '@waystation/protocol/workspace/workspaces.ts'
import { usePathname } from 'next/navigation'
import { unreachable } from '#components/browser/error-text.ts'
import { viewHref } from '#components/plugins/views/view-href.ts'
import { ViewIcon } from '#components/plugins/views/view-icon.tsx'
import { viewLabel } from '#components/plugins/views/view-label.ts'
import { Button } from '#components/ui/button.tsx'
import { Input } from '#components/ui/input.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import type { Filter } from '#components/workspace/listed.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { SessionList } from './session-list.tsx'
import { ThemeMenu } from './theme-menu.tsx'
import { WorkspaceName } from './workspace-name.tsx'

const filters: ReadonlyArray<{ value: Filter; label: string }> = [
  { value: 'all', label: 'All' },
  { value: 'you', label: 'Waiting for you' },
  { value: 'failed', label: 'Failed' }
]

/** The left column: workspace, number of pending calls, "New session", list of sessions, and navigation. */
export function ListColumn({ workspaces }: { workspaces: readonly ListedWorkspace[] }) {
  const { waiting, filter, query, offline } = useList()
  const store = useListStore()
  const { newSession, me } = useWorkspace()
  const path = usePathname()
  return (
    <nav aria-label="Sessions" data-hook="sidebar" className="flex h-full min-h-0 flex-col">
      <WorkspaceName workspaces={workspaces} />
      <div className="flex flex-col gap-2 border-b px-4 pb-3">
        <Link
          href="/waiting"
          aria-current={path === '/waiting' ? 'page' : undefined}
          className="tap flex h-8 items-center justify-between no-underline hover:underline aria-[current]:font-semibold"
        >
          <span>Waiting</span>
          <span className={`tabular-nums ${waiting > 0 ? 'font-semibold text-you' : 'text-muted'}`}>
            {waiting}
          </span>
        </Link>
        {me.maySend ? (
          <Button
            onClick={() => newSession()}
            aria-keyshortcuts="n"
            data-hook="open-new-session"
            className="relative"
          >
            New session
            <kbd className="absolute right-3 hidden font-mono text-mono font-normal text-muted mid:inline">
              n
            </kbd>
          </Button>
        ) : null}
        <Input
          type="search"
          data-hook="search-sessions"
          value={query}
          onChange={event => store.setQuery(event.target.value)}
          placeholder="Search sessions"
          aria-label="Search sessions"
          className="w-full"
        />
        <fieldset aria-label="Filter sessions" className="flex gap-3">
          {filters.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              data-hook={`filter-${value}`}
              aria-pressed={filter === value}
              onClick={() => store.setFilter(value)}
              className="tap text-left text-muted aria-pressed:text-ink aria-pressed:underline aria-pressed:underline-offset-4"
            >
              {label}
            </button>
          ))}
        </fieldset>
      </div>
      <SessionList />
      <p role="status" className={offline ? 'px-4 py-2 text-muted' : 'sr-only'}>
        {offline ? `${unreachable} Retrying…` : ''}
      </p>
      <GlobalViews path={path} />
      <Foot path={path} />
    </nav>
  )
}

/** The plugin views with their own page (scope `global`). */
function GlobalViews({ path }: { path: string }) {
  const views = useWorkspace().views.filter(({ scope }) => scope === 'global')
  if (views.length === 0) return null
  return (
    <ul
      aria-label="Plugin views"
      data-hook="plugin-views"
      className="max-h-40 shrink-0 overflow-y-auto border-t px-4 py-2"
    >
      {views.map(view => (
        <li key={viewHref(view)}>
          <Link
            href={viewHref(view)}
            aria-current={path === viewHref(view) ? 'page' : undefined}
            className="tap flex h-7 items-center gap-2 text-muted no-underline hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
          >
            <ViewIcon name={view.icon} />
            <span className="truncate">{viewLabel(view, views)}</span>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The catalog is below the agents, outside of their path because an agent's ID can be "catalogue". */
const placeOf = (path: string) => (path.startsWith('/catalogue') ? '/agents' : path)

function Foot({ path }: { path: string }) {
  const { me, views } = useWorkspace()
  const tabs = views.filter(({ scope }) => scope === 'workspace').map(viewHref)
  const places = [
    ...(tabs.length > 0 ? [{ href: '/views', label: 'Views' }] : []),
    { href: '/agents', label: 'Agents' },
    { href: '/connections', label: 'Connections' },
    { href: '/wikis', label: 'Wikis' },
    { href: '/plugins', label: 'Plugins' },
    { href: '/settings', label: 'Settings' }
  ]
  return (
    <div className="mt-auto flex min-h-12 shrink-0 flex-wrap items-center gap-x-4 border-t py-1 pr-2 pl-4">
      {places.map(({ href, label }) => (
        <Link
          key={href}
          href={href}
          aria-current={
            (href === '/views' ? tabs.includes(path) : placeOf(path).startsWith(href)) ? 'page' : undefined
          }
          className="tap inline-flex items-center text-muted no-underline hover:text-ink hover:underline aria-[current]:font-semibold aria-[current]:text-ink"
        >
          {label}
        </Link>
      ))}
      <span className="flex min-w-0 flex-1 basis-28 items-center justify-between gap-2">
        <span className="truncate text-muted" title={me.name}>
          {me.name}
        </span>
        <ThemeMenu />
      </span>
    </div>
  )
}
