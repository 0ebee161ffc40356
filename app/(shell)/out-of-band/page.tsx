import { redirect } from 'next/navigation'

type Props = { searchParams: Promise<Record<string, string>> }

/** The earlier URL of the page. */
export default async function OutOfBand({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams)
  redirect(query.size === 0 ? '/activity' : `/activity?${query}`)
}
