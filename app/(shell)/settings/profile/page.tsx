import type { Metadata } from 'next'
import { Appearance } from '#components/settings/appearance.tsx'
import { SignOut } from '#components/settings/sign-out.tsx'
import { leave } from '#lib/auth/sign-in/leave.ts'
import { listSignIns } from '#lib/auth/sign-in/sign-ins.ts'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'
import { permissionsOf } from '#lib/auth/workspaces/permissions.ts'

export const metadata: Metadata = { title: 'Profile' }

export default async function Profile() {
  const ctx = await requireSignIn()
  const { name } = permissionsOf(ctx.actor)
  const { signIns } = await listSignIns(ctx, {})
  return (
    <>
      <Appearance />
      <SignOut name={name} leave={leave} signIns={signIns} />
    </>
  )
}
