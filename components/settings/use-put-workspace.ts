'use client'
import type { CallInput, Result, WaystationError } from '@waystation/client'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import type { Said } from '#components/ui/outcome.tsx'

/**
 * Saves settings of the workspace.
 *
 * - `busy` is true until the page shows the saved workspace, because the form compares its values with it.
 * - `put` returns the saved workspace, or undefined if it was not saved.
 * - `showFaults` shows the errors of fields and returns true if there are any. Otherwise `said` has the
 *   error.
 */
export function usePutWorkspace() {
  const router = useRouter()
  const [said, setSaid] = useState<Said>({ text: '' })
  const [busy, setBusy] = useState(false)
  const [refreshing, refresh] = useTransition()
  const put = async (
    body: CallInput<'updateWorkspace'>['body'],
    showFaults: (error: WaystationError) => boolean
  ): Promise<Result<'updateWorkspace'> | undefined> => {
    setBusy(true)
    const reply = await replyTo(client.call('updateWorkspace', { body }))
    setBusy(false)
    if (reply.ok) {
      setSaid({ text: 'Saved.' })
      refresh(() => router.refresh())
      return reply.body
    }
    const isAtField = !reply.error.temporary && showFaults(reply.error)
    setSaid({ text: isAtField ? '' : changeError(reply), failed: true })
    return undefined
  }
  return { busy: busy || refreshing, said, say: setSaid, put }
}
