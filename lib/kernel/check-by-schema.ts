import { checkValue } from '@waystation/json-schemas'
import type { JsonSchema } from '@waystation/protocol/agent/agent.ts'
import type { Ctx } from './ctx.ts'
import { laneOf } from './lane-of.ts'

/** Checks a value against a frozen schema, in the lane of the caller. See `checkValue`. */
export const checkBySchema = (
  ctx: Ctx,
  schema: JsonSchema | null,
  value: unknown
): ReturnType<typeof checkValue> => checkValue(ctx.ports.schemas, schema, value, laneOf(ctx))
