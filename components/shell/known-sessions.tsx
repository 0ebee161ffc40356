import { useId, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { useDebounced } from '#components/browser/use-debounced.ts'
import { Button } from '#components/ui/button.tsx'
import { Input } from '#components/ui/input.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { Time } from '#components/ui/time.tsx'

/** How long typing must pause before the external agent is asked, in ms. */
const rest = 300

/** A conversation that the external agent knows. */
export type KnownSession = { sessionId: string; title?: string | undefined }

type KnownSessionsProps = { agentId: string; value: string; onChoose: (session: KnownSession) => void }

/** Lists the conversations that an external agent knows, to choose the session ID from (000-22). */
export function KnownSessions({ agentId, value, onChoose }: KnownSessionsProps) {
  const [query, setQuery] = useState('')
  const settled = useDebounced(query.trim(), rest)
  const labelId = useId()
  const { data, error, isFetching, refetch } = useRead({
    queryKey: ['external sessions', agentId, settled],
    queryFn: () => client.call('listExternalSessions', { path: { agentId }, query: { query: settled } })
  })
  const sessions = data?.sessions ?? []
  return (
    <section data-hook="known-sessions" aria-labelledby={labelId} className="flex min-w-0 flex-col gap-2">
      <h3 id={labelId} className="text-muted">
        Or choose one of its conversations
      </h3>
      <Input
        type="search"
        value={query}
        onChange={event => setQuery(event.target.value)}
        aria-label="Search conversations"
        placeholder="Search"
      />
      {error !== null && !isFetching ? (
        <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="text-fail">{error.message}</p>
          <Button onClick={() => void refetch()}>Try again</Button>
        </div>
      ) : data === undefined ? (
        <p role="status" className="text-muted">
          Loading conversations…
        </p>
      ) : sessions.length === 0 ? (
        <p role="status" className="text-muted">
          {settled === ''
            ? 'The external agent has no conversations yet. Enter a new ID above.'
            : 'No conversation matches. Change the search, or enter an ID above.'}
        </p>
      ) : (
        <RadioList
          legend="Conversations"
          hideLegend
          value={value}
          onChange={sessionId => {
            const session = sessions.find(each => each.sessionId === sessionId)
            if (session !== undefined) onChoose(session)
          }}
          options={sessions.map(({ sessionId, title, updatedAt }) => ({
            value: sessionId,
            label: title ?? sessionId,
            hint: (
              <span className="flex flex-wrap gap-x-3">
                {title === undefined ? null : <span className="font-mono text-mono">{sessionId}</span>}
                {updatedAt === undefined ? null : <Time at={updatedAt} />}
              </span>
            )
          }))}
          className="max-h-[30dvh] overflow-y-auto border-t"
          itemClassName="items-baseline border-b py-1.5"
        />
      )}
    </section>
  )
}
