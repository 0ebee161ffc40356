/**
 * Matches a request with a route such as `GET /tasks/{id}/*`. Returns the values of its `{name}` segments and of
 * `*`, or undefined.
 */
export function matchRoute(route: string, method: string, path: string): Record<string, string> | undefined {
  const [routeMethod, pattern = ''] = route.split(' ')
  if (routeMethod !== method) return undefined
  const [wanted, given] = [pattern.split('/'), path.split('/')]
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    if (segment === '*' && index === wanted.length - 1 && given.length > index) {
      params['*'] = given.slice(index).join('/')
      return params
    }
    const value = given[index]
    const [, name] = /^\{(.+)\}$/.exec(segment) ?? []
    if (value === undefined || (name === undefined && value !== segment)) return undefined
    if (name !== undefined) params[name] = value
  }
  return wanted.length === given.length ? params : undefined
}
