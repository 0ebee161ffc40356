import { z } from 'zod'
import { InWorkspace } from './plugin-settings.ts'

/**
 * A view of a plugin (003-12): a tab of the workspace, or a section of the navigation. `icon` is the name of an icon.
 */
export const ListedView = z.object({
  plugin: z.string(),
  name: z.string(),
  label: z.string(),
  icon: z.string(),
  scope: z.enum(['workspace', 'global'])
})
export type ListedView = z.infer<typeof ListedView>

/** A part of a component that is not a component itself, such as a form field. Attributes are JSON. */
export const ViewBlock = z.object({
  type: z.string(),
  labels: z.array(z.string()),
  attributes: z.record(z.string(), z.unknown()),
  get blocks() {
    return z.array(ViewBlock)
  }
})
export type ViewBlock = z.infer<typeof ViewBlock>

/** A component as the plugin defined it. Its type can be unknown, and its attributes can have any value. */
export const ViewComponent = z.object({
  name: z.string(),
  type: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  get children() {
    return z.array(ViewComponent)
  },
  blocks: z.array(ViewBlock)
})
export type ViewComponent = z.infer<typeof ViewComponent>

/** `routes` are the requests that its components can send. */
export const RenderedView = z.object({
  view: ListedView,
  routes: z.array(z.object({ method: z.string(), path: z.string() })),
  components: z.array(ViewComponent)
})
export type RenderedView = z.infer<typeof RenderedView>

/** `params` are the query parameters of the page, for the plugin. */
export const RenderView = InWorkspace.extend({
  plugin: z.string().max(64),
  view: z.string().max(64),
  params: z.record(z.string().max(200), z.string().max(2000)).default({})
})
export type RenderView = z.infer<typeof RenderView>
