'use client'
import { MessageList } from './message-list.tsx'
import { useMessages } from './use-messages.ts'

/**
 * Lists the messages of the workspace in the last `hours` hours, newest first. `news` must change whenever a
 * message is sent or its status changes.
 */
export function Messages({ hours, news }: { hours: number; news: string }) {
  const { page, fault, busy, more } = useMessages({ hours }, news)
  return (
    <div className="max-w-[760px]">
      <MessageList page={page} fault={fault} busy={busy} onMore={more} label="Messages" ends />
    </div>
  )
}
