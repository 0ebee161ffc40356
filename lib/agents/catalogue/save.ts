import { ApiError, invalid, notFound } from '@waystation/base/api-error.ts'
import { checkSchemas, schemasOf } from '@waystation/json-schemas'
import type {
  CatalogueEntry,
  CreateCatalogueEntry,
  OfferedEntry,
  UpdateCatalogueEntry
} from '@waystation/protocol/agent/catalogue.ts'
import { and, eq, ne } from 'drizzle-orm'
import { catalogueEntries } from '#db/schema/catalogue.ts'
import { inTransaction } from '#db/transaction.ts'
import { lookupIn } from '#lib/agents/embeds/lookup.ts'
import { resolveEmbeds } from '#lib/agents/embeds/resolve.ts'
import { textOf, toolOf } from '#lib/agents/resolve-agent.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'
import { recordChange } from '#lib/kernel/record-change.ts'
import { withUsers } from './get.ts'
import { lockCatalogue } from './lock-catalogue.ts'
import { ownEntry, toOffered } from './own-entries.ts'

/** The maximum number of entries that a workspace can have, without archived ones. */
const maxEntries = 200

/**
 * Adds an entry to the workspace's catalog as version `v1`. Throws `CONFLICT` if the slug is in use, and
 * `INVALID_INPUT` if an embed in the entry cannot be resolved, a schema is not usable, or the catalog is full.
 */
export function createCatalogueEntry(ctx: Ctx, input: CreateCatalogueEntry): Promise<CatalogueEntry> {
  return inTransaction(ctx, async tx => {
    await lockCatalogue(tx)
    const { slug } = input
    const known = await ownEntry(tx, slug)
    if (known !== undefined || tx.ports.listedTools.some(({ name }) => name === slug))
      throw new ApiError(
        'CONFLICT',
        `The catalog already has an entry "${slug}". ${known?.archived ? 'It is archived: save a new version to restore it.' : 'Choose another slug.'}`
      )
    return store(tx, input, 1)
  })
}

/**
 * Saves the next version of one of the workspace's own entries, and restores the entry if it is archived. Agents that
 * name a version keep it. The errors are those of `createCatalogueEntry`, `NOT_FOUND` for other entries, and `CONFLICT`
 * if `base` is not the newest version. The kind cannot change, because agents depend on it.
 */
export function updateCatalogueEntry(
  ctx: Ctx,
  { base, ...input }: UpdateCatalogueEntry
): Promise<CatalogueEntry> {
  return inTransaction(ctx, async tx => {
    await lockCatalogue(tx)
    const newest = await ownEntry(tx, input.slug)
    if (newest === undefined) throw notFound('entry of this workspace', input.slug)
    if (newest.kind !== input.kind)
      throw invalid(
        `You cannot change the kind of an entry ("${input.slug}" is a ${newest.kind}). Create another one.`,
        {
          kind: `must be ${newest.kind}`
        }
      )
    if (base !== undefined && base !== newest.version)
      throw new ApiError(
        'CONFLICT',
        `${newest.savedBy} has saved version ${newest.version} of this entry, and your change is based on ${base}. Reload the entry and make your change again.`
      )
    return store(tx, input, Number(newest.version?.slice(1)) + 1)
  })
}

async function store(tx: Ctx, input: CreateCatalogueEntry, version: number): Promise<CatalogueEntry> {
  const { slug, kind, name, description, data } = input
  const ofWorkspace = eq(catalogueEntries.workspaceId, tx.workspaceId)
  const [{ count } = { count: 0 }] = await tx.sql<{ count: number }[]>`
    select count(distinct slug)::int as count from catalogue_entries
    where workspace_id = ${tx.workspaceId} and slug <> ${slug} and archived_at is null`
  if (count >= maxEntries)
    throw invalid(`A workspace can have up to ${maxEntries} entries in the catalog. Archive one first.`)
  const row = {
    ...{ workspaceId: tx.workspaceId, slug, version, kind, name, description, data },
    savedBy: tx.actor.name,
    savedAt: await recordChange(
      tx,
      version === 1 ? 'catalogue.created' : 'catalogue.changed',
      `${slug}@v${version}`
    ),
    archivedAt: null
  }
  const entry = toOffered(row)
  await checkEntry(tx, entry)
  await tx.db.insert(catalogueEntries).values(row)
  await tx.db
    .update(catalogueEntries)
    .set({ archivedAt: null })
    .where(and(ofWorkspace, eq(catalogueEntries.slug, slug), ne(catalogueEntries.version, version)))
  return withUsers(tx, entry)
}

/** Throws `INVALID_INPUT` with the field if no agent could use the entry. */
async function checkEntry(tx: Ctx, entry: OfferedEntry): Promise<void> {
  const { data } = (await resolveEmbeds(
    { data: entry.data },
    { lookup: lookupIn(tx, undefined, entry) }
  )) as { data: { parameters: { tool?: unknown; text?: unknown } } }
  const at = 'data.parameters'
  if (entry.kind === 'skill') return void textOf(data.parameters.text, `${at}.text`)
  const tool = toolOf(data.parameters.tool, `${at}.tool`)
  await checkSchemas(tx.ports.schemas, schemasOf({ [`${at}.tool`]: tool }), laneOf(tx))
}
