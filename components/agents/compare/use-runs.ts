import { newKey } from '@waystation/client'
import type { TurnRef, Variant } from '@waystation/protocol/session/comparison.ts'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { useListStore } from '#components/workspace/list-context.ts'
import { comparePath } from './compare-path.ts'

/** Starts and keeps trials. `run` puts a new trial at a position among the columns. */
export function useRuns([original, ...trials]: readonly TurnRef[], onStarted: () => void) {
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
