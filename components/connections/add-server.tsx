import type { McpInspection } from '@waystation/protocol/connection/mcp.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { changeError, readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { Form } from '#components/forms/form.tsx'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Field } from '#components/ui/field.tsx'
import { VisibleText } from '#components/ui/visible-text.tsx'
import { Link } from '#components/workspace/link.tsx'
import { ConnectLine } from './connect-line.tsx'
import { McpError } from './mcp-health.tsx'
import { shortNameOf } from './service-values.ts'
import { useConnecting } from './use-connecting.ts'

/**
 * Adds an MCP server by its address: checks it, shows its tools, and saves it. `taken`: short names that are in use.
 * `isFirst`: it is below the centered text of an empty list.
 */
export function AddServer({ taken, isFirst }: { taken: readonly string[]; isFirst: boolean }) {
  const [url, setUrl] = useState('')
  const [fault, setFault] = useState<string>()
  const [checked, setChecked] = useState<{ url: string; found: McpInspection }>()
  const [check, busy] = useAction(async () => {
    setChecked(undefined)
    const address = url.trim()
    if (!/^https?:/i.test(address) || !URL.canParse(address))
      return setFault('Enter an address, like https://mcp.example/mcp.')
    const reply = await replyTo(client.call('inspectMcpServer', { body: { url: address } }))
    setFault(reply.ok ? undefined : readError(reply))
    if (reply.ok) setChecked({ url: address, found: reply.body })
  })
  return (
    <section aria-label="Add an MCP server" data-hook="add-server" className="flex flex-col gap-4">
      <Form
        onSubmit={check}
        className={
          isFirst ? 'flex flex-col items-center gap-3' : 'flex flex-wrap items-start gap-x-3 gap-y-2'
        }
      >
        <div className={isFirst ? 'w-full' : 'min-w-0 flex-1 basis-72'}>
          <Field
            name="mcpUrl"
            label="Address of an MCP server"
            hint="Shows its tools before anything is added."
            value={url}
            onChange={setUrl}
            fault={fault}
            placeholder="https://mcp.example/mcp"
            inputMode="url"
            maxLength={2000}
            mono
          />
        </div>
        <Button
          type="submit"
          tone="primary"
          disabled={busy}
          data-hook="check-address"
          className={isFirst ? '' : 'mid:mt-6'}
        >
          {busy ? 'Checking…' : 'Check server'}
        </Button>
      </Form>
      {checked === undefined ? null : (
        <Found key={checked.url} url={checked.url} found={checked.found} taken={taken} />
      )}
    </section>
  )
}

type FoundProps = { url: string; found: McpInspection; taken: readonly string[] }

/** The result of a check, with the button that saves the server. */
function Found({ url, found: { state, name: itsName, tookMs, tools, error }, taken }: FoundProps) {
  const router = useRouter()
  const { connecting, connect } = useConnecting()
  const [name, setName] = useState(itsName ?? new URL(url).hostname)
  const [fault, setFault] = useState('')
  const [added, setAdded] = useState<string>()
  const [without, setWithout] = useState<readonly string[]>([])
  const short = freeName(shortNameOf(name), taken)
  const [add, busy] = useAction(async () => {
    const service = name.trim()
    if (short === '') return setFault('Enter a name.')
    const path = { integration: short }
    const reply = await replyTo(
      client.call('saveIntegration', { path, body: { config: { service, mcp: { url } } } })
    )
    if (!reply.ok) return setFault(changeError(reply))
    setFault('')
    if (state === 'account') {
      setAdded(short)
      return connect({ integration: short, service, slug: short, sharing: 'user' })
    }
    await replyTo(client.call('checkMcpServer', { path: { server: short } }))
    const query = new URLSearchParams([['give', ''], ...without.map(tool => ['without', tool])])
    router.push(`/connections/mcp/${encodeURIComponent(short)}?${query}`)
  })
  if (state === 'failed')
    return (
      <div role="alert" data-hook="found" data-state={state} className="text-fail [overflow-wrap:anywhere]">
        <McpError error={error} />
      </div>
    )
  return (
    <div
      data-hook="found"
      data-state={state}
      className="flex flex-col gap-4 rounded-sm border bg-ground p-4 text-left"
    >
      <p role="status">
        {state === 'account'
          ? 'This server requires sign-in. Its tools appear after you connect an account.'
          : `Responded in ${tookMs} ms with ${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}. No sign-in is required.`}
      </p>
      {tools.length === 0 ? null : (
        <fieldset className="min-w-0">
          <legend className="pb-1 font-semibold">Tools to give to an agent</legend>
          <ul data-hook="found-tools" className="max-h-80 overflow-y-auto border-y">
            {tools.map(tool => (
              <li key={tool.name} className="border-b py-1.5 last:border-b-0">
                <Checkbox
                  name={tool.name}
                  checked={!without.includes(tool.name)}
                  onChange={on =>
                    setWithout(on ? without.filter(one => one !== tool.name) : [...without, tool.name])
                  }
                >
                  <span className="flex gap-3">
                    <span className="max-w-1/2 shrink-0 truncate font-mono text-mono">
                      <VisibleText text={tool.name} />
                    </span>
                    <span className="min-w-0 truncate text-muted">{tool.title ?? tool.description}</span>
                  </span>
                </Checkbox>
              </li>
            ))}
          </ul>
        </fieldset>
      )}
      {added === undefined ? (
        <Form onSubmit={add} className="flex flex-wrap items-start gap-x-3 gap-y-2">
          <div className="min-w-0 flex-1 basis-60">
            <Field
              name="mcpName"
              label="Name"
              value={name}
              onChange={setName}
              fault={fault === '' ? undefined : fault}
              hint={`Agents use it as ${short}.`}
              maxLength={80}
            />
          </div>
          <Button type="submit" tone="primary" disabled={busy} data-hook="save-server" className="mid:mt-6">
            {state === 'account' ? 'Add and sign in' : 'Add server'}
          </Button>
        </Form>
      ) : (
        <div>
          <p>
            {name} was added.{' '}
            <Link href={`/connections/mcp/${encodeURIComponent(added)}`} className="reach underline">
              Open server
            </Link>
          </p>
          {connecting.map(one => (
            <ConnectLine key={one.target.slug} connecting={one} />
          ))}
        </div>
      )}
    </div>
  )
}

/** Returns the name, with a number if it is taken. */
function freeName(name: string, taken: readonly string[]): string {
  let free = name
  for (let n = 2; taken.includes(free); n++) free = `${name.slice(0, 60)}-${n}`
  return free
}
