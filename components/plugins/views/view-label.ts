import type { ListedView } from '@waystation/protocol/plugin/plugin-view.ts'

type Labeled = Pick<ListedView, 'plugin' | 'name' | 'label'>

/** Returns the label of a view. If `views` has others with that label, it is followed by its plugin or its name. */
export function viewLabel(view: Labeled, views: readonly Labeled[]): string {
  const same = views.filter(({ label }) => label === view.label)
  if (same.length < 2) return view.label
  const ofPlugin = same.filter(({ plugin }) => plugin === view.plugin)
  return `${view.label} (${ofPlugin.length > 1 ? view.name : view.plugin})`
}
