'use client'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { useState } from 'react'
import { useWide } from '#components/browser/use-media.ts'
import type { SessionAgent } from '#components/session/store/session-context.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { Button } from '#components/ui/button.tsx'
import { Tabs } from '#components/ui/tabs.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { AddToTestSet } from './add-to-test-set.tsx'
import { Column, type ComparedTurn } from './column.tsx'
import { Figures } from './figures.tsx'
import type { Offered } from './offered.ts'
import { ranOnWords, stateWords } from './result-words.ts'
import { RunForm } from './run-form.tsx'
import { useResults } from './use-results.ts'
import { useRuns } from './use-runs.ts'
import { useScrollTogether } from './use-scroll-together.ts'

type ComparePageProps = {
  turns: readonly ComparedTurn[]
  agent: SessionAgent
  offered: Offered
  title: string
}

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
        <h1 className="min-w-32 flex-1 truncate text-title font-semibold">Compare</h1>
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
