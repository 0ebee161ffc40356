import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Person } from './people.ts'
import { digestOf, newId } from './server.ts'
import { type AcmeStorage, decrypt, encrypt } from './store.ts'

/** The body of `POST orders`. */
export const NewOrder = z.object({
  item: z.string().trim().min(1, 'must name the item to order').max(200),
  quantity: z.int().min(1).max(1000)
})
export type NewOrder = z.infer<typeof NewOrder>

/** `at` is the creation time in ISO 8601. */
export type Order = NewOrder & { orderId: string; state: 'placed' | 'shipped'; at: string }

/** Sample orders that every account has. */
const sampleOrders: readonly Order[] = [
  { orderId: 'ord_1041', item: 'Signal lamp', quantity: 4, state: 'shipped', at: '2026-03-02T09:15:00.000Z' },
  { orderId: 'ord_1067', item: 'Fishplate', quantity: 120, state: 'placed', at: '2026-04-18T14:40:00.000Z' }
]

/** Returns the orders of a user, oldest first. */
export async function ordersOf(storage: AcmeStorage, { id }: Person): Promise<Order[]> {
  const rows = await storage.sql<{ id: string; sealed: string }[]>`
    select id, sealed from sample_acme where model = 'Order' and account = ${id}`
  const placed = rows.map(row => decrypt<StoredOrder>(storage, 'Order', row).order)
  return [...sampleOrders, ...placed].sort((a, b) => a.at.localeCompare(b.at))
}

/** `digest` identifies the request, so that a reused key with another order can be detected. */
type StoredOrder = { order: Order; digest: string }

/**
 * Creates an order. If the same user sends the same `Idempotency-Key` again, it creates no order and returns the
 * first one with `replayed: true`. If the order differs, it returns `key reused`. Without a key, it always creates an
 * order.
 *
 * Source: draft-ietf-httpapi-idempotency-key-header, 2.6 and 2.7.
 */
export async function placeOrder(
  storage: AcmeStorage,
  { id: account }: Person,
  newOrder: NewOrder,
  key: string | undefined
): Promise<{ order: Order; replayed: boolean } | 'key reused'> {
  const order: Order = { orderId: newId('ord'), ...newOrder, state: 'placed', at: new Date().toISOString() }
  const id = createHash('sha256')
    .update(JSON.stringify([account, key ?? order.orderId]))
    .digest('base64url')
  const stored: StoredOrder = { order, digest: digestOf(newOrder) }
  const [inserted] = await storage.sql`
    insert into sample_acme (model, id, sealed, account)
    values ('Order', ${id}, ${encrypt(storage, 'Order', id, stored)}, ${account})
    on conflict (model, id) do nothing returning 1`
  if (inserted !== undefined) return { order, replayed: false }
  const [row] = await storage.sql<{ id: string; sealed: string }[]>`
    select id, sealed from sample_acme where model = 'Order' and id = ${id}`
  if (row === undefined) throw new Error('An order was deleted while it was being read')
  const first = decrypt<StoredOrder>(storage, 'Order', row)
  return first.digest === stored.digest ? { order: first.order, replayed: true } : 'key reused'
}
