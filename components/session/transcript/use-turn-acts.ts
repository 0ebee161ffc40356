import type { Message } from '@waystation/protocol/session/message.ts'
import { textOf } from '@waystation/protocol/session/message-parts.ts'
import { type ReactNode, useEffect, useState } from 'react'
import { writeDraft } from '#components/browser/drafts.ts'
import { tellAbout } from '#components/session/store/composer-draft.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { useSpeaker } from '#components/session/store/use-speaker.ts'
import { impactWords, turnImpact } from '#components/session/wording/turn-impact.ts'
import {
  BellIcon,
  BranchIcon,
  CompareIcon,
  CopyIcon,
  DeleteIcon,
  EditIcon,
  RerunIcon
} from '#components/ui/icons.tsx'
import type { TurnRequest } from './turn-question.tsx'

/** An action on a turn. Tests find its button by `id`. */
type TurnAct = {
  id: 'copy' | 'rerun' | 'edit' | 'branch' | 'compare' | 'tell' | 'delete'
  label: string
  Icon: () => ReactNode
  disabled: boolean
  act: () => void
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
  const { sessionId, store, may, me, can, onBranched, onCompare } = useSessionContext()
  const speaker = useSpeaker()
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
  const copy = () =>
    void navigator.clipboard.writeText(markdownOf(message)).then(
      () => setCopied(true),
      () => undefined
    )
  const rerun = (calls: boolean) => during(() => store.rerun(message.id, { calls }))
  const askRerun = () => {
    const goes = impactWords(turnImpact(store.getState().transcript, message.id))
    if (goes === undefined) void rerun(false)
    else setAsked({ what: 'rerun', goes })
  }
  const edit = () => writeDraft(sessionId, `edit:${message.id}`, { text: textOf(message) })
  const tell = () => tellAbout(sessionId, { relatedTo: message.id })
  const branch = () =>
    void during(async () => {
      const made = await store.branch(message.id)
      if (made !== undefined) onBranched?.(made.sessionId)
    })
  const askRemove = () => {
    const { waiting } = turnImpact(store.getState().transcript, message.id, { alone: true })
    setAsked({ what: 'delete', goes: impactWords({ later: 0, waiting }) })
  }

  const own = can.members || message.role === 'assistant' || message.metadata?.sentBy === me.name
  const undoes = may.send && !speaker.external && own
  const mine = undoes && can.members
  const person = message.role === 'user'
  const label = person
    ? { copy: 'Copy message', rerun: 'Run again from here' }
    : { copy: 'Copy reply as Markdown', rerun: 'Run again' }
  const disabled = running || busy
  const acts: TurnAct[] = [
    { id: 'copy', label: copied ? 'Copied' : label.copy, Icon: CopyIcon, disabled: false, act: copy }
  ]
  if (undoes) acts.push({ id: 'rerun', label: label.rerun, Icon: RerunIcon, disabled, act: askRerun })
  if (undoes && person)
    acts.push({ id: 'edit', label: 'Edit and run again', Icon: EditIcon, disabled, act: edit })
  if (mine && onBranched !== undefined)
    acts.push({
      id: 'branch',
      label: 'Branch into new session',
      Icon: BranchIcon,
      disabled: busy,
      act: branch
    })
  if (mine && person && me.may?.edit && onCompare !== undefined)
    acts.push({
      id: 'compare',
      label: 'Run on…',
      Icon: CompareIcon,
      disabled,
      act: () => onCompare(message.id)
    })
  if (may.send && can.tell)
    acts.push({ id: 'tell', label: 'Tell about this', Icon: BellIcon, disabled: false, act: tell })
  if (mine) acts.push({ id: 'delete', label: 'Delete turn…', Icon: DeleteIcon, disabled, act: askRemove })
  const answer = (yes: boolean) => {
    if (!yes) return setAsked(undefined)
    // The dialog named the pending calls, so the request also cancels them.
    void (asked?.what === 'rerun' ? rerun(true) : during(() => store.removeTurn(message.id, true)))
  }
  return { acts, busy, copied, asked, answer }
}

/** Returns the text of a message. The texts between an agent's tool calls become separate paragraphs. */
function markdownOf(message: Message): string {
  if (message.role === 'user') return textOf(message)
  const texts = message.parts.flatMap(part => (part.type === 'text' ? [part.text] : []))
  return texts.join('\n\n').trim()
}
