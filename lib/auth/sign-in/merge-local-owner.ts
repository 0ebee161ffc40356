import type { Ctx } from '#lib/kernel/ctx.ts'
import { personId } from '#lib/kernel/identity.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { localOwner } from './local-owner.ts'

/**
 * Transfers to a new owner what the local owner owned:
 * - memberships in all workspaces
 * - keys, webhooks, settings, and tools that the local owner's browser declared
 * - the identities that decide who requested a call and who can answer it
 *
 * Content keeps its author's name. It does nothing in local mode, or if nothing is left to transfer. Needs the lock of
 * the workspace that `userId` has just become an owner of.
 */
export async function mergeLocalOwner(tx: Ctx, userId: string): Promise<void> {
  const { sql, workspaceId } = tx
  if (runtime().env.local) return
  const [owned] = await sql`
    select from members where workspace_id = ${workspaceId} and user_id = ${localOwner.id} and role = 'owner'`
  if (owned === undefined) return
  const transferred = await sql<{ workspaceId: string }[]>`
    insert into members (workspace_id, user_id, role, created_at)
    select workspace_id, ${userId}, role, clock_timestamp() from members where user_id = ${localOwner.id}
    on conflict (workspace_id, user_id) do update set role = excluded.role
    returning workspace_id`
  await sql`delete from members where user_id = ${localOwner.id}`
  const workspaces = transferred.map(({ workspaceId }) => workspaceId)
  await sql`
    update users set settings = (select settings from users where id = ${localOwner.id}) || settings
    where id = ${userId}`
  await sql`update users set settings = '{}' where id = ${localOwner.id}`
  for (const table of ['api_keys', 'webhooks'])
    await sql`
      update ${sql(table)} set created_by = (select name from users where id = ${userId})
      where workspace_id = any(${workspaces}) and created_by = ${localOwner.name}`
  await transferConnections(tx, userId)
  await transferIdentities(tx, userId)
  await transferTools(tx, userId, workspaces)
}

/**
 * Transfers the local owner's own accounts at other services. If the new owner has the same account, theirs is kept.
 */
async function transferConnections({ sql }: Ctx, userId: string): Promise<void> {
  const [oldId, newId] = [personId(localOwner.id), personId(userId)]
  await sql`
    update connections c set owner = ${newId}, owner_name = (select name from users where id = ${userId})
    where sharing = 'user' and owner = ${oldId} and not exists (
      select from connections o where o.workspace_id = c.workspace_id and o.integration = c.integration
        and o.slug = c.slug and o.sharing = 'user' and o.owner = ${newId})`
}

/** The columns that contain an `Identity`. */
const identities = [
  ['messages', 'sender'],
  ['calls', 'answerers'],
  ['calls', 'answerer'],
  ['calls', 'said_by'],
  ['calls', 'account_of'],
  ['out_of_band', 'sender']
] as const

/**
 * Renames who requested calls and who can answer them. Otherwise the same user could approve their own request as
 * another person.
 */
async function transferIdentities({ sql }: Ctx, userId: string): Promise<void> {
  const [oldId, newId] = [personId(localOwner.id), personId(userId)]
  const [oldJson, newJson] = [oldId, newId].map(id => `"id": ${JSON.stringify(id)}`) as [string, string]
  for (const [table, column] of identities)
    await sql`
      update ${sql(table)} set ${sql(column)} = replace(${sql(column)}::text, ${oldJson}, ${newJson})::jsonb
      where strpos(${sql(column)}::text, ${oldJson}) > 0`
  await sql`
    with was as (delete from session_authors where id = ${oldId} returning session_key, name)
    insert into session_authors (session_key, id, name) select session_key, ${newId}, name from was
    on conflict do nothing`
  await sql`
    with was as (delete from session_reads where reader = ${oldId} returning session_key, read_pos)
    insert into session_reads (session_key, reader, read_pos) select session_key, ${newId}, read_pos from was
    on conflict do nothing`
  const agents = await sql<{ workspaceId: string; id: string; config: Config }[]>`
    select workspace_id, id, config from agents where config::text like ${`%"${localOwner.id}"%`}`
  // A revision never changes, so this creates the next one.
  for (const { workspaceId, id, config } of agents)
    await sql`
      with published as (
        update agents set config = ${withPerson(config, userId)}::jsonb, revision = revision + 1,
          updated_at = clock_timestamp(), draft_base = case when draft_base = revision then revision + 1 else draft_base end
        where workspace_id = ${workspaceId} and id = ${id} returning *
      )
      insert into agent_revisions (workspace_id, agent_id, revision, config, saved_by, saved_at, note)
      select workspace_id, id, revision, config, (select name from users where id = ${userId}), updated_at,
        ${`Replaced ${localOwner.name} with the new owner.`} from published`
  const drafts = await sql<{ workspaceId: string; id: string; draft: Config }[]>`
    select workspace_id, id, draft from agents where draft::text like ${`%"${localOwner.id}"%`}`
  for (const { workspaceId, id, draft } of drafts)
    await sql`
      update agents set draft = ${withPerson(draft, userId)}::jsonb, draft_version = draft_version + 1
      where workspace_id = ${workspaceId} and id = ${id}`
  const overlaid = await sql<{ key: number; chat: NonNullable<Config['chat']> }[]>`
    select key, overlay as chat from sessions where overlay::text like ${`%"${localOwner.id}"%`}`
  for (const { key, chat } of overlaid)
    await sql`
      update sessions set overlay = ${withPerson({ chat }, userId).chat ?? null}::jsonb where key = ${key}`
}

type Policy = { people?: string[] } | undefined
type Config = { chat?: { answer?: Policy; tools?: { answer?: Policy }[] } }

/** Replaces the local owner with this user in the policies of an agent's configuration. */
function withPerson(config: Config, userId: string): Config {
  const withNewPerson = <T extends { answer?: Policy }>(part: T): T => {
    const people = part.answer?.people?.map(id => (id === localOwner.id ? userId : id))
    return people === undefined ? part : { ...part, answer: { ...part.answer, people } }
  }
  const { chat } = config
  if (chat === undefined) return config
  return {
    ...config,
    chat: withNewPerson({ ...chat, ...(chat.tools ? { tools: chat.tools.map(withNewPerson) } : {}) })
  }
}

/** Lets the user report a failure of a tool that the local owner's browser declared. */
const transferTools = ({ sql }: Ctx, userId: string, workspaces: string[]): PromiseLike<unknown> => sql`
  update sessions set client_tools = (
    select jsonb_agg(case when tool -> 'declaredBy' ? ${localOwner.id}
      then jsonb_set(tool, '{declaredBy}',
        ((tool -> 'declaredBy') - ${localOwner.id}::text) || to_jsonb(${userId}::text))
      else tool end order by at)
    from jsonb_array_elements(client_tools) with ordinality as tools (tool, at))
  where workspace_id = any(${workspaces}) and client_tools @>
    jsonb_build_array(jsonb_build_object('declaredBy', jsonb_build_array(${localOwner.id}::text)))`
