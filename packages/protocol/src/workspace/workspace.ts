import { ToolRules } from '@waystation/protocol/call/tool-rules.ts'
import { ToolSettings } from '@waystation/protocol/call/tool-settings.ts'
import { OobSettings } from '@waystation/protocol/out-of-band/oob-settings.ts'
import { z } from 'zod'
import { ModelName } from './models.ts'
import { WorkspaceName } from './workspaces.ts'

/**
 * An origin exactly as browsers send it (RFC 6454, 6.2): scheme, host and port. Other forms never match: a trailing
 * slash, a default port, upper case or a wildcard. The error for them shows the correct form.
 */
const Origin = z
  .string()
  .max(300)
  .check(({ value, issues }) => {
    const error = errorOf(value)
    if (error !== undefined) issues.push({ code: 'custom', input: value, message: error })
  })

function errorOf(value: string): string | undefined {
  if (value.includes('*')) return 'must be a single origin without a wildcard'
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return 'must be a scheme and a host, like https://shop.example'
  return url.origin === value ? undefined : `must be written as ${url.origin}`
}

/** US dollars, at least one cent. Null or absent: no cap. */
const Cap = z
  .number({ error: 'must be an amount in US dollars, like 2.5' })
  .min(0.01, 'must be at least $0.01')
  .max(1_000_000, 'must be at most $1,000,000')
  .nullable()

/** Spending limits. When one is reached, the session asks for permission. Days and months are in UTC. */
const SpendCaps = z.strictObject({
  sessionPerDay: Cap.optional(),
  subjectPerDay: Cap.optional(),
  workspacePerMonth: Cap.optional()
})

/** Whole days, at most ten years. Null: forever. */
const RetentionDays = z
  .int({ error: 'must be a whole number of days, like 30' })
  .min(1, 'must be at least 1 day')
  .max(3650, 'must be at most 3650 days')
  .nullable()

/**
 * A workspace as its owner sees it. Pages of `allowedOrigins` can use its session tokens. `outOfBand` sets the
 * defaults and limits of out-of-band messages. `retentionDays` is how long a session is kept after its last event. `buildKit`: if
 * sessions that owners and editors start in the playground have the build kit, unless the agent sets it. `defaultModel` is
 * the model that `default` means; null: the server's. `spent` is in US dollars and includes deleted sessions.
 */
export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  allowedOrigins: z.array(z.string()),
  spendCaps: z.object({
    sessionPerDay: z.number().nullable(),
    subjectPerDay: z.number().nullable(),
    workspacePerMonth: z.number().nullable()
  }),
  toolRules: ToolRules,
  toolSettings: ToolSettings,
  outOfBand: OobSettings,
  retentionDays: z.int().nullable(),
  buildKit: z.boolean(),
  defaultModel: z.string().nullable(),
  spent: z.object({ today: z.number(), thisMonth: z.number() })
})
export type Workspace = z.infer<typeof Workspace>

export const GetWorkspace = z.object({})
export type GetWorkspace = z.infer<typeof GetWorkspace>

/** Each field that is present replaces the whole setting. Absent fields keep their value. */
export const UpdateWorkspace = z.strictObject({
  name: WorkspaceName.optional(),
  allowedOrigins: z.array(Origin).max(50).optional(),
  spendCaps: SpendCaps.optional(),
  toolRules: ToolRules.optional(),
  toolSettings: ToolSettings.optional(),
  outOfBand: OobSettings.optional(),
  retentionDays: RetentionDays.optional(),
  buildKit: z.boolean().optional(),
  defaultModel: ModelName.regex(/^[^/\s]+\/\S/, 'must be provider/model')
    .nullable()
    .optional()
})
export type UpdateWorkspace = z.infer<typeof UpdateWorkspace>
