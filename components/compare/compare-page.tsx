'use client'
import { newKey } from '@waystation/client'
import type { TurnRef, TurnResult, Variant } from '@waystation/protocol/session/comparison.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { useRouter } from 'next/navigation'
import { type UIEvent, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { useRead } from '#components/browser/queries.tsx'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useWide } from '#components/browser/use-media.ts'
import type { SessionAgent } from '#components/session/store/session-context.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { Button } from '#components/ui/button.tsx'
import { Tabs } from '#components/ui/tabs.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useListStore } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AddToTestSet } from './add-to-test-set.tsx'
import { Column, type ComparedTurn } from './column.tsx'
import { comparePath } from './compare-path.ts'
import { Figures } from './figures.tsx'
import type { Offered } from './offered.ts'
import { ranOnWords, stateWords } from './result-words.ts'
import { RunForm } from './run-form.tsx'

type ComparePageProps = {
  turns: readonly ComparedTurn[]
  agent: SessionAgent
  offered: Offered
  title: string
}

/** How often results are read while a turn is not over, in ms. */
const often = 1500

/** A turn, beside the same message on other revisions or models. On a small screen, they are tabs. */
export function ComparePage({ turns, agent, offered, title }: ComparePageProps) {
  const { me } = useWorkspace()
  const wide = useWide()
  const refs = turns.map(({ result: { sessionId, messageId } }) => ({ sessionId, messageId }))
  const results = useResults(turns, refs)
  const [adding, setAdding] = useState(turns.length === 1)
  const [changed, setChanged] = useState<number>()
  const { run, busy, fault, keep } = useRuns(refs, () => {
    setAdding(false)
    setChanged(undefined)
  })
  const [tab, setTab] = useState('0')
  const scrolled = useScrollTogether()
  const mayRun = me.mayEdit
  const text = textOf(turns[0]?.snapshot.messages[0] ?? { parts: [] }).trim()
  const names = results.map((result, index) => ranOnWords(result, turns[index]?.session.agentRevision))

  const columns = turns.map((turn, index) => {
    const result = results[index] ?? turn.result
    return (
      <Column
        key={turn.session.id}
        turn={turn}
        agent={agent}
        label={`${index + 1}: ${names[index]}`}
        me={{
          name: me.name,
          id: me.id,
          role: me.role,
          may: { send: false, answer: me.mayAnswer, edit: false },
          approvers: 'an operator of this workspace'
        }}
        head={
          <>
            <header className="flex h-14 shrink-0 items-center gap-3 border-b bg-panel px-5">
              <div className="min-w-0 flex-1">
                <h2 className="truncate text-ui font-semibold" data-hook="ran-on">
                  {names[index]}
                </h2>
                <p
                  role="status"
                  className="truncate text-muted"
                  data-hook="turn-state"
                  data-state={result.state}
                >
                  {index === 0 && result.state === 'done' ? 'Original' : stateWords[result.state]}
                  {result.error === undefined ? '' : `: ${result.error}`}
                </p>
              </div>
              {index > 0 && mayRun ? (
                <>
                  <Button tone="quiet" data-hook="change-run" onClick={() => setChanged(index)}>
                    Change
                  </Button>
                  {turn.session.trial ? (
                    <Button data-hook="keep-trial" disabled={busy} onClick={() => void keep(turn.session.id)}>
                      Keep this one
                    </Button>
                  ) : (
                    <Link href={sessionPath(turn.session.id)} className="tap inline-flex items-center">
                      Open session
                    </Link>
                  )}
                </>
              ) : null}
            </header>
            {changed === index ? (
              <div className="@container shrink-0 border-b">
                <RunForm
                  offered={offered}
                  busy={busy}
                  fault={fault}
                  onRun={variant => void run(variant, index)}
                  onCancel={() => setChanged(undefined)}
                />
              </div>
            ) : turns.length > 1 ? (
              <Figures results={results} at={index} />
            ) : null}
          </>
        }
      />
    )
  })
  const form =
    mayRun && (adding || turns.length === 1) && turns.length < 3 ? (
      <div className="@container min-w-0 flex-1 overflow-y-auto" key="form">
        <RunForm
          offered={offered}
          busy={busy}
          fault={fault}
          onRun={variant => void run(variant, turns.length)}
          {...(turns.length > 1 && { onCancel: () => setAdding(false) })}
        />
      </div>
    ) : null
  const panes = [...columns, ...(form === null ? [] : [form])]
  return (
    <div className="flex h-full flex-col" data-hook="compare">
      <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b px-5 py-2">
        <Link
          href={sessionPath(refs[0]?.sessionId ?? '')}
          className="tap inline-flex items-center text-muted"
        >
          <span className="max-w-60 truncate">‹ {title}</span>
        </Link>
        <h1 className="min-w-0 flex-1 truncate text-title font-semibold">Compare</h1>
        {mayRun && text !== '' ? <AddToTestSet agentId={agent.agentId} text={text} /> : null}
        {mayRun && form === null && turns.length < 3 ? (
          <Button
            data-hook="add-column"
            onClick={() => {
              setAdding(true)
              setTab(String(turns.length))
            }}
          >
            Add column
          </Button>
        ) : null}
      </header>
      {wide ? (
        <div
          {...scrolled}
          className="grid min-h-0 flex-1 auto-cols-fr grid-flow-col grid-rows-1 divide-x divide-line"
        >
          {panes.map((pane, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pane has a key of its own
            <div key={index} className="flex min-h-0 min-w-0 flex-col">
              {pane}
            </div>
          ))}
        </div>
      ) : (
        <div className="min-h-0 flex-1">
          <Tabs
            label="Runs"
            value={Number(tab) < panes.length ? tab : '0'}
            onValueChange={setTab}
            tabs={panes.map((pane, index) => ({
              name: String(index),
              label: index === 0 ? 'Original' : (names[index] ?? 'Run on…'),
              content: <div className="flex h-full min-h-0 flex-col">{pane}</div>
            }))}
          />
        </div>
      )}
    </div>
  )
}

/** Returns the results of the turns, and reads them again until all turns are over. */
function useResults(turns: readonly ComparedTurn[], refs: readonly TurnRef[]): readonly TurnResult[] {
  const first = turns.map(({ result }) => result)
  const { data = first } = useRead({
    queryKey: ['turns', ...refs.map(({ sessionId, messageId }) => `${sessionId} ${messageId}`)],
    queryFn: () =>
      Promise.all(refs.map(path => client.call('getTurnResult', { path }) as Promise<TurnResult>)),
    refetchInterval: ({ state }) =>
      (state.data ?? first).some(({ state }) => state === 'working' || state === 'waiting') ? often : false,
    first
  })
  return data.length === turns.length ? data : first
}

/** Starts and keeps trials. `run` puts a new trial at a position among the columns. */
function useRuns([original, ...trials]: readonly TurnRef[], onStarted: () => void) {
  const router = useRouter()
  const store = useListStore()
  const [fault, setFault] = useState('')
  const chosen = useRef<{ variant: Variant; at: number }>(undefined)
  const [start, starting] = useAction(async () => {
    if (chosen.current === undefined || original === undefined) return
    const { variant, at } = chosen.current
    const { sessionId, messageId } = original
    const reply = await replyTo(
      client.call('compareTurn', {
        path: { sessionId },
        body: { messageId, with: [variant], key: newKey() }
      })
    )
    setFault(reply.ok ? '' : changeError(reply))
    if (!reply.ok) return
    onStarted()
    const [started] = reply.body.trials
    if (started !== undefined)
      router.replace(comparePath(original, [...trials.slice(0, at - 1), started, ...trials.slice(at)]))
  })
  const [keeping, setKeeping] = useState(false)
  const keep = async (sessionId: string) => {
    setKeeping(true)
    const reply = await replyTo(client.call('keepTrial', { path: { sessionId } }))
    setKeeping(false)
    if (!reply.ok) return setFault(changeError(reply))
    void store.refresh()
    router.push(sessionPath(sessionId))
  }
  const run = (variant: Variant, at: number) => {
    chosen.current = { variant, at }
    return start()
  }
  return { run, busy: starting || keeping, fault, keep }
}

/** Scrolls all columns with the one that the user scrolls. */
function useScrollTogether() {
  const leader = useRef<EventTarget | undefined>(undefined)
  const lead = ({ target }: { target: EventTarget }) => {
    leader.current = (target as Element).closest?.('[data-hook=transcript]') ?? leader.current
  }
  const onScrollCapture = ({ target, currentTarget }: UIEvent<HTMLElement>) => {
    if (target !== leader.current || !(target instanceof HTMLElement)) return
    for (const other of currentTarget.querySelectorAll<HTMLElement>('[data-hook=transcript]'))
      if (other !== target) other.scrollTop = target.scrollTop
  }
  return { onPointerOverCapture: lead, onFocusCapture: lead, onScrollCapture }
}
