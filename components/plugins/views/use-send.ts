import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { unreachable } from '#components/browser/error-text.ts'
import { useAction } from '#components/browser/use-action.ts'
import type { Said } from '#components/ui/outcome.tsx'
import { type Attributes, oneAt, textAt } from './attributes.ts'
import type { Body } from './form-body.ts'
import { routeOf, useView } from './view-context.ts'

/** Timeout of a request to a plugin, in ms. */
const patience = 35_000

/**
 * Sends `body`, the values of a form or button, to the route in its `action` and `method`, as JSON or, with GET, in
 * the query. After a success, the plugin renders the view again. A JSON response can contain `message`, or
 * `error` and `fields`. `allowed` is true if `action` is a path of the plugin.
 */
export function useSend(attributes: Attributes, body: Body = {}, onSent: () => void = () => undefined) {
  const view = useView()
  const method = oneAt(attributes, 'method', ['POST', 'GET', 'PUT', 'DELETE'])
  const path = routeOf(view, textAt(attributes, 'action'))
  const nowhere = { text: "This can't be sent: the plugin doesn't declare its action as a route." }
  const [said, setSaid] = useState<Said>(path === undefined ? nowhere : { text: '' })
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [send, busy] = useAction(async () => {
    if (path === undefined) return
    setSaid({ text: 'Sending…' })
    const answer = await request(path, method, body)
    setFaults(answer.fields)
    setSaid({ text: answer.words, failed: !answer.ok })
    if (!answer.ok) return
    onSent()
    view.again()
  })
  return { send, busy, said, faults, allowed: path !== undefined }
}

async function request(path: string, method: string, given: Body) {
  const hasBody = method !== 'GET'
  const query = new URLSearchParams(
    Object.entries(given).map(([name, value]) => [name, value === null ? '' : String(value)])
  )
  try {
    const response = await client.fetch(hasBody || query.size === 0 ? path : `${path}?${query}`, {
      method,
      headers: { accept: 'application/json', ...(hasBody ? { 'content-type': 'application/json' } : {}) },
      ...(hasBody ? { body: JSON.stringify(given) } : {}),
      signal: AbortSignal.timeout(patience)
    })
    const body: unknown = await response.json().catch(() => undefined)
    const said = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
    const words = response.ok ? said.message : said.error
    const usual = response.ok ? 'Done.' : `The plugin returned ${response.status}.`
    return {
      ok: response.ok,
      words: typeof words === 'string' ? words : usual,
      fields: response.ok ? {} : fieldsOf(said.fields)
    }
  } catch {
    return { ok: false, words: `${unreachable} Try again.`, fields: {} }
  }
}

const fieldsOf = (fields: unknown): Record<string, string> =>
  typeof fields === 'object' && fields !== null
    ? Object.fromEntries(Object.entries(fields).map(([name, words]) => [name, String(words)]))
    : {}
