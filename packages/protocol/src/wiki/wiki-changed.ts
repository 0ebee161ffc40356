import * as z from 'zod/mini'

export const WikiAction = z.enum(['created', 'changed', 'renamed', 'deleted'])
export type WikiAction = z.infer<typeof WikiAction>

/**
 * The result of a tool that changed a wiki. `change` is the ID with which the change can be undone. Every tiddler of the
 * change has its `revision`. `updated` names the other tiddlers whose links or tags were changed.
 */
export const WikiChanged = z.object({
  wiki: z.string(),
  change: z.string(),
  action: WikiAction,
  title: z.string(),
  newTitle: z.optional(z.string()),
  revision: z.int(),
  updated: z.optional(z.array(z.string()))
})
export type WikiChanged = z.infer<typeof WikiChanged>
