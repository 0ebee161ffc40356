import type { PromptPage } from '@waystation/protocol/session/prompt.ts'
import { useEffect, useMemo } from 'react'
import { useReadPages } from '#components/browser/queries.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { useLog } from '#components/session/store/use-log.ts'
import { eventsByNode } from './trace-events.ts'
import { traceOf } from './trace-of.ts'

/**
 * Returns the turns of the loaded part of the session, and the events of each row. It loads the event `seq` and its
 * message, if they are not loaded yet.
 */
export function useTrace(seq: number | undefined) {
  const { store } = useSessionContext()
  const transcript = useSessionState(state => state.transcript)
  const deliveries = useSessionState(state => state.deliveries)
  const earlier = useSessionState(state => state.earlier)
  const { events: newestFirst, more, problem, loadMore } = useLog()
  const prompts = usePrompts(transcript.messages[0]?.message.metadata?.createdAt)
  const events = useMemo(() => newestFirst.toReversed(), [newestFirst])
  const turns = useMemo(
    () => traceOf({ transcript, events, prompts, deliveries, whole: earlier === 'none' }),
    [transcript, events, prompts, deliveries, earlier]
  )
  const eventsOf = useMemo(() => eventsByNode(turns, events), [turns, events])
  const first = events[0]
  const firstMessageAt = transcript.messages[0]?.message.metadata?.createdAt
  useEffect(() => {
    if (seq === undefined || first === undefined) return
    if (first.seq > seq && more) loadMore()
    const wanted = events.find(event => event.seq === seq)
    if (wanted && firstMessageAt && wanted.at < firstMessageAt && earlier === 'more') void store.loadEarlier()
  })
  return { turns, eventsOf, problem, earlier }
}

/** Names the step of a prompt like the trace: "Turn 1, step 2 of 2". Undefined if the trace does not have it. */
export function useStepName(promptId: number): string | undefined {
  const transcript = useSessionState(state => state.transcript)
  const whole = useSessionState(state => state.earlier === 'none')
  const prompts = usePrompts(transcript.messages[0]?.message.metadata?.createdAt)
  const turns = useMemo(
    () => traceOf({ transcript, events: [], prompts, deliveries: {}, whole }),
    [transcript, prompts, whole]
  )
  for (const { name, children } of turns) {
    const steps = children.filter(({ kind }) => kind === 'step')
    const at = steps.findIndex(({ prompt }) => prompt?.promptId === promptId)
    if (at >= 0) return `${name}, step ${at + 1} of ${steps.length}`
  }
  return undefined
}

/** Returns the prompts of the session from this time on, for the tokens and the cost of its steps. */
function usePrompts(from: string | undefined) {
  const { store, agent } = useSessionContext()
  const changes = useSessionState(({ transcript: { status, messages, calls } }) => {
    const settled = Object.values(calls).filter(call => call.settledAt !== undefined).length
    return `${status} ${messages.length} ${settled}`
  })
  const query = useReadPages({
    queryKey: ['trace-prompts', store.path],
    queryFn: ({ pageParam }): Promise<PromptPage> =>
      store.client.call('listPrompts', {
        path: store.path,
        query: { limit: 200, before: pageParam ?? undefined }
      }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextBefore }: PromptPage) => nextBefore,
    enabled: !agent.external,
    version: [changes]
  })
  const pages = query.data?.pages
  const oldest = pages?.at(-1)?.prompts.at(-1)?.at
  const { hasNextPage, isFetching, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && from && oldest && oldest > from) void fetchNextPage()
  }, [hasNextPage, isFetching, fetchNextPage, from, oldest])
  return useMemo(() => pages?.flatMap(({ prompts }) => prompts) ?? [], [pages])
}
