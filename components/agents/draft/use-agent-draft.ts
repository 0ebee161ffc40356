import type { Agent, AgentConfig } from '@waystation/protocol/agent/agent.ts'
import type { DraftState, RevisionComparison } from '@waystation/protocol/agent/agent-revision.ts'
import { canonicalJson } from '@waystation/protocol/canonical-json.ts'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import {
  type AgentForm,
  configOf,
  errorsOf,
  formOf,
  rebased,
  type ToolChoice,
  valuesOf
} from '#components/agents/agent-form.ts'
import { type OpenedAgent, openAgent } from '#components/agents/opened-agent.ts'
import { client } from '#components/browser/client.ts'
import { changeError, errorText } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { type Failed, useSchemaForm } from '#components/forms/use-schema-form.ts'
import type { Said } from '#components/ui/outcome.tsx'
import { useList } from '#components/workspace/list-context.ts'
import { storedDraft } from './stored-draft.ts'
import { type SaveResult, useAutosave } from './use-autosave.ts'

/** The changes that publishing the draft would make. `next` is the number of the new revision. */
export type Review = RevisionComparison & { next: number }

export type EditedDraft = ReturnType<typeof useAgentDraft>

type AgentDraftOptions = {
  opened: OpenedAgent
  tools: readonly ToolChoice[]
  workspaceId: string
  /** Called after errors were shown at the fields, so that the page can show the first one. */
  onErrors: () => void
}

/**
 * Edits an agent: the state of its form, which is saved as the draft by itself, and changes from other windows. Every
 * request names the draft version that this page read last, so that it cannot overwrite changes that the user has not
 * seen. Values that the server does not have yet stay in the browser.
 */
export function useAgentDraft({ opened, tools, workspaceId, onErrors }: AgentDraftOptions) {
  const router = useRouter()
  const [first] = useState(() => ({
    open: opened,
    saved: keyOf(formOf(keptOf(opened), tools), opened, tools)
  }))
  const [known, setKnown] = useState(first)
  // A request can start before React has rendered the result of the last one.
  const now = useRef(first)
  const know = (next: typeof known) => {
    now.current = next
    setKnown(next)
  }
  const { agent, state } = known.open
  const { agentId } = agent
  const of = useSchemaForm({
    saved: formOf(keptOf(opened), tools),
    inputOf: values => configOf(values, keptOf(now.current.open), tools),
    check: errorsOf
  })
  const [said, setSaid] = useState<Said>({ text: '' })
  const fail = (text: string) => setSaid({ text, failed: true })
  const [others, setOthers] = useState<DraftState>()
  const base = baseOf(known.open)
  const value = canonicalJson(of.input) ?? ''
  const changed = value !== known.saved
  const store = storedDraft(workspaceId, agentId)

  /** Replaces the state of this page with the state on the server. */
  const show = (next: OpenedAgent, words = '') => {
    const values = formOf(keptOf(next), tools)
    know({ open: next, saved: keyOf(values, next, tools) })
    of.reset(values)
    store.remove()
    setOthers(undefined)
    setSaid({ text: words })
    router.refresh()
  }
  /** The number of the newest load, and if it is running. The page ignores responses to older loads. */
  const loads = useRef({ newest: 0, underWay: false })
  const load = async (words = '', isWanted = () => true) => {
    const mine = ++loads.current.newest
    loads.current.underWay = true
    const reply = await openAgent(agentId)
    if (mine !== loads.current.newest) return
    loads.current.underWay = false
    if (!reply.ok) fail(changeError(reply))
    else if (isWanted()) show(reply.body, words)
    else setOthers(reply.body.state)
  }
  const isChanged = () => {
    const { open, saved } = now.current
    return keyOf(of.form.getValues(), open, tools) !== saved
  }
  const refused = (reply: Failed) => {
    fail(of.showErrors(reply, path => path.replace(/^config\./, '')) || wrongFields)
    if (reply.error.fields !== undefined) onErrors()
    void look()
  }
  /** Reads the draft, and shows a change of another window, with a text. Returns true if there is one. */
  const look = async (text = ''): Promise<boolean> => {
    const reply = await replyTo(client.call('getAgentDraft', { path: { agentId } }))
    if (!reply.ok) return false
    const { version, revision, draft } = reply.body
    const { open } = now.current
    const isNews =
      version > open.state.version || revision > Math.max(open.agent.revision, open.state.revision)
    if (!isNews) return false
    const mine = keyOf(of.form.getValues(), open, tools)
    // The user has nothing to lose, or the same values were saved elsewhere, perhaps by this page before it was left.
    if (!isChanged()) {
      if (!loads.current.underWay) void load(text, () => !isChanged())
    } else if (draft !== null && canonicalJson(draft.config) === mine)
      know({ open: { ...open, state: reply.body }, saved: mine })
    else setOthers(reply.body)
    return true
  }
  // A user saved or published a draft, possibly of this agent.
  useEffectOnChange([useList().agentsVersion], () => void look())

  /** Saves the form as a draft over this version of the draft. */
  const saveOver = async (version: number): Promise<SaveResult> => {
    const { open } = now.current
    const values = of.form.getValues()
    const config = configOf(values, keptOf(open), tools)
    if (Object.keys(errorsOf(config, values)).length > 0) return 'refused'
    const body = { config, base: baseOf(open), version }
    const reply = await replyTo(client.call('saveAgentDraft', { path: { agentId }, body }))
    if (!reply.ok) {
      if (reply.error.temporary) {
        fail(errorText(reply, 'Your changes stay in this browser until the server has saved them.'))
        return 'failed'
      }
      // The notice about the other window says what to do.
      if (reply.error.code !== 'CONFLICT' || !(await look())) refused(reply)
      return 'refused'
    }
    const next = { ...open, state: reply.body }
    know({ open: next, saved: canonicalJson(config) ?? '' })
    of.form.reset(formOf(keptOf(next), tools), { keepValues: true })
    setOthers(undefined)
    setSaid({ text: '' })
    if (!isChanged()) store.remove()
    return 'saved'
  }
  const autosave = useAutosave({
    value,
    changed,
    isChanged,
    held: others !== undefined,
    save: () => saveOver(now.current.open.state.version)
  })
  const stores = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the value of the form identifies its values
  useEffect(() => {
    if (changed) {
      stores.current = true
      store.set({ values: of.form.getValues(), version: state.version })
    } else if (stores.current) store.remove()
  }, [value, changed])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, after hydration
  useEffect(() => {
    const kept = store.get()
    // The page can be an older copy from the browser's history.
    if (kept === undefined) return void look()
    of.form.reset(kept.values, { keepDefaultValues: true })
    void of.form.trigger()
    if (kept.version >= opened.state.version) return
    know({ ...now.current, open: { ...opened, state: { ...opened.state, version: kept.version } } })
    setOthers(opened.state)
  }, [])

  /** Shows all errors of the form, and says whether there are none. */
  const isValid = async (): Promise<boolean> => {
    let valid = false
    await of.form.handleSubmit(
      () => {
        valid = true
      },
      () => {
        fail(wrongFields)
        onErrors()
      }
    )()
    return valid
  }
  /**
   * Saves the form if needed, and returns what publishing it would change. Returns undefined after an error,
   * or if another revision was published in the meantime.
   */
  const review = async (): Promise<Review | undefined> => {
    if (!(await isValid()) || !(await autosave.flush())) return undefined
    if (await look('The agent was changed in another window. Review the changes again.')) return undefined
    const { open } = now.current
    const base = baseOf(open)
    if (open.state.revision !== base) {
      fail(`Version ${open.state.revision} was published in the meantime. Your draft is still saved.`)
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
    await load(`Published as version ${reply.body.revision}.`)
  }
  const discard = async () => {
    if (state.draft === null) return show(known.open, 'Changes discarded.')
    const query = { version: state.version }
    const reply = await replyTo(client.call('discardAgentDraft', { path: { agentId }, query }))
    if (!reply.ok) return refused(reply)
    await load('Draft discarded.')
  }
  /** Applies the user's changes on top of the newest published revision, and saves the result as the draft. */
  const rebase = async () => {
    const reply = await openAgent(agentId)
    if (!reply.ok) return refused(reply)
    const { open } = now.current
    const { agent: newest, state: found } = reply.body
    const theirs = formOf(newest, tools)
    const mine = rebased(valuesOf(of.form.getValues(), tools), formOf(open.base, tools), theirs)
    // With the version that this page read last, the server rejects a save over a draft that the user has not
    // seen.
    const version = found.draft === null ? found.version : state.version
    const draft = { config: configIn(newest), base: newest.revision, version, savedBy: '', savedAt: '' }
    const next = { agent: newest, base: newest, state: { ...found, version, draft } }
    know({ open: next, saved: keyOf(theirs, next, tools) })
    of.reset(theirs)
    of.form.reset(mine, { keepDefaultValues: true })
    setOthers(undefined)
    setSaid({
      text: `Your changes now apply to version ${newest.revision}. Review them before you publish.`
    })
    router.refresh()
  }
  const newest = Math.max(others?.revision ?? 0, state.revision)
  return {
    agent,
    of,
    said,
    changed,
    autosave,
    /** True if there is something to publish or discard. */
    pending: changed || state.draft !== null,
    draft: state.draft ?? undefined,
    /** The draft state, if it changed in another window. Its `draft` is null if there is no draft now. */
    others: others !== undefined && others.version > state.version ? others : undefined,
    /** The newest revision, if it was published after the user started to edit. */
    superseded: (changed || state.draft !== null) && newest > base ? newest : undefined,
    isValid,
    /** Returns the state of the saved draft, also before the next render. */
    savedState: () => now.current.open.state,
    review,
    publish,
    discard,
    /** Saves the form over the draft of another window, which the user has seen. */
    replace: async (version: number) => {
      if (await isValid()) await saveOver(version)
    },
    rebase,
    load
  }
}

const wrongFields = 'Some fields need attention.'

/** Returns the configuration in the draft, or the published one without a draft. */
const keptOf = ({ agent, state }: OpenedAgent): AgentConfig => state.draft?.config ?? agent

/** Returns the revision that the draft changes. */
const baseOf = ({ agent, state }: OpenedAgent): number => state.draft?.base ?? agent.revision

/** Identifies the configuration of a form's values. */
const keyOf = (values: AgentForm, open: OpenedAgent, tools: readonly ToolChoice[]): string =>
  canonicalJson(configOf(values, keptOf(open), tools)) ?? ''

const configIn = ({ revision: _, updatedAt: _at, ...config }: Agent): AgentConfig => config
