import type { OfferedEntry } from '@waystation/protocol/agent/catalogue.ts'
import { and, desc, eq } from 'drizzle-orm'
import { catalogueEntries } from '#db/schema/catalogue.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

type Row = typeof catalogueEntries.$inferSelect

/** Converts a version of a workspace's own entry to an entry of the catalog. */
export function toOffered({ slug, version, kind, name, description, data, ...row }: Row): OfferedEntry {
  const { tool } = data.parameters as { tool?: Pick<OfferedEntry, 'name' | 'where' | 'approval'> }
  return {
    slug,
    uri: `workspace:${kind}:${slug}:v${version}`,
    kind,
    name,
    description,
    version: `v${version}`,
    ...(tool && { toolName: tool.name, where: tool.where, approval: tool.approval ?? 'auto' }),
    embeddable: true,
    own: true,
    ...(row.archivedAt === null ? {} : { archived: true as const }),
    savedBy: row.savedBy,
    savedAt: row.savedAt.toISOString(),
    data
  }
}

const ofWorkspace = (ctx: Ctx) => eq(catalogueEntries.workspaceId, ctx.workspaceId)
const { slug: slugColumn, version: versionColumn } = catalogueEntries

/** Returns the newest versions of the workspace's own entries, by slug, with archived ones. */
export async function ownEntries(ctx: Ctx): Promise<OfferedEntry[]> {
  const rows = await ctx.db
    .selectDistinctOn([slugColumn])
    .from(catalogueEntries)
    .where(ofWorkspace(ctx))
    .orderBy(slugColumn, desc(versionColumn))
  return rows.map(toOffered)
}

/**
 * Returns a version (`v1`) of one of the workspace's own entries, even if it is archived. Default: the newest version.
 * Undefined if there is none.
 */
export async function ownEntry(ctx: Ctx, slug: string, version?: string): Promise<OfferedEntry | undefined> {
  if (version !== undefined && !/^v[1-9]\d{0,8}$/.test(version)) return undefined
  const isVersion = version === undefined ? undefined : eq(versionColumn, Number(version.slice(1)))
  const [row] = await ctx.db
    .select()
    .from(catalogueEntries)
    .where(and(ofWorkspace(ctx), eq(slugColumn, slug), isVersion))
    .orderBy(desc(versionColumn))
    .limit(1)
  return row && toOffered(row)
}
