'use client'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { httpTo } from '#components/session/http.ts'
import type { Connection } from '#lib/protocol/connection.ts'

export type End = 'revoke' | 'delete'

/** A connection by the names that people know it by: "GitHub (ada)", and "GitHub (ada, github-work)" where it has a name of its own. */
export const nameOf = ({ service, account, integration, slug }: Connection): string => {
  const names = [account, slug === integration ? undefined : slug].filter(name => name !== undefined)
  return names.length === 0 ? service : `${service} (${names.join(', ')})`
}

/** What ending one does, for whoever is asked once. */
export function warningOf(end: End, { state, mode, service }: Connection): string {
  if (state === 'revoked') return 'It is over already. Nothing of it stays in this list.'
  const there =
    mode === 'oauth'
      ? `${service} is told too, where it can be.`
      : `What was entered stays good at ${service} until you withdraw it there.`
  return `No agent can use it from now on, not even in the middle of a turn. ${there}${end === 'delete' ? ' Nothing of it stays in this list.' : ''}`
}

/** What it came to, here and there. */
export function outcomeOf(end: End, connection: Connection, atProvider: 'revoked' | 'unknown'): string {
  const { state, mode, service } = connection
  const here = `${nameOf(connection)} is ${end === 'delete' ? 'deleted' : 'ended here'}`
  if (state === 'revoked') return `${here}.`
  if (atProvider === 'revoked') return `${here}, and ${service} was told.`
  if (mode === 'api_key')
    return `${here}. What was entered is still good at ${service}: withdraw it there too.`
  return `${here}. ${service} could not be told: end it there too.`
}

/** Ends connections, and keeps what is to be said of it: a row that is gone cannot say it. */
export function useEnding() {
  const router = useRouter()
  const [said, setSaid] = useState('')
  const [fault, setFault] = useState('')
  const end = async (how: End, connection: Connection) => {
    const path = `/api/connections/${encodeURIComponent(connection.connectionId)}`
    const reply = await (how === 'delete'
      ? httpTo('')<{ atProvider: 'revoked' | 'unknown' }>('DELETE', path)
      : httpTo('')<{ atProvider: 'revoked' | 'unknown' }>('POST', `${path}/revoke`, {}))
    setSaid(reply.ok ? outcomeOf(how, connection, reply.body.atProvider) : '')
    setFault(reply.ok ? '' : reply.lost ? 'The server does not answer. Try again.' : reply.refusal.error)
    router.refresh()
  }
  return { said, fault, end }
}
