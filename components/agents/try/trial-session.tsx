import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { EditedDraft } from '#components/agents/draft/use-agent-draft.ts'
import { client } from '#components/browser/client.ts'
import { useHotkeys } from '#components/browser/hotkeys.ts'
import { WaitingDock } from '#components/session/cards/waiting-dock.tsx'
import { ComposerArea } from '#components/session/composer/composer-area.tsx'
import { FailedBar } from '#components/session/composer/failed-bar.tsx'
import { StateGlyph } from '#components/session/content/state-glyph.tsx'
import { ProblemBar } from '#components/session/header/problem-bar.tsx'
import { draftMessage } from '#components/session/store/composer-draft.ts'
import {
  type Capabilities,
  type SessionAgent,
  useSessionContext,
  useSessionState
} from '#components/session/store/session-context.ts'
import { SessionScope } from '#components/session/store/session-scope.tsx'
import { createSessionStore, type SessionStore } from '#components/session/store/session-store.ts'
import { useSessionStatus } from '#components/session/store/use-status.ts'
import { Log } from '#components/session/transcript/log.tsx'
import { sessionPath } from '#components/session/wording/session-path.ts'
import { canStop } from '#components/session/wording/session-status.ts'
import { Button, IconButton } from '#components/ui/button.tsx'
import { RerunIcon } from '#components/ui/icons.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import type { Trial } from './use-trial.ts'

export type TrialProps = {
  draft: EditedDraft
  trial: Trial
  /** The configuration. ⌘↵ in it runs the last message again. */
  config: RefObject<HTMLElement | null>
}

type TrialSessionProps = TrialProps & { sessionId: string }

/** The page belongs to the configuration, and a trial has no page of its own. */
const can: Capabilities = { ownsPage: false, inspector: false, members: true, tell: false }
const go = () => undefined

/** The trial session: transcript, pending calls and message field. */
export function TrialSession({ sessionId, draft, trial, config }: TrialSessionProps) {
  const { me } = useWorkspace()
  const latest = useRef(trial)
  latest.current = trial
  const [store] = useState(() =>
    preparing(createSessionStore({ sessionId, client }), sessionId, () => latest.current)
  )
  const { exists } = trial
  useEffect(() => (exists ? store.start() : undefined), [store, exists])
  const { agent, of } = draft
  const { chat, displayName } = of.values
  // Part of the session's context, so it changes only with what the session shows.
  const shown = JSON.stringify([displayName, chat.starters, chat.tools, Object.keys(of.values.builtIn)])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` has these values
  const sessionAgent = useMemo<SessionAgent>(() => {
    const config = of.input
    return {
      agentId: agent.agentId,
      displayName,
      ...(config.type === 'chat' && {
        tools: config.chat.tools?.flatMap(tool =>
          'name' in tool && !('@ag.embed' in tool) ? [tool as { name: string }] : []
        ),
        ...(config.chat.starters && { starters: config.chat.starters })
      })
    }
  }, [agent.agentId, shown])
  useHotkeys('Session', [
    {
      keys: 'mod+Enter',
      label: 'Run the last message again with the draft',
      within: config,
      run: () => {
        const last = store.getState().transcript.messages.findLast(({ message }) => message.role === 'user')
        if (last !== undefined) void store.rerun(last.message.id, { calls: true })
        else document.querySelector<HTMLElement>(`[data-composer="${CSS.escape(sessionId)}"]`)?.focus()
      }
    }
  ])
  return (
    <SessionScope
      sessionId={sessionId}
      store={store}
      agent={sessionAgent}
      me={{
        name: me.name,
        id: me.id ?? '',
        role: me.role,
        may: { send: me.maySend, answer: me.mayAnswer },
        approvers: 'an operator of this workspace'
      }}
      can={can}
      sessionHref={sessionPath}
      go={go}
    >
      <div
        data-drop
        data-hook="trial"
        data-session={sessionId}
        className="relative flex min-h-0 flex-1 flex-col narrow-session"
      >
        <Head title={draft.pending ? 'Try the draft' : 'Try it'} renew={trial.renew} />
        <ProblemBar />
        <Log target={undefined} />
        <FailedBar />
        <WaitingDock />
        <ComposerArea />
      </div>
    </SessionScope>
  )
}

function Head({ title, renew }: { title: string; renew: () => void }) {
  const { store } = useSessionContext()
  const face = useSessionStatus()
  const stoppable = useSessionState(state => canStop(state.transcript))
  const isEmpty = face.kind === 'empty'
  return (
    <header className="flex h-[41px] shrink-0 items-center gap-3 border-b px-4">
      <h2 className="shrink-0 font-semibold">{title}</h2>
      <p
        data-face={face.kind}
        className={`flex min-w-0 flex-1 items-center gap-2 ${face.kind === 'parked' || face.kind === 'both' ? 'text-you' : face.kind === 'failed' ? 'text-fail' : 'text-muted'}`}
      >
        {isEmpty ? null : <StateGlyph kind={face.kind} />}
        <span className="truncate tabular-nums">{isEmpty ? '' : face.sentence}</span>
      </p>
      {stoppable ? (
        <Button data-hook="stop-trial" onClick={() => void store.cancel()}>
          Stop
        </Button>
      ) : null}
      <IconButton label="Start over" data-hook="renew-trial" disabled={isEmpty} onClick={renew}>
        <RerunIcon />
      </IconButton>
    </header>
  )
}

/**
 * Returns a store that runs each message and each rerun on the draft as it is then. A message that cannot run stays. Until
 * the session exists, it looks loaded and empty.
 */
function preparing(store: SessionStore, sessionId: string, trial: () => Trial): SessionStore {
  let empty = { of: store.getState(), shown: store.getState() }
  let stop: (() => void) | undefined
  const start = () => {
    stop ??= store.start()
    return () => {
      stop?.()
      stop = undefined
    }
  }
  return {
    ...store,
    start,
    getState() {
      const of = store.getState()
      if (of.loaded || of.gone !== undefined) return of
      if (empty.of !== of || !empty.shown.loaded)
        empty = { of, shown: { ...of, loaded: true, connection: 'live' } }
      return empty.shown
    },
    send(text, ...rest) {
      void trial()
        .prepare()
        .then(ready => {
          if (!ready)
            return draftMessage(sessionId, ({ text: typed }) => ({ text: typed === '' ? text : typed }))
          // The session can be new.
          start()
          store.send(text, ...rest)
        })
    },
    rerun: async (...turn) => ((await trial().prepare()) ? store.rerun(...turn) : undefined)
  }
}
