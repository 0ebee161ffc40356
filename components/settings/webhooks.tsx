'use client'
import { type Webhook, WebhookEvent } from '@waystation/protocol/external-agent/webhook.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import type { Failed } from '#components/forms/use-schema-form.ts'
import { AddButtons } from '#components/ui/add-dialog.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Field } from '#components/ui/field.tsx'
import { Link } from '#components/workspace/link.tsx'
import { ListSection } from './list-section.tsx'
import { useChange } from './use-change.ts'

/** Describes when each event is sent. */
const meaning: Record<WebhookEvent, string> = {
  'call.opened': 'a call needs an answer',
  'call.expiring': 'a call is about to expire',
  'call.settled': 'a call is answered or declined, or it expires',
  'turn.failed': 'an agent stops with an error',
  'session.parked': 'a session pauses for pending calls',
  'message.received': 'an external agent replies',
  'out_of_band.held': 'a signal needs approval'
}

/**
 * Lists, creates and removes the webhooks of the workspace. `webhooks` is undefined if the user is not an
 * owner.
 */
export const Webhooks = ({ webhooks }: { webhooks: readonly Webhook[] | undefined }) => (
  <ListSection
    title="Webhooks"
    hook="webhooks"
    saved={webhooks}
    intro={
      <>
        A webhook sends events to another service as signed POST requests (Standard Webhooks).{' '}
        <Link
          href="/activity/deliveries"
          data-hook="open-deliveries"
          className="reach whitespace-nowrap underline"
        >
          Open deliveries
        </Link>
      </>
    }
    add={{ act: 'Create webhook', hook: 'new-webhook' }}
    form={(close, onCreated) => <WebhookForm onCancel={close} onCreated={onCreated} />}
    what="secret"
    empty={
      <Empty title="No webhooks yet" data-hook="no-webhooks">
        Create one to tell another service when a call opens or a turn fails.
      </Empty>
    }
    row={({ webhookId, url, events }) => ({
      key: webhookId,
      name: <span className="font-mono text-mono">{url}</span>,
      about: events.length === WebhookEvent.options.length ? 'all events' : events.join(', '),
      remove: {
        'data-hook': 'remove-webhook',
        'aria-label': `Remove ${url}…`,
        title: 'Remove this webhook?',
        description: `Waystation stops sending events to ${new URL(url).host}. Pending deliveries are dropped.`,
        act: 'Remove webhook',
        children: 'Remove…',
        request: () => client.webhooks.delete(webhookId)
      }
    })}
  />
)

function WebhookForm({ onCancel, onCreated }: { onCancel: () => void; onCreated: (secret: string) => void }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WebhookEvent.options)
  const { create, fault, setFault } = useChange(errorOf)
  const [submit, busy] = useAction(async () => {
    if (url.trim() === '') return setFault('Enter the URL of your service.')
    const made = await create(client.webhooks.create({ url: url.trim(), events: [...events] }))
    if (made !== undefined) onCreated(made.secret)
  })
  return (
    <Form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        name="webhookUrl"
        label="Webhook URL"
        value={url}
        onChange={setUrl}
        fault={fault}
        placeholder="https://acme.example/waystation"
        inputMode="url"
        required
        mono
      />
      <fieldset className="min-w-0">
        <legend className="pb-1 font-semibold">Send an event when</legend>
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
            className="py-1"
          >
            {meaning[event]} <code className="font-mono text-mono text-muted">{event}</code>
          </Checkbox>
        ))}
      </fieldset>
      <AddButtons
        act="Create webhook"
        hook="create-webhook"
        disabled={busy || events.length === 0}
        onCancel={onCancel}
      />
    </Form>
  )
}

/** Names the URL if the server's error is about it. */
function errorOf(reply: Failed): string {
  const url = reply.error.fields?.url
  return url === undefined ? changeError(reply) : `This URL can't be used: ${url}.`
}
