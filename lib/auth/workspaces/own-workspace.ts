import type { Workspace } from '@waystation/protocol/workspace/workspace.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { getWorkspace } from './get-workspace.ts'
import { permissionsOf } from './permissions.ts'

/** Returns the settings that only owners can see. Undefined for other users. */
export const ownWorkspace = async (ctx: Ctx): Promise<Workspace | undefined> =>
  permissionsOf(ctx.actor).mayOwn ? getWorkspace(ctx, {}) : undefined
