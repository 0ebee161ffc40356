import { z } from 'zod'
import { wikiLimits } from './wiki.ts'

const wiki = z.string().max(64).optional().describe('The wiki. Optional if there is only one.')
const title = z.string().trim().min(1).max(wikiLimits.titleChars)
/** Returns the schema of a result limit. */
const limit = (max: number, defaultValue: number) => z.int().min(1).max(max).default(defaultValue)

export const WikiSearch = z
  .strictObject({
    wiki,
    query: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe('Words. A tiddler matches if its title, text or tags contain all of them.'),
    title: title.optional().describe('Instead of a query: the exact title of a tiddler, to read all of it.'),
    limit: limit(20, 5)
  })
  .refine(({ query, title }) => (query === undefined) !== (title === undefined), 'give either query or title')
export type WikiSearch = z.infer<typeof WikiSearch>

export const WikiBacklinks = z.strictObject({ wiki, title, limit: limit(200, 20) })
export type WikiBacklinks = z.infer<typeof WikiBacklinks>

export const WikiToc = z.strictObject({
  wiki,
  title: title
    .optional()
    .describe('The tiddler or tag to start below. Default: every tag that has no tag itself.'),
  depth: limit(10, 3)
})
export type WikiToc = z.infer<typeof WikiToc>

export const WikiRecent = z.strictObject({
  wiki,
  limit: limit(200, 20),
  daysAgo: z
    .number()
    .min(0)
    .max(36_500)
    .optional()
    .describe('Only tiddlers changed in the last so many days.')
})
export type WikiRecent = z.infer<typeof WikiRecent>

export const WikiListTiddlers = z.strictObject({
  wiki,
  tag: title.optional().describe('Only tiddlers with this tag.'),
  offset: z.int().min(0).default(0),
  limit: limit(200, 50)
})
export type WikiListTiddlers = z.infer<typeof WikiListTiddlers>

export const WikiGetErrors = z.strictObject({
  wiki,
  title: title.optional().describe('Only this tiddler. Default: all tiddlers, starting at offset.'),
  offset: z.int().min(0).default(0)
})
export type WikiGetErrors = z.infer<typeof WikiGetErrors>

/** For scripts: a TiddlyWiki filter, such as `[tag[plants]sort[title]]`. */
export const WikiFilter = z.strictObject({ wiki, filter: z.string().min(1).max(10_000) })
export type WikiFilter = z.infer<typeof WikiFilter>

const revision = z
  .int()
  .min(0)
  .optional()
  .describe(
    'The revision of the tiddler that you read. If it has changed since, nothing is changed and you get an error. 0: it must not exist.'
  )
const tags = z.array(z.string().trim().min(1).max(wikiLimits.titleChars)).max(100)

export const WikiWrite = z.strictObject({
  wiki,
  title,
  text: z
    .string()
    .max(wikiLimits.tiddlerBytes)
    .optional()
    .describe('The new text, which replaces the old one.'),
  type: z.string().max(100).optional().describe('The media type. Default: wikitext.'),
  tags: tags.optional().describe('All tags of the tiddler.'),
  addTags: tags.optional().describe('Tags to add to the existing ones.'),
  removeTags: tags.optional().describe('Tags to remove from the existing ones.'),
  fields: z
    .record(z.string().min(1).max(100), z.string().nullable())
    .optional()
    .describe('Other fields to set. A null removes a field.'),
  revision
})
export type WikiWrite = z.infer<typeof WikiWrite>

export const WikiRename = z.strictObject({
  wiki,
  title,
  newTitle: title,
  updateLinks: z
    .boolean()
    .default(true)
    .describe('Also change links, transclusions and tags in other tiddlers that name this one.'),
  revision
})
export type WikiRename = z.infer<typeof WikiRename>

export const WikiDelete = z.strictObject({ wiki, title, revision })
export type WikiDelete = z.infer<typeof WikiDelete>
