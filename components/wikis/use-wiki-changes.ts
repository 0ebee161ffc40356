import type { Wiki } from '@waystation/protocol/wiki/wiki.ts'
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'

/** How often the page asks for the wiki's revision while it is visible, in ms. */
const pace = 4_000

/** Renders the page again when the wiki has changed, for example by an agent. `shown` is the wiki as rendered. */
export function useWikiChanges(shown: Wiki): void {
  const { name, revision } = shown
  const router = useRouter()
  const { data } = useRead<Wiki>({
    queryKey: ['wiki', name],
    queryFn: () => client.call('getWiki', { path: { wiki: name } }),
    refetchInterval: pace,
    refetchOnWindowFocus: 'always',
    first: shown
  })
  const newest = data?.revision ?? revision
  useEffect(() => {
    if (newest > revision) router.refresh()
  }, [newest, revision, router])
}
