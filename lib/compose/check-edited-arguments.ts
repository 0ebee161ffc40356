import { invalid } from '@waystation/base/api-error.ts'
import { fieldErrors, problemText } from '@waystation/protocol/field-errors.ts'
import type { CallRow } from '#lib/engine/calls/call-row.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { parseInput } from '#lib/tools/fit-arguments.ts'
import { toolsThatRun } from './tools-that-run.ts'

/**
 * Checks edited arguments of a built-in tool as the tool itself does when it runs. Its own check can be stricter than
 * the JSON Schema of the call, for example about the services that `http-request` can reach. Throws `INVALID_INPUT`.
 * The call stays open. Other servers are not contacted.
 */
export async function checkEditedArguments(
  tx: Ctx,
  session: LockedSession,
  call: CallRow,
  edited: unknown
): Promise<void> {
  const tool = (await toolsThatRun(tx, session, call))?.get(call.toolName)
  if (tool?.server === undefined || tool.foreign) return
  const parsed = parseInput(tool.server, edited)
  if (parsed.success) return
  throw invalid(
    `Nothing was approved, because the edited arguments are not valid: ${problemText(parsed.error)}`,
    fieldErrors(parsed.error)
  )
}
