import type { StoredFile } from '@waystation/protocol/session/file.ts'
import { errorBodyOf, type Fetch, pageFetch, type Reply } from '#components/browser/http.ts'

type Upload = {
  url: string
  fetch: Fetch
  file: File
  /** The server stores the file only once per key. */
  key: string
  /** Receives the sent share, from 0 to 1. Never called with a custom `fetch`. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Uploads one file without a time limit. If the result is `lost`, retry with the same key. */
export async function upload({
  url,
  fetch,
  file,
  key,
  onProgress,
  signal
}: Upload): Promise<Reply<StoredFile>> {
  const address = `${url}?${new URLSearchParams({ name: file.name })}`
  const headers = {
    accept: 'application/json',
    'content-type': file.type || 'application/octet-stream',
    'idempotency-key': key
  }
  try {
    const response =
      fetch === pageFetch
        ? await sendSeen(address, { headers, file, onProgress, signal })
        : await fetch(address, { method: 'POST', headers, body: file, signal })
    if (response.ok) return { ok: true, body: (await response.json()) as StoredFile }
    if (response.status >= 500 || response.status === 429) return { ok: false, lost: true }
    return { ok: false, lost: false, status: response.status, refusal: await errorBodyOf(response) }
  } catch {
    return { ok: false, lost: true }
  }
}

type Seen = Pick<Upload, 'file' | 'onProgress' | 'signal'> & { headers: Record<string, string> }

/** Uses `XMLHttpRequest`, because `fetch` does not report the progress of an upload. */
const sendSeen = (address: string, { headers, file, onProgress, signal }: Seen): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', address)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
    request.onerror = () => reject(new TypeError('The connection failed during the upload.'))
    request.onabort = () => reject(new DOMException('The upload was canceled.', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
