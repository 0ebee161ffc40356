import type { ListedView } from '@waystation/protocol/plugin/plugin-view.ts'
import { TabLinks } from '#components/workspace/tab-links.tsx'
import { viewHref } from './view-href.ts'
import { ViewIcon } from './view-icon.tsx'
import { viewLabel } from './view-label.ts'

type ViewTabsProps = { views: readonly ListedView[]; open: ListedView }

/** Links to the views of the workspace. Each view is a page with its own URL. */
export const ViewTabs = ({ views, open }: ViewTabsProps) => (
  <TabLinks
    label="Views"
    data-hook="views"
    open={viewHref(open)}
    tabs={views.map(view => ({
      href: viewHref(view),
      label: viewLabel(view, views),
      mark: <ViewIcon name={view.icon} />
    }))}
  />
)
