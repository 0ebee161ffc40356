import { z } from 'zod'
import { decimal } from '#lib/protocol/decimal.ts'
import { Time } from '#lib/protocol/time.ts'

/** What a wiki of a workspace is called, in addresses too. */
export const WikiName = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9-]+$/, 'use only lowercase letters, digits and -')

/** The most of everything: of a file that is brought in, of a tiddler and of a wiki in bytes; of tiddlers, of titles in characters. */
export const wikiLimits = {
  importBytes: 20 * 1024 * 1024,
  tiddlerBytes: 1024 * 1024,
  wikiBytes: 32 * 1024 * 1024,
  tiddlers: 20_000,
  titleChars: 500,
  wikis: 100
}

export const Wiki = z.object({
  name: WikiName,
  /** How many stand in it, those of the system (`$:/…`) left out. */
  tiddlers: z.int(),
  /** Grows with each change. */
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

/** A wiki and the tags that are used in it, the most used first. */
export const WikiWithTags = Wiki.extend({ tags: z.array(z.object({ tag: z.string(), count: z.int() })) })
export type WikiWithTags = z.infer<typeof WikiWithTags>

/** A tiddler without what it says. */
export const SkinnyTiddler = z.object({
  title: z.string(),
  tags: z.array(z.string()),
  modified: Time.optional()
})
export type SkinnyTiddler = z.infer<typeof SkinnyTiddler>

/** Whole; `fields` are all others that it has. Without a `type` its text is wikitext. */
export const Tiddler = SkinnyTiddler.extend({
  text: z.string(),
  type: z.string(),
  fields: z.record(z.string(), z.string()),
  created: Time.optional(),
  revision: z.int()
})
export type Tiddler = z.infer<typeof Tiddler>

/**
 * `search`: words that all have to stand in the title, the text or the tags. `days`: changed in the last so many. By title, or
 * what was changed last first.
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
  /** Where the next page begins; null: this is the last. */
  nextOffset: z.int().nullable()
})
export type TiddlerPage = z.infer<typeof TiddlerPage>

export const ReadTiddler = InWiki.extend({ title: z.string().min(1).max(wikiLimits.titleChars) })
export type ReadTiddler = z.infer<typeof ReadTiddler>

/** As TiddlyWiki renders it, made harmless; null where it could not, and `problem` says why. */
export const Rendered = z.object({ html: z.string().nullable(), problem: z.string().optional() })
export type Rendered = z.infer<typeof Rendered>

export const RenderedTiddler = Rendered.extend({ tiddler: Tiddler })
export type RenderedTiddler = z.infer<typeof RenderedTiddler>

/** `file`: what it is called, whose ending says what it is; without one that is seen from its first characters. */
export const ImportWiki = InWiki.extend({
  file: z.string().max(255).optional(),
  text: z.string()
})
export type ImportWiki = z.infer<typeof ImportWiki>

export const ImportedWiki = z.object({
  wiki: WikiName,
  revision: z.int(),
  /** How many tiddlers were brought in; those of the same title that were there before are replaced. */
  imported: z.int(),
  /** What was left out, and why: at most 100 of them. */
  skipped: z.array(z.object({ title: z.string(), why: z.string() })),
  skippedCount: z.int()
})
export type ImportedWiki = z.infer<typeof ImportedWiki>

export const ExportWiki = InWiki.extend({ format: z.enum(['json', 'html']).default('json') })
export type ExportWiki = z.infer<typeof ExportWiki>

/** Wikitext by itself, of no wiki: as an agent writes it in what it says. */
export const RenderWikitext = z.object({
  sessionId: z.string().max(128),
  text: z.string().max(100_000)
})
export type RenderWikitext = z.infer<typeof RenderWikitext>
