// A tool of your own. Start the server with WAYSTATION_TOOLS=examples/tools, give the tool to an agent, and write:
// use refund-order {"orderId": "A-17", "amount": 12}
import { defineTool } from '@waystation/tools'
import { z } from 'zod'

/** In place of your own database. */
const orders = new Map([['A-17', { paid: 42, refunds: new Map<string, number>() }]])

export default defineTool({
  name: 'refund-order',
  description: 'Refunds a part of what a customer paid for an order.',
  inputSchema: z.object({
    orderId: z.string().describe('The ID on the invoice, such as A-17.'),
    amount: z.number().positive().describe('Euros.')
  }),
  outputSchema: z.object({ refunded: z.number(), left: z.number() }),
  // A person approves each call. This is the default.
  approval: 'ask',
  execute({ orderId, amount }, { idempotencyKey }) {
    const order = orders.get(orderId)
    // The agent reads the message of an error.
    if (order === undefined) throw new Error(`There is no order ${orderId}.`)
    const refunds = new Map(order.refunds).set(idempotencyKey, amount)
    const left = order.paid - [...refunds.values()].reduce((sum, part) => sum + part, 0)
    if (left < 0) throw new Error(`Only ${left + amount} euros are left to refund.`)
    order.refunds = refunds
    return { refunded: amount, left }
  }
})
