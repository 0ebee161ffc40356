import { useRouter } from 'next/navigation'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { browserStorage } from '#components/browser/storage.ts'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Input } from '#components/ui/input.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'
import { useListStore } from '#components/workspace/list-context.ts'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { enterSession } from './enter-session.ts'
import { type KnownSession, KnownSessions } from './known-sessions.tsx'
import { useSessionCheck } from './use-session-check.ts'

type NewSessionProps = Pick<NewSessionFormProps, 'agentId' | 'text'> & { close: () => void }

/** The dialog that starts a session. The agent that the user selected last is preselected. */
export function NewSession({ close, ...wish }: NewSessionProps) {
  return (
    <Dialog open onOpenChange={close} title="New session">
      <NewSessionForm {...wish} leave={close} taken={close} />
    </Dialog>
  )
}

type NewSessionFormProps = {
  agentId?: string | undefined
  sessionId?: string
  /** The first draft of a message. */
  text?: string | undefined
  leave: () => void
  /** Called when the session exists, before its page opens. */
  taken?: () => void
}

/** The form of the dialog. A link to `/attach` presets the session ID, which is checked like a typed one. */
export function NewSessionForm({ agentId, sessionId = '', text, leave, taken }: NewSessionFormProps) {
  const { agents, begun, me } = useWorkspace()
  const store = useListStore()
  const router = useRouter()
  const [chosen, setChosen] = useState(agentId ?? agents[0]?.agentId ?? '')
  const [id, setId] = useState(sessionId)
  const [known, setKnown] = useState<KnownSession>()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState('')
  const [missing, setMissing] = useState(false)
  const agent = agents.find(({ agentId }) => agentId === chosen)
  const { external = false, lists = false } = agent ?? {}
  // Undefined: the agent's default.
  const [kit, setKit] = useState<boolean>()
  const judged = useSessionCheck(chosen, id)
  const wrong = missing || judged.refused
  const offersKit = me.mayEdit && !external && !judged.attaches
  const withKit = offersKit && (kit ?? agent?.buildKit === true)
  useEffect(() => {
    const last = browserStorage().get<string>('agent') ?? store.get().rows[0]?.agentId
    if (agentId === undefined && agents.some(agent => agent.agentId === last)) setChosen(last as string)
  }, [agentId, agents, store])
  const form = useRef<HTMLFormElement>(null)
  const isDialog = taken !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the preselected agent changes after the first render
  useEffect(() => {
    // The browser focuses the first agent.
    if (isDialog) form.current?.querySelector<HTMLElement>('input:checked')?.focus()
  }, [isDialog, chosen])

  const create = async (event: FormEvent) => {
    event.preventDefault()
    setFault('')
    if (external && id.trim() === '') return setMissing(true)
    setBusy(true)
    const sessionId = id.trim() || undefined
    const reply = await replyTo(
      client.sessions.create({
        agentId: chosen,
        sessionId,
        // The list has the title before the check of the ID.
        title: judged.title ?? (known?.sessionId === sessionId ? known?.title : undefined),
        buildKit: withKit || undefined
      })
    )
    setBusy(false)
    if (!reply.ok) return setFault(readError(reply))
    taken?.()
    enterSession({ begun, store, go: router.push, text }, reply.body)
  }

  const idField = (
    <label className="flex flex-col gap-1">
      <span className="text-muted">
        {external ? 'ID shared with the external agent' : 'ID'}: letters, digits, - and _
      </span>
      <Input
        value={id}
        onChange={event => {
          setId(event.target.value)
          setMissing(false)
        }}
        required={external}
        aria-describedby="id-judged"
        aria-invalid={wrong}
        spellCheck={false}
        mono
      />
      <span
        id="id-judged"
        data-hook="id-check"
        role="status"
        className={wrong ? 'text-fail' : judged.warns ? 'text-you' : 'text-muted empty:hidden'}
      >
        {missing ? 'Enter the ID that the external agent uses for the session.' : judged.words}
      </span>
    </label>
  )
  if (agents.length === 0) return <p className="text-muted">No agents yet. Create one under Agents first.</p>
  return (
    <form ref={form} onSubmit={create} noValidate className="flex flex-col gap-4">
      <RadioList
        legend="Agent"
        name="agent"
        value={chosen}
        onChange={next => {
          setChosen(next)
          setKit(undefined)
        }}
        options={agents.map(({ agentId, displayName, description }) => ({
          value: agentId,
          label: displayName,
          hint: description
        }))}
        className="-mx-3 flex max-h-[40dvh] flex-col overflow-y-auto"
        legendClassName="mb-1 px-3 text-muted"
        itemClassName="items-baseline border-t px-3 py-2 last:border-b has-checked:bg-panel"
      />
      {external ? (
        idField
      ) : (
        <details
          // Opened for an ID that was typed for another agent, but not closed while the field is emptied.
          ref={details => {
            if (details !== null && id !== '') details.open = true
          }}
          open={sessionId !== ''}
          data-hook="custom-id"
        >
          <summary className="tap w-fit text-muted">Custom ID</summary>
          {idField}
        </details>
      )}
      {offersKit ? (
        <Checkbox data-hook="start-with-kit" checked={withKit} onChange={setKit} className="items-baseline">
          Build kit{' '}
          <span className="text-muted">
            Lets the agent request connections and propose changes to itself, in this session.
          </span>
        </Checkbox>
      ) : null}
      {lists ? (
        <KnownSessions
          key={chosen}
          agentId={chosen}
          value={id.trim()}
          onChoose={session => {
            setKnown(session)
            setId(session.sessionId)
            setMissing(false)
          }}
        />
      ) : null}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      <div className="flex gap-2">
        <Button
          data-hook={judged.attaches ? 'attach-session' : 'create-session'}
          type="submit"
          tone="primary"
          disabled={busy || judged.refused}
        >
          {judged.attaches ? 'Open session' : 'Start session'}
        </Button>
        <Button onClick={leave}>Cancel</Button>
      </div>
    </form>
  )
}
