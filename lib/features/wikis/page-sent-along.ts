import type { Ctx } from '#lib/kernel/ctx.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import type { ActiveItem, ActivePage } from '#lib/protocol/external-agent/active-item.ts'
import { itemSentAlong } from '#lib/sessions/item-sent-along.ts'
import { tiddlerFor } from './read-tiddler.ts'

/**
 * A page of a wiki, as it is now, to go along with a message. One that is not there any more is refused, and the message with it; so is one
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
