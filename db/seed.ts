import type { Env } from '#lib/kernel/settings/env.ts'
import { newLinkSecret } from '#lib/kernel/settings/link-secret.ts'
import { connect, type Pool } from './client.ts'
import { sampleAgents } from './samples.ts'
import { inTransaction } from './transaction.ts'

/**
 * Creates the data for a first start: the default workspace, its sample agents and, in local mode, an empty session
 * `welcome`. Any number of processes can run it at once. Existing data remains.
 */
export async function seed(url: string, env: Pick<Env, 'local' | 'url'>): Promise<void> {
  const sql = connect(url, { max: 1 })
  try {
    await seedOn(sql, env)
  } finally {
    // Like in migrate.ts.
    await sql.end({ timeout: 1 })
  }
}

/** Like {@link seed}, with an open pool. */
export async function seedOn(sql: Pool, env: Pick<Env, 'local' | 'url'>): Promise<void> {
  await inTransaction({ sql }, async ({ sql: tx }) => {
    const [created] = await tx`
      insert into workspaces (id, name, link_secret) values ('default', 'Workspace', ${newLinkSecret()})
      on conflict (id) do nothing returning id`
    if (created === undefined) {
      // The samples of local mode are on this server, whose port can have changed.
      if (env.local)
        await tx`
          with here as (
            select id, regexp_replace(config::text, 'http://localhost:[0-9]+/samples/', ${`${env.url}/samples/`}, 'g')::jsonb as config
            from agents where workspace_id = 'default' and config::text like '%/samples/%'
          ), published as (
            update agents a set config = here.config, revision = a.revision + 1, updated_at = clock_timestamp()
            from here where a.workspace_id = 'default' and a.id = here.id and a.config <> here.config returning a.*
          )
          insert into agent_revisions (workspace_id, agent_id, revision, config, saved_by, saved_at, note)
          select workspace_id, id, revision, config, 'Waystation', updated_at, 'The samples moved with the server.' from published`
      return
    }
    for (const config of sampleAgents(env.local ? env.url : undefined)) {
      await tx`
        with saved as (
          insert into agents (workspace_id, id, config) values ('default', ${config.agentId}, ${config}::jsonb)
          returning *
        )
        insert into agent_revisions (workspace_id, agent_id, revision, config, saved_by)
        select workspace_id, id, revision, config, 'Waystation' from saved`
    }
    if (!env.local) return
    const [session] = await tx<{ key: number }[]>`
      insert into sessions (workspace_id, id, agent_id, title, created_by) values ('default', 'welcome', 'guide', 'Welcome', 'Waystation')
      returning key`
    await tx`insert into heads (session_key) values (${session?.key ?? 0})`
  })
}
