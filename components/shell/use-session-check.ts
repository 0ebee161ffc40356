'use client'
import type { CheckedSession } from '@waystation/protocol/session/session.ts'
import { useEffect, useState } from 'react'
import { httpTo } from '#components/browser/http.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** What would become of a session ID: words for a person, and whether it would be refused. */
export type Judged = { words: string; refused: boolean; attaches: boolean }

/** Typing rests for this long before the server is asked. Milliseconds. */
const rest = 200
const nothing: Judged = { words: '', refused: false, attaches: false }

/** Judges an ID while it is typed, as creating the session would (000-7, 000-18). Empty: there is nothing to judge. */
export function useSessionCheck(agentId: string, typed: string): Judged {
  const { agents } = useWorkspace()
  const id = typed.trim()
  const [found, setFound] = useState<{ asked: string; judged: Judged }>()
  const asked = `${agentId} ${id}`
  useEffect(() => {
    if (id === '') return
    let gone = false
    const timer = setTimeout(async () => {
      const query = new URLSearchParams({ agentId, sessionId: id })
      const reply = await httpTo('')<CheckedSession>('GET', `/api/plugins/sessions/operations/check?${query}`)
      if (gone || (!reply.ok && reply.lost)) return
      const nameOf = (agent: string) => agents.find(one => one.agentId === agent)?.displayName ?? agent
      setFound({
        asked,
        judged: reply.ok
          ? judge(reply.body, nameOf)
          : { ...nothing, words: reply.refusal.error, refused: true }
      })
    }, rest)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [agentId, id, asked, agents])
  return id !== '' && found?.asked === asked ? found.judged : nothing
}

function judge({ outcome, agentId = '' }: CheckedSession, nameOf: (agentId: string) => string): Judged {
  switch (outcome) {
    case 'new':
      return { ...nothing, words: 'This ID is available.' }
    case 'attach':
      return { ...nothing, words: "A session with this ID exists. You'll open it.", attaches: true }
    case 'revive':
      return { ...nothing, words: 'A session with this ID was deleted. The new one starts empty.' }
    case 'taken':
      return {
        ...nothing,
        words: `This ID belongs to a session with ${nameOf(agentId)}. Choose another ID.`,
        refused: true
      }
  }
}
