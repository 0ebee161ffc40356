'use client'
import { type Webhook, WebhookEvent } from '@waystation/protocol/external-agent/webhook.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import type { Failed } from '#components/forms/use-schema-form.ts'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Field } from '#components/ui/field.tsx'
import { ShownOnce } from '#components/ui/shown-once.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useChange } from './use-change.ts'
import { WorkspaceSection } from './workspace-section.tsx'

/** Describes when each event is sent. */
const meaning: Record<WebhookEvent, string> = {
  'call.opened': 'a call needs an answer',
  'call.expiring': 'a call is about to expire',
  'call.settled': 'a call is answered or declined, or it expires',
  'turn.failed': 'an agent stops with an error',
  'session.parked': 'a session pauses for pending calls',
  'message.received': 'an external agent replies',
  'out_of_band.held': 'an out-of-band message needs approval'
}

/**
 * Lists, creates and removes the webhooks of the workspace. `webhooks` is undefined if the user is not an
 * owner.
 */
export const Webhooks = ({ webhooks }: { webhooks: readonly Webhook[] | undefined }) => (
  <WorkspaceSection
    title="Webhooks"
    hook="webhooks"
    saved={webhooks}
    ownersOnly="Only workspace owners can view and create webhooks."
    intro={
      <>
        A webhook sends events to another service as signed POST requests (Standard Webhooks). To see which
        events were sent and whether they arrived, open{' '}
        <Link href="/activity/deliveries" data-hook="open-deliveries">
          Deliveries
        </Link>
        .
      </>
    }
  >
    {saved => <WebhookList webhooks={saved} />}
  </WorkspaceSection>
)

function WebhookList({ webhooks }: { webhooks: readonly Webhook[] }) {
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WebhookEvent.options)
  const [secret, setSecret] = useState<string>()
  const { create, change, fault, setFault } = useChange(errorOf)
  const [submit, busy] = useAction(async () => {
    if (url.trim() === '') return setFault('Enter the URL of your service.')
    const made = await create(client.webhooks.create({ url: url.trim(), events: [...events] }))
    if (made === undefined) return
    setUrl('')
    setSecret(made.secret)
  })
  return (
    <>
      <Form onSubmit={submit} className="flex flex-col gap-3">
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
      </Form>
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
            <WebhookRow
              key={webhook.webhookId}
              webhook={webhook}
              remove={() => change(client.webhooks.delete(webhook.webhookId))}
            />
          ))}
        </ul>
      )}
    </>
  )
}

/** Names the URL if the server's error is about it. */
function errorOf(reply: Failed): string {
  const url = reply.error.fields?.url
  return url === undefined ? changeError(reply) : `This URL can't be used: ${url}.`
}

/** A webhook in the list. Removing it needs confirmation, because its pending deliveries are dropped. */
function WebhookRow({ webhook, remove }: { webhook: Webhook; remove: () => Promise<unknown> }) {
  const { url, events } = webhook
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2">
      <div className="min-w-0">
        <p className="font-mono text-mono [overflow-wrap:anywhere]">{url}</p>
        <p className="text-muted">
          {events.length === WebhookEvent.options.length ? 'all events' : events.join(', ')}
        </p>
      </div>
      <ConfirmButton
        data-hook="remove-webhook"
        title="Remove this webhook?"
        description={`Waystation stops sending events to ${new URL(url).host}. Pending deliveries are dropped.`}
        act="Remove webhook"
        onAct={remove}
      >
        Remove…
      </ConfirmButton>
    </li>
  )
}
