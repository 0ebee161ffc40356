import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Person } from './people.ts'
import { digestOf, newId } from './server.ts'
import { type Ground, seal, unseal } from './store.ts'

export const NewOrder = z.object({
  item: z.string().trim().min(1, 'must name the item to order').max(200),
  quantity: z.int().min(1).max(1000)
})
export type NewOrder = z.infer<typeof NewOrder>

export type Order = NewOrder & { orderId: string; state: 'placed' | 'shipped'; at: string }

/** What everybody has ordered before. */
const earlier: readonly Order[] = [
  { orderId: 'ord_1041', item: 'Signal lamp', quantity: 4, state: 'shipped', at: '2026-03-02T09:15:00.000Z' },
  { orderId: 'ord_1067', item: 'Fishplate', quantity: 120, state: 'placed', at: '2026-04-18T14:40:00.000Z' }
]

/** A person's orders, the oldest first. */
export async function ordersOf(ground: Ground, { id }: Person): Promise<Order[]> {
  const rows = await ground.sql<{ id: string; sealed: string }[]>`
    select id, sealed from sample_acme where model = 'Order' and account = ${id}`
  const placed = rows.map(row => unseal<Kept>(ground, 'Order', row).order)
  return [...earlier, ...placed].sort((a, b) => a.at.localeCompare(b.at))
}

type Kept = { order: Order; digest: string }

/**
 * Places an order. The same key of the same person again places none and gives the first one; with another order it is
 * refused (draft-ietf-httpapi-idempotency-key-header, 2.6).
 */
export async function placeOrder(
  ground: Ground,
  { id: account }: Person,
  asked: NewOrder,
  key: string | undefined
): Promise<{ order: Order; again: boolean } | 'another order'> {
  const order: Order = { orderId: newId('ord'), ...asked, state: 'placed', at: new Date().toISOString() }
  const id = createHash('sha256')
    .update(JSON.stringify([account, key ?? order.orderId]))
    .digest('base64url')
  const kept: Kept = { order, digest: digestOf(asked) }
  const [placed] = await ground.sql`
    insert into sample_acme (model, id, sealed, account)
    values ('Order', ${id}, ${seal(ground, 'Order', id, kept)}, ${account})
    on conflict (model, id) do nothing returning 1`
  if (placed !== undefined) return { order, again: false }
  const [row] = await ground.sql<{ id: string; sealed: string }[]>`
    select id, sealed from sample_acme where model = 'Order' and id = ${id}`
  if (row === undefined) throw new Error('An order was deleted while it was being read')
  const first = unseal<Kept>(ground, 'Order', row)
  return first.digest === kept.digest ? { order: first.order, again: true } : 'another order'
}
