import type { ViewComponent } from './components.ts'
import type { CallContext } from './context.ts'
import type { SettingFields } from './settings.ts'

/** The parameters of a route: the names in braces, and `*` if it is the last segment. */
export type RouteParams<Route> = string extends Route
  ? Record<string, string>
  : Route extends `${infer Segment}/${infer Rest}`
    ? ParamOf<Segment> & RouteParams<Rest>
    : Route extends '*'
      ? { '*': string }
      : ParamOf<Route>

type ParamOf<Segment> = Segment extends `{${infer Name}}` ? { [_ in Name]: string } : unknown

/** A request from a view. `params` has the values of `{name}` in the route's path, and `*` for a final `*`. */
export type RouteRequest<Params = Record<string, string>> = {
  method: string
  path: string
  params: Params
  query: Record<string, string>
  headers: Record<string, string>
  body: Uint8Array
  /** Parses the body. Undefined if it is not JSON. */
  json(): unknown
}

/** The response to a request. `json` is sent as JSON, `body` as it is. Default of `status`: 200. */
export type RouteReply = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  body?: string | Uint8Array
}

/** A method and a path. */
export type RouteName = `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`

/** A page of the plugin. Its key in `views` is its name: letters, digits, `-` and `_`. */
export type View<Fields extends SettingFields, Routes = Record<RouteName, unknown>> = {
  label: string
  icon?: 'chat' | 'calendar' | 'terminal' | 'sparkles'
  /** `workspace`: a tab under Views (default). `global`: a section of the navigation. */
  scope?: 'workspace' | 'global'
  /** `params` has the query parameters of the page's address. The result can also be HCL. */
  render(
    params: Record<string, string>,
    context: CallContext<Fields>
  ): ViewComponent[] | string | Promise<ViewComponent[] | string>
  /** The requests that the view can send, for example `'POST /api/tasks/{id}'`. The first match responds. */
  routes?: {
    [Route in keyof Routes]: Route extends RouteName
      ? (
          request: RouteRequest<RouteParams<Route>>,
          context: CallContext<Fields>
        ) => RouteReply | Promise<RouteReply>
      : never
  }
}
