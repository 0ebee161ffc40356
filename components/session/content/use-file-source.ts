import { storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import { useEffect, useState } from 'react'
import { useRead } from '#components/browser/queries.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Returns the URL of a file in the transcript for the browser. In another product's page, this request needs
 * a token that an image cannot send. The file is then fetched once `wanted` is true. Undefined until it is
 * loaded; null if it cannot be loaded.
 */
export function useFileSource(url: string, wanted: boolean): string | null | undefined {
  const { store } = useSessionContext()
  const isFetched = store.needsCredential && storedFileOf({ url }) !== undefined
  const { data: bytes } = useRead({
    queryKey: ['file', url],
    queryFn: async () => (await store.readFile(url)) ?? null,
    enabled: isFetched && wanted,
    // A stored file never changes.
    staleTime: Number.POSITIVE_INFINITY
  })
  const [source, setSource] = useState<string>()
  useEffect(() => {
    if (!bytes) return
    const made = URL.createObjectURL(bytes)
    setSource(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes])
  if (isFetched) return bytes === null ? null : source
  return url.startsWith('/') ? store.client.url + url : url
}
