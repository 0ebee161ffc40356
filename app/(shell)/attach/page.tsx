import type { Metadata } from 'next'
import { AttachPage } from '#components/shell/attach-page.tsx'
import { requireSignIn } from '#lib/auth/sign-in/signed-in.ts'

export const metadata: Metadata = { title: 'Open a session' }

type Props = { searchParams: Promise<{ agentId?: string | string[]; sessionId?: string | string[] }> }

export default async function Attach({ searchParams }: Props) {
  await requireSignIn()
  const { agentId, sessionId } = await searchParams
  return <AttachPage agentId={one(agentId)} sessionId={one(sessionId)} />
}

const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)
