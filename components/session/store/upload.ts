import type { StoredFile } from '@waystation/protocol/session/file.ts'
import { errorBodyOf, type Fetch, pageFetch, type Reply } from '#components/browser/http.ts'

type Upload = {
  url: string
  fetch: Fetch
  file: File
  /** Sent again with the same key it is the same file. */
  key: string
  /** How much of it is sent, from 0 to 1; with a page's own way of sending, nothing is known of that. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Sends one file to its session. It may take as long as its bytes take. */
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

/** `fetch` does not tell how much of a body is sent (Fetch standard); this older way does. */
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
