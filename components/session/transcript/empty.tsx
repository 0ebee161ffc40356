import { useRead } from '#components/browser/queries.tsx'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import { StartCard } from '#components/ui/start-card.tsx'
import { startersOf } from './starters.ts'

/** Shown in a session without messages: suggested prompts for the agent, or how an external agent replies. */
export function Empty() {
  const { agent, store, may } = useSessionContext()
  return (
    <div className="@container flex flex-col gap-2 pt-6 pl-(--gutter)">
      <h2 className="text-title font-semibold">{agent.displayName}</h2>
      {agent.description === undefined ? null : (
        <p data-hook="agent-description" className="text-person text-muted">
          {agent.description}
        </p>
      )}
      {agent.external ? <Callback /> : null}
      {may.send && !agent.external ? (
        <ul className="grid grid-cols-1 gap-3 pt-6 @[480px]:grid-cols-2">
          {startersOf(agent).map(({ label, text }) => (
            <li key={label} className="flex">
              <StartCard data-hook="starter" label={label} onClick={() => store.send(text)}>
                <span className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
                  {text.replace(/\s*\{.*/s, '')}
                </span>
              </StartCard>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

/**
 * Explains an external agent. Users who can read its callback URL also get a command that replies in place of
 * the agent.
 */
function Callback() {
  const { agent, store } = useSessionContext()
  const { data } = useRead({
    queryKey: ['callback link', store.path],
    queryFn: () => store.client.call('callbackLink', { path: store.path })
  })
  const command = data && replyCurl(data)
  return (
    <>
      <p data-hook="external-agent" className="max-w-[68ch]">
        {agent.displayName} is an external agent. It receives your messages and replies when it is ready. You
        can close this tab.
      </p>
      {command === undefined ? null : (
        <figure data-hook="callback" className="min-w-0">
          <figcaption className="flex items-center justify-between text-muted">
            {data?.signed ? 'Reply command, with an API key in $KEY' : 'Reply command'}
            <CopyButton text={command} label="Copy curl" />
          </figcaption>
          <ScrollBox label="Reply command">
            <pre className="p-2 font-mono text-mono">{command}</pre>
          </ScrollBox>
        </figure>
      )}
    </>
  )
}

/**
 * Returns a curl command with a heredoc (000-15). The URL is in single quotes and cannot end them. If the agent has a
 * signing secret, the link alone is not enough, so the command takes an API key instead of the link's token.
 */
function replyCurl({ callbackUrl, signed }: { callbackUrl: string; signed: boolean }): string {
  const url = signed ? callbackUrl.replace(/\?.*$/, '') : callbackUrl
  const key = signed ? ' -H "Authorization: Bearer $KEY"' : ''
  return `curl '${url.replaceAll("'", "'\\''")}'${key} --data-binary @- <<'END'\nHello from an **external agent**.\nEND`
}
