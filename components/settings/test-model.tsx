import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import type { Said } from '#components/ui/outcome.tsx'

/** Asks a model for one word. Returns the function that asks, and its answer or why there is none. */
export function useModelTest(model: string) {
  const [said, setSaid] = useState<Said>({ text: '' })
  const [test, busy] = useAction(async () => {
    setSaid({ text: 'Asking…' })
    const reply = await replyTo(client.call('testModel', { body: { model } }))
    if (!reply.ok) return setSaid({ text: readError(reply), failed: true })
    const { model: name, ok, text, ms } = reply.body
    setSaid(
      ok ? { text: `Works. ${name} answered in ${ms.toLocaleString('en')} ms.` } : { text, failed: true }
    )
  })
  return { test, busy, said }
}

/** The result of a test. Screen readers announce it. */
export const ModelTested = ({ said }: { said: Said }) => (
  <p
    role="status"
    data-hook="model-test"
    data-outcome={said.text === '' ? undefined : said.failed ? 'failed' : 'works'}
    className={`pb-3 [overflow-wrap:anywhere] empty:hidden ${said.failed ? 'text-fail' : 'text-muted'}`}
  >
    {said.text}
  </p>
)
