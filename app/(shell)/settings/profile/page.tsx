import type { Metadata } from 'next'
import { Appearance } from '#components/settings/appearance.tsx'
import { SignIns } from '#components/settings/sign-ins.tsx'
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
      <Appearance name={name} leave={leave} />
      <SignIns signIns={signIns} />
    </>
  )
}
