import type { Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { DraftState, RevisionComparison } from '@waystation/protocol/agent/agent-revision.ts'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { type Failed, useSchemaForm } from '#components/forms/use-schema-form.ts'
import type { Said } from '#components/ui/outcome.tsx'
import { useList } from '#components/workspace/list-context.ts'
import {
  type AgentForm,
  configOf,
  errorsOf,
  formOf,
  rebased,
  type ToolChoice,
  valuesOf
} from './agent-form.ts'
import { type OpenedAgent, openAgent } from './opened-agent.ts'

/** The changes that publishing the draft would make. `next` is the number of the new revision. */
export type Review = RevisionComparison & { next: number }

/**
 * Edits an agent: the state of its form, its saved draft, and changes from other windows. Every request names
 * the draft version that this page read last, so that it cannot overwrite changes that the user has not seen.
 */
export function useAgentDraft(opened: OpenedAgent, tools: readonly ToolChoice[]) {
  const router = useRouter()
  const [open, setOpen] = useState(opened)
  const of = useSchemaForm({
    saved: formOf(keptOf(opened), tools),
    inputOf: values => configOf(values, keptOf(open), tools),
    check: errorsOf
  })
  const [said, setSaid] = useState<Said>({ text: '' })
  const fail = (text: string) => setSaid({ text, failed: true })
  const [others, setOthers] = useState<DraftState>()
  const { agent, state } = open
  const { agentId } = agent
  const base = state.draft?.base ?? agent.revision
  const changed = of.isChanged

  /** Replaces the state of this page with the state on the server. */
  const show = (next: OpenedAgent, words = '') => {
    setOpen(next)
    of.reset(formOf(keptOf(next), tools))
    setOthers(undefined)
    setSaid({ text: words })
    router.refresh()
  }
  /** The number of the newest load, and if it is running. The page ignores responses to older loads. */
  const loads = useRef({ newest: 0, underWay: false })
  const load = async (words = '') => {
    const mine = ++loads.current.newest
    loads.current.underWay = true
    const reply = await openAgent(agentId)
    if (mine !== loads.current.newest) return
    loads.current.underWay = false
    if (reply.ok) show(reply.body, words)
    else fail(changeError(reply))
  }
  const refused = (reply: Failed) => {
    fail(of.showErrors(reply, path => path.replace(/^config\./, '')) || wrongFields)
    void look()
  }
  const idle = !changed && state.draft === null
  // `look` needs the state at the time of the response, because the user can save or publish in the meantime.
  const current = useRef({ idle, load, open })
  current.current = { idle, load, open }
  const look = async () => {
    const reply = await replyTo(client.call('getAgentDraft', { path: { agentId } }))
    if (!reply.ok) return
    const { idle, load, open } = current.current
    const { version, revision, draft } = reply.body
    const isNews =
      version > open.state.version || revision > Math.max(open.agent.revision, open.state.revision)
    // The user has no changes to lose, so the page loads the published revision.
    if (isNews && idle && draft === null) return loads.current.underWay ? undefined : load()
    if (isNews) setOthers(reply.body)
  }
  // A user saved or published a draft, possibly of this agent.
  useEffectOnChange([useList().agentsVersion], () => void look())

  /**
   * Saves the form as a draft based on `base`, over this version of the draft. Returns undefined if the form or the
   * server reports an error.
   */
  const saveOver = async (version: number): Promise<DraftState | undefined> => {
    let kept: DraftState | undefined
    const save = async (values: AgentForm) => {
      const body = { config: configOf(values, keptOf(open), tools), base, version }
      const reply = await replyTo(client.call('saveAgentDraft', { path: { agentId }, body }))
      if (!reply.ok) return refused(reply)
      kept = reply.body
      const next = { ...open, state: reply.body }
      setOpen(next)
      of.reset(formOf(keptOf(next), tools))
      setSaid({ text: 'Draft saved. Sessions use it after you publish it.' })
    }
    await of.form.handleSubmit(save, () => fail(wrongFields))()
    return kept
  }
  const keep = () => saveOver(state.version)
  /**
   * Saves the form if needed, and returns what publishing it would change. Returns undefined after an error,
   * or if another revision was published in the meantime.
   */
  const review = async (): Promise<Review | undefined> => {
    const kept = changed || state.draft === null ? await keep() : state
    if (kept === undefined) return undefined
    if (kept.revision !== base) {
      fail(`Revision ${kept.revision} was published in the meantime. Your draft is still saved.`)
      return undefined
    }
    const query = { from: base, to: 'draft' } as const
    const reply = await replyTo(client.call('compareAgentRevisions', { path: { agentId }, query }))
    if (!reply.ok) {
      refused(reply)
      return undefined
    }
    return { ...reply.body, next: agent.revision + 1 }
  }
  const publish = async (note: string) => {
    const body = { base, version: state.version, ...(note.trim() === '' ? {} : { note }) }
    const reply = await replyTo(client.call('publishAgent', { path: { agentId }, body }))
    if (!reply.ok) return refused(reply)
    await load(`Published as revision ${reply.body.revision}.`)
  }
  const discard = async () => {
    if (state.draft === null) return show(open, 'Changes discarded.')
    const query = { version: state.version }
    const reply = await replyTo(client.call('discardAgentDraft', { path: { agentId }, query }))
    if (!reply.ok) return refused(reply)
    await load('Draft discarded. This is the published revision.')
  }
  /**
   * Applies the user's changes on top of the newest published revision. The user reviews the result before
   * saving it.
   */
  const rebase = async () => {
    const reply = await openAgent(agentId)
    if (!reply.ok) return refused(reply)
    const { agent: newest, state: now } = reply.body
    const theirs = formOf(newest, tools)
    const mine = rebased(valuesOf(of.form.getValues(), tools), formOf(open.base, tools), theirs)
    // With the version that this page read last, the server rejects a save over a draft that the user has not
    // seen.
    const version = now.draft === null ? now.version : state.version
    const draft = { config: configIn(newest), base: newest.revision, version, savedBy: '', savedAt: '' }
    setOpen({ agent: newest, base: newest, state: { ...now, version, draft } })
    of.reset(theirs)
    of.form.reset(mine, { keepDefaultValues: true })
    setOthers(undefined)
    setSaid({
      text: `Your changes now apply to revision ${newest.revision}. Review them, then save the draft.`
    })
    router.refresh()
  }
  const newest = Math.max(others?.revision ?? 0, state.revision)
  return {
    agent,
    of,
    said,
    changed,
    /** True if there is something to publish or discard. */
    pending: changed || state.draft !== null,
    draft: state.draft ?? undefined,
    /** The draft state, if it changed in another window. Its `draft` is null if there is no draft now. */
    others: others !== undefined && others.version > state.version ? others : undefined,
    /** The newest revision, if it was published after the user started to edit. */
    superseded: !idle && newest > base ? newest : undefined,
    keep,
    review,
    publish,
    discard,
    /** Saves the form over the draft of another window, which the user has seen. */
    replace: saveOver,
    rebase,
    load
  }
}

const wrongFields = 'Some fields need attention.'

/** Returns the configuration in the draft, or the published one without a draft. */
const keptOf = ({ agent, state }: OpenedAgent): AgentConfig => state.draft?.config ?? agent

const configIn = ({ revision: _, updatedAt: _at, ...config }: Agent): AgentConfig => config
