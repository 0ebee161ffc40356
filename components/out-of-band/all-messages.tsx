'use client'
import { MessageList } from './message-list.tsx'
import { useMessages } from './use-messages.ts'

/** Each message of the workspace in these hours, newest first. `news` changes when something was told, or came of it. */
export function Messages({ hours, news }: { hours: number; news: string }) {
  const { page, fault, busy, more } = useMessages(`hours=${hours}`, news)
  return (
    <div className="max-w-[760px]">
      <MessageList page={page} fault={fault} busy={busy} onMore={more} label="Messages" ends />
    </div>
  )
}
