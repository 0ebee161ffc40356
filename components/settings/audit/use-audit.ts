import type { AuditPage } from '@waystation/protocol/workspace/audit.ts'
import { useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { faultOf, useReadPages } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { type AuditFilter, auditPath, auditQuery, pageSize } from './audit-filter.ts'

/** How long typing must pause before the list is filtered, in ms. */
const typingMs = 250

/** Loads and filters the audit log, page by page. The URL of the page has the filter. */
export function useAudit(first: AuditPage, shown: AuditFilter) {
  const [filter, setFilter] = useState(shown)
  const asked = useDebounced(filter, typingMs)
  const path = auditPath(asked)
  const query = useReadPages({
    queryKey: ['audit', path],
    queryFn: ({ pageParam }) =>
      client.call('listAudit', {
        query: { ...auditQuery(asked), limit: pageSize, before: pageParam ?? undefined }
      }),
    initialPageParam: null,
    refetchOnWindowFocus: 'always',
    getNextPageParam: ({ nextBefore }: AuditPage): number | null => nextBefore,
    first: path === auditPath(shown) ? first : undefined
  })
  useEffect(() => window.history.replaceState(null, '', path), [path])
  return {
    filter,
    setFilter,
    entries: query.data?.pages.flatMap(page => page.entries) ?? [],
    busy: query.isFetching || path !== auditPath(filter),
    fault: faultOf(query),
    hasMore: query.hasNextPage,
    more: () => void query.fetchNextPage(),
    look: () => void query.refetch()
  }
}
