/**
 * Like the global `fetch`, but reports the sent share of the body. It uses `XMLHttpRequest`, because `fetch`
 * does not report it. `body` is the body of the request, which is passed apart so that it is not copied.
 */
export function fetchWithProgress(
  request: Request,
  body: Blob,
  onProgress: (share: number) => void
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest()
    sent.open(request.method, request.url)
    sent.responseType = 'blob'
    request.headers.forEach((value, name) => {
      sent.setRequestHeader(name, value)
    })
    sent.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    sent.onload = () => {
      const headers = new Headers({ 'retry-after': sent.getResponseHeader('retry-after') ?? '' })
      resolve(new Response(sent.response, { status: sent.status, headers }))
    }
    sent.onerror = () => reject(new TypeError('The connection failed during the upload.'))
    sent.onabort = () => reject(new DOMException('The upload was canceled.', 'AbortError'))
    if (request.signal.aborted) return reject(request.signal.reason)
    request.signal.addEventListener('abort', () => sent.abort(), { once: true })
    sent.send(body)
  })
}
