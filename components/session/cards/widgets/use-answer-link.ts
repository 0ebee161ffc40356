'use client'
import { useRead } from '#components/browser/queries.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Returns the link with which an external service answers this open call. The link is a capability, so it is
 * not in the log. The page requests it only for users who can answer, while the call is open. Otherwise, and
 * while it loads, this is undefined.
 */
export function useAnswerLink(toolCallId: string, open: boolean): string | undefined {
  const { store, may, can } = useSessionContext()
  const asks = open && may.answer && can.members
  const { data } = useRead({
    queryKey: ['answer link', store.path, toolCallId],
    queryFn: () => store.client.call('answerLink', { path: { ...store.path, toolCallId } }),
    enabled: asks
  })
  return asks ? data?.answerUrl : undefined
}
