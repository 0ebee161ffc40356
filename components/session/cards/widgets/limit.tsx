import { Button } from '#components/ui/button.tsx'
import { Buttons, Primary } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

/** Asks whether a turn that reached its step or cost limit continues. */
export function LimitWidget({ answer }: WidgetProps) {
  return (
    <Buttons>
      <Primary onClick={() => answer({ approved: true })}>Continue</Primary>
      <Button onClick={() => answer({ approved: false })}>Stop here</Button>
    </Buttons>
  )
}
