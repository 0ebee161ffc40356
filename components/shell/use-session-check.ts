'use client'
import type { CheckedSession } from '@waystation/protocol/session/session.ts'
import { useEffect, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/**
 * The result of checking a session ID. `refused`: the server would reject the ID. `attaches`: the ID belongs
 * to an existing session, which opens.
 */
export type Judged = { words: string; refused: boolean; attaches: boolean }

/** How long typing must pause before the server checks the ID, in ms. */
const rest = 200
const nothing: Judged = { words: '', refused: false, attaches: false }

/** Checks an ID while the user types, as creating the session would (000-7, 000-18). Ignores an empty ID. */
export function useSessionCheck(agentId: string, typed: string): Judged {
  const { agents } = useWorkspace()
  const id = typed.trim()
  const [found, setFound] = useState<{ asked: string; judged: Judged }>()
  const asked = `${agentId} ${id}`
  useEffect(() => {
    if (id === '') return
    let gone = false
    const timer = setTimeout(async () => {
      const reply = await replyTo(client.call('checkSession', { query: { agentId, sessionId: id } }))
      if (gone || (!reply.ok && reply.error.temporary)) return
      const nameOf = (agent: string) => agents.find(one => one.agentId === agent)?.displayName ?? agent
      setFound({
        asked,
        judged: reply.ok
          ? judge(reply.body, nameOf)
          : { ...nothing, words: reply.error.message, refused: true }
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
