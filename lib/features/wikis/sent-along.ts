import { storable } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { type ActiveItem, type ActivePage, maxActiveItem } from '#lib/protocol/external-agent/active-item.ts'
import { tiddlerFor } from './read-tiddler.ts'

/** What goes along to another system with a message (000-21): clean, redacted and within its limit. */
export function itemSentAlong(ctx: Ctx, item: ActiveItem): ActiveItem {
  const active = redacted(ctx, 'active-item', storable(item) as ActiveItem)
  if (Buffer.byteLength(JSON.stringify(active.content ?? null)) > maxActiveItem)
    throw new Refusal(
      'TOO_LARGE',
      `An active item can be up to ${maxActiveItem / 1024} KiB. Send a smaller item, or none.`
    )
  return active
}

/**
 * The same for a page of a wiki, as it is now. One that is not there any more is refused, and the message with it; so is one
 * that an end user names: wikis are the workspace's own.
 */
export async function pageSentAlong(ctx: Ctx, { wiki, title }: ActivePage): Promise<ActiveItem> {
  if (ctx.actor.kind === 'subject')
    throw new Refusal(
      'FORBIDDEN',
      'A session token cannot read wikis. Send the text of the page as an item with `content`.'
    )
  const { text, type, tags, fields, modified } = await tiddlerFor(ctx, { wiki, title })
  return itemSentAlong(ctx, {
    type: 'wiki',
    id: `${wiki}/${title}`,
    name: title,
    content: { wiki, title, text, type, tags, fields, modified }
  })
}
