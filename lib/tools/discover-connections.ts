import { z } from 'zod'
import { Discovery } from '#lib/protocol/integration.ts'
import type { Tool } from './tool.ts'

/** What an agent may use of other services, and what it would have to ask for first (002b). */
export const discoverConnections: Tool<Record<string, never>, Discovery> = {
  name: 'discover_connections',
  description:
    'List the services whose accounts you can use: which are ready, and which a person would have to connect first. Look here before you ask for a connection.',
  input: z.strictObject({}),
  output: Discovery,
  where: 'server',
  title: () => 'Look which accounts are connected',
  timeout: 10,
  repeatable: true,
  execute: (_, { discover }) => discover()
}
