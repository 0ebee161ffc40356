import type { ListedView } from '@waystation/protocol/plugin/plugin-view.ts'

/** Returns the path of a view's page. */
export const viewHref = ({ plugin, name }: Pick<ListedView, 'plugin' | 'name'>) =>
  `/views/${encodeURIComponent(plugin)}/${encodeURIComponent(name)}`
