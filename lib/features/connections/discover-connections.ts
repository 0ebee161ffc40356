import { Discovery } from '@waystation/protocol/connection/integration.ts'
import { z } from 'zod'
import type { Tool } from '#lib/tools/tool.ts'
import { discover } from './discover.ts'

/** The tool that lists the services that an agent can use, and those that a user must connect first (002b). */
export const discoverConnections: Tool<Record<string, never>, Discovery> = {
  name: 'discover_connections',
  description:
    'List the services whose accounts you can use, and which of them a user must connect first. Call this before you request a connection.',
  input: z.strictObject({}),
  output: Discovery,
  where: 'server',
  title: () => 'List connected accounts',
  timeout: 10,
  repeatable: true,
  execute: (_, { ctx, lease: { sessionKey }, call: { generation, account } }) =>
    discover(ctx, { sessionKey, generation }, account)
}
