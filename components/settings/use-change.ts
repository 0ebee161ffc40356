import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { type Reply, replyTo } from '#components/browser/reply.ts'
import type { Failed } from '#components/forms/use-schema-form.ts'

/**
 * Sends changes. `fault` is the error of the last one. `create` returns the response, and refreshes the page if
 * it succeeds. `change` returns true if it succeeds, and always refreshes the page: after an error, the page may
 * show data that another user has removed.
 */
export function useChange(errorOf: (reply: Failed) => string = changeError) {
  const router = useRouter()
  const [fault, setFault] = useState('')
  const send = async <T>(request: Promise<T>): Promise<Reply<T>> => {
    const reply = await replyTo(request)
    setFault(reply.ok ? '' : errorOf(reply))
    return reply
  }
  const create = async <T>(request: Promise<T>): Promise<T | undefined> => {
    const reply = await send(request)
    if (!reply.ok) return undefined
    router.refresh()
    return reply.body
  }
  const change = async (request: Promise<unknown>): Promise<boolean> => {
    const { ok } = await send(request)
    router.refresh()
    return ok
  }
  return { create, change, fault, setFault }
}
