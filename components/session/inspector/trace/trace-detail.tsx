import type { Call } from '@waystation/protocol/call/call.ts'
import { isWaiting } from '@waystation/protocol/call/pending.ts'
import type { SessionEvent } from '@waystation/protocol/session/event.ts'
import type { ReactNode } from 'react'
import { exactOrClock } from '#components/browser/format-time.ts'
import { CancelWait } from '#components/session/content/cancel-wait.tsx'
import { followCurl } from '#components/session/store/follow-curl.ts'
import { useMark } from '#components/session/store/row-highlight.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { count, inTokens } from '#components/session/wording/context-words.ts'
import { Button, IconButton } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { Json } from '#components/ui/json.tsx'
import { Time } from '#components/ui/time.tsx'
import { RawEvents } from './raw-events.tsx'
import type { TraceNode } from './trace-node.ts'
import { dollars, timeOf } from './trace-row.tsx'

type TraceDetailProps = {
  node: TraceNode
  events: readonly SessionEvent[]
  seq: number | undefined
  now: number
  /** The trace hides the transcript. */
  covers: boolean
  close: () => void
}

/** A row of the trace in full: its facts, its input and output, and its events. */
export function TraceDetail({ node, events, seq, now, covers, close }: TraceDetailProps) {
  const { go, store } = useSessionContext()
  const mark = useMark()
  const { call, prompt, name, note, kind, data, row } = node
  const showRow = () => {
    if (covers) go({})
    // The transcript that takes the place of the trace shows the row.
    mark.reveal(row)
  }
  return (
    <section
      aria-label={`Details of ${name}`}
      data-hook="trace-detail"
      data-of={node.id}
      className="flex h-full flex-col gap-4 overflow-y-auto px-4 pb-4"
    >
      <div className="sticky top-0 z-10 -mx-4 flex items-center gap-3 border-b bg-panel px-4 py-1">
        <h2
          className={`min-w-0 flex-1 truncate font-semibold ${kind === 'call' ? 'font-mono text-mono' : ''}`}
        >
          {name}
        </h2>
        {prompt === undefined ? null : (
          <Button
            data-hook="show-prompt"
            tone="quiet"
            onClick={() => go({ inspect: 'prompt', prompt: prompt.promptId })}
          >
            Show prompt
          </Button>
        )}
        <Button data-hook="show-row" tone="quiet" onClick={showRow}>
          Show in transcript
        </Button>
        <IconButton data-hook="close-detail" label="Close details" onClick={close}>
          <CloseIcon />
        </IconButton>
      </div>
      {(call === undefined || kind === 'wait') && note !== '' ? (
        <p className="[overflow-wrap:anywhere]">{note}</p>
      ) : null}
      <Facts
        facts={[
          ['started', exactOrClock(new Date(node.at).toISOString(), now)],
          ['took', timeOf(node, now)],
          ...(call === undefined || kind === 'step' ? [] : callFacts(call)),
          ...(kind === 'step' ? stepFacts(node) : []),
          ...(kind === 'turn' && node.tokens !== undefined
            ? ([
                ['tokens', count(node.tokens)],
                ['cost', node.usd === undefined ? undefined : dollars(node.usd)]
              ] as const)
            : [])
        ]}
      />
      {call !== undefined && isWaiting(call) ? (
        <div>
          <CancelWait call={call} />
        </div>
      ) : null}
      {call === undefined ? null : <CallContent call={call} />}
      {data === undefined ? null : <Json label="Content" value={data} />}
      {events.length === 0 ? null : (
        <div>
          <div className="flex items-center justify-between pb-1">
            <h3 className="font-semibold">Events</h3>
            <CopyButton label="Copy as curl" text={followCurl(store, (events[0]?.seq ?? 1) - 1)} />
          </div>
          <RawEvents key={node.id} events={events} seq={seq} />
        </div>
      )}
    </section>
  )
}

type Fact = readonly [name: string, value: ReactNode]

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[96px_minmax(0,1fr)] gap-y-0.5 tabular-nums">
      {facts.map(([name, value]) =>
        value === '' || value === undefined ? null : (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        )
      )}
    </dl>
  )
}

const callFacts = (call: Call): Fact[] => [
  ['state', call.state],
  ['kind', call.kind === call.where ? call.kind : `${call.kind}, ${call.where}`],
  ...(call.kind === 'server'
    ? []
    : ([
        ['deadline', <Time key="deadline" at={call.deadline} />],
        ['on deadline', call.onDeadline]
      ] as const)),
  ['answered by', call.answeredBy],
  ['via', call.via],
  ['reason', call.reason]
]

function stepFacts({ prompt, usd }: TraceNode): Fact[] {
  if (prompt === undefined) return []
  const { tokens, cacheRead, output } = prompt
  const cached = cacheRead === 0 ? '' : `, ${count(cacheRead)} from the cache`
  return [
    ['prompt', `${count(tokens)} tokens with tools, counted by the provider${cached}`],
    ['reply', inTokens(output)],
    ['cost', usd === undefined ? undefined : dollars(usd)]
  ]
}

function CallContent({ call }: { call: Call }) {
  const { input, editedInput, output, errorText } = call
  return (
    <>
      <Json label={editedInput === undefined ? 'Input' : 'Input of the model'} value={input} />
      {editedInput === undefined ? null : <Json label="Input after the edit" value={editedInput} />}
      {output === undefined ? null : <Json label="Output" value={output} />}
      {errorText === undefined ? null : <Json label="Error" value={errorText} />}
    </>
  )
}
