import type { ChatConfig } from '@waystation/protocol/agent/agent.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Button, IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { Input } from '#components/ui/input.tsx'

type Starter = NonNullable<ChatConfig['starters']>[number]

const most = 6

/** The prompts that an empty session offers as buttons, one row each. Rows without a text are not saved. */
export function Starters() {
  const { value = [], onChange, fault } = useFormValue<readonly Starter[] | undefined>('chat.starters')
  const change = (next: readonly Starter[]) => onChange(next.length === 0 ? undefined : next)
  const set = (index: number, part: Partial<Starter>) =>
    change(value.map((starter, at) => (at === index ? { ...starter, ...part } : starter)))
  return (
    <fieldset data-hook="starters" className="flex min-w-0 flex-col items-start gap-2">
      <legend className="float-left w-full font-semibold">Starters</legend>
      <p className="text-muted">
        {value.length === 0
          ? 'An empty session offers three prompts that are made from the tools. Add your own instead.'
          : 'The prompts that an empty session offers.'}
      </p>
      {value.length === 0 ? null : (
        <ul className="flex w-full flex-col gap-2">
          {value.map(({ label, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a starter has no ID
            <li key={index} className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2">
              <Input
                aria-label={`Label of starter ${index + 1}`}
                placeholder={text === '' ? 'Label' : text.slice(0, 80)}
                maxLength={80}
                value={label === text ? '' : label}
                onChange={event => set(index, { label: event.target.value || text.slice(0, 80) })}
              />
              <Input
                aria-label={`Text of starter ${index + 1}`}
                placeholder="Message that it sends"
                maxLength={2000}
                value={text}
                onChange={event => {
                  const next = event.target.value
                  set(index, {
                    text: next,
                    ...(label === text.slice(0, 80) ? { label: next.slice(0, 80) } : {})
                  })
                }}
              />
              <IconButton
                label={`Remove starter ${index + 1}`}
                onClick={() => change(value.filter((_, at) => at !== index))}
              >
                <CloseIcon />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <p role="alert" className="text-fail empty:hidden">
        {fault}
      </p>
      {value.length < most ? (
        <Button data-hook="add-starter" onClick={() => change([...value, { label: '', text: '' }])}>
          Add starter
        </Button>
      ) : null}
    </fieldset>
  )
}
