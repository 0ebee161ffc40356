import {
  type InfiniteData,
  QueryClient,
  type QueryKey,
  type UseInfiniteQueryOptions,
  type UseInfiniteQueryResult,
  type UseQueryOptions,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery
} from '@tanstack/react-query'
import { WaystationError } from '@waystation/client'
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import { readError } from './error-text.ts'
import { useEffectOnChange } from './use-effect-on-change.ts'

const onServer = typeof window === 'undefined'

/** Returns the `gcTime` for results without a reader. On a server, the cache goes with the page, without timers. */
export const forgetAfter = (ms: number) => (onServer ? Number.POSITIVE_INFINITY : ms)

const createQueries = () =>
  new QueryClient({
    defaultOptions: {
      queries: {
        // The client retries where that is safe, and polling components ask again anyway.
        retry: false,
        // A server on the same machine is reachable while the browser is offline.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Components that mount together share one request. Each one that mounts later reads again.
        gcTime: forgetAfter(1000),
        // Any other error is a bug, which the nearest error boundary shows.
        throwOnError: error => !(error instanceof WaystationError)
      }
    }
  })

/** Not the context of TanStack Query, because other products' pages, which can have their own, also use this one. */
const QueriesContext = createContext<QueryClient | null>(null)

/**
 * Provides the cache for what its children read from the server. The log of a session is in its store
 * instead. Each value of `of` gets a cache of its own.
 */
export function QueriesProvider({ of, children }: { of?: unknown; children: ReactNode }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `of` needs another cache
  const queries = useMemo(createQueries, [of])
  useEffect(() => {
    // From now on, queries notice that the page becomes visible.
    queries.mount()
    return () => queries.unmount()
  }, [queries])
  return <QueriesContext.Provider value={queries}>{children}</QueriesContext.Provider>
}

/** Returns the cache of the page. Throws outside `QueriesContext`. */
export function useQueries(): QueryClient {
  const queries = useContext(QueriesContext)
  if (queries === null) throw new Error('useQueries() must be called inside <QueriesProvider>')
  return queries
}

/**
 * `version`: reads again when one of these values changes, and returns the last result meanwhile. `first`: a
 * result that the server rendered.
 */
type Given<T> = { version?: readonly unknown[]; first?: T | undefined }

/** Reads data from the server with TanStack Query, and renders the component again when it changes. */
export function useRead<T>({
  version = [],
  first,
  ...options
}: Given<T> & UseQueryOptions<T, WaystationError>): UseQueryResult<T, WaystationError> {
  const query = useQuery({ ...options, ...useFirst(first) }, useQueries())
  useReadAgain(version, options, query)
  return query
}

type ReadPagesOptions<Page, Cursor> = Given<Page> &
  UseInfiniteQueryOptions<Page, WaystationError, InfiniteData<Page, Cursor>, QueryKey, Cursor>

/** Reads a list page by page, like `useRead`. A refresh reads all pages again that are already loaded. */
export function useReadPages<Page, Cursor>({
  version = [],
  first,
  ...options
}: ReadPagesOptions<Page, Cursor>): UseInfiniteQueryResult<InfiniteData<Page, Cursor>, WaystationError> {
  const pages = first && { pages: [first], pageParams: [options.initialPageParam] }
  const query = useInfiniteQuery({ ...options, ...useFirst(pages) }, useQueries())
  useReadAgain(version, options, query)
  return query
}

function useReadAgain(
  version: readonly unknown[],
  { queryKey, enabled }: { queryKey: QueryKey; enabled?: unknown },
  query: { refetch: () => Promise<unknown> }
): void {
  const queries = useQueries()
  useEffectOnChange(version, () => {
    if (enabled === false) return
    // Query itself would wait for a first request that is on its way, which can miss the change.
    void queries.cancelQueries({ queryKey, exact: true }).then(() => query.refetch())
  })
}

/**
 * Returns the options for a result that is as old as the component, which does not read it again at once. On a server,
 * it is never too old: with `cacheComponents`, Next.js does not prerender a page whose components read the time.
 */
function useFirst<T>(first: T | undefined) {
  const [initialDataUpdatedAt] = useState(() => (onServer ? 0 : Date.now()))
  const staleTime = onServer ? Number.POSITIVE_INFINITY : 1000
  return first === undefined ? {} : { initialData: first, initialDataUpdatedAt, staleTime }
}

/** Returns why data could not be loaded, or undefined. */
export const faultOf = ({ error }: { error: WaystationError | null }): string | undefined =>
  error === null ? undefined : readError({ error })
