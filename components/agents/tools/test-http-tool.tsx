import type { DeliveryAttempt } from '@waystation/protocol/external-agent/delivery.ts'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { parseJson } from '#components/browser/parse-json.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Field } from '#components/ui/field.tsx'
import { Json } from '#components/ui/json.tsx'
import { parametersOf } from './schema-parameters.ts'

/** Sends a test call to an HTTP tool, and shows its response. */
export function TestHttpTool({ name, url, schema }: { name: string; url: string; schema: unknown }) {
  const agentId = (useWatch({ name: 'agentId' }) as string) || 'new'
  const [typed, setText] = useState<string>()
  const text = typed ?? exampleOf(schema)
  const [attempt, setAttempt] = useState<DeliveryAttempt>()
  const [fault, setFault] = useState('')
  const [send, busy] = useAction(async () => {
    const input = parseJson(text)
    setAttempt(undefined)
    if (!input.ok || typeof input.value !== 'object' || input.value === null || Array.isArray(input.value))
      return setFault('The arguments must be a JSON object.')
    const body = { name, url, agentId, input: input.value as Record<string, unknown> }
    const reply = await replyTo(client.call('testHttpTool', { body }))
    setFault(reply.ok ? '' : readError(reply))
    if (reply.ok) setAttempt(reply.body)
  })
  return (
    <div className="flex flex-col items-start gap-2 border-l-2 border-rail pl-4">
      <div className="w-full">
        <Field
          name="testArguments"
          label="Test call"
          hint="Arguments as JSON. The service receives a signed call, and can really run it."
          value={text}
          onChange={setText}
          rows={3}
          mono
        />
      </div>
      <Button data-hook="test-tool" disabled={busy || name === '' || url === ''} onClick={() => void send()}>
        Send test call
      </Button>
      <p
        role="status"
        data-hook="tool-test"
        className={`[overflow-wrap:anywhere] empty:hidden ${attempt?.error === undefined && fault === '' ? '' : 'text-fail'}`}
      >
        {busy ? 'Waiting for a response…' : fault || (attempt === undefined ? '' : outcomeOf(attempt))}
      </p>
      {attempt?.body === undefined ? null : <Json label="Response" value={attempt.body} />}
    </div>
  )
}

const outcomeOf = ({ status, error, ms }: DeliveryAttempt): string =>
  error ?? `The service responded with ${status} after ${Math.round(ms)} ms.`

const empty = { string: '', number: 0, integer: 0, boolean: false }

/** Returns arguments with an empty value for each parameter. */
const exampleOf = (schema: unknown): string =>
  JSON.stringify(
    Object.fromEntries((parametersOf(schema) ?? []).map(({ name, type }) => [name, empty[type]]))
  )
