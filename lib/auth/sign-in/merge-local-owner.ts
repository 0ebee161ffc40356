import type { Ctx } from '#lib/kernel/ctx.ts'
import { personId } from '#lib/kernel/identity.ts'
import { runtime } from '#lib/kernel/runtime.ts'
import { localOwner } from './local-owner.ts'

/**
 * The first person who owns what the local owner owned takes it over: their memberships, everywhere; what is in force in
 * their name (keys, webhooks, settings, the tools that their browser declared); and who they are where it counts who
 * somebody is (who asked, who may answer). Who wrote what keeps its author's name. Nothing happens in local mode, or when
 * there is nothing left to take over. Under the lock of the workspace that `userId` has just become an owner of.
 */
export async function mergeLocalOwner(tx: Ctx, userId: string): Promise<void> {
  const { sql, workspaceId } = tx
  if (runtime().env.local) return
  const [owned] = await sql`
    select from members where workspace_id = ${workspaceId} and user_id = ${localOwner.id} and role = 'owner'`
  if (owned === undefined) return
  const taken = await sql<{ workspaceId: string }[]>`
    insert into members (workspace_id, user_id, role, created_at)
    select workspace_id, ${userId}, role, clock_timestamp() from members where user_id = ${localOwner.id}
    on conflict (workspace_id, user_id) do update set role = excluded.role
    returning workspace_id`
  await sql`delete from members where user_id = ${localOwner.id}`
  const workspaces = taken.map(({ workspaceId }) => workspaceId)
  await sql`
    update users set settings = (select settings from users where id = ${localOwner.id}) || settings
    where id = ${userId}`
  await sql`update users set settings = '{}' where id = ${localOwner.id}`
  for (const table of ['api_keys', 'webhooks'])
    await sql`
      update ${sql(table)} set created_by = (select name from users where id = ${userId})
      where workspace_id = any(${workspaces}) and created_by = ${localOwner.name}`
  await takeOverConnections(tx, userId)
  await takeOverAnswers(tx, userId)
  await takeOverTools(tx, userId, workspaces)
}

/** Their own accounts at other services, which an agent uses for whoever they are; one of their own is kept. */
async function takeOverConnections({ sql }: Ctx, userId: string): Promise<void> {
  const [was, is] = [personId(localOwner.id), personId(userId)]
  await sql`
    update connections c set owner = ${is}, owner_name = (select name from users where id = ${userId})
    where sharing = 'user' and owner = ${was} and not exists (
      select from connections o where o.workspace_id = c.workspace_id and o.integration = c.integration
        and o.slug = c.slug and o.sharing = 'user' and o.owner = ${is})`
}

/** The columns with identities (`Identity`) in them. */
const identities = [
  ['messages', 'sender'],
  ['calls', 'answerers'],
  ['calls', 'answerer'],
  ['calls', 'said_by'],
  ['calls', 'account_of'],
  ['out_of_band', 'sender']
] as const

/** Who asked and who may answer: otherwise the same person could approve what they asked for themselves, as somebody else. */
async function takeOverAnswers({ sql }: Ctx, userId: string): Promise<void> {
  const [was, is] = [personId(localOwner.id), personId(userId)]
  const [named, renamed] = [was, is].map(id => `"id": ${JSON.stringify(id)}`) as [string, string]
  for (const [table, column] of identities)
    await sql`
      update ${sql(table)} set ${sql(column)} = replace(${sql(column)}::text, ${named}, ${renamed})::jsonb
      where strpos(${sql(column)}::text, ${named}) > 0`
  await sql`
    with was as (delete from session_authors where id = ${was} returning session_key, name)
    insert into session_authors (session_key, id, name) select session_key, ${is}, name from was
    on conflict do nothing`
  const agents = await sql<{ workspaceId: string; id: string; config: Config }[]>`
    select workspace_id, id, config from agents where config::text like ${`%"${localOwner.id}"%`}`
  // A revision never changes, so this is the next one.
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

/** An agent's configuration whose policies name this person where they named the local owner. */
function withPerson(config: Config, userId: string): Config {
  const renamed = <T extends { answer?: Policy }>(part: T): T => {
    const people = part.answer?.people?.map(id => (id === localOwner.id ? userId : id))
    return people === undefined ? part : { ...part, answer: { ...part.answer, people } }
  }
  const { chat } = config
  if (chat === undefined) return config
  return { ...config, chat: renamed({ ...chat, ...(chat.tools ? { tools: chat.tools.map(renamed) } : {}) }) }
}

/** A tool that their browser brought is still theirs to say failed. */
const takeOverTools = ({ sql }: Ctx, userId: string, workspaces: string[]): PromiseLike<unknown> => sql`
  update sessions set client_tools = (
    select jsonb_agg(case when tool -> 'declaredBy' ? ${localOwner.id}
      then jsonb_set(tool, '{declaredBy}',
        ((tool -> 'declaredBy') - ${localOwner.id}::text) || to_jsonb(${userId}::text))
      else tool end order by at)
    from jsonb_array_elements(client_tools) with ordinality as tools (tool, at))
  where workspace_id = any(${workspaces}) and client_tools @>
    jsonb_build_array(jsonb_build_object('declaredBy', jsonb_build_array(${localOwner.id}::text)))`
