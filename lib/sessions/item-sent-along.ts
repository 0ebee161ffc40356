import { storable } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'
import { Refusal } from '#lib/kernel/refusal.ts'
import { type ActiveItem, maxActiveItem } from '#lib/protocol/external-agent/active-item.ts'

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
