import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import type { FunctionComponent } from 'react'

/**
 * The properties of a widget, which answers a call. While an answer is being sent, its card disables it. With `undo`, the
 * user can take the answer back for five seconds.
 */
export type WidgetProps = { call: Call; answer: (answer: Answer, options?: { undo: boolean }) => void }
export type Widget = FunctionComponent<WidgetProps>

/**
 * The place of a card: in the dock, in the row of its call, in a sheet, or by itself on a page. The style
 * sheet places its buttons by it.
 */
export type CardPlace = 'dock' | 'inline' | 'sheet' | 'page'
