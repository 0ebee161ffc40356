import type { AgentTool } from '@waystation/protocol/agent/agent.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { amount, json, optional, trimmed } from '#components/forms/text-format.ts'
import { ValueField } from '#components/forms/value-field.tsx'
import { Button } from '#components/ui/button.tsx'
import { SchemaEditor } from './schema-editor.tsx'
import { TestHttpTool } from './test-http-tool.tsx'
import { fieldsOf, type ToolFieldsProps } from './tool-fields.ts'

/** The fields of a tool that another service answers over HTTP (docs/api.md#external-tools). */
export function HttpToolFields(props: ToolFieldsProps) {
  const field = fieldsOf(props)
  const { tool, onChange } = props
  const url = field<string>('url').value
  const [fault, setFault] = useState('')
  const [read, busy] = useAction(async () => {
    const reply = await replyTo(client.call('readHttpTool', { body: { url } }))
    setFault(reply.ok ? '' : readError(reply))
    if (reply.ok) onChange({ ...tool, ...reply.body } as AgentTool)
  })
  return (
    <>
      <ValueField
        {...field('url')}
        as={trimmed}
        label="URL"
        hint="Each call is sent to this URL. A service with the package @waystation/server fills in the rest."
        inputMode="url"
        required
        mono
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button data-hook="read-tool" disabled={busy || url === ''} onClick={() => void read()}>
          Read definition
        </Button>
        <p role="status" className="text-fail empty:hidden">
          {fault}
        </p>
      </div>
      <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
        <ValueField
          {...field('name')}
          as={trimmed}
          label="Name for the model"
          hint="Letters, digits, - and _."
          required
          mono
        />
        <ValueField
          {...field('title')}
          as={optional}
          label="Name for people"
          placeholder="the name for the model"
        />
      </div>
      <ValueField
        {...field('description')}
        label="Description for the model"
        placeholder="When to call the tool, and what it returns"
        rows={3}
      />
      <SchemaEditor {...field('inputSchema')} label="Arguments" />
      <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
        <ValueField
          {...field('outputSchema')}
          as={json}
          label="Schema of the result"
          hint="Optional, as a JSON Schema. Results that do not match are errors."
          rows={4}
          mono
        />
        <ValueField
          {...field('retries')}
          as={amount}
          label="Retries"
          hint="0 to 10. With retries, the service may receive a call twice."
          inputMode="numeric"
        />
      </div>
      <TestHttpTool name={field<string>('name').value} url={url} schema={field('inputSchema').value} />
    </>
  )
}
