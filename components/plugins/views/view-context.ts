'use client'
import type { RenderedView } from '@waystation/protocol/plugin/plugin-view.ts'
import { createContext, useContext } from 'react'

/** Which plugin a component is of, and what it may ask for. */
export type ViewUse = {
  workspaceId: string
  plugin: string
  routes: RenderedView['routes']
  /** Has the plugin make the view anew. */
  again: () => void
}

export const ViewContext = createContext<ViewUse | null>(null)

export function useView(): ViewUse {
  const use = useContext(ViewContext)
  if (use === null) throw new Error('A view component is used outside of a view')
  return use
}

/** Where everything of a plugin is that a view may reach. */
const baseOf = ({ workspaceId, plugin }: ViewUse) =>
  `/api/v1/workspaces/${encodeURIComponent(workspaceId)}/views/${encodeURIComponent(plugin)}`

/**
 * The address of what a component names: in full, or as its plugin declares it (`/api/tasks`). Undefined for anything else: the
 * person's browser is sent nowhere but to the plugin, however the address is written.
 */
export function routeOf(view: ViewUse, action: string): string | undefined {
  const prefix = `${baseOf(view)}/routes`
  const wanted = action.startsWith(`${prefix}/`) ? action : action.startsWith('/') ? `${prefix}${action}` : ''
  const url = URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined
  return url?.origin === origin && url.pathname.startsWith(`${prefix}/`)
    ? url.pathname + url.search
    : undefined
}

/** Of no machine: only the path counts. */
const origin = 'http://view.invalid'

/** The plugin's stream, if that is what a component names; without a name it is. */
export function streamOf(view: ViewUse, stream: string): string | undefined {
  const own = `${baseOf(view)}/stream`
  return stream === '' || stream === own ? own : undefined
}
