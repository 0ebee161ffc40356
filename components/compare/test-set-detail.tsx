import { newKey } from '@waystation/client'
import { type ListedTestRun, maxTestMessages, type TestSet } from '@waystation/protocol/agent/test-set.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { clock } from '#components/browser/format-time.ts'
import { type Reply, replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Section } from '#components/ui/section.tsx'
import { Select } from '#components/ui/select.tsx'
import { TextArea } from '#components/ui/text-area.tsx'
import { testSetsPath } from './compare-path.ts'
import { type Offered, revisionOptions, variantOf } from './offered.ts'
import { variantWords } from './result-words.ts'
import { RunResults } from './run-results.tsx'

type DetailProps = { set: TestSet; runs: readonly ListedTestRun[]; offered: Offered; mayEdit: boolean }

/** A test set: its messages, the form that runs them, and the results of a run. */
export function TestSetDetail({ set, runs, offered, mayEdit }: DetailProps) {
  const router = useRouter()
  const now = useNow()
  const path = { agentId: set.agentId, testSetId: set.id }
  const options = revisionOptions(offered)
  const [fault, setFault] = useState('')
  const [text, setText] = useState('')
  const [sides, setSides] = useState([
    String(offered.revisions[0]?.revision ?? 1),
    options[0]?.value ?? '1'
  ] as const)
  const [shown, setShown] = useState<string>()
  const run = runs.find(({ id }) => id === shown) ?? runs[0]

  const after = (reply: Reply<unknown>): boolean => {
    setFault(reply.ok ? '' : changeError(reply as Reply<never> & { ok: false }))
    if (reply.ok) router.refresh()
    return reply.ok
  }
  const [add, adding] = useAction(async () => {
    if (after(await replyTo(client.call('addTestMessage', { path, body: { text } })))) setText('')
  })
  const remove = async (index: number) =>
    after(
      await replyTo(
        client.call('saveTestSet', {
          path,
          body: { name: set.name, messages: set.messages.filter((_, at) => at !== index) }
        })
      )
    )
  const [start, starting] = useAction(async () => {
    const reply = await replyTo(
      client.call('runTestSet', { path, body: { with: sides.map(variantOf), key: newKey() } })
    )
    if (after(reply) && reply.ok) setShown(reply.body.id)
  })
  const deleteSet = async () => {
    const reply = await replyTo(client.call('deleteTestSet', { path }))
    if (!reply.ok) return changeError(reply)
    router.push(testSetsPath(set.agentId))
    router.refresh()
  }
  return (
    <div data-hook="test-set" className="flex flex-col gap-8">
      <Section title={set.name}>
        <ol data-hook="test-messages">
          {set.messages.map((message, index) => (
            <li key={message} className="flex items-start gap-4 border-b py-2">
              <span className="min-w-0 flex-1 whitespace-pre-wrap [overflow-wrap:anywhere]">{message}</span>
              {mayEdit ? (
                <Button
                  tone="quiet"
                  aria-label={`Remove message ${index + 1}`}
                  onClick={() => void remove(index)}
                >
                  Remove
                </Button>
              ) : null}
            </li>
          ))}
        </ol>
        {mayEdit ? (
          <form
            data-hook="add-test-message"
            className="flex flex-col items-start gap-2"
            onSubmit={event => {
              event.preventDefault()
              void add()
            }}
          >
            <div className="w-full">
              <TextArea label="New message" value={text} onChange={setText} maxLength={8000} />
            </div>
            <div className="flex flex-wrap gap-2">
              <Button
                type="submit"
                disabled={adding || text.trim() === '' || set.messages.length >= maxTestMessages}
              >
                Add message
              </Button>
              <ConfirmButton
                tone="danger"
                data-hook="delete-test-set"
                title={`Delete ${set.name}?`}
                description="Its runs are deleted too."
                act="Delete test set"
                onAct={deleteSet}
              >
                Delete test set
              </ConfirmButton>
            </div>
          </form>
        ) : null}
        <p role="alert" className="text-fail empty:hidden">
          {fault}
        </p>
      </Section>
      <Section title="Runs">
        {mayEdit ? (
          <form
            data-hook="run-test-set"
            className="flex flex-wrap items-center gap-2"
            onSubmit={event => {
              event.preventDefault()
              void start()
            }}
          >
            <Select
              aria-label="First revision"
              value={sides[0]}
              onChange={value => setSides([value, sides[1]])}
              options={options}
            />
            <span className="text-muted">and</span>
            <Select
              aria-label="Second revision"
              value={sides[1]}
              onChange={value => setSides([sides[0], value])}
              options={options}
            />
            <Button type="submit" tone="primary" disabled={starting || set.messages.length === 0}>
              {starting ? 'Starting…' : 'Run messages'}
            </Button>
          </form>
        ) : null}
        {run === undefined ? (
          <p className="text-muted">Tools run for real, and ask for approval as usual.</p>
        ) : (
          <>
            {runs.length > 1 ? (
              <Select
                aria-label="Run"
                className="max-w-full self-start"
                value={run.id}
                onChange={setShown}
                options={runs.map(({ id, with: variants, startedAt }) => ({
                  value: id,
                  label: `${variants.map(variantWords).join(' and ')}${now === undefined ? '' : `, ${clock(startedAt, now)}`}`
                }))}
              />
            ) : null}
            <RunResults key={run.id} path={{ ...path, runId: run.id }} />
          </>
        )}
      </Section>
    </div>
  )
}
