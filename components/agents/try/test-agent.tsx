import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Json } from '#components/ui/json.tsx'

/** Sends a test message to the published URL of an external agent, and shows the response. */
export function TestAgent({ agentId }: { agentId: string }) {
  const [attempt, setAttempt] = useState<DeliveryAttempt>()
  const [fault, setFault] = useState('')
  const [send, sending] = useAction(async () => {
    const reply = await replyTo(client.call('testAgent', { path: { agentId } }))
    setAttempt(reply.ok ? reply.body : undefined)
    setFault(reply.ok ? '' : changeError(reply))
  })
  return (
    <section aria-labelledby="test" className="flex h-full flex-col gap-3 overflow-y-auto px-4 py-6">
      <h2 id="test" className="border-b pb-2 text-person font-semibold">
        Connection test
      </h2>
      <p className="max-w-[68ch] text-muted">
        Sends a message of the type “test” to the published input URL, signed like any other message. It
        belongs to no session.
      </p>
      <div className="flex flex-wrap items-center gap-3">
        <Button data-hook="test-agent" disabled={sending} onClick={() => void send()}>
          Send test message
        </Button>
        <p role="status" data-hook="test-outcome" className={attempt?.error === undefined ? '' : 'text-fail'}>
          {sending ? 'Waiting for a response…' : attempt === undefined ? '' : outcomeOf(attempt)}
        </p>
      </div>
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {attempt?.body === undefined ? null : <Json label="Response" value={attempt.body} />}
    </section>
  )
}

const outcomeOf = ({ status, error, ms }: DeliveryAttempt): string =>
  error ?? `Accepted with ${status} after ${ms} ms.`
