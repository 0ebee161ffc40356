import { createContext, useContext } from 'react'

/** The view around a component. */
export type ViewUse = {
  /** The path that contains all routes and streams of its plugin. */
  base: string
  /** Makes the plugin render the view again. */
  again: () => void
}

export const ViewContext = createContext<ViewUse | null>(null)

/** Returns the view of the component. Throws outside of a view. */
export function useView(): ViewUse {
  const use = useContext(ViewContext)
  if (use === null) throw new Error('A view component is used outside of a view')
  return use
}

/**
 * Returns the path of a route that a component names: in full, or as the plugin declares it (`/api/tasks`).
 * Returns undefined for anything else, so that a view can send requests only to its own plugin.
 */
export function routeOf({ base }: ViewUse, action: string): string | undefined {
  const prefix = `${base}/routes`
  const wanted = action.startsWith(`${prefix}/`) ? action : action.startsWith('/') ? `${prefix}${action}` : ''
  const url = URL.canParse(wanted, origin) ? new URL(wanted, origin) : undefined
  return url?.origin === origin && url.pathname.startsWith(`${prefix}/`)
    ? url.pathname + url.search
    : undefined
}

/** A base that does not exist. Only the path matters. */
const origin = 'http://view.invalid'

/** Returns the path of the plugin's stream if `stream` is that path or empty, or else undefined. */
export function streamOf({ base }: ViewUse, stream: string): string | undefined {
  const own = `${base}/stream`
  return stream === '' || stream === own ? own : undefined
}
