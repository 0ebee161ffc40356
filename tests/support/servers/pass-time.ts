import { retryLostRaces } from '#db/transaction.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'

/** The stored times at which something becomes due. `passTime` moves them back. */
export const shifted: Record<string, readonly string[]> = {
  alarms: ['next_at'],
  calls: ['since', 'deadline'],
  connection_attempts: ['expires_at', 'poll_at'],
  deliveries: ['next_at', 'claimed_until'],
  messages: ['done_at'],
  out_of_band: ['queued_at', 'visible_at', 'expires_at'],
  session_tokens: ['expires_at'],
  sessions: ['agent_status_until'],
  signing_secrets: ['created_at', 'retires_at'],
  turns: ['retry_at', 'budget_since']
}

const record = 'It records when something happened. Nothing becomes due by it.'
const days = 'It becomes due after a day or more. Tests of that set the column.'
const order = 'Lists are sorted by it, so it stays beside the times of what comes later.'
const lease = 'A process that runs holds it and renews it.'

/** The stored times that `passTime` does not change, with the reason. */
export const unshifted: Record<string, Record<string, string>> = {
  agent_revisions: { saved_at: record },
  agents: { updated_at: record, draft_at: record },
  alarms: { set_at: record, fired_at: record },
  api_keys: { created_at: record, last_used_at: record, revoked_at: record },
  audit: { at: record },
  calls: {
    warned_at: record,
    deferred_at: record,
    claimed_at: lease,
    settled_at: 'Only the job that mends sub-agents looks at its age. Tests of that set the column.',
    ran_at: record
  },
  catalogue_entries: { saved_at: record, archived_at: record },
  compactions: { created_at: record },
  connection_attempts: { created_at: days, used_at: record },
  connection_uses: { used_at: record },
  connections: {
    expires_at:
      'The sample provider has its own clock, which does not move. Tests of renewal set the column.',
    refreshing_until: lease,
    connected_at: record,
    updated_at: record,
    last_used_at: record
  },
  deliveries: {
    created_at: 'Lists are sorted by it. Tests of answers that are too old to be sent set the column.'
  },
  events: { at: order },
  files: { created_at: days },
  grants: { at: record },
  identities: { created_at: record, seen_at: record },
  inbox: { created_at: order, consumed_at: record },
  integration_clients: { expires_at: days, registering_until: lease },
  integrations: { saved_at: record },
  invites: { created_at: record, expires_at: days, used_at: record, revoked_at: record },
  mcp_checks: { at: record },
  mcp_sessions: { opened_at: record },
  mcp_tool_lists: { listed_at: record },
  mcp_tool_versions: { accepted_at: record },
  members: { created_at: record },
  messages: { compacted_at: record },
  model_providers: { saved_at: record },
  out_of_band: { injected_at: record, acknowledged_at: record, cancelled_at: record },
  plugin_processes: { seen_at: lease },
  plugin_requests: { created_at: record },
  plugin_settings: { saved_at: record },
  plugin_streams: { opened_at: order },
  prompts: { created_at: order },
  receipts: { created_at: record },
  sample_acme: {
    consumed_at: record,
    expires_at: 'The sample provider plays another server, with its own clock.'
  },
  session_tokens: { created_at: record, revoked_at: record },
  sessions: {
    retry_at: 'It repeats `turns.retry_at` for lists. Only that one makes a retry due.',
    created_at: order,
    active_at: days,
    deleted_at: record,
    expired_at: record
  },
  sign_ins: { created_at: order, expires_at: days },
  spend_grants: { granted_at: days },
  tiddlers: { created: record, modified: record },
  test_runs: { started_at: record },
  test_sets: { saved_at: record },
  turns: { started_at: order, ended_at: record, began_at: record },
  used_links: { ends_at: days },
  users: { created_at: record },
  webhooks: { created_at: record },
  wiki_changes: { at: record, undone_at: record },
  wikis: { created_at: record, changed_at: record },
  workers: { started_at: record, heartbeat_at: lease },
  workspace_plugins: { added_at: record, changed_at: record },
  workspace_secrets: { saved_at: record },
  workspaces: { created_at: record, deleted_at: record }
}

const updates = Object.entries(shifted).map(([table, columns]) => {
  const assignments = columns.map(column => `${column} = ${column} - passed`)
  const conditions = columns.map(column => `${column} is not null`)
  return `moved_${table} as (update ${table} set ${assignments.join(', ')} from by where ${conditions.join(' or ')})`
})

/**
 * Moves the stored times back instead of the clock forward, so that production code needs no hook, and starts the
 * jobs that are then due. `tests/infra/pass-time.test.ts` compares the two tables with the schema.
 */
export async function passTime({ sql }: Ctx, seconds: number): Promise<void> {
  // Retry, because this locks rows in a different order than the jobs that run meanwhile.
  await retryLostRaces(async () =>
    sql.unsafe(
      `with by as (select make_interval(secs => $1::float8) as passed), ${updates.join(', ')}
      update graphile_worker._private_jobs set run_at = run_at - passed from by
      where run_at > now() and (key is null or strpos(key, ':') > 0)`,
      [seconds]
    )
  )
  await sql`select pg_notify('jobs:insert', '{"count":1}')`
}
