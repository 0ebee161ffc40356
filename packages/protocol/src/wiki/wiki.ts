import { decimal } from '@waystation/protocol/decimal.ts'
import { Time } from '@waystation/protocol/time.ts'
import { z } from 'zod'

/** The name of a wiki, unique in its workspace and used in URLs. */
export const WikiName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9-]+$/, 'use only lowercase letters, digits and -')

/** Limits of wikis. Those of imports, tiddlers and whole wikis are in bytes. */
export const wikiLimits = {
  importBytes: 20 * 1024 * 1024,
  tiddlerBytes: 1024 * 1024,
  wikiBytes: 32 * 1024 * 1024,
  tiddlers: 20_000,
  titleChars: 500,
  wikis: 100
}

/** A wiki without its tiddlers. */
export const Wiki = z.object({
  name: WikiName,
  /** The number of tiddlers, without system tiddlers (`$:/…`). */
  tiddlers: z.int(),
  /** Increases with each change. */
  revision: z.int(),
  createdBy: z.string(),
  createdAt: Time,
  changedAt: Time
})
export type Wiki = z.infer<typeof Wiki>

export const ListWikis = z.object({})
export const Wikis = z.object({ wikis: z.array(Wiki) })
export type Wikis = z.infer<typeof Wikis>

export const CreateWiki = z.strictObject({ name: WikiName })
export type CreateWiki = z.infer<typeof CreateWiki>

export const InWiki = z.object({ wiki: z.string().max(64) })
export type InWiki = z.infer<typeof InWiki>

/** A wiki with its tags, the most used first. */
export const WikiWithTags = Wiki.extend({ tags: z.array(z.object({ tag: z.string(), count: z.int() })) })
export type WikiWithTags = z.infer<typeof WikiWithTags>

/** A tiddler without its text. */
export const SkinnyTiddler = z.object({
  title: z.string(),
  tags: z.array(z.string()),
  modified: Time.optional()
})
export type SkinnyTiddler = z.infer<typeof SkinnyTiddler>

/** A complete tiddler. `fields` has all other fields. Without a `type`, the text is wikitext. */
export const Tiddler = SkinnyTiddler.extend({
  text: z.string(),
  type: z.string(),
  fields: z.record(z.string(), z.string()),
  created: Time.optional(),
  revision: z.int()
})
export type Tiddler = z.infer<typeof Tiddler>

/**
 * `search`: words that must all occur in the title, text or tags. `days`: only tiddlers that changed in this many days.
 * `order`: by title, or latest change first.
 */
export const ListTiddlers = InWiki.extend({
  search: z.string().max(200).optional(),
  tag: z.string().max(wikiLimits.titleChars).optional(),
  days: decimal(z.number().min(0).max(36_500)).optional(),
  order: z.enum(['title', 'modified']).default('title'),
  offset: decimal(z.int().min(0)).default(0),
  limit: decimal(z.int().min(1).max(200)).default(50)
})
export type ListTiddlers = z.infer<typeof ListTiddlers>

export const TiddlerPage = z.object({
  tiddlers: z.array(SkinnyTiddler),
  total: z.int(),
  /** The offset of the next page. Null on the last page. */
  nextOffset: z.int().nullable()
})
export type TiddlerPage = z.infer<typeof TiddlerPage>

export const ReadTiddler = InWiki.extend({ title: z.string().min(1).max(wikiLimits.titleChars) })
export type ReadTiddler = z.infer<typeof ReadTiddler>

/** HTML from TiddlyWiki, sanitized. If rendering failed, `html` is null and `problem` says why. */
export const Rendered = z.object({ html: z.string().nullable(), problem: z.string().optional() })
export type Rendered = z.infer<typeof Rendered>

export const RenderedTiddler = Rendered.extend({ tiddler: Tiddler })
export type RenderedTiddler = z.infer<typeof RenderedTiddler>

/**
 * `file` is the file's name, whose extension determines its format. Without it, the format is detected from the first
 * characters.
 */
export const ImportWiki = InWiki.extend({
  file: z.string().max(255).optional(),
  text: z.string()
})
export type ImportWiki = z.infer<typeof ImportWiki>

export const ImportedWiki = z.object({
  wiki: WikiName,
  revision: z.int(),
  /** The number of imported tiddlers. They replace tiddlers with the same title. */
  imported: z.int(),
  /** Tiddlers that were skipped, and why: at most 100. */
  skipped: z.array(z.object({ title: z.string(), why: z.string() })),
  skippedCount: z.int()
})
export type ImportedWiki = z.infer<typeof ImportedWiki>

export const ExportWiki = InWiki.extend({ format: z.enum(['json', 'html']).default('json') })
export type ExportWiki = z.infer<typeof ExportWiki>

/**
 * Renders wikitext of a transcript. `wiki`: in this wiki, which the session's agent must be able to read. Without it, in the
 * only wiki that the agent can read, or else in none. `title` is the tiddler that the text belongs to.
 */
export const RenderWikitext = z.object({
  sessionId: z.string().max(128),
  text: z.string().max(100_000),
  wiki: WikiName.optional(),
  title: z.string().max(wikiLimits.titleChars).optional()
})
export type RenderWikitext = z.infer<typeof RenderWikitext>
