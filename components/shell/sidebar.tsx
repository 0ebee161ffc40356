import type { ListedWorkspace } from '@waystation/protocol/workspace/workspaces.ts'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { unreachable } from '#components/browser/error-text.ts'
import { viewHref } from '#components/plugins/views/view-href.ts'
import { ViewIcon } from '#components/plugins/views/view-icon.tsx'
import { viewLabel } from '#components/plugins/views/view-label.ts'
import { Button, IconButton } from '#components/ui/button.tsx'
import { FindIcon } from '#components/ui/icons.tsx'
import { Input } from '#components/ui/input.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useList, useListStore } from '#components/workspace/list-context.ts'
import type { Filter } from '#components/workspace/listed.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { isAt, places, settings } from './places.tsx'
import { SessionList } from './session-list.tsx'
import { UserMenu } from './user-menu.tsx'
import { WorkspaceName } from './workspace-name.tsx'

type SidebarProps = { workspaces: readonly ListedWorkspace[]; leave: () => Promise<void> }

/**
 * The column beside each page: workspace, navigation, sessions and the user's menu. On a small screen, it is the page
 * `/sessions`, with the navigation at the bottom and the user's menu at the top.
 */
export function Sidebar({ workspaces, leave }: SidebarProps) {
  const { offline } = useList()
  const { newSession, me, find } = useWorkspace()
  return (
    <nav aria-label="Main" data-hook="sidebar" className="relative flex h-full min-h-0 flex-col">
      <WorkspaceName workspaces={workspaces} />
      <div className="absolute top-2 right-3 max-mid:hidden">
        <IconButton data-hook="find" label="Find (⌘K or Ctrl K)" onClick={find}>
          <FindIcon />
        </IconButton>
      </div>
      {me.maySend ? (
        <div className="px-4 pb-2">
          <Button
            onClick={() => newSession()}
            aria-keyshortcuts="n"
            data-hook="open-new-session"
            className="relative w-full bg-ground"
          >
            New session
            <kbd className="absolute right-3 hidden font-mono text-mono font-normal text-muted mid:inline">
              n
            </kbd>
          </Button>
        </div>
      ) : null}
      <Places />
      <SessionTools />
      <SessionList />
      <p role="status" className={offline ? 'px-4 py-2 text-muted' : 'sr-only'}>
        {offline ? `${unreachable} Retrying…` : ''}
      </p>
      <div className="flex shrink-0 max-mid:absolute max-mid:top-1 max-mid:right-2 mid:flex-col mid:border-t mid:py-1">
        <SettingsLink />
        <UserMenu leave={leave} />
      </div>
    </nav>
  )
}

/** The links to the main pages and to the views of plugins. */
function Places() {
  const path = usePathname()
  const { waiting } = useList()
  const { views } = useWorkspace()
  const tabs = views.filter(({ scope }) => scope === 'workspace').map(viewHref)
  const global = views.filter(({ scope }) => scope === 'global')
  return (
    <div className="shrink-0 max-mid:order-last max-mid:flex max-mid:overflow-x-auto max-mid:border-t mid:pb-2">
      <ul className="contents">
        {places.map(place => (
          <PlaceLink key={place.href} href={place.href} current={isAt(path, place)} small={!place.exact}>
            <place.Icon />
            <span className="flex-1">{place.label}</span>
            {place.href === '/waiting' && waiting > 0 ? (
              <span className="font-semibold text-you tabular-nums max-mid:absolute max-mid:top-1 max-mid:left-1/2 max-mid:ml-3">
                {waiting}
                <span className="sr-only"> for you</span>
              </span>
            ) : null}
          </PlaceLink>
        ))}
        {tabs.length === 0 ? null : (
          <PlaceLink href="/views" current={tabs.includes(path)}>
            <ViewIcon name="sparkles" />
            <span className="flex-1">Views</span>
          </PlaceLink>
        )}
      </ul>
      {global.length === 0 ? null : (
        <ul
          aria-label="Plugin views"
          data-hook="plugin-views"
          className="max-mid:contents mid:max-h-32 mid:overflow-y-auto"
        >
          {global.map(view => (
            <PlaceLink key={viewHref(view)} href={viewHref(view)} current={path === viewHref(view)}>
              <span className="flex size-4 shrink-0">
                <ViewIcon name={view.icon} />
              </span>
              <span className="min-w-0 flex-1 truncate">{viewLabel(view, global)}</span>
            </PlaceLink>
          ))}
        </ul>
      )}
    </div>
  )
}

type PlaceLinkProps = {
  href: string
  current: boolean
  /** False: small screens do not show it. */
  small?: boolean
  children: ReactNode
}

function PlaceLink({ href, current, small = true, children }: PlaceLinkProps) {
  return (
    <li className={`relative max-mid:min-w-18 max-mid:flex-1 ${small ? '' : 'max-mid:hidden'}`}>
      <Link
        href={href}
        aria-current={current ? 'page' : undefined}
        className="mid:border-l-2 border-l-transparent flex h-8 items-center gap-2.5 pr-4 pl-[14px] no-underline outline-offset-[-2px] hover:bg-ground aria-[current]:border-l-ink aria-[current]:bg-ground aria-[current]:font-semibold max-mid:h-14 max-mid:flex-col max-mid:justify-center max-mid:gap-1 max-mid:px-1 max-mid:text-mono max-mid:[&>span]:flex-none [&>svg]:text-muted aria-[current]:[&>svg]:text-ink pointer-coarse:mid:h-11"
      >
        {children}
      </Link>
    </li>
  )
}

function SettingsLink() {
  const path = usePathname()
  return (
    <Link
      href={settings.href}
      aria-current={isAt(path, settings) ? 'page' : undefined}
      className="tap flex h-8 items-center gap-2.5 border-l-transparent pr-4 pl-[14px] no-underline outline-offset-[-2px] hover:bg-ground aria-[current]:border-l-ink aria-[current]:bg-ground aria-[current]:font-semibold mid:border-l-2 max-mid:justify-center max-mid:px-0 [&>svg]:text-muted"
    >
      <settings.Icon />
      <span className="max-mid:sr-only">{settings.label}</span>
    </Link>
  )
}

const filters: Record<Filter, { label: string; short: string }> = {
  all: { label: 'All', short: 'All' },
  you: { label: 'Waiting for you', short: 'Waiting' },
  failed: { label: 'Failed', short: 'Failed' }
}

/** The search and the filter of the list of sessions. */
function SessionTools() {
  const { filter, query } = useList()
  const store = useListStore()
  return (
    <div className="flex shrink-0 items-center gap-2 border-t px-4 py-2">
      <Input
        type="search"
        data-hook="search-sessions"
        value={query}
        onChange={event => store.setQuery(event.target.value)}
        placeholder="Search sessions"
        aria-label="Search sessions"
        className="flex-1"
      />
      <Menu
        trigger={
          <button
            type="button"
            data-hook="filter-sessions"
            className={`chevron tap -mr-1 flex h-[30px] shrink-0 items-center justify-center px-1 hover:text-ink ${filter === 'all' ? 'text-muted' : 'font-semibold'}`}
          >
            <span className="sr-only">Filter sessions:</span>
            {filters[filter].short}
          </button>
        }
      >
        {Object.entries(filters).map(([value, { label }]) => (
          <MenuItem
            key={value}
            data-hook={`filter-${value}`}
            checked={filter === value}
            onSelect={() => store.setFilter(value as Filter)}
          >
            {label}
          </MenuItem>
        ))}
      </Menu>
    </div>
  )
}
