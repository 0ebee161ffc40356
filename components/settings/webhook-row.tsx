'use client'
import { type Webhook, WebhookEvent } from '@waystation/protocol/external-agent/webhook.ts'
import { useState } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'

/** A webhook in the list. Removing it needs confirmation, because its pending deliveries are dropped. */
export function WebhookRow({ webhook, remove }: { webhook: Webhook; remove: () => Promise<void> }) {
  const [asked, setAsked] = useState(false)
  const { url, events } = webhook
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 border-b py-2">
      <div className="min-w-0">
        <p className="font-mono text-mono [overflow-wrap:anywhere]">{url}</p>
        <p className="text-muted">
          {events.length === WebhookEvent.options.length ? 'all events' : events.join(', ')}
        </p>
      </div>
      <Button onClick={() => setAsked(true)} data-hook="remove-webhook">
        Remove…
      </Button>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title="Remove this webhook?"
        description={`Waystation stops sending events to ${new URL(url).host}. Pending deliveries are dropped.`}
      >
        <ConfirmButtons
          act="Remove webhook"
          onAct={() => void remove().then(() => setAsked(false))}
          onKeep={() => setAsked(false)}
        />
      </Dialog>
    </li>
  )
}
