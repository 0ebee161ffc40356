import * as z from 'zod/mini'

/**
 * A tiddler in a search result. `cut`: the text is incomplete, and a search by title returns all of it. The tool
 * checks the time: browsers need no code for that.
 */
export const TiddlerMatch = z.object({
  title: z.string(),
  tags: z.array(z.string()),
  modified: z.optional(z.string()),
  text: z.string(),
  type: z.optional(z.string()),
  fields: z.optional(z.record(z.string(), z.string())),
  revision: z.optional(z.int()),
  cut: z.optional(z.literal(true))
})
export type TiddlerMatch = z.infer<typeof TiddlerMatch>

/** `total` is the number of matches, of which `tiddlers` has the first. */
export const WikiSearchResult = z.object({
  wiki: z.string(),
  total: z.int(),
  tiddlers: z.array(TiddlerMatch)
})
export type WikiSearchResult = z.infer<typeof WikiSearchResult>
