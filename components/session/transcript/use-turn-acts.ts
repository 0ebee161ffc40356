'use client'
import type { Message } from '@waystation/protocol/session/message.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { writeDraft } from '#components/browser/drafts.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { impactWords, turnImpact } from '#components/session/wording/turn-impact.ts'
import { BranchIcon, CopyIcon, DeleteIcon, EditIcon, RerunIcon } from '#components/ui/icons.tsx'
import type { TurnRequest } from './turn-question.tsx'

/** An action on a turn. Tests find its button by `id`. */
type TurnAct = {
  id: 'copy' | 'rerun' | 'edit' | 'branch' | 'delete'
  label: string
  Icon: () => ReactNode
  act: () => void
  disabled?: boolean
  danger?: true
}

/** How long the label "Copied" is shown, in ms. */
const said = 2000

/**
 * Returns the actions that the user can take on a message's turn, and the action that needs confirmation
 * (`asked`).
 *
 * - While the agent works, actions that change the conversation are disabled. The server checks them again.
 * - In an embedded session, end users can rerun replies, and rerun or edit their own messages. They cannot
 *   branch or delete.
 */
export function useTurnActs(message: Message) {
  const { sessionId, store, may, me, agent, can, onBranched } = useSessionContext()
  const running = useSessionState(state => state.transcript.status === 'running')
  const [asked, setAsked] = useState<TurnRequest>()
  const [busy, setBusy] = useState(false)
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), said)
    return () => clearTimeout(timer)
  }, [copied])

  const during = async (work: () => Promise<unknown>) => {
    setAsked(undefined)
    setBusy(true)
    await work()
    setBusy(false)
  }
  const rerun = (calls: boolean) => during(() => store.rerun(message.id, { calls }))
  const remove = () => during(() => store.removeTurn(message.id, true))
  const branch = () =>
    during(async () => {
      const made = await store.branch(message.id)
      if (made !== undefined) onBranched?.(made.sessionId)
    })

  const own = can.members || message.role === 'assistant' || message.metadata?.sentBy === me.name
  const undoes = may.send && agent.external !== true && own
  const mine = undoes && can.members
  const person = message.role === 'user'
  const acts: TurnAct[] = [
    {
      id: 'copy',
      label: copied ? 'Copied' : person ? 'Copy message' : 'Copy reply as Markdown',
      Icon: CopyIcon,
      act: () =>
        void navigator.clipboard.writeText(markdownOf(message)).then(
          () => setCopied(true),
          () => undefined
        )
    }
  ]
  if (undoes)
    acts.push({
      id: 'rerun',
      label: person ? 'Run again from here' : 'Run again',
      Icon: RerunIcon,
      disabled: running || busy,
      act: () => {
        const goes = impactWords(turnImpact(store.getState().transcript, message.id))
        if (goes === undefined) void rerun(false)
        else setAsked({ what: 'rerun', goes })
      }
    })
  if (undoes && person)
    acts.push({
      id: 'edit',
      label: 'Edit and run again',
      Icon: EditIcon,
      disabled: running || busy,
      act: () => writeDraft(sessionId, `edit:${message.id}`, { text: wordsOf(message) })
    })
  if (mine && onBranched !== undefined)
    acts.push({
      id: 'branch',
      label: 'Branch into new session',
      Icon: BranchIcon,
      disabled: busy,
      act: () => void branch()
    })
  if (mine)
    acts.push({
      id: 'delete',
      label: 'Delete turn…',
      Icon: DeleteIcon,
      danger: true,
      disabled: running || busy,
      act: () => {
        const { waiting } = turnImpact(store.getState().transcript, message.id, { alone: true })
        setAsked({ what: 'delete', goes: impactWords({ later: 0, waiting }) })
      }
    })
  const answer = (yes: boolean) => {
    if (!yes) return setAsked(undefined)
    // The dialog named the pending calls, so the request also cancels them.
    void (asked?.what === 'rerun' ? rerun(true) : remove())
  }
  return { acts, busy, copied, asked, answer }
}

const textsOf = (message: Message) => message.parts.flatMap(part => (part.type === 'text' ? [part.text] : []))

const wordsOf = (message: Message) => textsOf(message).join('\n')

/** Returns the text of a message. The texts between an agent's tool calls become separate paragraphs. */
const markdownOf = (message: Message) =>
  message.role === 'user' ? wordsOf(message) : textsOf(message).join('\n\n').trim()
