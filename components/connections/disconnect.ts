'use client'
import type { Connection } from '@waystation/protocol/connection/connection.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { httpTo } from '#components/browser/http.ts'

export type End = 'revoke' | 'delete'

/** A connection by the names that people know it by: "GitHub (ada)", and "GitHub (ada, github-work)" where it has a name of its own. */
export const nameOf = ({ service, account, integration, slug }: Connection): string => {
  const names = [account, slug === integration ? undefined : slug].filter(name => name !== undefined)
  return names.length === 0 ? service : `${service} (${names.join(', ')})`
}

/** What ending one does, for whoever is asked once. */
export function warningOf(end: End, { state, mode, service }: Connection): string {
  if (state === 'revoked') return 'This connection is already revoked. Deleting it removes it from this list.'
  const there =
    mode === 'oauth'
      ? `Access is also revoked at ${service}, if possible.`
      : `The token or key stays valid at ${service} until you revoke it there.`
  return `Agents can't use the account from now on, not even in a running turn. ${there}${end === 'delete' ? ' The connection is removed from this list.' : ''}`
}

/** What it came to, here and there. */
export function outcomeOf(end: End, connection: Connection, atProvider: 'revoked' | 'unknown'): string {
  const { state, mode, service } = connection
  const here = `${nameOf(connection)} was ${end === 'delete' ? 'deleted' : 'revoked'}`
  if (state === 'revoked') return `${here}.`
  if (atProvider === 'revoked') return `${here}, also at ${service}.`
  if (mode === 'api_key')
    return `${here}. The token or key is still valid at ${service}, so revoke it there too.`
  return `${here}. Access at ${service} couldn't be revoked, so revoke it there too.`
}

/** Ends connections, and keeps what is to be said of it: a row that is gone cannot say it. */
export function useDisconnect() {
  const router = useRouter()
  const [said, setSaid] = useState('')
  const [fault, setFault] = useState('')
  const end = async (how: End, connection: Connection) => {
    const path = `/api/connections/${encodeURIComponent(connection.connectionId)}`
    const reply = await (how === 'delete'
      ? httpTo('')<{ atProvider: 'revoked' | 'unknown' }>('DELETE', path)
      : httpTo('')<{ atProvider: 'revoked' | 'unknown' }>('POST', `${path}/revoke`, {}))
    setSaid(reply.ok ? outcomeOf(how, connection, reply.body.atProvider) : '')
    setFault(reply.ok ? '' : changeError(reply))
    router.refresh()
  }
  return { said, fault, end }
}
