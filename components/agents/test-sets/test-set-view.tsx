import { newKey } from '@waystation/client'
import {
  type ListedTestRun,
  maxTestMessages,
  type TestRun,
  type TestSet
} from '@waystation/protocol/agent/test-set.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { revisionOptions, variantOf } from '#components/agents/compare/offered.ts'
import { variantWords } from '#components/agents/compare/result-words.ts'
import type { EditedDraft } from '#components/agents/draft/use-agent-draft.ts'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { clock } from '#components/browser/format-time.ts'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import { type Reply, replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { GrowingText } from '#components/ui/text-area.tsx'
import { hasCalls, isOpen, rowsOf, summaryWords } from './run-summary.ts'
import { TestTable } from './test-table.tsx'

/** How often the results are read while a message is not over, in ms. */
const often = 2000

export type TestSetViewProps = {
  draft: EditedDraft
  /** The published versions, newest first. */
  versions: readonly number[]
  set: TestSet
  /** The user has just created it, so that its first field gets the focus. */
  isNew: boolean
  mayEdit: boolean
  /** The links to all sets. */
  nav: ReactNode
  reload: () => Promise<void>
  /** Runs after the server has deleted the set, and before the list is read again. */
  onDeleted: () => void
}

/** A test set: the form that runs it, and its messages with the results of a run. */
export function TestSetView({
  draft,
  versions,
  set,
  isNew,
  mayEdit,
  nav,
  reload,
  onDeleted
}: TestSetViewProps) {
  const now = useNow()
  const path = { agentId: set.agentId, testSetId: set.id }
  const [fault, setFault] = useState('')
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isNew) field.current?.focus()
  }, [isNew])
  const [shown, setShown] = useState<string>()
  const options = revisionOptions({ versions, hasDraft: draft.pending })
  const [picked, setPicked] = useState<{ first?: string; second?: string }>({})
  const known = (name: string | undefined) => options.find(({ value }) => value === name)?.value
  const second = known(picked.second) ?? options[0]?.value ?? '1'
  const first = known(picked.first) ?? options.find(({ value }) => value !== second)?.value ?? second

  const list = useRead({
    queryKey: ['test-runs', set.id],
    queryFn: () => client.call('listTestRuns', { path })
  })
  const runs = (list.data?.runs ?? []) as ListedTestRun[]
  const runId = shown ?? runs[0]?.id
  const read = useRead({
    queryKey: ['test-run', runId],
    queryFn: () => client.call('getTestRun', { path: { ...path, runId: runId ?? '' } }) as Promise<TestRun>,
    enabled: runId !== undefined,
    refetchInterval: ({ state }) =>
      state.data === undefined || isOpen(state.data) ? often : hasCalls(state.data) ? often * 5 : false
  })
  const run = read.data
  const isLoading = list.isPending || (runId !== undefined && read.isPending)

  const change = async (reply: Reply<unknown>): Promise<boolean> => {
    setFault(reply.ok ? '' : changeError(reply as Reply<never> & { ok: false }))
    if (reply.ok) await reload()
    return reply.ok
  }
  const save = async ({ name = set.name, messages = set.messages }: Partial<TestSet>) =>
    change(await replyTo(client.call('saveTestSet', { path, body: { name, messages } })))
  const [add, adding] = useAction(async () => {
    if (await change(await replyTo(client.call('addTestMessage', { path, body: { text } })))) setText('')
    // The button is disabled without a text.
    field.current?.focus()
  })
  const [start, starting] = useAction(async () => {
    const chosen = [...new Set([first, second])]
    if (chosen.includes('draft') && !(await draft.autosave.flush())) {
      setFault('The draft is not saved. Correct it, then run again.')
      return
    }
    const body = { with: chosen.map(variantOf), key: newKey() }
    const reply = await replyTo(client.call('runTestSet', { path, body }))
    setFault(reply.ok ? '' : changeError(reply))
    if (!reply.ok) return
    await list.refetch()
    setShown(reply.body.id)
  })
  const picker = (label: string, value: string, side: 'first' | 'second') => (
    <Select
      aria-label={label}
      data-hook={`run-${side}`}
      value={value}
      onChange={name => setPicked({ ...picked, [side]: name })}
      options={options}
    />
  )
  return (
    <section aria-label={set.name} data-hook="test-set" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {nav}
        {mayEdit ? (
          <form
            data-hook="run-test-set"
            className="flex flex-wrap items-center gap-2"
            onSubmit={event => {
              event.preventDefault()
              void start()
            }}
          >
            {picker('First version', first, 'first')}
            <span className="text-muted">and</span>
            {picker('Second version', second, 'second')}
            <Button type="submit" disabled={set.messages.length === 0}>
              {starting ? 'Starting…' : 'Run messages'}
            </Button>
          </form>
        ) : null}
      </div>
      {run === undefined ? null : (
        <div className="flex min-h-[30px] flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <p role="status" data-hook="run-summary" className="font-semibold tabular-nums">
            {summaryWords(run)}
          </p>
          {runs.length > 1 ? (
            <Select
              aria-label="Run"
              data-hook="shown-run"
              className="max-w-full"
              value={run.id}
              onChange={setShown}
              options={runs.map(({ id, with: variants, startedAt }) => ({
                value: id,
                label: `${now === undefined ? '' : `${clock(startedAt, now)}: `}${variants.map(variantWords).join(' and ')}`
              }))}
            />
          ) : null}
        </div>
      )}
      <p role="alert" className="text-fail empty:hidden">
        {fault || faultOf(list) || faultOf(read)}
      </p>
      {isLoading ? null : set.messages.length === 0 && run === undefined ? (
        <p className="text-muted">No messages yet. Add the first one.</p>
      ) : (
        <TestTable
          key={runId}
          run={run}
          rows={rowsOf(set.messages, run)}
          onRemove={
            mayEdit
              ? async message => {
                  await save({ messages: set.messages.filter(one => one !== message) })
                  // The button is gone.
                  field.current?.focus()
                }
              : undefined
          }
        />
      )}
      {mayEdit ? (
        <form
          data-hook="add-test-message"
          className="flex items-end gap-2"
          onSubmit={event => {
            event.preventDefault()
            void add()
          }}
        >
          <GrowingText
            ref={field}
            aria-label="New message"
            placeholder="New message"
            value={text}
            maxLength={8000}
            onChange={event => setText(event.target.value)}
            className="tap max-h-72 min-h-[30px] min-w-0 flex-1 rounded-sm border border-rail bg-ground px-2 py-1"
          />
          <Button
            type="submit"
            disabled={adding || text.trim() === '' || set.messages.length >= maxTestMessages}
          >
            Add message
          </Button>
        </form>
      ) : null}
      <div className="flex flex-wrap items-center justify-between gap-4 text-muted">
        <p className="basis-full">Tools run for real, and ask for approval as usual.</p>
        {mayEdit ? (
          <>
            <label className="flex items-center gap-2">
              Name
              <Input
                data-hook="test-set-name"
                defaultValue={set.name}
                maxLength={100}
                onBlur={({ target }) => {
                  const name = target.value.trim()
                  if (name === '') target.value = set.name
                  else if (name !== set.name) void save({ name })
                }}
                className="w-60 text-ink"
              />
            </label>
            <ConfirmButton
              tone="quiet"
              data-hook="delete-test-set"
              title={`Delete ${set.name}?`}
              description="Its runs are deleted too."
              act="Delete test set"
              onAct={async () => {
                const reply = await replyTo(client.call('deleteTestSet', { path }))
                if (!reply.ok) return changeError(reply)
                onDeleted()
                await reload()
              }}
            >
              Delete set…
            </ConfirmButton>
          </>
        ) : null}
      </div>
    </section>
  )
}
