'use client'
import { Button } from '#components/ui/button.tsx'
import { useList } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/**
 * Shown beside the list while no session is open. On a small screen, only the list is visible, and this is
 * its heading for screen readers.
 */
export function NoSession() {
  const { rows, waiting } = useList()
  const { newSession, nextWaiting, me } = useWorkspace()
  return (
    <div className="flex h-full flex-col justify-center gap-2 px-18">
      <h1 className="text-title font-semibold">
        {waiting > 0 ? wordsFor(waiting) : 'Nothing is waiting for you'}
      </h1>
      <p className="max-w-[68ch] text-muted max-mid:hidden">
        {rows.length === 0
          ? 'A session is a conversation with an agent. It pauses when it needs you and continues when you answer, even days later.'
          : me.maySend
            ? 'Select a session from the list, or start a new one.'
            : 'Select a session from the list. You can read sessions but not start them.'}
      </p>
      <p className="flex gap-2 pt-2 max-mid:hidden">
        {waiting > 0 ? (
          <Button tone="primary" onClick={nextWaiting} aria-keyshortcuts="w">
            Show first request
          </Button>
        ) : null}
        {me.maySend ? (
          <Button tone={waiting > 0 ? 'plain' : 'primary'} onClick={() => newSession()} aria-keyshortcuts="n">
            New session
          </Button>
        ) : null}
      </p>
    </div>
  )
}

const wordsFor = (count: number) =>
  count === 1 ? 'One request is waiting for you' : `${count} requests are waiting for you`
