import type { ReactNode } from 'react'
import { findReader } from '#lib/auth/sign-in/signed-in.ts'
// biome-ignore lint/style/noRestrictedImports: the layout of the other pages, which has no alias
import ShellLayout from '../(shell)/layout.tsx'

/** The layout of unknown URLs. It has the navigation for signed-in users. Visitors see it without signing in. */
export default async function UnknownLayout({ children }: { children: ReactNode }) {
  return (await findReader()) === null ? <main>{children}</main> : <ShellLayout>{children}</ShellLayout>
}
