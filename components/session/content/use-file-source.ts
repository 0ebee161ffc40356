import { storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import { useEffect, useState } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'

/**
 * Returns the URL of a file in the transcript for the browser. In another product's page, this request needs
 * a token that an image cannot send. The file is then fetched once `wanted` is true. Undefined until it is
 * loaded; null if it cannot be loaded.
 */
export function useFileSource(url: string, wanted: boolean): string | null | undefined {
  const { store } = useSessionContext()
  const fetched = store.needsCredential && storedFileOf({ url }) !== undefined
  const [source, setSource] = useState<string | null>()
  useEffect(() => {
    if (!fetched || !wanted) return
    let made: string | undefined
    let over = false
    void store.readFile(url).then(bytes => {
      if (over) return
      made = bytes && URL.createObjectURL(bytes)
      setSource(made ?? null)
    })
    return () => {
      over = true
      if (made !== undefined) URL.revokeObjectURL(made)
    }
  }, [store, url, fetched, wanted])
  if (fetched) return source
  return url.startsWith('/') ? store.client.url + url : url
}
