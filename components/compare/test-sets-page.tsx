'use client'
import type { ListedTestRun, TestSet } from '@waystation/protocol/agent/test-set.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Input } from '#components/ui/input.tsx'
import { Link } from '#components/workspace/link.tsx'
import { SplitPage } from '#components/workspace/page.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { testSetsPath } from './compare-path.ts'
import type { Offered } from './offered.ts'
import { TestSetDetail } from './test-set-detail.tsx'

type TestSetsPageProps = {
  agent: { agentId: string; displayName: string }
  testSets: readonly TestSet[]
  open: { set: TestSet; runs: readonly ListedTestRun[] } | undefined
  offered: Offered
}

/** The test sets of an agent, and the selected one with its messages and runs. */
export function TestSetsPage({
  agent: { agentId, displayName },
  testSets,
  open,
  offered
}: TestSetsPageProps) {
  const router = useRouter()
  const { me } = useWorkspace()
  const [name, setName] = useState('')
  const [fault, setFault] = useState('')
  const [create, busy] = useAction(async () => {
    const reply = await replyTo(
      client.call('createTestSet', { path: { agentId }, body: { name, messages: [] } })
    )
    setFault(reply.ok ? '' : changeError(reply))
    if (!reply.ok) return
    setName('')
    router.push(testSetsPath(agentId, reply.body.id))
    router.refresh()
  })
  const list = (
    <div className="flex flex-col gap-4">
      {testSets.length === 0 ? (
        <p className="max-w-[68ch] text-muted">A test set runs the same messages on two revisions.</p>
      ) : (
        <ul data-hook="test-sets" className="border-t">
          {testSets.map(set => (
            <li key={set.id} className="border-b">
              <Link
                href={testSetsPath(agentId, set.id)}
                aria-current={set.id === open?.set.id ? 'true' : undefined}
                className="flex min-h-11 items-center gap-4 px-2 py-2 no-underline hover:bg-panel aria-[current=true]:bg-panel"
              >
                <span className="min-w-0 flex-1 truncate font-semibold">{set.name}</span>
                <span className="text-muted tabular-nums">{messagesWords(set.messages.length)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {me.mayEdit ? (
        <form
          data-hook="new-test-set"
          className="flex flex-wrap items-center gap-2"
          onSubmit={event => {
            event.preventDefault()
            void create()
          }}
        >
          <Input
            aria-label="Name of the new test set"
            placeholder="Name"
            value={name}
            maxLength={100}
            onChange={event => setName(event.target.value)}
            className="min-w-0 flex-1"
          />
          <Button type="submit" disabled={busy || name.trim() === ''}>
            Create test set
          </Button>
        </form>
      ) : null}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
    </div>
  )
  return (
    <SplitPage
      title="Test sets"
      above={{ href: `/agents/${agentId}`, label: displayName }}
      list={list}
      label="Test set"
      onBack={() => router.push(testSetsPath(agentId))}
      empty={<p className="text-muted">Select a test set.</p>}
      detail={
        open === undefined ? undefined : (
          <TestSetDetail key={open.set.id} {...open} offered={offered} mayEdit={me.mayEdit} />
        )
      }
    />
  )
}

const messagesWords = (count: number) => (count === 1 ? '1 message' : `${count} messages`)
