import type { ListedView } from '@waystation/protocol/plugin/plugin-view.ts'

/** The page of a view. */
export const viewHref = ({ plugin, name }: Pick<ListedView, 'plugin' | 'name'>) =>
  `/views/${encodeURIComponent(plugin)}/${encodeURIComponent(name)}`
