import { z } from 'zod'

/** A plugin that an agent of this server may switch on (docs/plugins.md). */
export const ListedPlugin = z.object({ name: z.string(), description: z.string().optional() })
export type ListedPlugin = z.infer<typeof ListedPlugin>
