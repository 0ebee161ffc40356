import type { Metadata } from 'next'
import { Appearance } from '#components/settings/appearance.tsx'
import { Audit } from '#components/settings/audit.tsx'
import { BuildKit } from '#components/settings/build-kit.tsx'
import { Embedding } from '#components/settings/embedding.tsx'
import { General } from '#components/settings/general.tsx'
import { Keys } from '#components/settings/keys.tsx'
import { LinkSecret } from '#components/settings/link-secret.tsx'
import { Models } from '#components/settings/models.tsx'
import { OutOfBandDefaults } from '#components/settings/out-of-band.tsx'
import { People } from '#components/settings/people.tsx'
import { Plugins } from '#components/settings/plugins.tsx'
import { Retention } from '#components/settings/retention.tsx'
import { Secrets } from '#components/settings/secrets.tsx'
import { SignOut } from '#components/settings/sign-out.tsx'
import { Spending } from '#components/settings/spending.tsx'
import { ToolRules } from '#components/settings/tool-rules.tsx'
import { ToolSettings } from '#components/settings/tool-settings.tsx'
import { Webhooks } from '#components/settings/webhooks.tsx'
import { Page } from '#components/workspace/page.tsx'
import { listKeys } from '#lib/auth/keys/list-keys.ts'
import { listInvites } from '#lib/auth/members/list-invites.ts'
import { listMembers } from '#lib/auth/members/list-members.ts'
import { signInMethods } from '#lib/auth/sign-in/sign-in-methods.ts'
import { listSignIns } from '#lib/auth/sign-in/sign-ins.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { getWorkspace } from '#lib/auth/workspaces/get-workspace.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'
import { listGrants } from '#lib/features/approvals/list-grants.ts'
import { listModels } from '#lib/features/models/providers.ts'
import { listSecrets } from '#lib/features/secrets/secrets.ts'
import { listWebhooks } from '#lib/features/webhooks/webhooks.ts'
import { listSettings } from '#lib/plugins/settings/settings.ts'
import { leave } from './leave.ts'

export const metadata: Metadata = { title: 'Settings' }

export default async function Settings() {
  const ctx = await requireSignIn()
  const { mayOwn, mayEdit, name } = permissionsOf(ctx.actor)
  const me = ctx.actor.kind === 'person' ? ctx.actor.userId : undefined
  const [{ members }, { signIns }, models, plugins, { workspace, ...owned }] = await Promise.all([
    listMembers(ctx, {}),
    listSignIns(ctx, {}),
    listModels(ctx, {}),
    mayEdit ? listSettings(ctx, { workspaceId: ctx.workspaceId }) : [],
    mayOwn ? readForOwner(ctx) : noOwner
  ])
  return (
    <Page title="Settings">
      <div className="flex max-w-[760px] flex-col gap-10">
        <Appearance />
        <General workspace={workspace} />
        <People members={members} me={me} mayOwn={mayOwn} invites={owned.invites} />
        <Keys keys={owned.keys} />
        <Models workspace={workspace} models={models} />
        <Spending workspace={workspace} />
        <ToolRules workspace={workspace} grants={owned.grants} />
        <ToolSettings workspace={workspace} />
        <BuildKit workspace={workspace} />
        <Retention workspace={workspace} />
        <OutOfBandDefaults workspace={workspace} />
        <Embedding workspace={workspace} />
        <Webhooks webhooks={owned.webhooks} />
        <Secrets secrets={owned.secrets} />
        <LinkSecret mayOwn={mayOwn} />
        <Audit mayOwn={mayOwn} />
        <Plugins plugins={plugins} />
        <SignOut name={name} leave={leave} signIns={signIns} />
      </div>
    </Page>
  )
}

/** Reads the settings that only owners can see. */
async function readForOwner(ctx: Awaited<ReturnType<typeof requireSignIn>>) {
  const [{ keys }, { webhooks }, { secrets }, workspace, { grants }, invites] = await Promise.all([
    listKeys(ctx, {}),
    listWebhooks(ctx, {}),
    listSecrets(ctx, {}),
    getWorkspace(ctx, {}),
    listGrants(ctx, {}),
    signInMethods().providers.length > 0 ? listInvites(ctx, {}) : undefined
  ])
  return { keys, webhooks, secrets, workspace, grants, invites: invites?.invites }
}

const noOwner: Partial<Awaited<ReturnType<typeof readForOwner>>> = {}
