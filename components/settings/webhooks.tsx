'use client'
import { type Webhook, WebhookEvent } from '@waystation/protocol/external-agent/webhook.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { type Reply, replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Field } from '#components/ui/field.tsx'
import { Section } from '#components/ui/section.tsx'
import { ShownOnce } from '#components/ui/shown-once.tsx'
import { Link } from '#components/workspace/link.tsx'
import { WebhookRow } from './webhook-row.tsx'

/** Describes when each event is sent. */
const meaning: Record<WebhookEvent, string> = {
  'call.opened': 'a call needs an answer',
  'call.expiring': 'a call is about to expire',
  'call.settled': 'a call is answered or declined, or it expires',
  'turn.failed': 'an agent stops with an error',
  'session.parked': 'a session pauses for pending calls'
}

/**
 * Lists, creates and removes the webhooks of the workspace. `webhooks` is undefined if the user is not an
 * owner.
 */
export function Webhooks({ webhooks }: { webhooks: readonly Webhook[] | undefined }) {
  return (
    <Section title="Webhooks" hook="webhooks">
      {webhooks === undefined ? (
        <p className="text-muted">Only workspace owners can view and create webhooks.</p>
      ) : (
        <Own webhooks={webhooks} />
      )}
    </Section>
  )
}

function Own({ webhooks }: { webhooks: readonly Webhook[] }) {
  const router = useRouter()
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WebhookEvent.options)
  const [secret, setSecret] = useState<string>()
  const [fault, setFault] = useState<string>()

  const [create, busy] = useAction(async () => {
    if (url.trim() === '') return setFault('Enter the URL of your service.')
    const reply = await replyTo(client.webhooks.create({ url: url.trim(), events: [...events] }))
    if (!reply.ok) return setFault(urlFaultOf(reply) ?? changeError(reply))
    setFault(undefined)
    setUrl('')
    setSecret(reply.body.secret)
    router.refresh()
  })
  const remove = async (webhookId: string) => {
    const reply = await replyTo(client.webhooks.delete(webhookId))
    setFault(reply.ok ? undefined : changeError(reply))
    router.refresh()
  }

  return (
    <>
      <p className="max-w-[68ch]">
        A webhook sends events to another service as signed POST requests (Standard Webhooks). To see which
        events were sent and whether they arrived, open{' '}
        <Link href="/deliveries" data-hook="open-deliveries">
          Deliveries
        </Link>
        .
      </p>
      <form
        onSubmit={event => {
          event.preventDefault()
          void create()
        }}
        noValidate
        className="flex flex-col gap-3"
      >
        <Field
          name="webhookUrl"
          label="Webhook URL"
          value={url}
          onChange={setUrl}
          fault={fault}
          inputMode="url"
          required
          mono
        />
        <fieldset className="grid min-w-0 gap-x-4 mid:grid-cols-2">
          <legend className="pb-1 text-muted">Send an event when</legend>
          {WebhookEvent.options.map(event => (
            <Checkbox
              key={event}
              name={event}
              checked={events.includes(event)}
              onChange={checked =>
                setEvents(before =>
                  WebhookEvent.options.filter(one => (one === event ? checked : before.includes(one)))
                )
              }
              className="items-baseline py-1"
            >
              {meaning[event]} <code className="font-mono text-mono text-muted">{event}</code>
            </Checkbox>
          ))}
        </fieldset>
        <div>
          <Button
            type="submit"
            tone="primary"
            disabled={busy || events.length === 0}
            data-hook="create-webhook"
          >
            Create webhook
          </Button>
        </div>
      </form>
      {secret === undefined ? null : (
        <ShownOnce what="secret" secret={secret} close={() => setSecret(undefined)} />
      )}
      {webhooks.length === 0 ? (
        <p data-hook="no-webhooks" className="text-muted">
          No webhooks yet.
        </p>
      ) : (
        <ul aria-label="Webhooks" className="border-t">
          {webhooks.map(webhook => (
            <WebhookRow key={webhook.webhookId} webhook={webhook} remove={() => remove(webhook.webhookId)} />
          ))}
        </ul>
      )}
    </>
  )
}

/** Returns the server's error about the URL as a sentence, or undefined if there is none. */
function urlFaultOf(reply: Extract<Reply<unknown>, { ok: false }>): string | undefined {
  const url = reply.error.fields?.url
  return url === undefined ? undefined : `This URL can't be used: ${url}.`
}
