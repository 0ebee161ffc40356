'use client'
import type { Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { Comparison, DraftState } from '@waystation/protocol/agent/agent-revision.ts'
import { useRouter } from 'next/navigation'
import { useCallback, useEffect, useRef, useState } from 'react'
import { changeError } from '#components/browser/error-text.ts'
import { httpTo, type Reply } from '#components/browser/http.ts'
import { useList } from '#components/workspace/list-context.ts'
import { type AgentDraft, configOf, draftOf, rebased, type ToolChoice } from './agent-draft.ts'
import { formErrors, missingFields, useFocusedFault } from './form-fields.ts'
import { agentPath, type OpenedAgent, openAgent } from './opened-agent.ts'

/** The changes that publishing the draft would make. `next` is the number of the new revision. */
export type Review = Comparison & { next: number }

type Said = { text: string; failed?: boolean; faults?: Readonly<Record<string, string>> }

/**
 * Edits an agent: the state of its form, its saved draft, and changes from other windows. Every request names
 * the draft version that this page read last, so that it cannot overwrite changes that the user has not seen.
 */
export function useAgentDraft(opened: OpenedAgent, tools: readonly ToolChoice[]) {
  const router = useRouter()
  const [open, setOpen] = useState(opened)
  const [form, setForm] = useState(() => draftOf(keptOf(opened), tools))
  const [said, setSaid] = useState<Said>({ text: '' })
  useFocusedFault(said.faults)
  const [others, setOthers] = useState<DraftState>()
  const { agent, state } = open
  const path = agentPath(agent.agentId)
  const base = state.draft?.base ?? agent.revision
  const saved = draftOf(keptOf(open), tools)
  const changed = JSON.stringify(form) !== JSON.stringify(saved)

  /** Replaces the state of this page with the state on the server. */
  const show = (next: OpenedAgent, words = '') => {
    setOpen(next)
    setForm(draftOf(keptOf(next), tools))
    setOthers(undefined)
    setSaid({ text: words })
    router.refresh()
  }
  /** The number of the newest load, and if it is running. The page ignores responses to older loads. */
  const loads = useRef({ newest: 0, underWay: false })
  const load = async (words = '') => {
    const mine = ++loads.current.newest
    loads.current.underWay = true
    const reply = await openAgent(httpTo(''), agent.agentId)
    if (mine !== loads.current.newest) return
    loads.current.underWay = false
    if (reply.ok) show(reply.body, words)
    else setSaid({ text: changeError(reply), failed: true })
  }
  const refused = (reply: Extract<Reply<unknown>, { ok: false }>, config = keptOf(open)) => {
    const errors = formErrors(reply.lost ? {} : (reply.refusal.fields ?? {}), config)
    setSaid({ ...errors, text: errors.text || changeError(reply), failed: true })
    void look()
  }
  const idle = !changed && state.draft === null
  // `look` needs the state at the time of the response, because the user can save or publish in the meantime.
  const current = useRef({ idle, load, open })
  current.current = { idle, load, open }
  const look = useCallback(async () => {
    const reply = await httpTo('')<DraftState>('GET', `${path}/draft`)
    if (!reply.ok) return
    const { idle, load, open } = current.current
    const { version, revision, draft } = reply.body
    const isNews =
      version > open.state.version || revision > Math.max(open.agent.revision, open.state.revision)
    // The user has no changes to lose, so the page loads the published revision.
    if (isNews && idle && draft === null) return loads.current.underWay ? undefined : load()
    if (isNews) setOthers(reply.body)
  }, [path])
  const { agentsVersion } = useList()
  const seen = useRef(agentsVersion)
  useEffect(() => {
    // A user saved or published a draft, possibly of this agent.
    if (agentsVersion === seen.current) return
    seen.current = agentsVersion
    void look()
  }, [agentsVersion, look])

  /**
   * Saves the form as a draft based on `base`. Returns undefined if the form or the server reports an error.
   */
  const keep = async (): Promise<DraftState | undefined> => {
    const missing = missingFields(form)
    if (missing !== undefined) {
      setSaid({ ...missing, failed: true })
      return undefined
    }
    const made = configOf(form, keptOf(open), tools)
    if ('fault' in made) {
      setSaid({ text: made.fault, failed: true, faults: { external: made.fault } })
      return undefined
    }
    const body = { config: made.config, base, version: state.version }
    const reply = await httpTo('')<DraftState>('PUT', `${path}/draft`, body)
    if (!reply.ok) {
      refused(reply, made.config)
      return undefined
    }
    const next = { ...open, state: reply.body }
    setOpen(next)
    setForm(draftOf(keptOf(next), tools))
    setSaid({ text: 'Draft saved. Sessions use it after you publish it.' })
    return reply.body
  }
  /**
   * Saves the form if needed, and returns what publishing it would change. Returns undefined after an error,
   * or if another revision was published in the meantime.
   */
  const review = async (): Promise<Review | undefined> => {
    const kept = changed || state.draft === null ? await keep() : state
    if (kept === undefined) return undefined
    if (kept.revision !== base) {
      setSaid({
        text: `Revision ${kept.revision} was published in the meantime. Your draft is still saved.`,
        failed: true
      })
      return undefined
    }
    const reply = await httpTo('')<Comparison>('GET', `${path}/diff?from=${base}&to=draft`)
    if (!reply.ok) {
      refused(reply)
      return undefined
    }
    return { ...reply.body, next: agent.revision + 1 }
  }
  const publish = async (note: string) => {
    const body = { base, version: state.version, ...(note.trim() === '' ? {} : { note }) }
    const reply = await httpTo('')<Agent>('POST', `${path}/publish`, body)
    if (!reply.ok) return refused(reply)
    await load(`Published as revision ${reply.body.revision}.`)
  }
  const discard = async () => {
    if (state.draft === null) return show(open, 'Changes discarded.')
    const reply = await httpTo('')<DraftState>('DELETE', `${path}/draft?version=${state.version}`)
    if (!reply.ok) return refused(reply)
    await load('Draft discarded. This is the published revision.')
  }
  /**
   * Applies the user's changes on top of the newest published revision. The user reviews the result before
   * saving it.
   */
  const rebase = async () => {
    const reply = await openAgent(httpTo(''), agent.agentId)
    if (!reply.ok) return refused(reply)
    const { agent: newest, state: now } = reply.body
    const before = state.draft === null ? agent : open.base
    const mine = rebased(form, draftOf(before, tools), draftOf(newest, tools))
    // With the version that this page read last, the server rejects a save over a draft that the user has not
    // seen.
    const version = now.draft === null ? now.version : state.version
    const draft = { config: configIn(newest), base: newest.revision, version, savedBy: '', savedAt: '' }
    setOpen({ agent: newest, base: newest, state: { ...now, version, draft } })
    setForm(mine)
    setOthers(undefined)
    setSaid({
      text: `Your changes now apply to revision ${newest.revision}. Review them, then save the draft.`
    })
    router.refresh()
  }
  return {
    agent,
    form,
    change: (part: Partial<AgentDraft>) => setForm(before => ({ ...before, ...part })),
    said,
    changed,
    /** True if there is something to publish or discard. */
    pending: changed || state.draft !== null,
    draft: state.draft ?? undefined,
    /** The draft state, if it changed in another window. Its `draft` is null if there is no draft now. */
    others: others !== undefined && others.version > state.version ? others : undefined,
    /** The newest revision, if it was published after the user started to edit. */
    superseded: supersededBy(Math.max(others?.revision ?? 0, state.revision), base, !idle),
    keep,
    review,
    publish,
    discard,
    rebase,
    load
  }
}

/** Returns the configuration in the draft, or the published one without a draft. */
const keptOf = ({ agent, state }: OpenedAgent): AgentConfig => state.draft?.config ?? agent

const configIn = ({ revision: _, updatedAt: _at, ...config }: Agent): AgentConfig => config

const supersededBy = (newest: number, base: number, matters: boolean) =>
  matters && newest > base ? newest : undefined
