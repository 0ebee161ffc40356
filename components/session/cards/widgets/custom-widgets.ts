import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import { createContext, type FunctionComponent } from 'react'

/**
 * The properties of a custom widget. `busy` is true while an answer is on its way to the server. The card then
 * disables all native form controls of the widget.
 */
export type CustomWidgetProps = { call: Call; answer: (answer: Answer) => void; busy: boolean }

/**
 * Widgets of the page's own, which replace the built-in ones. A key is the `kind` of a render hint, or the name
 * of a tool. The approvals of a tool have the key `approval:` and its name.
 */
export type CustomWidgets = Readonly<Record<string, FunctionComponent<CustomWidgetProps>>>

export const CustomWidgetsContext = createContext<CustomWidgets>({})

/**
 * Returns the custom widget of a call: by its render hint, then by its tool (002-4). A widget for a tool never
 * answers the tool's approvals, which need a different answer.
 */
export function customWidgetFor(widgets: CustomWidgets, call: Call) {
  const own = (key: string) => (Object.hasOwn(widgets, key) ? widgets[key] : undefined)
  if (call.kind === 'approval') return own(`approval:${call.toolName}`)
  return (call.render === undefined ? undefined : own(call.render.kind)) ?? own(call.toolName)
}
