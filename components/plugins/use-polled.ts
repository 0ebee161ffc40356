import type { QueryKey } from '@tanstack/react-query'
import { useQueries, useRead } from '#components/browser/queries.tsx'

/** The polling interval, in ms. */
const pace = 2000

/** A request with the key of its result, and the result that the server rendered. */
type Polled<T> = { queryKey: QueryKey; queryFn: () => Promise<T>; enabled?: boolean; first: T }

/**
 * Repeats a request while the page is visible. `offline`: the server does not respond. `gone`: the
 * resource no longer exists (404). While the request is not enabled, the value stays `first`.
 */
export function usePolled<T>(polled: Polled<T>) {
  const queries = useQueries()
  const { queryKey, first } = polled
  const { data, error } = useRead({ ...polled, refetchInterval: pace, refetchOnWindowFocus: true })
  return {
    value: data ?? first,
    offline: error?.temporary === true,
    gone: error?.status === 404,
    /** Sets a value from another source, such as the response to an action. */
    take: (value: T) => {
      void queries.cancelQueries({ queryKey })
      queries.setQueryData(queryKey, value)
    }
  }
}
