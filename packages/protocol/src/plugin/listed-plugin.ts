import { z } from 'zod'

/** A plugin that can be enabled for agents (docs/plugins.md). */
export const ListedPlugin = z.object({
  name: z.string(),
  description: z.string().optional(),
  /** The IDs of its handlers, such as `desk/opening`, for `chat.handler` of an agent. */
  handlers: z.array(z.string()).optional()
})
export type ListedPlugin = z.infer<typeof ListedPlugin>
