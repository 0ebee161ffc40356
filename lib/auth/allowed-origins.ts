import { house } from '#lib/kernel/house.ts'

/** Whether this workspace lets pages of this origin use its session tokens. */
export const allowsOrigin = (workspaceId: string, origin: string): Promise<boolean> =>
  found(house().sql`
    select from workspaces where id = ${workspaceId} and allowed_origins @> to_jsonb(${origin}::text)`)

/** Whether any workspace here does: all that can be asked before a request has shown its token. */
export const anyAllowsOrigin = (origin: string): Promise<boolean> =>
  found(house().sql`select from workspaces where allowed_origins @> to_jsonb(${origin}::text) limit 1`)

const found = async (rows: PromiseLike<readonly unknown[]>): Promise<boolean> => (await rows).length > 0
