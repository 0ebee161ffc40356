import { ApiError } from '@waystation/base/api-error.ts'
import type { ActiveItem } from '@waystation/protocol/external-agent/active-item.ts'
import { maxActiveItemBytes } from '@waystation/protocol/external-agent/max-active-item-bytes.ts'
import { storable } from '#db/client.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { redacted } from '#lib/kernel/redact.ts'

/**
 * Cleans and redacts an active item before it is sent to an external agent with a message (000-21). Throws `TOO_LARGE`.
 */
export function prepareActiveItem(ctx: Ctx, item: ActiveItem): ActiveItem {
  const active = redacted(ctx, 'active-item', storable(item) as ActiveItem)
  if (Buffer.byteLength(JSON.stringify(active.content ?? null)) > maxActiveItemBytes)
    throw new ApiError(
      'TOO_LARGE',
      `An active item can be up to ${maxActiveItemBytes / 1024} KiB. Send a smaller item, or none.`
    )
  return active
}
