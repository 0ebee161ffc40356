import type { ListedView } from '@waystation/protocol/plugin/plugin-view.ts'
import { Link } from '#components/workspace/link.tsx'
import { viewHref } from './view-href.ts'
import { ViewIcon } from './view-icon.tsx'
import { viewLabel } from './view-label.ts'

type ViewTabsProps = { views: readonly ListedView[]; open: Pick<ListedView, 'plugin' | 'name'> }

/** Links to the views of the workspace. Each view is a page with its own URL. */
export function ViewTabs({ views, open }: ViewTabsProps) {
  return (
    <nav
      aria-label="Views"
      data-hook="views"
      className="flex min-w-0 gap-4 overflow-x-auto border-b px-5 [scrollbar-width:none] mid:px-8"
    >
      {views.map(view => (
        <Link
          key={`${view.plugin}/${view.name}`}
          href={viewHref(view)}
          aria-current={view.plugin === open.plugin && view.name === open.name ? 'page' : undefined}
          className="tap tab flex h-10 shrink-0 items-center gap-1.5"
        >
          <ViewIcon name={view.icon} />
          <span className="steady" data-text={viewLabel(view, views)}>
            {viewLabel(view, views)}
          </span>
        </Link>
      ))}
    </nav>
  )
}
