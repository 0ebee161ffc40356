'use client'
import type { ErrorBody } from '@waystation/protocol/error-body.ts'
import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { httpTo } from '#components/browser/http.ts'
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
  const put = async <Kept>(
    setting: object,
    showFaults: (refusal: ErrorBody) => boolean
  ): Promise<Kept | undefined> => {
    setBusy(true)
    const reply = await httpTo('')<Kept>('PUT', '/api/workspace', setting)
    setBusy(false)
    if (reply.ok) {
      setSaid({ text: 'Saved.' })
      refresh(() => router.refresh())
      return reply.body
    }
    const isAtField = !reply.lost && showFaults(reply.refusal)
    setSaid({ text: isAtField ? '' : changeError(reply), failed: true })
    return undefined
  }
  return { busy: busy || refreshing, said, say: setSaid, put }
}
