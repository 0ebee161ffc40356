import { z } from 'zod'
import { jsonOf, maxResponseBytes, type Outbound, type Tool, type ToolRun } from './server.ts'

const Order = z.object({
  orderId: z.string(),
  item: z.string(),
  quantity: z.int(),
  state: z.string(),
  at: z.string()
})
const Orders = z.object({ orders: z.array(Order) })

/** Returns a `fetch` for an integration, with the account that the running call can use. */
type FetchFor = (run: ToolRun) => (integration: string) => Outbound

/** Lists the orders of the user's account at Acme. */
const acmeListOrders = (fetchFor: FetchFor): Tool<Record<string, never>, z.infer<typeof Orders>> => ({
  name: 'acme-list-orders',
  description: 'List the orders of the account at Acme, a sample service.',
  input: z.strictObject({}),
  output: Orders,
  where: 'server',
  title: () => 'List the orders at Acme',
  repeatable: true,
  async execute(_, run) {
    return Orders.parse(jsonOf('Acme', await fetchFor(run)('acme')('orders', { maxBytes: maxResponseBytes })))
  }
})

const NewOrder = z.strictObject({ item: z.string().min(1).max(200), quantity: z.int().min(1).max(1000) })

/**
 * Creates one order for each call. The server sends the call's ID as `Idempotency-Key`, so a retried call does not
 * create another order.
 */
const acmeCreateOrder = (fetchFor: FetchFor): Tool<z.infer<typeof NewOrder>, z.infer<typeof Order>> => ({
  name: 'acme-create-order',
  description: "Order something at Acme, a sample service, with the user's account.",
  input: NewOrder,
  output: Order,
  where: 'server',
  title: ({ item, quantity }) => `Order ${quantity} × ${item} at Acme`,
  approval: 'ask',
  async execute(order, run) {
    const response = await fetchFor(run)('acme')('orders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(order),
      maxBytes: maxResponseBytes
    })
    return Order.parse(jsonOf('Acme', response))
  }
})

/** Returns the tools that call Acme's API with the user's account. */
export const acmeTools = (fetchFor: FetchFor) =>
  [acmeListOrders(fetchFor), acmeCreateOrder(fetchFor)] as const
