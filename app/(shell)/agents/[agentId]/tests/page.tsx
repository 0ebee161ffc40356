import { redirect } from 'next/navigation'

type Props = { params: Promise<{ agentId: string }>; searchParams: Promise<{ set?: string }> }

/** The earlier address of an agent's test sets. */
export default async function TestSets({ params, searchParams }: Props) {
  const { set } = await searchParams
  const query = new URLSearchParams({ section: 'tests', ...(typeof set === 'string' && { set }) })
  redirect(`/agents/${(await params).agentId}?${query}`)
}
