import type { ModelTest } from '@waystation/protocol/workspace/models.ts'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import type { KnownModels } from '#components/forms/known-models.ts'
import { ModelPicker } from '#components/forms/model-picker.tsx'
import { Button } from '#components/ui/button.tsx'

/** Asks a model for one word, and shows its answer or why there is none. */
export function TestModel({ known }: { known: KnownModels }) {
  const [model, setModel] = useState('')
  const [said, setSaid] = useState<{ text: string; failed?: boolean }>({ text: '' })
  const [test, busy] = useAction(async () => {
    setSaid({ text: 'Asking…' })
    const reply = await replyTo(client.call('testModel', { body: { model: model || 'default' } }))
    setSaid(reply.ok ? outcomeOf(reply.body) : { text: readError(reply), failed: true })
  })
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 flex-1 basis-60">
          <ModelPicker label="Test a model" known={known} value={model} onChange={setModel} />
        </div>
        <Button data-hook="test-model" disabled={busy} onClick={() => void test()}>
          Send test call
        </Button>
      </div>
      <p
        role="status"
        data-hook="model-test"
        className={`[overflow-wrap:anywhere] ${said.failed ? 'text-fail' : 'text-muted'}`}
      >
        {said.text || 'Asks the model for one word. This can cost a fraction of a cent.'}
      </p>
    </div>
  )
}

const outcomeOf = ({ model, ok, text, ms }: ModelTest) =>
  ok ? { text: `${model} answered “${text}” after ${ms.toLocaleString('en')} ms.` } : { text, failed: true }
