import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { useSearchParams } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { sectionHref, showSection } from '#components/agents/use-section.ts'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { faultOf } from '#components/browser/queries.tsx'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { TestSetView, type TestSetViewProps } from './test-set-view.tsx'
import { useTestSets } from './use-test-sets.ts'

/** The test sets of the open agent. The URL names the selected one. Otherwise it is the first. */
export function TestsSection(props: Pick<TestSetViewProps, 'draft' | 'versions'>) {
  const { agentId } = props.draft.agent
  const { mayEdit } = useWorkspace().me
  const named = useSearchParams().get('set')
  const [fault, setFault] = useState('')
  const [created, setCreated] = useState<string>()
  const read = useTestSets(agentId)
  const sets = read.data?.testSets
  const chosen = sets?.find(({ id }) => id === named) ?? sets?.[0]
  const reload = async () => void (await read.refetch())
  const box = useRef<HTMLDivElement>(null)
  const deleted = useRef<string>(undefined)
  useEffect(() => {
    // The dialog that asked disappears together with the set.
    if (deleted.current === undefined || sets?.some(({ id }) => id === deleted.current)) return
    deleted.current = undefined
    box.current?.querySelector<HTMLElement>('[data-hook="new-test-set"]')?.focus()
  }, [sets])
  const create = async (messages: string[]) => {
    const body = { name: `Test set ${(sets?.length ?? 0) + 1}`, messages }
    const reply = await replyTo(client.call('createTestSet', { path: { agentId }, body }))
    setFault(reply.ok ? '' : changeError(reply))
    if (!reply.ok) return
    setCreated(reply.body.id)
    await reload()
    showSection('tests', reply.body.id)
  }
  const [createEmpty, creating] = useAction(() => create([]))
  const [createRecent, reading] = useAction(async () => {
    const found = await replyTo(recentMessages(agentId))
    if (!found.ok) setFault(changeError(found))
    else if (found.body.length === 0) setFault('This agent has no messages in recent sessions.')
    else await create(found.body)
  })
  const busy = creating || reading
  if (sets === undefined) return <p className="text-fail">{faultOf(read)}</p>
  const nav = (
    <nav aria-label="Test sets" data-hook="test-sets" className="flex flex-wrap items-center gap-2">
      {sets.map(({ id, name, messages }) => (
        <a
          key={id}
          href={sectionHref('tests', id)}
          aria-current={id === chosen?.id ? 'true' : undefined}
          onClick={event => {
            if (event.metaKey || event.ctrlKey) return
            event.preventDefault()
            showSection('tests', id)
          }}
          className="tap inline-flex h-[30px] max-w-72 items-center gap-2 rounded-sm border px-3 text-muted no-underline hover:bg-panel aria-[current]:border-ink aria-[current]:text-ink"
        >
          <span className="truncate">{name}</span>
          <span className="text-muted tabular-nums">
            {messages.length}
            <span className="sr-only"> messages</span>
          </span>
        </a>
      ))}
      {mayEdit ? (
        <Button tone="quiet" data-hook="new-test-set" disabled={busy} onClick={() => void createEmpty()}>
          New set
        </Button>
      ) : null}
    </nav>
  )
  const empty = (
    <Empty
      title="No test sets yet"
      action={
        mayEdit ? (
          <div className="flex flex-col items-center gap-3">
            <Button
              tone="primary"
              data-hook="set-from-sessions"
              disabled={busy}
              onClick={() => void createRecent()}
            >
              Use recent messages
            </Button>
            <Button tone="quiet" data-hook="new-test-set" disabled={busy} onClick={() => void createEmpty()}>
              Create empty set
            </Button>
          </div>
        ) : undefined
      }
    >
      A test set runs the same messages on two versions, to show what changed.
    </Empty>
  )
  return (
    <div ref={box} data-hook="tests" className="flex max-w-[1280px] flex-col gap-4">
      {chosen === undefined ? (
        empty
      ) : (
        <TestSetView
          key={chosen.id}
          {...props}
          set={chosen}
          isNew={chosen.id === created}
          mayEdit={mayEdit}
          nav={nav}
          reload={reload}
          onDeleted={() => {
            deleted.current = chosen.id
          }}
        />
      )}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
    </div>
  )
}

/** Returns the first messages of the agent's last ten sessions, each text once. */
async function recentMessages(agentId: string): Promise<string[]> {
  const { sessions } = await client.sessions.list({ agentId, limit: 10 })
  const texts = await Promise.all(
    sessions.map(async ({ id }) => {
      const { messages } = await client.session(id).get()
      return textOf(messages.find(({ role }) => role === 'user') ?? { parts: [] }).trim()
    })
  )
  return [...new Set(texts)].filter(text => text !== '' && text.length <= 8000)
}
