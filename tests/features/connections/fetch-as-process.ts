import { composeServer } from '#lib/compose/compose.ts'
import { fetchAs } from '#lib/features/connections/fetch-as.ts'
import { ctxFor } from '#lib/kernel/runtime.ts'
import { testEnv } from '#tests/support/servers/test-server.ts'

/**
 * A process that uses a session’s account at Acme 25 times at once when its parent asks, and reports the
 * statuses. Run it with `node fetch-as-process.ts <session key> <generation>`.
 */
const [sessionKey = '', generation = ''] = process.argv.slice(2)
const { DATABASE_URL = '', WAYSTATION_URL = '' } = process.env
const server = await composeServer(testEnv(DATABASE_URL, { WAYSTATION_URL, WAYSTATION_ROLE: 'web' }))
const ctx = ctxFor({ kind: 'system', name: 'test', workspaceId: 'default' })
const acme = fetchAs(
  ctx,
  { sessionKey: Number(sessionKey), generation: Number(generation), account: null },
  ctx.ports.fetch
)('acme')
process.send?.('ready')
await new Promise(resolve => process.once('message', resolve))
const answers = await Promise.all(Array.from({ length: 25 }, () => acme('orders')))
process.send?.(answers.map(({ status }) => status))
await server.stop()
process.exit(0)
