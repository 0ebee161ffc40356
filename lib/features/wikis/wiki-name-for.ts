import { ApiError } from '@waystation/base/api-error.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { listNames } from './list-wikis.ts'

/**
 * Returns the name of the wiki that a tool uses. `allowed` restricts it to these wikis, and undefined permits all. If
 * there is only one, its name can be omitted. The errors list the available wikis, because the model reads them.
 */
export async function wikiNameFor(
  ctx: Ctx,
  allowed: readonly string[] | undefined,
  name: string | undefined
): Promise<string> {
  const names = (await listNames(ctx)).filter(candidate => allowed?.includes(candidate) ?? true)
  if (names.length === 0) throw new ApiError('NOT_FOUND', 'There is no wiki that you can use.')
  const available = `Available wikis: ${names.join(', ')}.`
  if (name === undefined && names.length > 1)
    throw new ApiError('INVALID_INPUT', `Name the wiki. ${available}`)
  const match = name === undefined ? names[0] : names.find(candidate => candidate === name)
  if (match === undefined) throw new ApiError('NOT_FOUND', `There is no wiki "${name}". ${available}`)
  return match
}
