import { ApiError } from '@waystation/base/api-error.ts'
import type { ActiveItem, ActivePage } from '@waystation/protocol/external-agent/active-item.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { prepareActiveItem } from '#lib/sessions/active-item.ts'
import { tiddlerFor } from './read-tiddler.ts'

/**
 * Returns the current content of a wiki page as an item to attach to a message. Throws `NOT_FOUND` if the
 * page is missing, and `FORBIDDEN` for end users, because wikis belong to the workspace. Then the message is
 * rejected too.
 */
export async function attachedPage(ctx: Ctx, { wiki, title }: ActivePage): Promise<ActiveItem> {
  if (ctx.actor.kind === 'subject')
    throw new ApiError(
      'FORBIDDEN',
      'A session token cannot read wikis. Send the text of the page as an item with `content`.'
    )
  const { text, type, tags, fields, modified } = await tiddlerFor(ctx, { wiki, title })
  return prepareActiveItem(ctx, {
    type: 'wiki',
    id: `${wiki}/${title}`,
    name: title,
    content: { wiki, title, text, type, tags, fields, modified }
  })
}
